# SPDX-License-Identifier: BSD-3-Clause
"""Schemas that add to an SMI module: `import: IF-MIB`, and what is added or overridden."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ...findings.diagnostics import Diagnostics
from ...findings.usage import reason
from ..raw import Node, span
from . import find, is_module_name, load, looks_like, places
from .tree import merged


def join(
    path: str,
    root: Node,
    diagnostics: Diagnostics,
    read: Callable[[str], bytes],
    mib_path: tuple[str, ...] = (),
) -> Node | None:
    """The schema at `path` over the module that it imports; None after reporting why not.

    Mappings are joined key by key; what the schema says wins. `module` need not be said.
    """
    imported = root.value.pop("import")
    where, name = span(imported.region), imported.value
    refuse = partial(diagnostics.report, "import-unknown", where)
    if not isinstance(name, str) or not name:
        hint = "write `import: IF-MIB`, or the name of a file with the module"
        refuse("'import' names an SMI module", hint)
        return None
    folder = Path(path).parent
    file: Path | None = folder / name
    if not (folder / name).is_file() and is_module_name(name):
        file = find(name, mib_path, home=folder)
    if file is None:
        message = f"module '{name}' is in none of the folders that are searched"
        refuse(message, places.source_of(name))
        return None
    if file.exists() and not file.is_file():  # it may never end
        refuse(f"'{name}' is not a file")
        return None
    try:
        data = read(str(file))
    except (OSError, ValueError) as error:
        refuse(f"cannot read '{name}': {reason(error)}")
        return None
    if not looks_like(data):
        refuse(f"'{name}' is not an SMI module")
        return None
    under = load(str(file), data, diagnostics, mib_path, wanted=Path(name).stem)
    return None if under is None else merged(under, root)

# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen import`: an SMI module as the text of a schema that `check` and `build` accept."""

import os
from pathlib import Path
from typing import Any

import yaml

from ..findings.diagnostics import Diagnostics
from ..findings.usage import UsageError, reason
from ..frontends import STDIN, read_file, smi
from ..frontends.raw import Raw, plain
from ..frontends.smi.mapping import MAX_ROWS
from ..model.language import scalars
from ..output import staging
from .repair import repair

_COLUMNS = 96
_LONG = 60
"""Characters of a text that is folded."""

_HEADER = """\
# A schema imported from {name} by `ctrgen import`; yours to edit.
#
# snmp: keeps the names, OIDs and types of the module, so that the MIB made from this schema is
# the one it came from. What to decide here: `sync` (of the module, or of a scope), `max` (rows
# of a table; {rows} where the module does not say) and `updates` (calls that change several items).
# `reset: true` adds an object to the MIB that says when counters were reset.
#
# To keep the module as it is and only add to it, write a schema with `import: {name}` instead.

"""


def run(mib: str, mib_path: tuple[str, ...] = ()) -> tuple[str | None, Diagnostics]:
    """The schema of a module (a file, `-`, or a name) as text, None after an error.

    Raises UsageError when there is no such file or module.
    """
    diagnostics = Diagnostics()
    path, required = STDIN if mib == "-" else mib, ""
    if mib != "-" and not Path(mib).exists() and smi.is_module_name(mib):
        file = smi.find(mib, mib_path, Path.cwd())
        if file is None:
            raise UsageError(f"module '{mib}' is not found", smi.places.source_of(mib))
        path, required = str(file), mib
    try:
        data = read_file(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read '{mib}': {reason(error)}") from error
    node = smi.load(path, data, diagnostics, mib_path, required)
    if node is None or diagnostics.failed:
        return None, diagnostics
    raw, wrong = repair(Raw(path, path, node, is_smi=True), diagnostics)
    for left in wrong:
        diagnostics.add(left)
    return (None if diagnostics.exit_code else text(plain(raw.root))), diagnostics


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text_node(dumper: Any, value: str) -> yaml.ScalarNode:
    """A text, in quotes where YAML 1.2 would take it for something else."""
    is_text = isinstance(scalars.scalar(value), str)
    style = '"' if not is_text else ">" if len(value) > _LONG else None
    node: yaml.ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)
    return node


_Dumper.add_representer(str, _text_node)


def dump(key: str, value: Any) -> str:
    """An entry of a mapping as YAML; the innermost mappings and lists are on one line."""
    flow = None if isinstance(value, dict | list) else False
    written: str = yaml.dump(
        {key: value}, Dumper=_Dumper, default_flow_style=flow,
        sort_keys=False, allow_unicode=True, width=_COLUMNS,
    )  # fmt: skip
    return written


def text(schema: dict[str, Any]) -> str:
    """The schema of a module as YAML that people read: short things on one line, long text folded;
    the same for the same schema."""
    parts = [_HEADER.format(name=schema["snmp"]["name"], rows=MAX_ROWS)]
    for key, value in schema.items():
        parts += ["\n" if isinstance(value, dict) else "", dump(key, value)]
    return "".join(parts)


def save(*files: tuple[str, str]) -> list[str]:
    """Write texts to files, all or none; returns what to print for each. Raises UsageError.

    `-` is the standard output. A file with other contents is not replaced.
    """
    targets = {Path(path): text for path, text in files if path != "-"}
    where = Path()
    try:
        for where, text in targets.items():
            _refuse(where, text)
        if len({os.path.realpath(target) for target in targets}) < sum(p != "-" for p, _ in files):
            raise UsageError(f"'{where}' is named twice", "name another file for one of the two")
        staging.commit(where.parent, targets)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write '{where}': {reason(error)}") from error
    except staging.OutputError as error:
        raise UsageError(f"cannot write '{error.path}': {error.reason}", error.hint) from error
    return [text if path == "-" else f"{Path(path)}\n" for path, text in files]


def _refuse(target: Path, text: str) -> None:
    """Raise UsageError for a file that cannot be made to hold a text."""
    if target.is_dir():
        raise UsageError(f"cannot write '{target}': it is a folder", "name a file in it")
    if not target.parent.is_dir():
        raise UsageError(f"cannot write '{target}': its folder does not exist", "create it")
    if staging.content(target) not in (None, text.encode("utf-8")):
        message = f"'{target}' exists and is not what would be written"
        raise UsageError(message, "remove it first, or name another file")

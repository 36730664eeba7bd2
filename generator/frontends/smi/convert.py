# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen import`: reads an SMI module, writes the file of a schema."""

from __future__ import annotations

import secrets
from pathlib import Path

from ...findings.diagnostics import Diagnostics
from ...findings.usage import UsageError, reason
from .. import STDIN, read_file
from ..raw import Node
from . import find, is_module_name, load, places


def read(
    mib: str, diagnostics: Diagnostics, mib_path: tuple[str, ...] = ()
) -> tuple[str, Node | None]:
    """The file of a module (a file, `-`, or a name), and its schema; None after an error.

    Raises UsageError when there is no such file or module.
    """
    path, wanted = mib, ""
    if mib == "-":
        path = STDIN
    elif not Path(mib).exists() and is_module_name(mib):
        file = find(mib, mib_path, Path.cwd())
        if file is None:
            raise UsageError(f"module '{mib}' is not found", places.source_of(mib))
        path, wanted = str(file), mib
    try:
        data = read_file(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read '{mib}': {reason(error)}") from error
    return path, load(path, data, diagnostics, mib_path, wanted)


def write(path: str, text: str, force: bool = False) -> str:
    """Write a schema, whole or not at all; what to say about it. Raises UsageError.

    `-` is the standard output. A file that holds anything else is only replaced with `force`.
    """
    if path == "-":
        return text
    target, data = Path(path), text.encode("utf-8")
    try:
        if target.is_dir():
            raise UsageError(f"cannot write '{path}': it is a folder", "name a file in it")
        same = target.is_file() and target.read_bytes() == data
        if not force and target.exists() and not same:
            hint = "--force overwrites it; without -o the schema is printed"
            raise UsageError(f"'{path}' exists and is not what would be written", hint)
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        try:
            with temporary.open("xb") as file:
                file.write(data)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write '{path}': {reason(error)}") from error
    return f"{path}\n"

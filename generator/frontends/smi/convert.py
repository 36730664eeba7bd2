# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen import`: an SMI module as a schema to edit."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ...diagnostics import Diagnostics
from .. import STDIN, read_file
from ..raw import plain
from . import find, is_module_name, load, places
from . import write as writer


class ConvertError(Exception):
    """What was asked for makes no sense, such as a file that does not exist; exit code 2."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def run(mib: str, mib_path: tuple[str, ...] = ()) -> tuple[str | None, Diagnostics]:
    """The schema of a module (a file, `-`, or a name) as text, None after an error.

    Raises ConvertError when there is no such file or module.
    """
    for folder in mib_path:
        if not Path(folder).is_dir():
            raise ConvertError(f"--mib-path: there is no folder '{folder}'")
    path, wanted = mib, ""
    if mib == "-":
        path = STDIN
    elif not Path(mib).exists() and is_module_name(mib):
        found = find(mib, mib_path, Path.cwd())
        if found is None:
            raise ConvertError(f"module '{mib}' is not found", places.source_of(mib))
        path, wanted = str(found), mib
    try:
        data = read_file(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConvertError(f"cannot read '{mib}': {reason}") from error
    diagnostics = Diagnostics()
    node = load(path, data, diagnostics, mib_path, wanted)
    if node is None or diagnostics.failed:
        return None, diagnostics
    return writer.text(plain(node)), diagnostics


def write(path: str, text: str) -> str:
    """Write a schema, whole or not at all; what to say about it. Raises ConvertError."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except OSError as error:
        raise ConvertError(f"cannot write '{path}': {error.strerror}") from error
    return f"{path}\n"

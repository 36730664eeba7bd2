# SPDX-License-Identifier: BSD-3-Clause
"""Frontends turn what a user wrote into raw schemas, following includes."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from ..findings.diagnostics import Diagnostics, Severity, Span, declare
from ..findings.usage import reason
from .raw import MAX_BYTES, Node, Raw

__all__ = ["MAX_FILES", "STDIN", "Node", "Raw", "Reader", "load", "read_file"]

STDIN = "<stdin>"
"""Name of the standard input in findings and generated text."""

Reader = Callable[[str], bytes]
"""Reads a file of a schema by its path; raises OSError."""

MAX_FILES = 1000
"""Most files of one schema."""

declare("unreadable-file", Severity.ERROR, "A schema file can be read.")
declare("include-missing", Severity.ERROR, "An included file exists and can be read.")
declare("include-cycle", Severity.ERROR, "A file does not include itself, directly or by others.")
declare("include-twice", Severity.ERROR, "A file is included once: its scopes would be duplicates.")
declare(
    "include-path",
    Severity.ERROR,
    "An included file is named relative to the file that includes it: a schema can be moved.",
)
declare("include-limit", Severity.ERROR, "A schema has at most 1,000 files.")


def load(
    path: str,
    diagnostics: Diagnostics,
    read: Reader | None = None,
    mib_path: tuple[str, ...] = (),
) -> list[Raw]:
    """Read a schema and everything it includes: the top file first, then includes in order.

    `path` is a file name or `-` for the standard input. `read` reads files from
    elsewhere than the file system. SMI modules are looked for in `mib_path`
    first. Empty when the top file could not be read; `diagnostics.unreadable`
    is then set if there was no text at all to judge.
    """
    return _Loader(path, diagnostics, read or read_file, mib_path).run()


def read_file(path: str) -> bytes:
    """The content of a file, one octet more than is allowed at most. Raises OSError, ValueError."""
    if path == STDIN:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(path).open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _refuse_devices(path: str) -> None:
    """What is there and is neither file nor folder may never end. Raises OSError."""
    mode = Path(path).stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "not a regular file", path)


class _Loader:
    def __init__(
        self, path: str, diagnostics: Diagnostics, read: Reader, mib_path: tuple[str, ...]
    ) -> None:
        self.read, self.mib_path = read, mib_path
        self.top = STDIN if path == "-" else path
        self.folder = Path() if path == "-" else Path(path).parent
        self.diagnostics = diagnostics
        self.raws: list[Raw] = []
        self.seen: set[str] = set()
        self.active: list[str] = []

    def run(self) -> list[Raw]:
        try:
            data = self._top()
        except (OSError, ValueError) as error:
            where = Span.of_file(self.top)
            message = f"cannot read the schema: {reason(error)}"
            self.diagnostics.report("unreadable-file", where, message, self._where_to_look(error))
            self.diagnostics.unreadable = True
            return []
        self._file(self.top, data, 0)
        return self.raws

    def _where_to_look(self, error: OSError | ValueError) -> str:
        """What to do when the top file is missing and could be an SMI module."""
        from . import smi

        if not isinstance(error, FileNotFoundError) or self.read is not read_file:
            return ""
        return smi.places.source_of(self.top) if smi.is_module_name(self.top) else ""

    def _top(self) -> bytes:
        """The top file; an SMI module can be named instead, and is looked for."""
        try:
            return self.read(self.top)
        except FileNotFoundError:
            from . import smi

            file = smi.find(self.top, self.mib_path) if smi.is_module_name(self.top) else None
            if file is None or self.read is not read_file:
                raise
            self.top, self.folder = str(file), file.parent
            return self.read(self.top)

    def _identity(self, path: str) -> str:
        return path if path == STDIN else os.path.realpath(path)

    def _source(self, path: str) -> str:
        if path in (self.top, STDIN):
            return Path(path).name
        return os.path.relpath(path, self.folder).replace(os.sep, "/")

    def _file(self, path: str, data: bytes, depth: int) -> None:
        identity = self._identity(path)
        self.seen.add(identity)
        from . import smi

        is_smi = path == self.top and smi.looks_like(data)
        root = self._root(path, data, is_smi)
        if root is None:
            return
        raw = Raw(path, self._source(path), root, is_smi)
        self.raws.append(raw)
        self.active.append(identity)
        includes = raw.data.get("include")
        if isinstance(includes, list):
            for number, name in enumerate(includes):
                if isinstance(name, str):
                    self._include(raw, number, name, depth + 1)
        self.active.pop()

    def _root(self, path: str, data: bytes, is_smi: bool) -> Node | None:
        """The tree of a file: a schema in YAML, what that imports from SMI in it, or SMI."""
        from . import smi, yaml

        if is_smi:
            return smi.load(path, data, self.diagnostics, self.mib_path)
        text = yaml.decode(path, data, self.diagnostics)
        root = yaml.parse(path, text, self.diagnostics) if text is not None else None
        if root is not None and path == self.top and "import" in root.value:
            from .smi import overlay

            return overlay.join(path, root, self.diagnostics, self.read, self.mib_path)
        return root

    def _include(self, raw: Raw, number: int, name: str, depth: int) -> None:
        where = raw.value_span(("include", number))
        report = self.diagnostics.report
        if not name or "\0" in name or "\\" in name or PurePosixPath(name).is_absolute():
            hint = "write it relative to this file, with / between folders"
            report("include-path", where, f"'{name}' is not a relative path", hint)
            return
        folder = self.folder if raw.path == STDIN else Path(raw.path).parent
        path = os.path.normpath(folder / name)
        identity = self._identity(path)
        if identity in self.active:
            report(
                "include-cycle", where, f"'{name}' includes this file again", "remove one include"
            )
            return
        if identity in self.seen:
            report("include-twice", where, f"'{name}' is already part of the schema")
            return
        if len(self.seen) >= MAX_FILES or depth > 50:
            report("include-limit", where, "too many included files")
            return
        try:
            if self.read is read_file:
                _refuse_devices(path)
            data = self.read(path)
        except (OSError, ValueError) as error:
            message = f"cannot read '{name}': {reason(error)}"
            report("include-missing", where, message, f"it is looked for at {path}")
            return
        self._file(path, data, depth)

# SPDX-License-Identifier: BSD-3-Clause
"""Frontends turn what a user wrote into raw schemas, following includes."""

import errno
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePosixPath

from ..findings.diagnostics import Diagnostics, Severity, Span, declare, errors
from ..findings.usage import reason
from . import smi, yaml
from .raw import MAX_BYTES, Node, Raw, merged, span

__all__ = ["MAX_FILES", "STDIN", "Reader", "Shown", "load", "read_file"]

STDIN = "<stdin>"
"""Name of the standard input in findings and generated text."""

Reader = Callable[[str], bytes]
"""Reads a file of a schema by its path; raises OSError."""

Shown = Callable[[str], str]
"""A path of a schema's file as findings have it."""

MAX_FILES = 1000
"""Most files of one schema."""

errors({
    "unreadable-file": "A schema file can be read.",
    "include-missing": "An included file exists and can be read.",
    "include-cycle": "A file does not include itself, directly or by others.",
    "include-twice": "A file is included once: its scopes would be duplicates.",
    "include-path": "An included file is named relative to the file that includes it: a schema can "
    "be moved.",
    "include-limit": "A schema has at most 1,000 files.",
})  # fmt: skip
declare("ignored-outputs", Severity.WARNING, "No two included files name different outputs.")


def load(
    path: str, diagnostics: Diagnostics, read: Reader | None = None, mib_path: tuple[str, ...] = (),
    shown: Shown = str,
) -> list[Raw]:  # fmt: skip
    """Read a schema and everything it includes: the top file first, then includes in order.

    `path` is a file name or `-` for the standard input. `read` replaces the file
    system, and `shown` maps a file name to the one in findings. SMI modules are searched for in
    `mib_path` first. Empty when the top file could not be read; `diagnostics.unreadable` is then
    set if there was no text at all.
    """
    return _Loader(path, diagnostics, read or read_file, mib_path, shown).run()


def read_file(path: str) -> bytes:
    """The content of a file, one octet more than is allowed at most. Raises OSError, ValueError."""
    if path == STDIN:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(path).open("rb") as file:
        return file.read(MAX_BYTES + 1)


class _Loader:
    def __init__(
        self, path: str, diagnostics: Diagnostics, read: Reader, mib_path: tuple[str, ...],
        shown: Shown,
    ) -> None:  # fmt: skip
        self.read, self.mib_path, self.shown = read, mib_path, shown
        self.diagnostics = diagnostics
        self.top = STDIN if path == "-" else path
        self.folder = Path() if path == "-" else Path(path).parent
        self.wanted = ""
        self.raws: list[Raw] = []
        self.seen: set[str] = set()
        self.active: list[str] = []
        self.outputs: tuple[str, str, list[str]] | None = None

    def run(self) -> list[Raw]:
        by_name = self.read is read_file and smi.is_module_name(self.top)
        try:
            data = self._top(by_name)
        except (OSError, ValueError) as error:
            message = f"cannot read the schema: {reason(error)}"
            is_missing_module = by_name and isinstance(error, FileNotFoundError)
            hint = smi.places.source_of(self.top) if is_missing_module else ""
            self.diagnostics.report("unreadable-file", Span.of_file(self.top), message, hint)
            self.diagnostics.unreadable = True
            return []
        self._file(self.top, data, 0)
        return self.raws

    def _top(self, by_name: bool) -> bytes:
        """The top file; an SMI module can be named instead, and is looked for."""
        try:
            return self.read(self.top)
        except FileNotFoundError:
            file = smi.find(self.top, self.mib_path) if by_name else None
            if file is None:
                raise
            self.wanted, self.top, self.folder = self.top, str(file), file.parent
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
        self.diagnostics.files[path] = None
        is_smi = path == self.top and smi.looks_like(data)
        root = self._root(path, data, is_smi)
        if root is None:
            return
        raw = Raw(self.shown(path), self._source(path), root, is_smi)
        self.raws.append(raw)
        self.active.append(identity)
        self._compare_outputs(raw, identity)
        includes = raw.data.get("include")
        if isinstance(includes, list):
            for number, name in enumerate(includes):
                if isinstance(name, str):
                    self._include(path, raw.value_span(("include", number)), name, depth + 1)
        self.active.pop()

    def _compare_outputs(self, raw: Raw, identity: str) -> None:
        """Warn of `outputs:` that a file does not override that includes this one."""
        named = raw.data.get("outputs")
        if isinstance(named, list):
            self.outputs = self.outputs or (identity, raw.path, sorted(map(str, named)))
            holder, path, chosen = self.outputs
            if holder not in self.active and chosen != sorted(map(str, named)):
                message = f"these outputs are ignored: those of {path} count"
                where, hint = raw.value_span(("outputs",)), "name the outputs in the top file"
                self.diagnostics.report("ignored-outputs", where, message, hint)

    def _root(self, path: str, data: bytes, is_smi: bool) -> Node | None:
        """The tree of a file: a schema in YAML, what that imports from SMI in it, or SMI."""
        if is_smi:
            return smi.load(path, data, self.diagnostics, self.mib_path, self.wanted)
        shown = self.shown(path)
        text = yaml.decode(shown, data, self.diagnostics)
        root = yaml.parse(shown, text, self.diagnostics) if text is not None else None
        if root is not None and path == self.top and "import" in root.value:
            return self._import(root, root.value.pop("import"))
        return root

    def _import(self, root: Node, imported: Node) -> Node | None:
        """The top file over the module that it imports; None after reporting why not.

        Mappings are merged key by key; the schema takes precedence. `module` is optional.
        """
        name = imported.value
        refuse = partial(self.diagnostics.report, "import-unknown", span(imported.region))
        if not isinstance(name, str) or not name:
            hint = "write `import: IF-MIB`, or the name of a file with the module"
            refuse("'import' names an SMI module", hint)
            return None
        file: Path | None = self.folder / name
        if not (self.folder / name).is_file() and smi.is_module_name(name):
            file = smi.find(name, self.mib_path, self.folder)
        if file is None:
            message = f"module '{name}' is in none of the folders that are searched"
            refuse(message, smi.places.source_of(name))
            return None
        try:
            data = self._named(str(file))
        except (OSError, ValueError) as error:
            refuse(f"cannot read '{name}': {reason(error)}")
            return None
        self.diagnostics.files[str(file)] = None
        if not smi.looks_like(data):
            refuse(f"'{name}' is not an SMI module")
            return None
        wanted = Path(name).stem
        under = smi.load(str(file), data, self.diagnostics, self.mib_path, wanted)
        return merged(under, root) if under is not None else None

    def _named(self, path: str) -> bytes:
        """The content of a file that another one names. Raises OSError, ValueError."""
        place = Path(path)
        device = place.exists() and not place.is_file() and not place.is_dir()
        if self.read is read_file and device:  # it may never end
            raise OSError(errno.EINVAL, "not a regular file", path)
        return self.read(path)

    def _include(self, holder: str, where: Span, name: str, depth: int) -> None:
        """Read what the file `holder` includes, as is written at `where`."""
        report = self.diagnostics.report
        if not name or "\0" in name or "\\" in name or PurePosixPath(name).is_absolute():
            hint = "write it relative to this file, with / between folders"
            report("include-path", where, f"'{name}' is not a relative path", hint)
            return
        folder = self.folder if holder == STDIN else Path(holder).parent
        path = os.path.normpath(folder / name)
        identity = self._identity(path)
        if identity in self.active:
            message = f"'{name}' includes this file again"
            report("include-cycle", where, message, "remove one include")
            return
        if identity in self.seen:
            report("include-twice", where, f"'{name}' is already part of the schema")
            return
        if len(self.seen) >= MAX_FILES or depth > 50:
            report("include-limit", where, "too many included files")
            return
        try:
            data = self._named(path)
        except (OSError, ValueError) as error:
            message = f"cannot read '{name}': {reason(error)}"
            report("include-missing", where, message, f"it is looked for at {self.shown(path)}")
            return
        self._file(path, data, depth)

# SPDX-License-Identifier: BSD-3-Clause
"""Finds SMI modules: the folders that are searched, and which modules the files in them define.

Contents count, not names. A process reads a file again when its size or time has changed. os.path
is used because Path raises for a user without a home and for folders that may not be read.
"""

import functools
import glob
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path

from ..raw import MAX_BYTES
from .source import blank, decode, headed, part

Modules = dict[str, list[str]]
"""The modules that a file defines, each with the modules that it imports from."""
_ENDINGS = ("", ".txt", ".mib", ".my", ".smi", ".smiv2", ".MIB", ".TXT")

_SYSTEM = """
    ~/.snmp/mibs ~/.cache/ctrgen/mibs /usr/share/snmp/mibs /usr/share/snmp/mibs/*
    /usr/local/share/snmp/mibs /var/lib/mibs /var/lib/mibs/* /var/lib/snmp/mibs/* /usr/share/mibs
    /usr/share/mibs/* /usr/local/share/mibs/* /usr/lib/erlang/lib/snmp-*/mibs
    /usr/lib/node_modules/net-snmp/lib/mibs /usr/local/lib/node_modules/net-snmp/lib/mibs
    node_modules/net-snmp/lib/mibs
"""
"""Folders of net-snmp, snmp-mibs-downloader, libsmi, Erlang and node."""

FIRST = 256 << 10
"""Octets in which the first module of a file begins."""

_BASE = """
    SNMPv2-SMI SNMPv2-TC SNMPv2-CONF SNMPv2-MIB RFC1155-SMI RFC1065-SMI RFC-1212 RFC-1215
    RFC1213-MIB INET-ADDRESS-MIB SNMP-FRAMEWORK-MIB IF-MIB IANAifType-MIB HCNUM-TC"""
BASE = frozenset(_BASE.split())
"""Modules that most others build on."""

_IMPORTS = re.compile(r"\bIMPORTS\b([^;]*)(?:;|\Z)")
_FROM = re.compile(r"\bFROM\s+([A-Za-z][\w-]*)")
_WORD = re.compile(r"[A-Za-z][\w-]*")
_HEAD = re.compile(rb"\bDEFINITIONS\b")


def source_of(module: str) -> str:
    """A hint for a missing module: where to get it and how to name its folder."""
    where = "the author of the module that needs it"
    if module in BASE:
        where = "the Debian package erlang-snmp or snmp-mibs-downloader, or npm's net-snmp"
    return f"get it from {where}, and name its folder with --mib-path DIR or in SMIPATH"


def folders(first: tuple[str, ...], home: Path | None) -> list[Path]:
    """The folders to search, in order: given ones, the module's own, SMIPATH, MIBDIRS, system."""
    names = [*first, *([str(home)] if home is not None else [])]
    for variable in ("SMIPATH", "MIBDIRS"):
        names += os.environ.get(variable, "").lstrip("+").split(os.pathsep)
    for pattern in _SYSTEM.split():
        names += sorted(glob.glob(os.path.expanduser(pattern)))  # noqa: PTH111, PTH207
    found: dict[str, Path] = {}
    for name in filter(None, names):
        found.setdefault(os.path.realpath(name), Path(name))
    return [path for path in found.values() if os.path.isdir(path)]  # noqa: PTH112


def words(text: str, module: str) -> set[str]:
    """The words of a module in a text that are not only in its imports."""
    return {*_WORD.findall(_IMPORTS.sub("", blank(part(text, module)), count=1))}


class Library:
    """Finds modules in folders. A file with the module's own name comes first in its folder."""

    def __init__(self, folders: list[Path]) -> None:
        self.folders = folders
        self._files: dict[str, list[Path]] = {}
        self._defined: dict[Path, dict[str, Modules]] = {}

    def find(self, module: str) -> list[Path]:
        """Every file that defines a module, the one to use first."""
        if module not in self._files:
            files: dict[str, Path] = {}
            for folder in self.folders:
                names = [name for name, modules in self._in(folder).items() if module in modules]
                for name in sorted(names, key=lambda name: (_rank(module, name), name)):
                    files.setdefault(os.path.realpath(folder / name), folder / name)
            self._files[module] = list(files.values())
        return self._files[module]

    def _in(self, folder: Path) -> dict[str, Modules]:
        if folder not in self._defined:
            self._defined[folder] = in_folder(str(folder))
        return self._defined[folder]

    def closure(self, modules: Iterable[str]) -> dict[str, Path]:
        """The files of some modules and of all that these import, by the modules' names."""
        found: dict[str, Path] = {}
        left = [*modules]
        while left:
            module = left.pop()
            files = [] if module in found else self.find(module)
            if files:
                found[module] = files[0]
                left += self._in(files[0].parent)[files[0].name][module]
        return found

    def holds(self, file: Path) -> int:
        """The number of modules in a file that was found."""
        return len(self._in(file.parent)[file.name])


def _rank(module: str, file: str) -> int:
    """How well the name of a file is that of a module: 0 is best."""
    for rank, name in enumerate((module, module.lower())):
        if file.startswith(name) and file[len(name) :] in _ENDINGS:
            return rank
    return 2


def in_folder(path: str) -> dict[str, Modules]:
    """The files of a folder that define modules, by name; none of a folder that is closed."""
    found: dict[str, Modules] = {}
    try:
        entries = sorted(os.scandir(path), key=lambda entry: entry.name)
    except OSError:
        return found
    for entry in entries:
        try:
            state = entry.stat()
        except OSError:
            continue
        if stat.S_ISREG(state.st_mode) and 0 < state.st_size <= MAX_BYTES:
            found[entry.name] = _defined(entry.path, state.st_mtime_ns, state.st_size)
    return {name: modules for name, modules in found.items() if modules}


@functools.cache
def _defined(path: str, changed: int, size: int) -> Modules:
    """The modules of a file as of a time and with a size."""
    return defined(Path(path))


def defined(path: Path) -> Modules:
    """The modules that a file defines; none if it cannot be read or is not text."""
    try:
        with path.open("rb") as file:
            data = file.read(FIRST)
            if b"\0" in data or not _HEAD.search(data):
                return {}
            data += file.read()
    except OSError:
        return {}
    found: Modules = {}
    for name, text in headed(decode(data)):
        imports = _IMPORTS.search(text)
        found.setdefault(name, sorted({*_FROM.findall(imports[1])}) if imports else [])
    return found

# SPDX-License-Identifier: BSD-3-Clause
"""Where SMI modules are: the folders that are searched, and a module's file in them.

With os.path, since Path raises for a user without a home and for folders that may not be read.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from . import index

_ENDINGS = ("", ".txt", ".mib", ".my", ".smi", ".smiv2", ".MIB", ".TXT")

_SYSTEM = (
    "~/.snmp/mibs",
    "~/.cache/ctrgen/mibs",
    "/usr/share/snmp/mibs",
    "/usr/share/snmp/mibs/*",
    "/usr/local/share/snmp/mibs",
    "/var/lib/mibs",
    "/var/lib/mibs/*",
    "/var/lib/snmp/mibs/*",
    "/usr/share/mibs",
    "/usr/share/mibs/*",
    "/usr/local/share/mibs/*",
    "/usr/lib/erlang/lib/snmp-*/mibs",
    "/usr/lib/node_modules/net-snmp/lib/mibs",
    "/usr/local/lib/node_modules/net-snmp/lib/mibs",
    "node_modules/net-snmp/lib/mibs",
)
"""Where systems keep modules: net-snmp, snmp-mibs-downloader, libsmi, Erlang, node."""

MAX_FOLDERS = 2000
"""Most folders below given ones that are searched."""

_BASE = (
    "SNMPv2-SMI SNMPv2-TC SNMPv2-CONF SNMPv2-MIB RFC1155-SMI RFC1065-SMI RFC-1212 RFC-1215 "
    "RFC1213-MIB INET-ADDRESS-MIB SNMP-FRAMEWORK-MIB IF-MIB IANAifType-MIB HCNUM-TC"
)
BASE = frozenset(_BASE.split())
"""Modules that most others build on."""

_NPM = "the npm package net-snmp"
_SOURCES = {
    "IF-MIB": _NPM,
    "IANAifType-MIB": _NPM,
    "HCNUM-TC": "RFC 2856, or the Debian package snmp-mibs-downloader",
}


def source_of(module: str) -> str:
    """What to do when a module is missing: where to get it and how to say where it is."""
    where = "whoever wrote the module that needs it"
    if module in BASE:
        packages = f"the Debian package erlang-snmp or snmp-mibs-downloader, or {_NPM}"
        where = _SOURCES.get(module, packages)
    return f"get it from {where}, and name its folder with --mib-path DIR or in SMIPATH"


def folders(first: tuple[str, ...], home: Path | None) -> list[Path]:
    """The folders to search, in order: given ones, the module's own, SMIPATH, MIBDIRS, system."""
    names = [*first, *([str(home)] if home is not None else [])]
    for variable in ("SMIPATH", "MIBDIRS"):
        names += os.environ.get(variable, "").lstrip("+").split(os.pathsep)
    for pattern in _SYSTEM:
        names += sorted(glob.glob(os.path.expanduser(pattern)))  # noqa: PTH111, PTH207
    places: dict[str, Path] = {}
    for name in filter(None, names):
        places.setdefault(os.path.realpath(name), Path(name))
    return [path for path in places.values() if os.path.isdir(path)]  # noqa: PTH112


def named(module: str, search: Iterable[Path]) -> list[Path]:
    """The folders, of some, in which a file has the name of a module."""
    names = [module + ending for ending in _ENDINGS]
    return [at for at in search if any(os.path.isfile(at / name) for name in names)]  # noqa: PTH113


def below(first: tuple[str, ...]) -> list[Path]:
    """The folders in given folders, at any depth, in order: collections have one for each vendor.

    Links are not followed, and of more than MAX_FOLDERS the rest is left out.
    """
    found: list[Path] = []
    for name in filter(None, first):
        for folder, inner, _ in os.walk(name):
            inner[:] = sorted(one for one in inner if not one.startswith("."))
            found += (Path(folder) / one for one in inner)
            if len(found) >= MAX_FOLDERS:
                return found[:MAX_FOLDERS]
    return found


class Library:
    """Finds modules by what the files in some folders define; `inner` are folders to look in
    where those have nothing. A file that has the module's own name comes first in its folder."""

    def __init__(self, outer: list[Path], inner: list[Path]) -> None:
        self.outer, self.inner = outer, inner
        self._files: dict[str, list[Path]] = {}
        self._defined: dict[Path, dict[str, index.Modules]] = {}

    @classmethod
    def at(cls, first: tuple[str, ...], home: Path | None) -> Library:
        """What is in the folders of `folders()`, and below those that are given."""
        return cls(folders(first, home), below(first))

    def find(self, module: str) -> list[Path]:
        """Every file that defines a module, the one to use first."""
        if module not in self._files:
            self._files[module] = self._found(module, self.outer)
            self._files[module] = self._files[module] or self._found(module, self.inner)
        return self._files[module]

    def prefer(self, module: str, names: Iterable[str]) -> list[Path]:
        """The files of a module, first the one that lacks the fewest of some names: there may be
        several editions of it, and in the inner folders newer ones."""
        files, wanted = self.find(module), {name.encode() for name in names}

        def lacking(path: Path) -> int:
            return len(wanted - {*re.findall(rb"[A-Za-z][\w-]*", path.read_bytes())})

        if files and wanted and lacking(files[0]):
            more = self._found(module, self.inner) if files[0].parent in self.outer else []
            self._files[module] = files = sorted([*files, *more], key=lacking)
        return files

    def _found(self, module: str, search: list[Path]) -> list[Path]:
        files: dict[str, Path] = {}
        for folder in search:
            defined = self._in(folder)
            named = [name for name in defined if module in defined[name]]
            for name in sorted(named, key=lambda name: (_rank(module, name), name)):
                files.setdefault(os.path.realpath(folder / name), folder / name)
        return list(files.values())

    def _in(self, folder: Path) -> dict[str, index.Modules]:
        if folder not in self._defined:
            self._defined[folder] = index.folder(str(folder))
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

    def holding(self, word: str) -> Iterator[Path]:
        """The files that define modules and hold a word."""
        for folder in dict.fromkeys((*self.outer, *self.inner)):
            for name in self._in(folder):
                if word.encode() in (folder / name).read_bytes():
                    yield folder / name

    def holds(self, file: Path) -> int:
        """How many modules are in a file that was found."""
        return len(self._in(file.parent)[file.name])


def _rank(module: str, file: str) -> int:
    """How well the name of a file is that of a module: 0 is best."""
    for rank, name in enumerate((module, module.lower())):
        if file.startswith(name) and file[len(name) :] in _ENDINGS:
            return rank
    return 2

# SPDX-License-Identifier: BSD-3-Clause
"""Where SMI modules are: the folders that are searched, and a module's file in them.

With os.path, since Path raises for a user without a home and for folders that may not be read.
"""

from __future__ import annotations

import glob
import os
from pathlib import Path

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


def find(module: str, search: list[Path]) -> list[Path]:
    """Every file that may hold a module, the one to use first."""
    files: dict[str, Path] = {}
    names = [f"{name}{end}" for name in dict.fromkeys((module, module.lower())) for end in _ENDINGS]
    for path in (folder / name for folder in search for name in names):
        if os.path.isfile(path):  # noqa: PTH113
            files.setdefault(os.path.realpath(path), path)
    return list(files.values())

# SPDX-License-Identifier: BSD-3-Clause
"""A folder with the modules that one module builds on, each under its own name.

The tools look for a module by the name of its file, and take a file for one module. Of the first
SMI's base modules, what any module needs is given where nobody has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from . import mending
from .places import Library
from .source import decode, part

_SMI = """\
{name} DEFINITIONS ::= BEGIN
internet OBJECT IDENTIFIER ::= {{ iso org(3) dod(6) 1 }}
directory OBJECT IDENTIFIER ::= {{ internet 1 }}
mgmt OBJECT IDENTIFIER ::= {{ internet 2 }}
experimental OBJECT IDENTIFIER ::= {{ internet 3 }}
private OBJECT IDENTIFIER ::= {{ internet 4 }}
enterprises OBJECT IDENTIFIER ::= {{ private 1 }}
NetworkAddress ::= CHOICE {{ internet IpAddress }}
IpAddress ::= [APPLICATION 0] IMPLICIT OCTET STRING (SIZE (4))
Counter ::= [APPLICATION 1] IMPLICIT INTEGER (0..4294967295)
Gauge ::= [APPLICATION 2] IMPLICIT INTEGER (0..4294967295)
TimeTicks ::= [APPLICATION 3] IMPLICIT INTEGER (0..4294967295)
Opaque ::= [APPLICATION 4] IMPLICIT OCTET STRING
END
"""
_EMPTY = "{name} DEFINITIONS ::= BEGIN\nEND\n"
_GIVEN = {"RFC1155-SMI": _SMI, "RFC1065-SMI": _SMI, "RFC-1212": _EMPTY, "RFC-1215": _EMPTY}
GIVEN = frozenset(_GIVEN)
"""Modules that need not be there: the last two hold only macros, which the tools know."""


def fill(folder: Path, modules: Iterable[str], library: Library, mended: bool = False) -> None:
    """Put some modules, and all that these import, into a folder, as they are or as they are
    meant. Raises OSError."""
    found = library.closure(modules)
    for name, file in found.items():
        target = folder / name
        if mended:
            target.write_text(mending.legible(name, decode(file.read_bytes()), library), "utf-8")
        elif library.holds(file) == 1:
            target.symlink_to(file.resolve())
        else:
            target.write_text(part(decode(file.read_bytes()), name), "utf-8")
    for name in GIVEN - found.keys():
        (folder / name).write_text(_GIVEN[name].format(name=name), "utf-8")

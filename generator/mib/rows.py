# SPDX-License-Identifier: BSD-3-Clause
"""What the DESCRIPTION of a row says: what it is for, when rows appear and vanish, and how they
relate to rows of other tables (RFC 4181, 4.6.4)."""

from __future__ import annotations

import re

from ..model import ir
from .wanted import words

EARLIER = "The objects of one {}."
"""What a row stands for, and all that rows said before."""

_RUNS = "as long as the application runs"
_FOREIGN = (
    "The index is that of other tables, too ({}): a row is about what has the same index there. It "
    "neither appears nor vanishes with that, for which there need not be a row."
)
_AUGMENTS = "A row extends the row of {} with the same index, and is there as long as that one."
_INSIDE = "It belongs to the row of {} whose index its own one begins with"


_MADE = re.compile(r"The objects of one [^.]*\.")


def is_made(text: str) -> bool:
    """Whether the description of a row is what one says in a schema that says nothing."""
    return _MADE.fullmatch(text) is not None


def description(scope: ir.Scope, path: str, above: str) -> str:
    """The description of a row. `path` says what it stands for (`queue of one port`), `above` is
    the name of the row of the scope around it, empty without one."""
    said = scope.snmp.row or EARLIER.format(path)
    if scope.snmp.oid:  # of a module that was imported: it says itself what it wants to say
        return said
    return " ".join((said, *_sentences(scope, above)))


def _sentences(scope: ir.Scope, above: str) -> list[str]:
    if scope.snmp.augments and scope.own == scope.levels:
        return [_AUGMENTS.format(scope.snmp.augments.rpartition("::")[2])]
    found = [_lifetime(scope)]
    foreign = [index for index in scope.snmp.index if not index.oid]
    if foreign:
        shown = (f"{index.name} of {index.module}" if index.module else index.name
                 for index in foreign)  # fmt: skip
        found.append(_FOREIGN.format(", ".join(shown)))
    if above:
        alone = ", and vanishes by itself" if scope.storage is ir.Storage.DYNAMIC else ""
        found.append(f"{_INSIDE.format(above)}{alone}.")
    return found


def _lifetime(scope: ir.Scope) -> str:
    if scope.key:
        what = words(scope.name)
        return f"A row is there as long as the {what} exists and its index is known."
    if scope.storage is ir.Storage.DYNAMIC:
        what = words(scope.name)
        return f"A row appears when the application creates the {what}, and vanishes with it."
    if scope.labelled:
        return f"There is a row for each value of the index {_RUNS}."
    return f"A row is there {_RUNS}."

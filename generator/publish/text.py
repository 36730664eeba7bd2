# SPDX-License-Identifier: BSD-3-Clause
"""Sentences that a module adds to descriptions of a schema, and how they are taken off again."""

from collections.abc import Iterable

from ..model import ir
from ..model.naming import smi
from .nodespec import words

DISCONTINUITY = (
    "Discontinuities in the value of this counter can occur at re-initialization of the "
    "management system"
)
"""How the standard sentence in the description of a counter begins."""

DRAFT = (
    "This module is a draft: nothing of it is published, and its names, types and OIDs can change."
)
"""Sentence in the description of an unpublished module."""

MOMENT = (
    " The value of sysUpTime at that time; zero if it never was, or was before the last "
    "re-initialization of the local management subsystem."
)
"""Last sentence in the description of a timestamp."""

CALENDAR = (
    " The date and time at that time, as Coordinated Universal Time; eight octets of zero if it "
    "never was."
)
"""Last sentence in the description of a timestamp that is a DateAndTime."""


def shown(labels: Iterable[ir.Label]) -> str:
    """Sentence on labels with a display text; empty without any."""
    texts = [f"{smi.camel(label.name)} is '{label.text}'" for label in labels if label.text]
    return f" Outside of the MIB {', '.join(texts)}." if texts else ""


def bounds(minimum: int | None, maximum: int | None) -> str:
    """Sentence on the range of a gauge; empty without a bound."""
    if minimum is not None and maximum is not None:
        return f" Values are {minimum} to {maximum}."
    if maximum is not None:
        return f" Values are at most {maximum}."
    return f" Values are at least {minimum}." if minimum is not None else ""


# ---- rows: what they are for, when they appear and vanish (RFC 4181, 4.6.4) ----

EARLIER_ROW = "The objects of one {}."
"""What a row represents; the whole description in earlier versions."""

_RUNS = "as long as the application runs"
_FOREIGN = (
    "The index is that of other tables, too ({}): a row is about what has the same index there. It "
    "neither appears nor vanishes with that, for which there need not be a row."
)
_AUGMENTS = "A row extends the row of {} with the same index, and is there as long as that one."
_INSIDE = "It belongs to the row of {} whose index its own one begins with"


def of_row(scope: ir.Scope, path: str, above: str) -> str:
    """The description of a row. `path` names what it represents (`queue of one port`), `above` is
    the name of the row of the scope around it, empty without one."""
    description = scope.snmp.row or EARLIER_ROW.format(path)
    if scope.snmp.oid:  # an imported module has its own description
        return description
    if scope.snmp.augments and scope.own == scope.levels:
        return f"{description} {_AUGMENTS.format(scope.snmp.augments.rpartition('::')[2])}"
    found = [description, _lifetime(scope)]
    foreign = [index for index in scope.snmp.index if not index.oid]
    if foreign:
        shown = (f"{index.name} of {index.module}" if index.module else index.name
                 for index in foreign)  # fmt: skip
        found.append(_FOREIGN.format(", ".join(shown)))
    if above:
        alone = ", and vanishes by itself" if scope.storage is ir.Storage.DYNAMIC else ""
        found.append(f"{_INSIDE.format(above)}{alone}.")
    return " ".join(found)


def _lifetime(scope: ir.Scope) -> str:
    what = words(scope.name)
    if scope.key:
        return f"A row is there as long as the {what} exists and its index is known."
    if scope.storage is ir.Storage.DYNAMIC:
        return f"A row appears when the application creates the {what}, and vanishes with it."
    if scope.labelled:
        return f"There is a row for each value of the index {_RUNS}."
    return f"A row is there {_RUNS}."

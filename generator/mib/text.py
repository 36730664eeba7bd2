# SPDX-License-Identifier: BSD-3-Clause
"""Sentences that a module adds to descriptions of a schema, and how they are taken off again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..language import units
from ..model import ir
from ..model.naming import smi

DISCONTINUITY = (
    "Discontinuities in the value of this counter can occur at re-initialization of the "
    "management system"
)
"""How the standard sentence in the description of a counter begins."""

_DISCONTINUITIES = re.compile(
    rf"\s*{DISCONTINUITY}(, and at other times as indicated by the value of [\w-]+)?\.\Z"
)
DRAFT = (
    "This module is a draft: nothing of it is published, and its names, types and OIDs can change."
)
"""What the description of a module says that is not published."""

MOMENT = (
    " The value of sysUpTime at that time; zero if it never was, or was before the last "
    "re-initialization of the local management subsystem."
)
"""What the description of a point in time ends with."""

CALENDAR = (
    " The date and time at that time, as Coordinated Universal Time; eight octets of zero if it "
    "never was."
)
"""What the description of a point in time ends with that is shown by the calendar."""

_FAMILY = re.compile(r"\s*The type of this address is given by [\w-]+\.\Z")
_VALUES = re.compile(r" Values are (?:(\d+) to (\d+)|at most (\d+)|at least (\d+))\.\Z")


def shown(labels: Iterable[ir.Label]) -> str:
    """What a description says about labels that people see otherwise; empty without any."""
    texts = [f"{smi.camel(label.name)} is '{label.text}'" for label in labels if label.text]
    return f" Outside of the MIB {', '.join(texts)}." if texts else ""


def bounds(minimum: int | None, maximum: int | None) -> str:
    """What a description says about the values of a gauge; empty without a bound."""
    if minimum is not None and maximum is not None:
        return f" Values are {minimum} to {maximum}."
    if maximum is not None:
        return f" Values are at most {maximum}."
    return f" Values are at least {minimum}." if minimum is not None else ""


def bounded(text: str) -> tuple[str, int | None, int | None]:
    """A description without what `bounds` added to it, and the bounds."""
    match = _VALUES.search(text)
    if match is None:
        return text, None, None
    low, high = match[1] or match[4], match[2] or match[3]
    return text[: match.start()], int(low) if low else None, int(high) if high else None


def of_object(text: str) -> str:
    """The description of an object without the sentences that a module adds."""
    return _FAMILY.sub("", _DISCONTINUITIES.sub("", units.text(text)))

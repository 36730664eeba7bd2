# SPDX-License-Identifier: BSD-3-Clause
"""The labels of enumerations, and what outputs show instead of names of the schema."""

from __future__ import annotations

from typing import TypedDict

from ..language import labels as language
from ..model import ir


class Shown(TypedDict):
    """What items and histograms of the intermediate representation have of `Displayed`."""

    display: str
    metric: str


def shown(entry: language.Displayed) -> Shown:
    """What outputs show instead of the name of an item."""
    name = entry.prometheus.name if entry.prometheus else ""
    return {"display": entry.display or "", "metric": name}


def labels(written: dict[str, language.EnumLabel] | list[str]) -> tuple[ir.Label, ...]:
    """The labels of an enum; one without a number has that behind the one before it, from 1."""
    found: list[ir.Label] = []
    for name in written:
        entry = written[name] if isinstance(written, dict) else None
        value, text = found[-1].value + 1 if found else 1, ""
        if isinstance(entry, int):
            value = entry
        elif isinstance(entry, str):
            text = entry
        elif entry is not None:
            value, text = entry.value, entry.text
        found.append(ir.Label(name, value, text))
    return tuple(found)

# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of items: their names, what may be done to an item, its SMI and metric types."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from .types import TYPES, Type

LIMIT = 2**63 - 1
"""Largest value of what is bounded: management protocols can carry it as a signed number."""


class Kind(str, enum.Enum):
    """What an item is (RFC 2578 section 7.1 for counters and gauges)."""

    _value_: str
    plural: str
    """The key of a scope that has the items of the kind."""
    updates: tuple[str, ...]
    """What an update may do to an item."""
    accessors: tuple[str, ...]
    """Verbs of the generated functions of one item."""
    accumulates: bool
    """Whether values add up: each lcore has its own, a reset takes them back to 0."""
    numeric: bool
    """Whether an item is a number with a unit and a width, rather than of a type of its own."""
    bounded: bool
    """Whether a schema may bound the values; beyond a bound a read gives the bound."""
    word: int
    """Octets of the word that holds a value; 0 for as many as the type has."""
    metric: str
    """Type in Prometheus; empty for that of the item's type."""
    smi: Mapping[str, tuple[str, ...]]
    """Types in SMI modules by the item's type, the one that objects get first; empty for states."""

    def __new__(cls, value: str, facts: Mapping[str, Any] = {}) -> Kind:
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.__dict__.update(facts)
        return kind

    COUNTER = "counter", {
        "plural": "counters", "updates": ("add",), "accessors": ("inc", "add", "get", "lcore_get"),
        "accumulates": True, "numeric": True, "bounded": False, "word": 0, "metric": "counter",
        "smi": {
            "uint32": ("Counter32", "Counter", "ZeroBasedCounter32"),
            "uint64": ("Counter64", "ZeroBasedCounter64"),
        },
    }  # fmt: skip
    GAUGE = "gauge", {
        "plural": "gauges", "updates": ("add", "sub", "set"),
        "accessors": ("inc", "add", "sub", "set", "get"),
        "accumulates": False, "numeric": True, "bounded": True, "word": 8, "metric": "gauge",
        "smi": {"uint32": ("Gauge32", "Gauge"), "uint64": ("CounterBasedGauge64",)},
    }  # fmt: skip
    PEAK = "peak", {
        "plural": "peaks", "updates": ("observe",), "accessors": ("observe", "get"),
        "accumulates": False, "numeric": True, "bounded": False, "word": 8, "metric": "gauge",
        "smi": {"uint32": ("Gauge32",), "uint64": ("CounterBasedGauge64",)},
    }  # fmt: skip
    STATE = "state", {
        "plural": "states", "updates": ("set",), "accessors": ("set", "get"),
        "accumulates": False, "numeric": False, "bounded": False, "word": 0, "metric": "",
        "smi": {},
    }  # fmt: skip

    def range(self, of: Type) -> tuple[int, int]:
        """Least and greatest value that an item can have, whatever the schema says."""
        return of.low, min(of.high, LIMIT) if self.bounded else of.high

    def syntax(self, of: Type, length: int = 0, *, imported: bool = False) -> str:
        """The SMI syntax of an object that has no other; `length` is that of the item."""
        if self.smi:
            return self.smi[of.name][0]
        return ((imported and of.imported_smi) or of.smi).format(length)


KINDS = {kind.plural: kind for kind in Kind}
"""Every kind by the key of a scope that has its items."""

VERBS = {"add": "added to", "sub": "subtracted from", "set": "set"}
"""What updates can do to items, and what an item is not that cannot take it."""

HISTOGRAMS = "histograms"
"""The key of a scope that has its histograms. They are no kind of items: each is a group of
counters (model/histogram.py)."""

DERIVED = "derived"
"""The key of a scope that has what is worked out from other items when it is read. They are no
kind either: a sum of counters is a counter, the others are gauges (model/sources.py)."""

GROUPS = (*KINDS, HISTOGRAMS, DERIVED)
"""The keys of a scope that hold what it counts."""

OBSERVE = "observe"
"""What updates do to histograms and peaks, under this key."""

BY_SMI = {
    name: (kind, TYPES[of])
    for kind in reversed(Kind)
    for of, names in kind.smi.items()
    for name in names
}
"""What an object becomes, if it is no state, by the name of its type in an SMI module; the first
kind where several have that type."""

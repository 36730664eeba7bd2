# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of items: what may be done to an item, and what each output has for it. Outputs ask
this table; docs/design.md lists what else a kind has."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .types import TYPES, Type


class Source(str, enum.Enum):
    """Where the value of an item comes from."""

    STORED = "stored"
    """The module keeps it: updates and calls change it."""
    DEVICE = "device"
    """A port of DPDK counts it."""
    CALLBACK = "callback"
    """The application says it when it is asked."""
    DERIVED = "derived"
    """It is computed from other items of the instance."""


class Operation(str, enum.Enum):
    """How a derived item is computed, and the key that declares it."""

    SUM = "sum"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    RATE = "rate"


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a derived item is: `operands` are names of items of its scope, for a ratio what is
    divided by what. A ratio is multiplied by `scale`; a rate is over at least `window` seconds.
    `together` says whether all that it is made of are counters of the module, so that it is as
    consistent as they are."""

    operation: Operation
    operands: tuple[str, ...]
    scale: int = 1
    window: int = 1
    together: bool = False


LIMIT = 2**63 - 1
"""Largest value of what is bounded: management protocols can carry it as a signed number."""

OBSERVE = "observe"
"""The key of updates for histograms and kinds that observe."""

_USUAL: Mapping[str, Any] = {
    "accumulates": False, "numeric": True, "bounded": False, "word": 0, "keeps": ("", ""),
    "metric": "gauge", "aggregates": ("", ""), "says": "", "smi": {},
}  # fmt: skip
"""Facts of a kind that does not say otherwise."""


class Kind(str, enum.Enum):
    """Kind of an item (RFC 2578 section 7.1 for counters and gauges)."""

    _value_: str
    plural: str
    """The key of a scope that has the items of the kind."""
    example: str
    """Contents of a mapping under that key."""
    updates: tuple[str, ...]
    """Operations of updates on an item."""
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
    keeps: tuple[str, str]
    """What is kept of all that is observed, as C calls it, and what of that with `keep: minimum`:
    `highest` is `ctr_peak_highest()`, of ctr_peak.h, and CTR_FORM_HIGHEST."""
    metric: str
    """Type in Prometheus; empty for that of the item's type."""
    aggregates: tuple[str, str]
    """Operators of PromQL over instances, of the two that are kept; empty: by the unit."""
    says: str
    """End of descriptions of objects: `least` or `greatest`, and since when."""
    smi: Mapping[str, tuple[str, ...]]
    """Types in SMI modules by the item's type, the one that objects get first; empty for states."""

    def __new__(cls, value: str, facts: Mapping[str, Any] = {}) -> Kind:
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.__dict__.update(_USUAL, **facts)
        return kind

    COUNTER = "counter", {
        "plural": "counters",
        "example": "pkts: {unit: packets, description: Packets received.}",
        "updates": ("add",), "accessors": ("inc", "add", "get", "lcore_get"),
        "accumulates": True, "metric": "counter",
        "smi": {
            "uint32": ("Counter32", "Counter", "ZeroBasedCounter32"),
            "uint64": ("Counter64", "ZeroBasedCounter64"),
        },
    }  # fmt: skip
    GAUGE = "gauge", {
        "plural": "gauges",
        "example": "sessions: {unit: sessions, description: Sessions now established.}",
        "updates": ("add", "sub", "set"), "accessors": ("inc", "add", "sub", "set", "get"),
        "bounded": True, "word": 8,
        "smi": {"uint32": ("Gauge32", "Gauge"), "uint64": ("CounterBasedGauge64",)},
    }  # fmt: skip
    PEAK = "peak", {
        "plural": "peaks",
        "example": "burst: {unit: packets, description: Packets of the largest burst.}",
        "updates": (OBSERVE,), "accessors": (OBSERVE, "get"), "word": 8,
        "keeps": ("highest", "lowest"), "aggregates": ("max", "min"), "says": "The {} value {}.",
        "smi": {"uint32": ("Gauge32",), "uint64": ("CounterBasedGauge64",)},
    }  # fmt: skip
    STATE = "state", {
        "plural": "states",
        "example": "link_up: {type: bool, description: Whether it is up.}",
        "updates": ("set",), "accessors": ("set", "get"), "numeric": False, "metric": "",
    }  # fmt: skip

    @property
    def observes(self) -> bool:
        """Whether it summarises observed values: in one word of the module, under every strategy,
        and for all views together. A reset restarts it."""
        return OBSERVE in self.updates

    @property
    def noun(self) -> str:
        """`a peak`."""
        return f"{'an' if self.value[0] in 'aeiou' else 'a'} {self.value}"

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

OBSERVED = tuple(kind for kind in Kind if kind.observes)
"""The kinds whose items updates and calls observe values in."""

VERBS = {"add": "added to", "sub": "subtracted from", "set": "set"}
"""What updates can do to items, and what an item is not that cannot take it."""

HISTOGRAMS = "histograms"
"""The key of a scope that has its histograms. They are no kind of items: each is a group of
counters (model/histogram.py)."""

DERIVED = "derived"
"""The key of a scope that has items computed from others when they are read. They are no
kind either: a sum of counters is a counter, the others are gauges ."""

LIMITS = "limits"
"""The key of a scope that has its limits. Each has items of its own (model/limits.py)."""

GROUPS = (*KINDS, HISTOGRAMS, DERIVED, LIMITS)
"""The keys of a scope that hold what it counts."""

BY_SMI = {
    name: (kind, TYPES[of])
    for kind in reversed(Kind)
    for of, names in kind.smi.items()
    for name in names
}
"""What an object becomes, if it is no state, by the name of its type in an SMI module; the first
kind where several have that type."""

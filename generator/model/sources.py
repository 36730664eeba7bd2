# SPDX-License-Identifier: BSD-3-Clause
"""Items that are not stored: where their values come from when they are read."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Source(str, enum.Enum):
    """Where the value of an item comes from."""

    STORED = "stored"
    """The module keeps it: updates and calls change it."""
    DEVICE = "device"
    """A port of DPDK counts it."""
    CALLBACK = "callback"
    """The application says it when it is asked."""
    DERIVED = "derived"
    """It is worked out from other items of the instance."""


class Operation(str, enum.Enum):
    """How a derived item is worked out, and the key that says so."""

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

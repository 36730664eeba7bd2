# SPDX-License-Identifier: BSD-3-Clause
"""Examples of the parts of the language, for findings: a correct line with what a mapping holds."""

from ..kinds import Kind
from .base import Element
from .items import MODELS, Derived, Gauge, Histogram, Log2, Ratio
from .schema import Scope, Update

_ITEM = "{unit: packets, description: Packets received.}"
_SCOPE = f"{{max: 4, counters: {{pkts: {_ITEM}}}}}"
_UPDATE = "{args: {size: uint16}, add: {global.bytes: size}}"
_DERIVED = "{sum: [rx, tx], description: Packets of both directions.}"
_HISTOGRAM = "{unit: By, description: Octets of packets., bounds: [64, 512, 1518]}"
_VALUES = {
    **{MODELS[kind]: kind.example.partition(" ")[2] for kind in Kind}, Gauge: _ITEM,
    Scope: _SCOPE, Update: _UPDATE, Histogram: _HISTOGRAM, Log2: "{min: 64, max: 4096}",
    Derived: _DERIVED, Ratio: "{of: tx, to: rx, scale: 1000}",
}  # fmt: skip
"""A value of each part of the language that has a name."""

_KEYS = {
    **{kind.plural: kind.example for kind in Kind},
    "histograms": f"sizes: {_HISTOGRAM}", "derived": f"pkts: {_DERIVED}",
    "scopes": f"port: {_SCOPE}", "updates": f"packet: {_UPDATE}", "args": "size: uint16",
    "add": "global.pkts: 1", "sub": "global.sessions: 1", "set": "global.link_up: true",
    "observe": "global.sizes: size", "requires": "exact: true",
}  # fmt: skip
"""Contents of a mapping under a key."""


def example(element: Element) -> str:
    """A line with what a mapping could be, from its key on; nothing without a usual form."""
    if not element.path:
        return ""
    name = str(element.path[-1])
    if value := _VALUES.get(element.type):
        return f"{name}: {value}"
    inner = _KEYS.get(name)
    return f"{name}: {{{inner}}}" if inner and element.model is not None else ""

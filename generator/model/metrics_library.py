# SPDX-License-Identifier: BSD-3-Clause
"""What of a module fits DPDK's metrics library, as in runtime/src/parts/metrics/ctr_metrics.c:
numbers, of all instances of a scope or none."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from . import health, ir

ROOM = 255
"""Metrics of a process: the library refuses the last of RTE_METRICS_MAX_METRICS, 256."""
LONGEST = 63
"""Characters of a name: RTE_METRICS_MAX_NAME_LEN with the terminator."""


class Share(NamedTuple):
    """A scope, how many metrics it would be, and how many there was room for when it came. It is
    `left_out` for the reason given; empty where it fits."""

    scope: ir.Scope
    metrics: int
    room: int
    left_out: str


def numbers(scope: ir.Scope) -> tuple[ir.Item, ...]:
    """The items that are metrics: text, addresses and times are none, nor is what may be
    unavailable, as the library has no way to say that."""
    return tuple(
        item for item in scope.stored if not item.value_type.text and item.type != "timestamp"
    )


def shares(module: ir.Module) -> Iterator[Share]:
    """Each scope of a module that has numbers."""
    room = ROOM
    for scope in health.shown(module):
        each = len(numbers(scope))
        count = each * scope.instances
        why = ""
        if scope.storage is not ir.Storage.STATIC:
            why = f"its instances are {scope.storage.value}"
        elif count > room:
            why = f"{count} metrics where {room} fit"
        elif scope.name == ir.HEALTH and any(len(n) > LONGEST for n, _ in names(module, scope)):
            why = f"a name has more than {LONGEST} characters"
        if each:
            yield Share(scope, count, room, why)
        room -= 0 if why else count


def names(module: ir.Module, scope: ir.Scope) -> Iterator[tuple[str, ir.Item]]:
    """The metrics of a scope: `ep_session_3_pkts`, or `ep_pkts` of the global scope."""
    parts = [level.labels or tuple(map(str, range(level.maximum))) for level in scope.levels]
    start = [module.name, *([scope.name] if scope.levels else [])]
    for index in itertools.product(*parts):
        for item in numbers(scope):
            yield "_".join([*start, *index, item.name]), item


def longest(module: ir.Module, scope: ir.Scope, item: ir.Item) -> str:
    """The longest name that a metric of an item has."""
    parts = [
        max(level.labels, key=len) if level.labels else str(level.maximum - 1)
        for level in scope.levels
    ]
    start = [module.name, *([scope.name] if scope.levels else [])]
    return "_".join([*start, *parts, item.name])

# SPDX-License-Identifier: BSD-3-Clause
"""Leaves out the instances that have counted nothing: a static scope has all that there could be,
and an application with one port uses one of 32."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping

from .model import Instance, Module, Scope, Source, Value

GROUP = 64  # instances by label of one thing that are shown all or none, for rates from 0 on
MOST_RETAINED = 1_000_000  # instances of a scope known to have been shown

_BLANK: Mapping[str, Value] = {"ipv4": "0.0.0.0", "ipv6": "::", "mac": "00:00:00:00:00:00"}

Indexes = tuple[int, ...]
Shown = dict[tuple[str, str, str], set[Indexes]]  # by module, layout and scope


class Touched:
    """A Source whose static scopes lack what was never touched: instances with nothing but zero,
    false, empty and missing values, unless in `shown`. Scopes with one instance, or up to `GROUP`
    that all have labels, and dynamic ones are whole."""

    def __init__(self, source: Source, shown: Shown) -> None:
        self._source, self._shown = source, shown
        self.name, self.modules, self.lcores = source.name, source.modules, source.lcores
        self.read_lcore, self.close, self.memory = source.read_lcore, source.close, source.memory
        self.age = source.age
        self.left_out: dict[tuple[str, str], int] = {}

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        """The instances that were touched, in the order of their indexes."""
        self.left_out.pop((module.name, scope.name), None)
        found = self._source.read(module, scope)
        levels = _levels(scope)
        if scope.dynamic or not levels:
            yield from found
            return
        key, blank = (module.name, module.layout, scope.name), blank_of(scope)
        before, now, left = self._shown.get(key, set()), set[Indexes](), 0
        whole = False
        try:
            for indexes, rows in itertools.groupby(found, lambda one: one.indexes[:levels]):
                group = list(rows)
                if indexes not in before and all(blank(one.values) for one in group):
                    left += len(group)
                    continue
                if len(now) < MOST_RETAINED:
                    now.add(indexes)
                yield from group
            whole = True
        finally:
            self._shown[key] = now if whole else before | now
            if left:
                self.left_out[module.name, scope.name] = left


def _levels(scope: Scope) -> int:
    """How many indexes tell groups of at most `GROUP` labelled instances apart."""
    count = len(scope.indexes)
    while count and scope.indexes[count - 1].labels:
        count -= 1
    group = math.prod(index.maximum for index in scope.indexes[count:])
    return count if group <= GROUP else len(scope.indexes)


def blank_of(scope: Scope) -> Callable[[tuple[Value, ...]], bool]:
    """Tells whether values of an instance are those of one that was never touched."""
    texts: list[tuple[int, set[Value]]] = [
        (at, {_BLANK.get(item.type), *(label for label, number in item.labels if number == 0)})
        for at, item in enumerate(scope.items)
        if item.type in _BLANK or any(number == 0 for _, number in item.labels)
    ]

    def blank(values: tuple[Value, ...]) -> bool:
        if not any(values):
            return True
        rest = list(values)
        for at, none in texts:
            if rest[at] in none:
                rest[at] = None
        return not any(rest)

    return blank

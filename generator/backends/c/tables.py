# SPDX-License-Identifier: BSD-3-Clause
"""What the library is told of a scope: runs of counters, and the words of gauges and states
(runtime/include/ctr_table.h)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ...model import layout
from .items import ItemView, ScopeView
from .views import DomainView, ModuleView


class Run(NamedTuple):
    """Counters of one width that follow each other wherever they are."""

    first: ItemView
    base: int
    """Offset of the first in a baseline."""
    num: int


class Word(NamedTuple):
    """A gauge, a peak or a state in storage."""

    item: ItemView
    form: str
    """How it is kept: a constant of enum ctr_form, without its prefix."""

    @property
    def limits(self) -> tuple[str, str]:
        """Least and greatest value, as constants of 64 bits."""
        low, high = self.item.ir.range
        if self.item.ir.value_type.signed:
            return str(low & 2**64 - 1) + "u", str(high & 2**64 - 1) + "u"
        return f"{low}u", "UINT64_MAX" if high >= 2**64 - 1 else f"UINT64_C({high})"


def counters(scope: ScopeView) -> list[ItemView]:
    """Its counters in the order of storage."""
    fields = scope.layout.data.fields if scope.layout.data else ()
    names = (f.name for f in fields if f.item is not None and f.item.kind.accumulates)
    return [scope.by_name[name] for name in names]


def _offsets(part: layout.Part | None) -> dict[str, int]:
    return {field.name: field.offset for field in part.fields} if part else {}


def _places(scope: ScopeView) -> dict[str, int]:
    """For counters of one width, offsets of which the differences are those in the struct of
    values, if nothing else lies between."""
    return {item.name: n * item.bits // 8 for n, item in enumerate(scope.items)}


def runs(scope: ScopeView) -> list[Run]:
    """Its counters, as few runs as there can be."""
    data, values = _offsets(scope.layout.data), _places(scope)
    begin, common = scope.bases, _offsets(scope.layout.common) if scope.sums else {}
    found: list[Run] = []
    for item in counters(scope):
        if found and _follows(
            found[-1],
            item,
            (data, item.word_bits),
            (values, item.bits),
            (begin, item.bits),
            (common, item.bits),
        ):
            found[-1] = found[-1]._replace(num=found[-1].num + 1)
        else:
            found.append(Run(item, begin[item.name], 1))
    return sorted(found, key=lambda run: scope.items.index(run.first))


def _follows(run: Run, item: ItemView, *structs: tuple[dict[str, int], int]) -> bool:
    """Whether an item is right behind a run in each struct, whose words have so many bits."""
    alike = run.first.bits == item.bits and run.first.word_bits == item.word_bits
    return alike and all(
        not offsets or offsets[item.name] == offsets[run.first.name] + run.num * bits // 8
        for offsets, bits in structs
    )


def words(items: Iterable[ItemView]) -> list[Word]:
    """Gauges, peaks and states."""
    return [Word(item, _form(item)) for item in items]


def _form(item: ItemView) -> str:
    if item.wide:
        return "CELL"
    if item.ir.keeps:
        return ("MARK_" if item.gauge else "") + item.ir.keeps.upper()
    if item.ir.kind.bounded:
        return "LATCHED"
    if item.ir.bounded:
        return "SIGNED" if item.ir.value_type.signed else "LATCHED"
    return "BOOL" if item.ir.type == "bool" else "PLAIN"


@dataclass(frozen=True)
class TableView:
    """A scope as the library knows it."""

    runs: list[Run]
    words: list[Word]
    """What is in the common part."""
    beside: list[Word]
    """What is in elements, beside counters."""
    ending: list[DomainView]
    """Strategies that may hold back something of an instance that ends."""
    flags: list[str]
    """The members of struct ctr_table that are true."""
    chunk_bits: int
    ways: dict[str, str]
    """The functions of the library that read it and so on (struct ctr_table): `read`: `few` is
    ctr_read_few()."""


def table(module: ModuleView, domain: DomainView, scope: ScopeView) -> TableView:
    """The table of a scope."""
    found = runs(scope)
    states = scope.others if scope.embedded else scope.instance_states
    flags = [name for name, holds in _flags(module, domain, scope, found) if holds]
    return TableView(
        found,
        words(() if scope.embedded else scope.commons),
        words(states),
        [e for e in module.ending(scope) if e.settles or e.drains] if scope.dynamic else [],
        flags,
        scope.layout.chunk.bit_length() - 1,
        _ways(domain, scope, flags, found),
    )


def _ways(
    domain: DomainView, scope: ScopeView, flags: list[str], found: list[Run]
) -> dict[str, str]:
    plain = domain.operations == "plain" and domain.lcores and scope.base and not scope.commons
    if plain and "gathers" in flags and not scope.offset and not scope.layout.torn:
        return {"read": "few", "sum": str(found[0].num), "collect": "few", "part": "few"}
    if "words" not in flags:
        read = "slowly"
    elif scope.dynamic:
        read = "flow"
    else:
        read = "any" if domain.lcores or scope.commons else "one"
    collect = "parts" if scope.offset else "sum" if scope.base else "take"
    ways = {"read": read, "sum": "any", "collect": collect}
    if domain.lcore_values and scope.data is not None and not scope.embedded:
        ways["part"] = "any"
    return ways


def _flags(
    module: ModuleView, domain: DomainView, scope: ScopeView, found: list[Run]
) -> Iterator[tuple[str, bool]]:
    data = scope.data is not None and not scope.embedded
    yield "resets", scope.ir.reset and not scope.embedded
    yield "periodic", scope.layout.periodic
    yield "restarts", domain.begins_anew(scope)
    yield "stamps", scope.dynamic and module.restarts(scope)
    few = len(found) == 1 and found[0].num <= FEW and found[0].first.bits == 64
    static = not scope.dynamic and not scope.embedded
    stored = not scope.instance_states and not scope.sources
    yield "gathers", few and static and stored
    yield "words", data and stored
    accumulated = [item.ir.kind.accumulates for item in scope.items]
    narrow = [item.wide or item.bits != 64 for item in scope.items]
    gaps = zip(narrow, accumulated, strict=True)
    yield "padded", any(small and not (data and stored and counter) for small, counter in gaps)


FEW = 4
"""Words of an instance that a read sums up in registers (runtime/src/core/sum.c)."""

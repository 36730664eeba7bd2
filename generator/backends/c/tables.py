# SPDX-License-Identifier: BSD-3-Clause
"""The table of a scope (runtime/include/ctr_table.h): runs of counters, words of other items."""

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...model import layout
from .items import ItemView, ScopeView
from .views import DomainView, ModuleView

FEW = 4
"""Words of an instance that a read sums up in registers (runtime/src/core/few.c)."""


class Run(NamedTuple):
    """Counters of one width that follow each other wherever they are; `base`: offset of the first
    in a baseline."""

    first: ItemView
    base: int
    num: int


class Word(NamedTuple):
    """A gauge, a peak or a state in storage; `form`: a constant of enum ctr_form."""

    item: ItemView
    form: str

    @property
    def limits(self) -> str:
        """Least and greatest value, as arguments of C; 0 where there are none."""
        return "0, 0" if self.form in ("PLAIN", "BOOL") else self.item.limits


def _offsets(part: layout.Part | None) -> dict[str, int]:
    return {field.name: field.offset for field in part.fields} if part else {}


def runs(scope: ScopeView) -> list[Run]:
    """Its counters, as few runs as there can be."""
    data, common = _offsets(scope.layout.data), _offsets(scope.common if scope.sums else None)
    values = {item.name: n * item.bits // 8 for n, item in enumerate(scope.items)}
    counters = sorted((i for i in scope.counters if i.name in data), key=lambda i: data[i.name])
    rows: list[tuple[tuple[int, ...], Run]] = []
    end = 0  # of the baselines
    for n, item in enumerate(counters):
        size, step = item.bits // 8, item.word_bits // 8
        base = layout.round_up(end, size)
        end = base + size
        # Where the first of all would be in each place (of values, the differences count).
        places = (base, values[item.name], common.get(item.name, n * size))
        first = (*(place - n * size for place in places), data[item.name] - n * step)
        rows.append(((size, step, *first), Run(item, base, 1)))
    groups = (list(group) for _, group in itertools.groupby(rows, key=lambda row: row[0]))
    found = [group[0][1]._replace(num=len(group)) for group in groups]
    return sorted(found, key=lambda run: scope.items.index(run.first))


def _form(item: ItemView) -> str:
    if item.wide:
        return "CELL"
    if item.limit:
        return f"LIMIT_{('LEFT', 'SINCE', 'STATE')[item.limit.parts.index(item.name)]}"
    if item.ir.keeps:
        return ("MARK_" if item.gauge else "") + item.ir.keeps.upper()
    if item.ir.kind.bounded:
        return "LATCHED"
    if item.ir.bounded:
        return "SIGNED" if item.ir.value_type.signed else "LATCHED"
    return "BOOL" if item.ir.type == "bool" else "PLAIN"


def table(module: ModuleView, domain: DomainView, scope: ScopeView) -> dict[str, Any]:
    """The table of a scope, struct ctr_table: `runs`; `words` in the common part, and in elements
    `beside` the counters; strategies that may defer updates of an instance that is destroyed;
    flags; the functions of the library that read it and so on."""
    found = runs(scope)
    commons = [item for item in scope.others if item.part == "common" and not scope.embedded]
    states = [item for item in scope.others if item not in commons]
    data = scope.layout.data is not None and not scope.embedded
    stored = (scope.embedded or not states) and not scope.sources
    few = len(found) == 1 and found[0].num <= FEW and found[0].first.bits == 64
    flags = {
        "resets": scope.ir.reset and not scope.embedded,
        "periodic": scope.layout.periodic,
        "gathers": few and stored and not scope.dynamic and not scope.embedded,
        "words": data and stored,
        "padded": _padded(scope.items),
    }
    return {
        "runs": found,
        "words": [Word(item, _form(item)) for item in commons],
        "beside": [Word(item, _form(item)) for item in states],
        "ending": module.ending(scope) if scope.dynamic else [],
        "flags": flags,
        "chunk_bits": scope.layout.chunk.bit_length() - 1,
        "ways": _ways(domain, scope, flags, found),
    }


def _padded(items: Iterable[ItemView]) -> bool:
    """Whether the struct of values may have padding: not where counters of both widths fit."""
    end = widest = 0
    for item in items:
        size = item.bits // 8
        if item.wide or end % size or (size != 8 and not item.accumulates):
            return True
        end, widest = end + size, max(widest, size)
    return widest != 0 and end % widest != 0


def _ways(
    domain: DomainView, scope: ScopeView, flags: dict[str, bool], found: list[Run]
) -> dict[str, str]:
    if scope.embedded:
        return _calls(sum="any")
    part, plain = scope.layout, domain.operations == "plain" and flags["gathers"]
    num = str(found[0].num) if plain and not (scope.common or part.offset or part.torn) else ""
    if num and domain.lcores and part.base:
        return _calls(read=num, get="few", sum=num, collect="few", part="few")
    if not flags["words"] or (scope.dynamic and not scope.chunked):
        read = "slowly"
    elif scope.dynamic:
        read = "flow"
    else:
        read = "any" if domain.lcores or scope.common or part.base else num or "one"
    collect = "parts" if part.offset else "sum" if part.base else "take"
    parts = domain.lcore_values and part.data is not None
    return _calls(read=read, get="any", sum="any", collect=collect, part="any" if parts else "")


def _calls(**ways: str) -> dict[str, str]:
    return {member: f"ctr_{member}_{way}" for member, way in ways.items() if way}

# SPDX-License-Identifier: BSD-3-Clause
"""Items of a scope: histograms as groups of counters, derived items from what they are made of."""

import graphlib
from collections.abc import Callable
from dataclasses import replace

from ...findings.diagnostics import Span, errors
from ...findings.suggest import Suggester
from ...model import ir
from ...model.histogram import BUCKET_UNIT
from ...model.kinds import Operation
from ...model.language import items as language
from ...model.language import units
from ...model.naming.lines import listed
from ...model.types import TYPES
from . import snmp
from .levels import common
from .place import Place


def histogram(scope: str, name: str, entry: language.Histogram, span: Span) -> ir.Histogram:
    """A histogram; where its bounds make no sense, which rules report, others stand in for them."""
    return ir.Histogram(
        bounds=_bounds(entry),
        log2=entry.log2 is not None,
        oids=tuple(entry.snmp.oids) if entry.snmp else (),
        **common(scope, name, entry, span),
    )


def _bounds(entry: language.Histogram) -> tuple[int, ...]:
    if entry.log2 is not None:
        least, greatest = entry.log2.min.bit_length() - 1, entry.log2.max.bit_length() - 1
        return tuple(1 << power for power in range(least, max(least, greatest) + 1))
    bounds = dict.fromkeys(entry.bounds or [1])  # names of counters follow from them
    return tuple(sorted(bounds))


def counters(histogram: ir.Histogram) -> tuple[ir.Item, ...]:
    """The counters that a histogram is."""
    oids = histogram.oids or ("",) * len(histogram.parts)
    parts = zip(histogram.parts, histogram.former, histogram.texts, oids, strict=False)
    return tuple(
        ir.Item(
            name=name,
            kind=ir.Kind.COUNTER,
            type=TYPES["uint64"].name,
            width=TYPES["uint64"].width,
            unit=histogram.unit if name == histogram.sum else BUCKET_UNIT,
            description=f"{histogram.description} {text}".strip(),
            scope=histogram.scope,
            span=histogram.span,
            renamed_from=former,
            snmp=ir.ItemSnmp(oid=oid) if oid else None,
            histogram=histogram.name,
            metric=histogram.metric,
        )
        for name, former, text, oid in parts
    )


errors({
    "derived-form": "A derived item says one thing that it is.",
    "derived-operand": "A derived item is made of numbers, a rate of a counter.",
    "derived-cycle": "No derived item depends on itself.",
})  # fmt: skip

_OPERATIONS = [operation.value for operation in Operation]


def derived(scope: str, name: str, entry: language.Derived, span: Span) -> ir.Item:
    """A derived item as it is written; `settle` says the rest."""
    written = {key: getattr(entry, key) for key in _OPERATIONS}
    operations = [Operation(key) for key, value in written.items() if value is not None]
    operation = operations[0] if operations else Operation.SUM
    value = written[operation.value]
    operands: tuple[str, ...] = tuple(value or ()) if not isinstance(value, str) else (value,)
    scale = 1
    if isinstance(value, language.Ratio):
        operands, scale = (value.of, value.to), value.scale
    window = units.seconds(entry.window or "1s")
    return ir.Item(
        kind=ir.Kind.GAUGE,
        type="uint64",
        width=64,
        snmp=snmp.item(entry.snmp),
        source=ir.Source.DERIVED,
        derivation=ir.Derivation(operation, operands, scale, window),
        **common(scope, name, entry, span),
    )


def settle(
    items: list[ir.Item], place: Callable[[ir.Item], Place], report: Callable[..., None],
    suggest: Suggester,
) -> list[ir.Item]:  # fmt: skip
    """The items of a scope, with derived ones as what they are made of says; what is wrong of those
    is reported, and left out of what they are made of."""
    derived = [one for one in items if one.derivation]
    if not derived:
        return items
    known = {one.name: one for one in items}
    for one in derived:
        known[one.name] = _checked(one, known, place(one), report, suggest)
    for name in _in_order(known, derived, place, report):
        known[name] = _settled(known[name], known)
    return [known[one.name] for one in items]


def _paths(operation: Operation, number: int) -> tuple[str | int, ...]:
    """Where an operand is written, below the item."""
    if operation is Operation.RATE:
        return (operation.value,)
    return (operation.value, ("of", "to")[number] if operation is Operation.RATIO else number)


def _checked(
    one: ir.Item, known: dict[str, ir.Item], place: Place, report: Callable[..., None],
    suggest: Suggester,
) -> ir.Item:  # fmt: skip
    """A derived item without what it cannot be made of, which is reported."""
    assert one.derivation
    operations = [key for key in _OPERATIONS if place.has(key)]
    if len(operations) != 1 and not place.broken():
        where = place.key(operations[1]) if operations else place.key()
        found = " and ".join(operations) or "no operation"
        message = f"derived '{one.name}' has {found}"
        report("derived-form", where, message, f"write one of {', '.join(_OPERATIONS)}")
    operation, kept = one.derivation.operation, []
    if operation is not Operation.RATE and place.has("window"):
        hint = "only a rate has a window: remove it"
        report("derived-form", place.key("window"), f"derived '{one.name}' is not a rate", hint)
    for number, name in enumerate(one.derivation.operands):
        path = _paths(operation, number)
        if place.broken(*path):
            continue
        operand = known.get(name)
        rule, message, hint = "derived-operand", "", ""
        if operand is None:
            rule, message = "unknown-item", f"scope '{one.scope}' has no item '{name}'"
            numbers = [other.name for other in known.values() if other.kind.numeric]
            hint = suggest(name, numbers, f"numbers of '{one.scope}'")
            if "." in name:
                hint = f"it is made of items of its own scope: write '{name.rpartition('.')[2]}'"
        elif not operand.kind.numeric:
            message = f"'{name}' is a state, and '{one.name}' cannot be made of it"
            numbers = [kind.plural for kind in ir.Kind if kind.numeric]
            hint = f"use {listed([*numbers, 'derived items'], 'or')}"
        elif name in kept:
            message, hint = f"'{one.name}' has '{name}' twice", "remove one of the two"
        if message:
            report(rule, place.value(*path), message, hint)
        else:
            kept.append(name)
    return replace(one, derivation=replace(one.derivation, operands=tuple(kept)))


def _in_order(
    known: dict[str, ir.Item], derived: list[ir.Item], place: Callable[[ir.Item], Place],
    report: Callable[..., None],
) -> list[str]:  # fmt: skip
    """The names of derived items, each after its operands; a cycle is reported, and
    cut before its first item."""
    order = {one.name: number for number, one in enumerate(derived)}
    while True:
        found = {name: one.derivation for name, one in known.items() if one.derivation}
        among = {name: [o for o in found[name].operands if o in found] for name in order}
        graph = graphlib.TopologicalSorter(among)
        try:
            return list(graph.static_order())
        except graphlib.CycleError as error:
            circle = error.args[1][:0:-1]  # each is made of the next one
        first = circle.index(min(circle, key=order.__getitem__))
        circle = [*circle[first:], *circle[:first]]
        start, last = circle[0], known[circle[-1]]
        members = [*circle[:8], "..."] if len(circle) > 8 else circle
        message = f"'{start}' depends on itself: {' -> '.join([*members, start])}"
        report("derived-cycle", place(known[start]).key(), message, "derive it otherwise")
        assert last.derivation
        kept = tuple(other for other in last.derivation.operands if other != start)
        known[last.name] = replace(last, derivation=replace(last.derivation, operands=kept))


def _settled(one: ir.Item, known: dict[str, ir.Item]) -> ir.Item:
    """A derived item with the kind and unit that follow from what it is made of."""
    assert one.derivation
    made_of = [known[name] for name in one.derivation.operands]
    operation, first = one.derivation.operation, made_of[0] if made_of else None
    counts = [other.kind.accumulates and other.width == 64 for other in made_of]
    kind = ir.Kind.COUNTER if operation is Operation.SUM and counts and all(counts) else one.kind
    unit = one.unit or (first.unit if first else "1")
    if operation is Operation.RATIO:
        unit = one.unit or "1"
    elif operation is Operation.RATE:
        unit = one.unit or f"{first.unit if first else '1'}/s"
    together = operation is not Operation.RATE and all(
        other.derivation.together if other.derivation else other.stored and other.kind.accumulates
        for other in made_of
    )
    derivation = replace(one.derivation, together=together)
    return replace(one, kind=kind, unit=unit, derivation=derivation)

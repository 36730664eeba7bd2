# SPDX-License-Identifier: BSD-3-Clause
"""Limits of a scope, and the items that show them."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from ...findings.diagnostics import Span, errors
from ...findings.suggest import Suggester
from ...model import ir
from ...model.language import items as language
from ...model.language import units
from ...model.limits import STATES
from .levels import labels
from .place import Place

errors({
    "limit-target": "A limit is of different counters of its scope that updates add to, or stops "
    "at a value of one gauge.",
})  # fmt: skip


def limit(scope: str, name: str, entry: language.Limit, span: Span) -> ir.Limit:
    """A limit as it is written."""
    return ir.Limit(
        name=name,
        scope=scope,
        of=(entry.of,) if isinstance(entry.of, str) else tuple(entry.of),
        stops=entry.at == "stop",
        description=units.text(entry.description),
        span=span,
        renamed_from=entry.renamed_from or "",
    )


def items(limit: ir.Limit) -> tuple[ir.Item, ...]:
    """The items of a limit; what remains gets its unit from `settle`."""
    what = limit.description.rstrip(".")
    former = replace(limit, name=limit.renamed_from).parts if limit.renamed_from else ()

    def item(number: int, kind: ir.Kind, type_: str, unit: str, text: str) -> ir.Item:
        return ir.Item(
            name=limit.parts[number],
            kind=kind,
            type=type_,
            width=64 if kind.numeric else 0,
            unit=unit,
            description=f"{what}: {text}",
            scope=limit.scope,
            span=limit.span,
            labels=() if kind.numeric else labels(list(STATES)),
            renamed_from=former[number] if former else "",
            limit=limit.name,
        )

    return (
        item(0, ir.Kind.GAUGE, "uint64", "", "what remains."),
        item(1, ir.Kind.COUNTER, "uint64", "updates", "updates that were refused.")
        if limit.stops
        else item(1, ir.Kind.GAUGE, "uint64", "", "what was counted since the last crossing."),
        item(2, ir.Kind.STATE, "enum", "", "its state."),
    )


def settle(
    found: list[ir.Item], limits: Iterable[ir.Limit], place: Callable[[str], Place],
    report: Callable[..., None], suggest: Suggester,
) -> tuple[list[ir.Item], tuple[ir.Limit, ...]]:  # fmt: skip
    """The items of a scope with the units of what remains and marks of what is limited, and its
    limits without what they cannot be of, which is reported."""
    by_name = {item.name: item for item in found}
    settled: list[ir.Limit] = []
    for limit in limits:
        where = place(limit.name)
        kept: list[str] = []
        for number, name in enumerate(limit.of):
            path = ("of", number) if isinstance(where.entry().of, list) else ("of",)
            if where.broken(*path):
                continue
            rule, message, hint = _wrong(limit, name, kept, by_name, suggest)
            if message:
                report(rule, where.value(*path), message, hint)
            else:
                kept.append(name)
        for name in kept:
            by_name[name] = replace(by_name[name], limited=True)
        if kept:
            for name in limit.parts:
                if by_name[name].kind is ir.Kind.GAUGE:
                    by_name[name] = replace(by_name[name], unit=by_name[kept[0]].unit)
        gauge = any(by_name[name].kind is ir.Kind.GAUGE for name in kept)
        settled.append(replace(limit, of=tuple(kept), gauge=gauge))
    return [by_name[item.name] for item in found], tuple(settled)


def _wrong(
    limit: ir.Limit, name: str, kept: list[str], by_name: dict[str, ir.Item], suggest: Suggester
) -> tuple[str, str, str]:
    """Why a limit cannot be of an item: rule, message and hint; no message where it can."""
    item, rule = by_name.get(name), "limit-target"
    if item is None:
        counters = [i.name for i in by_name.values() if _fits(i)]
        hint = suggest(name, counters, f"counters of '{limit.scope}'")
        if "." in name:
            hint = f"a limit is of counters of its own scope: write '{name.rpartition('.')[2]}'"
        return "unknown-item", f"scope '{limit.scope}' has no item '{name}'", hint
    gauge = item.kind is ir.Kind.GAUGE and item.stored and not item.limit
    if name in kept:
        return rule, f"'{limit.name}' has '{name}' twice", "remove one of the two"
    if gauge and item.limited:
        hint = "the lower ceiling is the one that acts: set that"
        return rule, f"'{name}' has another limit", hint
    if gauge and not limit.stops:
        hint = "write `at: stop`, or a notification with `rises_above`"
        return rule, f"'{name}' is a gauge, which reaches no threshold", hint
    if gauge and len(limit.of) > 1:
        return rule, f"'{name}' is a gauge", "a limit of a gauge is of it alone"
    if gauge or _fits(item):
        return rule, "", ""
    noun = f"a part of '{item.histogram or item.limit}'"
    noun = noun if item.histogram or item.limit else item.kind.noun
    noun = noun if item.stored else "not counted by the module"
    return rule, f"'{name}' is {noun}", "a limit is of counters, or of a gauge"


def _fits(item: ir.Item) -> bool:
    return item.kind.accumulates and item.stored and not (item.histogram or item.limit)

# SPDX-License-Identifier: BSD-3-Clause
"""Items that a module reports of itself, in no schema: how full its dynamic scopes are, and updates
without effect. They make up the scope `ir.HEALTH`; OF_SCOPE and REPORTS list them."""

from collections.abc import Iterator
from typing import NamedTuple

from . import ir
from .strategies.base import applies
from .strategies.catalogue import all_strategies


class Report(NamedTuple):
    """An item: its name behind that of its scope, the C function that gives it (by its key in
    `naming.symbols`), its kind and unit, its description with the scope's name in place of `{}`,
    and the type of its object in the MIB if that is not the usual one."""

    name: str
    function: str
    kind: ir.Kind
    unit: str
    description: str
    syntax: str = ""


OF_SCOPE = (
    Report("instances", "instances", ir.Kind.GAUGE, "instances", "Instances of {} that exist."),
    Report(
        "instances_max", "MAX", ir.Kind.GAUGE, "instances",
        "Greatest number of instances of {} that can exist.", "Unsigned32",
    ),
    Report(
        "creations_refused", "creations_refused", ir.Kind.COUNTER, "1",
        "Creations of {} that failed for want of a free index or of memory.",
    ),
)  # fmt: skip
"""Of each dynamic scope."""

REPORTS = (
    Report(
        "late_updates", "late", ir.Kind.COUNTER, "updates",
        "Updates without effect: before the start, after the end, of no instance.",
    ),
    Report(
        "dropped_updates", "drops", ir.Kind.COUNTER, "updates",
        "Updates dropped: an index was out of range, or a thread ended.",
    ),
)  # fmt: skip
"""Of the module itself, where its strategies and `bounds` let it happen."""


def losing(module: ir.Module) -> list[ir.Sync]:
    """The strategies of a module that count updates that they lose, each once."""
    syncs = dict.fromkeys(scope.sync for scope in module.scopes)
    return [s for s in syncs if applies(all_strategies()[s.strategy].loses, dict(s.tunables))]


def reports(module: ir.Module) -> Iterator[tuple[Report, ir.Scope | None]]:
    """Every report that a module makes, with the scope that it is about; none of a module whose
    counters are all in the application's objects."""
    readable = [s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED]
    for scope in (s for s in readable if s.storage is ir.Storage.DYNAMIC):
        yield from ((report, scope) for report in OF_SCOPE)
    indexed = any(scope.levels for scope in readable)
    drops = (indexed and module.bounds == "drop") or bool(losing(module))
    happens = {"late": True, "drops": drops}
    yield from ((r, None) for r in REPORTS if readable and happens[r.function])


def item_name(report: Report, about: ir.Scope | None) -> str:
    """The name of a report's item."""
    return f"{about.name}_{report.name}" if about else report.name


def _item(module: ir.Module, report: Report, about: ir.Scope | None) -> ir.Item:
    counts = report.kind is ir.Kind.COUNTER
    width, before = 64 if counts else 32, ""
    if about is not None and about.renamed_from:
        before = f"{about.renamed_from}_{report.name}"
    return ir.Item(
        item_name(report, about), report.kind, f"uint{width}", width, report.unit,
        report.description.format(about.name if about else ""), ir.HEALTH,
        (about or module).span, renamed_from=before,
        snmp=ir.ItemSnmp(syntax=report.syntax) if report.syntax else None,
    )  # fmt: skip


def scope(module: ir.Module) -> ir.Scope | None:
    """The scope of all reports of a module; None where it makes none."""
    return module.once("health", _scope)


def _scope(module: ir.Module) -> ir.Scope | None:
    items = tuple(_item(module, report, about) for report, about in reports(module))
    return ir.Scope(
        ir.HEALTH, "What the module reports of itself.", items, (), ir.Storage.STATIC,
        module.scopes[0].sync, False, ir.Requires(), module.span, module.span,
    ) if items else None  # fmt: skip


def shown(module: ir.Module) -> tuple[ir.Scope, ...]:
    """The scopes that readers of live values find: those of the schema in their order, and the
    module's own after them. Their places are those in the descriptor of the module."""
    own = scope(module)
    return (*module.scopes, own) if own else module.scopes

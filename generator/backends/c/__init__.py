# SPDX-License-Identifier: BSD-3-Clause
"""The C that counts, reads and resets: `<module>_stats.h` and `<module>_stats.c`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from typing import Any

from ...model import health, ir
from ...output.render import render
from .. import BuiltIn, Options
from .fold import fold
from .includes import in_header, in_source
from .tables import table
from .transactions import Transaction, accessor
from .updates import UpdateView, observe_views, update_views
from .views import DomainView, ModuleView, module_view

_ABI = re.compile(r"^#define CTR_ABI (\d+)$", re.MULTILINE)


def runtime_abi() -> int:
    """Number of the contract with the runtime, from the runtime itself."""
    header = resources.files("ctrgen.runtime") / "include" / "ctr_abi.h"
    return int(_ABI.findall(header.read_text("utf-8"))[0])


def held_back(
    domains: Iterable[DomainView], updates: Iterable[UpdateView]
) -> dict[str, list[Transaction]]:
    """Transactions that strategies may defer, of calls and of runs, by the suffix of the domain."""
    held: dict[str, list[Transaction]] = {domain.suffix: [] for domain in domains}
    for update in updates:
        runs = () if update.observes else update.run.transactions
        for tx in (*update.call.transactions, *runs):
            if tx.record is not None:
                held[tx.domain.suffix].append(tx)
    return held


def clashes(updates: Sequence[UpdateView]) -> dict[str, list[UpdateView]]:
    """For each update, by name, the others that a batch may defer and whose order with it
    matters: those with an item in common that one of the two sets."""
    touching: dict[tuple[str, str], dict[int, None]] = {}
    setting: dict[tuple[str, str], dict[int, None]] = {}
    for number, update in enumerate(updates):
        for op in update.ir.operations if update.deferrable else ():
            touching.setdefault((op.scope, op.item), {})[number] = None
            if op.verb == "set":
                setting.setdefault((op.scope, op.item), {})[number] = None
    result = {}
    for number, update in enumerate(updates):
        others = {
            other
            for op in update.ir.operations
            for other in (touching if op.verb == "set" else setting).get((op.scope, op.item), ())
        }
        result[update.name] = [updates[other] for other in sorted(others - {number})]
    return result


def notifications(module: ir.Module) -> Iterator[tuple[ir.Notification, int, int, int]]:
    """Every notification of a module, in its order: numbers of its scope and item, and where its
    values are in the table of all that states become."""
    scopes = [scope.name for scope in module.scopes]
    first = 0
    for each in module.notifications:
        items = [item.name for item in module.scope(each.scope).items]
        yield each, scopes.index(each.scope), items.index(each.item), first
        first += len(each.values)


def health_reports(m: ModuleView) -> Iterator[tuple[ir.Item, str, str]]:
    """Every report of a module about itself, in the order of `health.reports`: its item, its
    greatest value and its value in C."""
    own, losing = health.scope(m.ir), health.losing(m.ir)
    lost = [d.sym.lost for d in m.active_domains if d.layout.sync in losing]
    pairs = zip(own.items, health.reports(m.ir), strict=True) if own else ()
    for item, (report, about) in pairs:
        if about is None:
            more = lost if report.function == "drops" else []
            value = " + ".join(f"{name}()" for name in (m.sym[report.function], *more))
            yield item, "UINT64_MAX", value
        else:
            view = m.by_name[about.name]
            most = "UINT64_MAX" if item.kind.accumulates else view.instances
            value = f"{view.sym[report.function]}()"
            yield item, most, view.instances if report.function == "MAX" else value


def context_of(module: ir.Module, options: Options) -> dict[str, Any]:
    """What templates of C work on."""
    view, updates, observes = module_view(module), update_views(module), observe_views(module)
    every = (*updates, *observes)
    runs = [tx for update in every for tx in update.run.transactions]
    return {
        "m": view,
        "u": updates,
        "observes": observes,
        "clashes": clashes(updates),
        "held": held_back(view.domains, every),
        "notifications": list(notifications(module)),
        "becomes": [value for each in module.notifications for value in each.values],
        "health": list(health_reports(view)),
        "non_lcore_variants": [tx for tx in runs if tx.domain.has_variants],
        "accessor": accessor,
        "table_of": table,
        "options": options,
        "abi": runtime_abi(),
        "in_header": in_header,
        "in_source": in_source,
        "maps": "",
    }


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The header (fast path, inline) and the source (everything else)."""
    context = context_of(module, options)
    view: ModuleView = context["m"]
    header = fold(render("c/header.h.j2", **context))
    source = render("c/source.c.j2", header=header, **context)
    return {f"{view.prefix}.h": header, f"{view.prefix}.c": fold(source)}


BACKEND = BuiltIn("c", "C structs and the functions that update, read and reset them", generate)

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
from .tables import table
from .transactions import Transaction, accessor
from .updates import UpdateView, observe_views, update_views
from .views import DomainView, ModuleView, module_view

_ABI = re.compile(r"^#define CTR_ABI (\d+)$", re.MULTILINE)


def runtime_abi() -> int:
    """Number of the contract with the runtime, from the runtime itself."""
    header = resources.files("ctrgen.runtime") / "include" / "ctr_abi.h"
    return int(_ABI.findall(header.read_text("utf-8"))[0])


def pending_transactions(
    domains: Iterable[DomainView], updates: Iterable[UpdateView]
) -> dict[str, list[Transaction]]:
    """Transactions that strategies may defer, of calls and of runs, by the suffix of the domain."""
    bodies = [body for u in updates for body in dict.fromkeys((u.call, u.run))]
    deferred = [tx for body in bodies for tx in body.transactions if tx.record]
    return {d.suffix: [tx for tx in deferred if tx.domain is d] for d in domains}


def clashes(updates: Sequence[UpdateView]) -> dict[str, list[UpdateView]]:
    """For each update, by name, the others that a batch may defer and whose order with it
    matters: those with an item in common that one of the two sets."""
    touched = {u: {(op.scope, op.item) for op in u.ir.operations} for u in updates}
    sets = {u: {(o.scope, o.item) for o in u.ir.operations if o.verb == "set"} for u in updates}
    deferred = [u for u in updates if u.deferrable]
    setting = [u for u in deferred if sets[u]]
    return {
        u.name: [
            other
            for other in (deferred if sets[u] else setting)
            if other is not u and (sets[u] & touched[other] or touched[u] & sets[other])
        ]
        for u in updates
    }


def health_reports(m: ModuleView) -> Iterator[tuple[ir.Item, str, str]]:
    """Every report of a module about itself, in the order of `health.reports`: its item, its
    greatest value and its value in C."""
    own, losing = health.scope(m.ir), health.losing(m.ir)
    lost = [f"{d.sym.lost}()" for d in m.active_domains if d.layout.sync in losing]
    pairs = zip(own.items, health.reports(m.ir), strict=True) if own else ()
    for item, (report, about) in pairs:
        of = m.by_name[about.name] if about else None
        most = of.instances if of and not item.kind.accumulates else "UINT64_MAX"
        more = lost if report.function == "drops" else []
        value = " + ".join((f"{(of or m).sym[report.function]}()", *more))
        yield item, most, most if report.function == "MAX" else value


def context_of(module: ir.Module, options: Options) -> dict[str, Any]:
    """Context of the C templates."""
    view, updates, observes = module_view(module), update_views(module), observe_views(module)
    every = (*updates, *observes)
    runs = [tx for update in every for tx in update.run.transactions]
    return {
        "m": view,
        "u": updates,
        "observes": observes,
        "clashes": clashes(updates),
        "held": pending_transactions(view.domains, every),
        "health": list(health_reports(view)),
        "non_lcore_variants": [tx for tx in runs if tx.domain.has_variants],
        "accessor": accessor,
        "table_of": table,
        "options": options,
        "abi": runtime_abi(),
        "maps": "",
    }


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The header (fast path, inline) and the source (everything else)."""
    context = context_of(module, options)
    view: ModuleView = context["m"]
    names = ("header.h", "source.c")
    return {view.prefix + name[-2:]: fold(render(f"c/{name}.j2", **context)) for name in names}


BACKEND = BuiltIn("c", "C structs and the functions that update, read and reset them", generate)

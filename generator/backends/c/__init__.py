# SPDX-License-Identifier: BSD-3-Clause
"""The C that counts, reads and resets: `<module>_stats.h` and `<module>_stats.c`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import resources

from ...model import ir
from ...output.render import render
from .. import BuiltIn, Options
from .clashes import clashes
from .fold import fold
from .health import health_views
from .notifications import becomes, notification_views
from .observes import observe_views
from .tables import table
from .transactions import Transaction, accessor
from .updates import UpdateView, update_views
from .views import DomainView, module_view

_ABI = re.compile(r"^#define CTR_ABI (\d+)$", re.MULTILINE)


def runtime_abi() -> int:
    """Number of the contract with the runtime, from the runtime itself."""
    header = resources.files("ctrgen.runtime") / "include" / "ctr_abi.h"
    number = _ABI.search(header.read_text("utf-8"))
    if number is None:
        raise RuntimeError(f"{header} does not define CTR_ABI")
    return int(number.group(1))


def non_lcore_variants(updates: Iterable[UpdateView]) -> list[Transaction]:
    """Transactions with an out-of-line variant for threads without an lcore id."""
    return [tx for update in updates for tx in update.run.transactions if tx.domain.has_variants]


def held_back(
    domains: Iterable[DomainView], updates: Iterable[UpdateView]
) -> dict[str, list[Transaction]]:
    """What strategies may hold back, by the suffix of the domain: calls, and runs of calls."""
    held: dict[str, list[Transaction]] = {domain.suffix: [] for domain in domains}
    for update in updates:
        runs = () if update.observes else update.run.transactions
        for tx in (*update.call.transactions, *runs):
            if tx.record is not None:
                held[tx.domain.suffix].append(tx)
    return held


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The header (fast path, inline) and the source (everything else)."""
    view, updates, observes = module_view(module), update_views(module), observe_views(module)
    every = (*updates, *observes)
    context = {
        "m": view,
        "u": updates,
        "observes": observes,
        "clashes": clashes(updates),
        "held": held_back(view.domains, every),
        "notifications": list(notification_views(module)),
        "becomes": becomes(module),
        "health": list(health_views(view)),
        "non_lcore_variants": non_lcore_variants(every),
        "accessor": accessor,
        "table_of": table,
        "options": options,
        "abi": runtime_abi(),
    }
    return {
        f"{view.prefix}.h": fold(render("c/header.h.j2", **context)),
        f"{view.prefix}.c": fold(render("c/source.c.j2", **context)),
        **view.headers,
    }


BACKEND = BuiltIn("c", "C structs and the functions that update, read and reset them", generate)

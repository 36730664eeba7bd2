# SPDX-License-Identifier: BSD-3-Clause
"""Modules whose updates are in the kernel: which scopes can be counted there, and how the library
finds their counters.

The kernel has an instance a CPU or one for all, in arrays that user space maps and never writes.
For the library these are copies by CPU: the strategy with such copies, and its number of them.
"""

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from ..findings.diagnostics import Span
from . import ir, layout
from .strategies.catalogue import all_strategies

LARGEST = 2**29 - 1
"""Bytes of an instance to which the verifier knows an offset (BPF_MAX_VAR_OFF)."""


class Refusal(NamedTuple):
    """Why a scope cannot be counted in the kernel; `rule` is the id of a rule."""

    rule: str
    span: Span
    message: str
    hint: str


def copies(sync: ir.Sync) -> int | None:
    """How many instances a strategy has in the kernel, 0 for one a CPU; None: it is not there."""
    return {"cpus": 0, "sequence": 0, "one": 1}.get(all_strategies()[sync.strategy].kernel)


def _fitting(sync: ir.Sync) -> str:
    """The strategy in the kernel with as many instances as another one."""
    wanted = "cpus" if all_strategies()[sync.strategy].per_lcore else "one"
    return next(name for name, strategy in all_strategies().items() if strategy.kernel == wanted)


def refusals(module: ir.Module) -> Iterator[Refusal]:
    """What the kernel cannot count."""
    for scope in module.scopes:
        if scope.storage is ir.Storage.EMBEDDED:
            text = f"the kernel cannot count in objects of the application, as in '{scope.name}'"
            yield Refusal("xdp-storage", scope.span, text, "give the scope a `max`")
        elif copies(scope.sync) is None:
            text = f"the kernel cannot count '{scope.name}' under '{scope.sync.strategy}'"
            hint = f"use '{_fitting(scope.sync)}'"
            yield Refusal("xdp-strategy", scope.sync_span, text, hint)
        for limit in scope.limits:
            text = f"the kernel cannot keep limit '{limit.name}': its CPUs hold no shares"
            yield Refusal("xdp-limit", limit.span, text, "watch the counter by a notification")
    yield from _too_large(module)


def _too_large(module: ir.Module) -> Iterator[Refusal]:
    for domain in layout.domains(module):
        size = 0
        for part in domain.scopes:
            size += part.data.size * part.scope.instances if part.data else 0
            if size > LARGEST and part.scope.storage is not ir.Storage.EMBEDDED:
                text = f"counters up to those of '{part.scope.name}' take {size} bytes a CPU"
                hint = f"at most {LARGEST} fit: lower `max`"
                yield Refusal("xdp-size", part.scope.span, text, hint)
                break


def mapped(module: ir.Module) -> ir.Module:
    """The module as the library reads it: its copies are by CPU, and indexes are checked, as the
    verifier demands. Maxima do not depend on a port: both sides have them."""
    by_cpu = next(strategy for strategy in all_strategies().values() if strategy.by_cpu)

    def moved(scope: ir.Scope) -> ir.Scope:
        tunables = {str(by_cpu.main.cpus): copies(scope.sync) or 0}
        levels = tuple(dataclasses.replace(lv, symbol="", header="") for lv in scope.levels)
        sync = ir.Sync(by_cpu.name, by_cpu.settings(tunables))
        strategy = all_strategies()[scope.sync.strategy]
        if strategy.kernel == "sequence":  # Reads are its own; nothing counts in user space.
            own = dict(scope.sync.tunables) | {str(strategy.main.more): 0}
            sync = ir.Sync(strategy.name, strategy.settings(own))
        return dataclasses.replace(scope, levels=levels, sync=sync, reset_lcores=False)

    scopes, parents = (tuple(map(moved, part)) for part in (module.scopes, module.parents))
    return dataclasses.replace(
        module, scopes=scopes, parents=parents, bounds="drop", writers="lcores", maps=True
    )

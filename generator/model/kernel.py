# SPDX-License-Identifier: BSD-3-Clause
"""Modules whose updates are in the kernel: how it counts, and how the library finds their
counters.

The kernel has an instance a CPU or one for all, in arrays that user space maps and never writes.
For the library these are copies by CPU: the strategy with such copies, and its number of them.
"""

import dataclasses

from . import ir
from .strategies.catalogue import all_strategies

LARGEST = 2**29 - 1
"""Bytes of an instance to which the verifier knows an offset (BPF_MAX_VAR_OFF)."""


def copies(sync: ir.Sync) -> int | None:
    """How many instances a strategy has in the kernel, 0 for one a CPU; None: it is not there."""
    return {"cpus": 0, "sequence": 0, "one": 1}.get(all_strategies()[sync.strategy].kernel)


def fitting(sync: ir.Sync) -> str:
    """The strategy in the kernel with as many instances as another one."""
    wanted = "cpus" if all_strategies()[sync.strategy].per_lcore else "one"
    return next(name for name, strategy in all_strategies().items() if strategy.kernel == wanted)


def mapped(module: ir.Module) -> ir.Module:
    """The module as the library reads it: its copies are by CPU, and indexes are checked, as the
    verifier demands. Maxima do not depend on a port: both sides have them."""
    by_cpu = next(strategy for strategy in all_strategies().values() if strategy.by_cpu)

    def moved(scope: ir.Scope) -> ir.Scope:
        tunables = {str(by_cpu.main.cpus): copies(scope.sync) or 0}
        levels = tuple(dataclasses.replace(lv, symbol="", header="") for lv in scope.levels)
        sync = ir.Sync(by_cpu.name, by_cpu.settings(tunables))
        if all_strategies()[scope.sync.strategy].kernel == "sequence":
            sync = scope.sync  # Reads are its own; nothing counts in user space.
        return dataclasses.replace(scope, levels=levels, sync=sync, reset_lcores=False)

    scopes, parents = (tuple(map(moved, part)) for part in (module.scopes, module.parents))
    return dataclasses.replace(module, scopes=scopes, parents=parents, bounds="drop", maps=True)

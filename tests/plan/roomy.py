# SPDX-License-Identifier: BSD-3-Clause
"""The chapter's example with room for many flows, and what the model makes of it."""

from dataclasses import replace

from ctrgen.model import ir
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.model.workload import Deployment
from ctrgen.tools.plan.estimate import Estimate
from ctrgen.tools.plan.machine import CASCADE_LAKE, Machine
from ctrgen.tools.plan.model import estimate
from tests.plan import published


def chapter() -> ir.Module:
    """The module; 2^24 sessions fit."""
    module = published.chapter()
    for level in [level for scope in module.scopes for level in scope.own]:
        module = module.resized(level.name, 1 << 24)
    return module


def cost(
    module: ir.Module, sync: str, machine: Machine = CASCADE_LAKE, **place: object
) -> Estimate:
    """An estimate under `NAME` or `NAME:KEY=VALUE`, of 4 lcores with 1,024 flows."""
    name, _, tunable = sync.partition(":")
    key, _, value = tunable.partition("=")
    chosen = ir.Sync(name, all_strategies()[name].settings({key: value} if key else None))
    made = replace(module, scopes=tuple(replace(s, sync=chosen) for s in module.scopes))
    where = {"lcores": 4, "flows": 1024, "flow_scope": "session", "work": 1000.0} | place
    found = estimate(made, Deployment(**where), machine)  # type: ignore[arg-type]
    assert found is not None
    return found

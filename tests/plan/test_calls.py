# SPDX-License-Identifier: BSD-3-Clause
"""The cost model where it decides: many flows, the call, contention in a tight loop, readers."""

import itertools
from dataclasses import replace

import pytest

from ctrgen.model import ir
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.model.workload import Deployment, touched, transactions
from ctrgen.tools.plan.estimate import BURST
from ctrgen.tools.plan.lines import Lines, uses
from ctrgen.tools.plan.machine import CASCADE_LAKE, MACHINES, Machine
from ctrgen.tools.plan.model import estimate
from tests.plan.roomy import cost
from tests.support.paths import ROOT
from tests.support.schemas import module_of
from tests.support.strategies import BUFFERING, INEXACT, LOCKING, SHARED, STRATEGIES, USUAL

MANY = 1 << 22
"""Flows that no cache of a built-in machine holds."""

UPF = ROOT / "schemas/upf.yaml"
COUNTERS = "".join(f"      c{n}: {{unit: packets, description: Number {n}.}}\n" for n in range(40))
ADDS = "".join(f"      flow.c{n}: 1\n" for n in range(40))
FORTY = f"""\
ctrgen: 1
module: forty
sync: {USUAL}
scopes:
  flow:
    max: 100000
    counters:
{COUNTERS}updates:
  packet:
    add:
{ADDS}"""
"""An update of forty counters, five cache lines of its element."""
PER_LCORE = [n for n in STRATEGIES if all_strategies()[n].per_lcore]
WORKS = (0.0, 100.0, 1000.0, 10000.0)


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("name", PER_LCORE)
def test_misses_of_packets_overlap_unless_there_is_work_between_them(
    module: ir.Module, name: str, machine: Machine
) -> None:
    misses = [cost(module, name, machine, flows=MANY, work=work).misses for work in WORKS]
    assert all(before <= after for before, after in itertools.pairwise(misses)), misses
    assert misses[0] < misses[-1] / 2
    few = [cost(module, name, machine, work=work).misses for work in WORKS]
    assert max(few) < misses[0]


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("name", sorted({*STRATEGIES} - {BUFFERING}))
def test_bulk_is_never_dearer_where_misses_dominate(
    module: ir.Module, name: str, machine: Machine
) -> None:
    """A buffer's misses are those of its flushes; in a tight loop they overlap anyway."""
    for work, lcores in itertools.product(WORKS[1:], (1, 2, 8)):
        place = {"flows": 2 * MANY, "work": work, "lcores": lcores}
        single, bulk = (cost(module, name, machine, api=api, **place) for api in ("single", "bulk"))
        assert bulk.packet <= single.packet, (work, lcores)


@pytest.mark.parametrize("name", sorted({*PER_LCORE, SHARED}))
def test_bulk_brings_back_what_work_costs(module: ir.Module, name: str) -> None:
    """Measured once: 4 cycles an update in a tight loop, 72 with work, 9 of these in bulk."""
    tight = cost(module, name, lcores=1, flows=MANY, work=0.0).update
    apart = cost(module, name, lcores=1, flows=MANY).update
    bulk = cost(module, name, lcores=1, flows=MANY, api="bulk").update
    assert bulk < 2 * tight < apart


def test_a_lock_is_taken_once_for_a_burst(module: ir.Module) -> None:
    single, bulk = (cost(module, LOCKING, lcores=8, api=api) for api in ("single", "bulk"))
    assert bulk.waiting < single.waiting / BURST * 2


def test_plain_stores_are_forwarded_while_the_line_is_away(module: ir.Module) -> None:
    tight, apart = (cost(module, INEXACT, work=work) for work in (0.0, 300.0))
    assert tight.packet < apart.packet
    few = cost(module, INEXACT, replace(CASCADE_LAKE, stores=2), work=0.0)
    assert few.packet > 1.5 * tight.packet


@pytest.mark.parametrize("name", STRATEGIES)
def test_updates_that_happen_seldom_cost_less(module: ir.Module, name: str) -> None:
    """Of two alike, one with every packet and one with each eighth: as much as 9/8 of one."""
    twins = tuple(replace(module.updates[0], name=n) for n in ("often", "seldom"))
    both = replace(module, updates=twins)
    schema = replace(module, updates=(replace(twins[0], weight=8), twins[1]))
    found = cost(schema, name, lcores=1)
    assert found.operations == 4.5
    once, twice = (cost(each, name, lcores=1).packet for each in (module, both))
    assert once < found.packet < once + (twice - once) / 4


def test_a_flow_has_one_instance_of_each_scope() -> None:
    """So no more are in use than there are flows, and these stay where the flow does."""
    module = module_of(UPF)
    for flows, sessions, interfaces in ((16, 16, 3), (1024, 1024, 3), (8192, 4096, 3)):
        at = Deployment(2, flows, "pdr", affinity="pinned")
        found = {scope.name: touched(scope, at) for scope in module.scopes}
        assert (found["pdr"], found["session"]) == (flows, sessions)
        assert found["interface"] == interfaces and found["global"] == 1
        lines = {t.scope: t for made in transactions(module, at) for t in made.touches}
        assert lines["pdr"].local == lines["session"].local == min(sessions, flows // 2)


def test_lines_of_an_element_come_together() -> None:
    """Five lines of forty counters are hardly dearer than one; in bulk those of several packets."""
    module = module_of(FORTY)
    at = Deployment(1, 100_000, "flow", work=1000.0)
    machine = replace(CASCADE_LAKE, caches=CASCADE_LAKE.caches[:2])
    lines = [touch for made in transactions(module, at) for touch in made.touches]
    assert [touch.behind for touch in lines] == [False, True, True, True, True]
    apart, bulk = (estimate(module, replace(at, api=api), machine) for api in ("single", "bulk"))
    assert apart is not None and bulk is not None
    assert bulk.misses < 0.7 * apart.misses
    sync = ir.Sync(SHARED, all_strategies()[SHARED].settings())
    atomic = estimate(replace(module, scopes=(replace(module.scopes[0], sync=sync),)), at, machine)
    assert atomic is not None
    assert atomic.packet - 40 * CASCADE_LAKE.locked < CASCADE_LAKE.memory


def test_a_line_is_near_if_little_is_used_between_two_visits() -> None:
    """Those of 1,024 rules, beside those of a million."""
    module = module_of(UPF).resized("pdr", 1 << 20)
    at = Deployment(1, 1 << 20, "pdr", work=1000.0)
    changes = transactions(module, at)
    lines = Lines(module, at, CASCADE_LAKE, uses(changes, module, at), 0, 1000.0, 10.0)
    touches = {touch.scope: touch for made in changes for touch in made.touches}
    assert lines.far(touches["qer"]) < CASCADE_LAKE.caches[1].cycles < lines.far(touches["pdr"])

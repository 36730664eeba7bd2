# SPDX-License-Identifier: BSD-3-Clause
"""The cost model where it decides: many flows, the call, contention in a tight loop, readers."""

import itertools
from dataclasses import replace

import pytest

from ctrgen.model import ir
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.model.workload import Deployment
from ctrgen.tools.plan.estimate import APIS, BURST, Estimate
from ctrgen.tools.plan.machine import CASCADE_LAKE, MACHINES, Machine
from ctrgen.tools.plan.model import estimate
from tests.plan import roomy
from tests.support.strategies import STRATEGIES

MANY = 1 << 22
"""Flows that no cache of a built-in machine holds."""

PER_LCORE = [n for n in STRATEGIES if all_strategies()[n].per_lcore]
WORKS = (0.0, 100.0, 1000.0, 10000.0)


@pytest.fixture(scope="module")
def module() -> ir.Module:
    """The chapter's example, with room for many flows."""
    return roomy.chapter()


def cost(
    module: ir.Module, sync: str, machine: Machine = CASCADE_LAKE, **place: object
) -> Estimate:
    """An estimate under `NAME` or `NAME:KEY=VALUE`, of 2 lcores with 1,024 flows."""
    name, _, tunable = sync.partition(":")
    key, _, value = tunable.partition("=")
    chosen = ir.Sync(name, all_strategies()[name].settings({key: value} if key else None))
    made = replace(module, scopes=tuple(replace(s, sync=chosen) for s in module.scopes))
    where = {"lcores": 2, "flows": 1024, "flow_scope": "session", "work": 1000.0} | place
    found = estimate(made, Deployment(**where), machine)  # type: ignore[arg-type]
    assert found is not None
    return found


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
@pytest.mark.parametrize("name", sorted({*STRATEGIES} - {"shared_buffered"}))
def test_bulk_is_never_dearer_where_misses_dominate(
    module: ir.Module, name: str, machine: Machine
) -> None:
    """A buffer's misses are those of its flushes; in a tight loop they overlap anyway."""
    for work, lcores in itertools.product(WORKS[1:], (1, 2, 8)):
        place = {"flows": 2 * MANY, "work": work, "lcores": lcores}
        single, bulk = (cost(module, name, machine, api=api, **place) for api in ("single", "bulk"))
        assert bulk.packet <= single.packet, (work, lcores)


@pytest.mark.parametrize("name", sorted({*PER_LCORE, "shared_atomic"}))
def test_bulk_brings_back_what_work_costs(module: ir.Module, name: str) -> None:
    """Measured once: 4 cycles an update in a tight loop, 72 with work, 9 of these in bulk."""
    tight = cost(module, name, lcores=1, flows=MANY, work=0.0).update
    apart = cost(module, name, lcores=1, flows=MANY).update
    bulk = cost(module, name, lcores=1, flows=MANY, api="bulk").update
    assert bulk < 2 * tight < apart


def test_a_lock_is_taken_once_for_a_burst(module: ir.Module) -> None:
    single, bulk = (cost(module, "shared_lock", lcores=8, api=api) for api in ("single", "bulk"))
    assert bulk.waiting < single.waiting / BURST * 2


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_batch_sums_up_packets_of_a_flow(module: ir.Module, name: str) -> None:
    def found(api: str, burst: float) -> float:
        return cost(module, name, flows=MANY, api=api, burst=burst).packet

    assert found("batch", 1) > found("single", 1)
    assert found("batch", BURST) < found("batch", 1)


def test_arithmetic_goes_on_beside_updates(module: ir.Module) -> None:
    """As in `ctrgen bench`: it fills gaps between instructions, and goes on behind atomic ones."""

    def found(name: str, arithmetic: bool, api: str = "single") -> Estimate:
        return cost(module, name, lcores=1, api=api, work=1000.0, arithmetic=arithmetic)

    for name in ("per_core", "per_core_lock"):
        assert found(name, True).instructions == found(name, False).instructions / 2
    for name in ("per_core_lock", "shared_atomic"):
        before, beside = (found(name, arithmetic).sync for arithmetic in (False, True))
        assert beside == max(0.0, before - CASCADE_LAKE.hidden)
        assert found(name, True, "bulk").sync == found(name, False, "bulk").sync > 0
    before, beside = (found("shared_lock", arithmetic).packet for arithmetic in (False, True))
    assert beside < before - CASCADE_LAKE.locked


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("name", PER_LCORE)
def test_more_flows_are_never_cheaper_in_any_call(module: ir.Module, name: str, api: str) -> None:
    for work in (0.0, 1000.0):
        values = [
            cost(module, name, flows=1 << bits, work=work, api=api).update for bits in range(25)
        ]
        assert all(a <= b + 1e-6 for a, b in itertools.pairwise(values)), values


def test_plain_stores_are_forwarded_while_the_line_is_away(module: ir.Module) -> None:
    tight, apart = (cost(module, "shared_unsync", work=work) for work in (0.0, 300.0))
    assert tight.packet < apart.packet
    few = cost(module, "shared_unsync", replace(CASCADE_LAKE, stores=2), work=0.0)
    assert few.packet > 1.5 * tight.packet


def test_who_releases_a_lock_takes_it_again(module: ir.Module) -> None:
    """In a tight loop, if the lock is not fair; with work another lcore has it by then."""
    spin, ticket = (cost(module, f"shared_lock:lock={k}", work=0.0) for k in ("spin", "ticket"))
    assert spin.packet < ticket.packet / 1.2
    spin, ticket = (cost(module, f"shared_lock:lock={k}") for k in ("spin", "ticket"))
    assert spin.packet == ticket.packet


def test_the_transactions_of_a_packet_are_made_before_another_lcore_has_the_lock(
    module: ir.Module,
) -> None:
    """Unless it is given to who waits for it the longest."""
    twins = tuple(replace(module.updates[0], name=n) for n in ("one", "two"))
    both = replace(module, updates=twins)
    spin, ticket = (cost(both, f"shared_lock:lock={k}", lcores=8) for k in ("spin", "ticket"))
    assert spin.packet < ticket.packet


def test_what_a_snapshot_does_to_updates(module: ir.Module) -> None:
    for name in ("per_core", "shared_atomic", "shared_unsync"):
        assert cost(module, name).reading == 0
    locked, counted = (cost(module, n).reading for n in ("per_core_lock", "per_core_seqcount"))
    assert locked == 2 * CASCADE_LAKE.transfer > counted > 0
    assert cost(module, "per_core_lock", api="bulk").reading == locked / BURST


def test_lines_that_others_replace_come_from_memory(module: ir.Module) -> None:
    """The longer nobody has used them: with more work, or with turns that count nothing."""
    machine = replace(CASCADE_LAKE, rest=((10**5, 0.0), (10**6, 300.0), (10**7, 300.0)))
    alone = cost(module, "per_core", work=1000.0).misses
    values = [
        cost(module, "per_core", machine, work=work, pauses=pauses).misses
        for work, pauses in ((0.0, 1), (300.0, 1), (1000.0, 1), (1000.0, 2), (1e9, 1))
    ]
    assert values[0] == alone == 0 and values == sorted(values) and values[3] > values[2] > 0
    assert values[-1] == pytest.approx(300 - CASCADE_LAKE.hidden, rel=0.01)


def test_a_batch_of_one_flow_is_one_update(module: ir.Module) -> None:
    """A run of a flow that nothing interrupts; of two flows, every second packet does."""
    one, two, many = (
        cost(module, "shared_atomic", flows=n, affinity="none", api="batch").packet
        for n in (1, 2, MANY)
    )
    single = cost(module, "shared_atomic", flows=1, affinity="none").packet
    assert one < single / 4 and one < two / 4 < many / 4


def test_lines_come_together_where_loads_pass_atomic_instructions(module: ir.Module) -> None:
    """Those of a lock and of what it protects, and those of several atomic adds."""
    for name in ("shared_lock", "shared_atomic"):
        apart, together = (
            cost(module, name, replace(CASCADE_LAKE, passes=passes), affinity="none").packet
            for passes in (False, True)
        )
        assert apart - together > CASCADE_LAKE.transfer / 4, name


def test_adds_that_meet_take_turns(module: ir.Module) -> None:
    """With what was measured of an atomic add that another core competes with."""
    values = [
        cost(module, "shared_atomic", replace(CASCADE_LAKE, contended=c), work=0.0).packet
        for c in (0.0, 100.0, 300.0)
    ]
    assert values[0] <= values[1] < values[2]
    assert cost(module, "shared_atomic", lcores=1, work=0.0).packet < values[0]


def test_of_nested_updates_the_first_fetches_the_line(module: ir.Module) -> None:
    twins = tuple(replace(module.updates[0], name=n) for n in ("one", "two"))
    both = replace(module, updates=twins)
    alone, nested, apart = (
        cost(made, "per_core", flows=MANY, nested=n).misses
        for made, n in ((module, False), (both, True), (both, False))
    )
    assert alone == pytest.approx(nested) and apart > 1.5 * nested


@pytest.mark.parametrize("name", STRATEGIES)
def test_updates_that_happen_seldom_cost_less(module: ir.Module, name: str) -> None:
    """Of two alike, one with every packet and one with each eighth: as much as 9/8 of one."""
    twins = tuple(replace(module.updates[0], name=n) for n in ("often", "seldom"))
    both = replace(module, updates=twins)
    found = cost(both, name, lcores=1, weights=(("often", 8), ("seldom", 1)))
    schema = replace(module, updates=(replace(twins[0], weight=8), twins[1]))
    assert found.operations == 4.5
    assert cost(schema, name, lcores=1).packet == found.packet
    once, twice = (cost(each, name, lcores=1).packet for each in (module, both))
    assert once < found.packet < once + (twice - once) / 4

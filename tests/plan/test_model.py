# SPDX-License-Identifier: BSD-3-Clause
"""The cost model: how estimates behave, and how far they are from the published figures."""

import itertools
from dataclasses import replace

import pytest

from ctrgen.model import ir
from ctrgen.model.strategies import costs
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.tools.plan.advice import ALIKE
from ctrgen.tools.plan.estimate import APIS
from ctrgen.tools.plan.machine import CASCADE_LAKE, CORTEX_A72, MACHINES, Machine
from ctrgen.tools.plan.queueing import Station, responses
from tests.pages import machines
from tests.plan import published
from tests.plan.roomy import cost
from tests.support.strategies import BUFFERING, INEXACT, LOCKING, SHARED, STRATEGIES

PER_LCORE = [n for n in STRATEGIES if all_strategies()[n].per_lcore]
ONE_COPY = [n for n in STRATEGIES if n not in PER_LCORE]
AT_ONCE = [n for n in ONE_COPY if not all_strategies()[n].holds_back]
WHOLE = [n for n in STRATEGIES if all_strategies()[n].consistent]
LCORES = (1, 2, 3, 4, 8, 16, 20, 64)


def rises(values: list[float]) -> bool:
    return all(later >= earlier - 1e-6 for earlier, later in itertools.pairwise(values))


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("name", AT_ONCE)
def test_shared_strategies_cost_more_with_more_lcores(
    module: ir.Module, name: str, machine: Machine
) -> None:
    values = [cost(module, name, machine, lcores=n, affinity="none").update for n in LCORES]
    assert rises(values), values
    assert values[-1] > 3 * values[0]


@pytest.mark.parametrize("name", PER_LCORE)
def test_an_instance_for_each_lcore_costs_the_same_with_any_number(
    module: ir.Module, name: str
) -> None:
    values = {round(cost(module, name, lcores=n).update, 6) for n in LCORES}
    assert len(values) == 1


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("affinity", "work"), [("pinned", 1000.0), ("rare", 1000.0), ("none", 1000.0), ("rare", 0.0)]
)
@pytest.mark.parametrize("name", PER_LCORE)
def test_more_flows_are_never_cheaper(
    module: ir.Module, name: str, affinity: str, work: float, api: str
) -> None:
    place = {"lcores": 8, "affinity": affinity, "work": work, "api": api}
    values = [cost(module, name, flows=1 << bits, **place).update for bits in range(25)]
    assert rises(values), values
    assert values[-1] > values[0]


@pytest.mark.parametrize("name", ONE_COPY)
def test_many_flows_are_not_cheaper_where_there_is_one_instance(
    module: ir.Module, name: str
) -> None:
    """But for what lcores wait less for each other, which is next to nothing here."""
    values = [cost(module, name, flows=1 << bits).update for bits in range(10, 25)]
    pairs = itertools.pairwise(values)
    assert all(later > 0.99 * earlier for earlier, later in pairs), values


@pytest.mark.parametrize("name", WHOLE)
def test_a_transaction_of_more_operations_is_cheaper_for_each(module: ir.Module, name: str) -> None:
    packet = module.updates[0]
    single = tuple(
        replace(packet, name=f"u{n}", operations=(op,), scopes=(op.scope,))
        for n, op in enumerate(packet.operations)
    )
    apart = cost(replace(module, updates=single), name)
    together = cost(module, name)
    assert apart.operations == together.operations == 4
    assert apart.transactions == 4 and together.transactions == 1
    assert together.update < apart.update


@pytest.mark.parametrize("name", STRATEGIES)
def test_affinity(module: ir.Module, name: str) -> None:
    if all_strategies()[name].polls:
        pytest.skip("who updates touches no counter")
    kinds = [cost(module, name, affinity=kind).update for kind in ("pinned", "rare", "none")]
    assert rises(kinds), kinds
    # Of plain adds the line that all lcores write takes longest, wherever flows go.
    assert (kinds[-1] > kinds[0]) == (name in ONE_COPY and name != INEXACT)


@pytest.mark.parametrize("name", ONE_COPY)
def test_less_work_between_updates_means_more_waiting(module: ir.Module, name: str) -> None:
    # With less, a lock and a line are given away less often: tests/plan/test_calls.py.
    values = [cost(module, name, lcores=20, work=float(w)).update for w in (30000, 3000, 300)]
    assert rises(values), values


def test_a_packet_takes_at_least_what_its_lines_allow(module: ir.Module) -> None:
    """When a line is always in use, N packets take N services, the work included."""
    found = cost(module, SHARED, lcores=64, work=100.0, affinity="pinned")
    service = (1 - 1 / 64) * CASCADE_LAKE.transfer + 2 * CASCADE_LAKE.locked
    assert found.packet + 100 >= 64 * service * 0.999


def test_one_lcore_waits_for_nobody(module: ir.Module) -> None:
    for name in STRATEGIES:
        assert cost(module, name, lcores=1).waiting == pytest.approx(0)


def test_stations() -> None:
    """Against the repairman's closed form: N customers, one server, times exponential."""
    n, think, service = 5, 400.0, 100.0
    weights = [1.0]
    for there in range(1, n + 1):
        weights.append(weights[-1] * (n - there + 1) * service / think)
    busy = 1 - weights[0] / sum(weights)
    expected = n * service / busy - think
    assert responses([Station(service)], n, think)[0] == pytest.approx(expected)
    # A crowd: the service depends on how many are there.
    weights = [1.0]
    for there in range(1, n + 1):
        held = service + 30 * (there - 1) + (20 if there > 1 else 0)
        weights.append(weights[-1] * (n - there + 1) * held / think)
    held = [0.0, *(service + 30 * (j - 1) + (20 if j > 1 else 0) for j in range(1, n + 1))]
    rate = sum(w / h for w, h in zip(weights[1:], held[1:], strict=True)) / sum(weights)
    found = responses([Station(service, handover=20, crowd=30)], n, think)[0]
    assert found == pytest.approx(n / rate - think)


def test_visits_to_one_station_for_several_reasons() -> None:
    """Half as long twice is as long; and no shorter than the same from one place."""
    one = responses([Station(100.0, 1.0)], 4, 400.0)[0]
    two = responses([Station(100.0, 0.5, key="lock"), Station(100.0, 0.5, key="lock")], 4, 400.0)
    assert two == pytest.approx([one, one])
    apart = responses([Station(100.0, 0.5), Station(100.0, 0.5)], 4, 400.0)
    assert all(time < one for time in apart)


def test_queue_locks_scale_better_than_spinning(module: ir.Module) -> None:
    kinds = ("mcs", "spin", "ticket")
    mcs, spin, ticket = (cost(module, f"{LOCKING}:lock={k}", lcores=20).update for k in kinds)
    assert mcs < spin == ticket


def test_at_least_20_of_21_published_figures_within_a_factor_of_two() -> None:
    rows = list(published.published())
    assert len(rows) == 21
    off = [(r.strategy, r.machine.name, r.lcores, r.factor) for r in rows if not r.within]
    assert len(rows) - len(off) >= published.WANTED, off


def test_the_published_order_holds() -> None:
    """Per-lcore strategies, then buffered, then what all lcores write."""
    for machine, lcores in ((CASCADE_LAKE, 4), (CASCADE_LAKE, 20), (CORTEX_A72, 4)):
        found = {
            r.strategy: r.modelled
            for r in published.published()
            if (r.machine, r.lcores) == (machine, lcores)
        }
        assert max(found[n] for n in PER_LCORE if n in found) < found[BUFFERING]
        assert found[BUFFERING] < min(found[SHARED], found[LOCKING])
        assert found[BUFFERING] < ALIKE * found[INEXACT]
        assert found[INEXACT] < found[SHARED] < found[LOCKING]


def test_every_strategy_has_a_cost_and_every_machine_its_sources() -> None:
    assert all(strategy.cost is not None for strategy in all_strategies().values())
    for name in MACHINES:
        text = " ".join(what for what, _ in machines.SOURCES[name])
        for figure in ("hz", "width", "window", "locked", "fence", "caches", "memory", "transfer"):
            assert figure in text, (name, figure)


@pytest.mark.parametrize(
    "raw",
    [
        {"transaction": ["no_such"]},
        {"operations": ["add"]},
        {"operation": ["add"], "flush": {"operation": ["apply"]}},
        "add",
    ],
)
def test_a_broken_cost_is_refused(raw: object) -> None:
    with pytest.raises(ValueError):
        costs.Cost.model_validate(raw)

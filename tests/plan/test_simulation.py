# SPDX-License-Identifier: BSD-3-Clause
"""The simulation of lines and lcores: what must always hold, and that it would be seen if not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from ctrgen.model import ir
from ctrgen.model.workload import Deployment
from ctrgen.plan.advice import under
from ctrgen.plan.machine import CASCADE_LAKE, CORTEX_A72, EPYC, MACHINES, Machine
from ctrgen.plan.model import estimate
from ctrgen.plan.simulation import coherence
from ctrgen.plan.simulation.coherence import NOBODY, Latencies, Line, Memory
from ctrgen.plan.simulation.core import Core
from ctrgen.plan.simulation.events import Loop, Process
from ctrgen.plan.simulation.lcore import scattered
from ctrgen.plan.simulation.locks import Lock, Queue, Spin, Ticket
from ctrgen.plan.simulation.run import Simulated, latencies, simulate
from ctrgen.plan.simulation.validation import half_round
from ctrgen.strategies.catalogue import all_strategies
from tests.plan import roomy
from tests.support.strategies import STRATEGIES

NEAR, FAR, COPY, UPGRADE = 100.0, 300.0, 40.0, 60.0
SIMULATED = [name for name in STRATEGIES if not all_strategies()[name].polls]
LOCKS: dict[str, Callable[[Line], Lock]] = {"spin": Spin, "ticket": Ticket, "queue": Queue}


def memory(sockets: int = 1, kind: type[Memory] = Memory) -> Memory:
    return kind(Loop(), Latencies(NEAR, FAR, COPY, UPGRADE, sockets), Random(1), 0.0)


def module_of(name: str, **tunables: object) -> ir.Module:
    module = roomy.chapter()
    made = under(module, dict.fromkeys((scope.name for scope in module.scopes), name))
    sync = ir.Sync(name, all_strategies()[name].settings(tunables))  # type: ignore[arg-type]
    return replace(made, scopes=tuple(replace(s, sync=sync) for s in made.scopes))


def run(
    name: str, lcores: int, machine: Machine = CASCADE_LAKE, work: float = 1000.0,
    events: int = 10_000, **tunables: object,
) -> Simulated:  # fmt: skip
    place = Deployment(lcores, 1024, "session", "rare", work)
    found = simulate(module_of(name, **tunables), place, machine, events=events)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("before", "owns", "core", "cycles"),
    [
        (Line(owner=1), True, 0, NEAR),
        (Line(owner=1), False, 0, NEAR),
        (Line(owner=0), True, 0, 0.0),
        (Line(owner=0), False, 0, 0.0),
        (Line(copies={1, 2}), False, 0, COPY),
        (Line(copies={0, 1}), False, 0, 0.0),
        (Line(copies={0, 1}), True, 0, UPGRADE),
        (Line(copies={1, 2}), True, 0, NEAR),
        (Line(), True, 0, 0.0),
    ],
)
def test_a_request_takes_what_the_state_of_the_line_says(
    before: Line, owns: bool, core: int, cycles: float
) -> None:
    shared = memory()
    done = shared.get(before, core, owns)
    shared.loop.run(10)
    assert done.done and shared.loop.now == cycles
    assert before.has(core, owns)
    assert before.owner == NOBODY or not before.copies, "an owner is alone"


def test_another_socket_is_farther() -> None:
    for core, cycles in ((2, NEAR), (1, FAR)):
        shared, line = memory(sockets=2), Line(owner=0)
        shared.get(line, core)
        shared.loop.run(10)
        assert shared.loop.now == cycles


class Checked(Memory):
    """Notes the time of everything that arrives, and that each state may be."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.times: list[float] = []
        self.owners: list[int] = []

    def _arrive(self, line: Line, request: coherence.Request, version: int, alone: bool) -> None:
        super()._arrive(line, request, version, alone)
        assert line.owner == NOBODY or not line.copies
        self.times.append(self.loop.now)
        self.owners.append(line.owner)


def hammer(kind: type[Memory], cores: int, times: int) -> tuple[Memory, Line]:
    """So many cores that add atomically to one line, without work between."""
    shared, line = memory(kind=kind), Line(owner=0)

    def adds(core: Core) -> Process:
        for _ in range(times):
            yield from core.rmw(line, 1)

    for number in range(cores):
        shared.loop.start(adds(Core(number, shared, CASCADE_LAKE)))
    shared.loop.run(100_000)
    return shared, line


def test_all_are_served_one_at_a_time_and_time_never_goes_back() -> None:
    shared, line = hammer(Checked, 8, 50)
    assert isinstance(shared, Checked)
    assert shared.served == shared.asked == line.served and not line.queue and not line.busy
    assert shared.times == sorted(shared.times)
    gaps = [b - a for a, b in itertools.pairwise(shared.times)]
    assert min(gaps) >= NEAR, "each takes a transfer, one after the other"
    assert all(a != b for a, b in itertools.pairwise(shared.owners))


def limit(kind: type[Memory]) -> bool:
    """Whether so many services take as long as they have to."""
    shared, _ = hammer(kind, 8, 50)
    least = 8 * 49 * NEAR
    return least <= shared.loop.now <= 8 * 50 * (NEAR + CASCADE_LAKE.locked)


class Free(Memory):
    """A planted bug: a transfer costs nothing."""

    def _cycles(self, line: Line, request: coherence.Request) -> float:
        return 0.0


class Two(Memory):
    """A planted bug: two requests for a line are served at a time."""

    def _serve(self, line: Line) -> None:
        super()._serve(line)
        if line.queue and line.busy:
            line.busy = False
            super()._serve(line)


def test_a_line_that_all_want_is_the_limit() -> None:
    assert limit(Memory)
    assert not limit(Free)
    assert not limit(Two)


def test_time_that_is_over_is_refused() -> None:
    with pytest.raises(ValueError, match="is over"):
        Loop().after(-1.0, lambda: None)


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_half_a_round_trip_is_what_is_published(machine: Machine) -> None:
    """The exchange itself is in the published figure, and besides in the model."""
    assert machine.transfer <= half_round(machine) <= 1.05 * (machine.transfer + machine.locked)
    assert half_round(replace(machine, transfer=2 * machine.transfer)) > 1.5 * half_round(machine)
    assert latencies(machine).near <= machine.transfer


@pytest.mark.parametrize("machine", [CASCADE_LAKE, CORTEX_A72], ids=["exchange", "pair"])
@pytest.mark.parametrize("kind", LOCKS)
def test_a_lock_has_one_holder_and_all_get_it(kind: str, machine: Machine) -> None:
    shared = memory()
    lock, inside, most = LOCKS[kind](Line()), [], [0]
    count = dict.fromkeys(range(6), 0)

    def locks(core: Core) -> Process:
        for _ in range(20):
            yield from lock.acquire(core)
            inside.append(core.number)
            most[0] = max(most[0], len(inside))
            yield 50.0
            inside.remove(core.number)
            count[core.number] += 1
            yield from lock.release(core)
            yield 500.0

    for number in count:
        shared.loop.start(locks(Core(number, shared, machine)))
    shared.loop.run(200_000)
    assert most == [1] and lock.taken == 120
    assert set(count.values()) == {20}
    assert shared.served == shared.asked


@pytest.mark.parametrize("kind", LOCKS)
def test_a_lock_that_is_taken_is_not_had_by_trying(kind: str) -> None:
    shared, lock, had = memory(), LOCKS[kind](Line()), []

    def tries(core: Core) -> Process:
        for _ in range(2):
            had.append((yield from lock.attempt(core)))
        yield from lock.release(core)
        had.append((yield from lock.attempt(core)))

    shared.loop.start(tries(Core(0, shared, CASCADE_LAKE)))
    shared.loop.run(100)
    assert had == [True, False, True] and lock.taken == 2


@pytest.mark.deep
def test_who_waits_in_a_queue_costs_the_others_nothing() -> None:
    """T. E. Anderson's law: of a spinning lock a release costs more, the more wait."""
    spin, queue = ([run("shared_lock", n, lock=kind).update for n in (6, 24)]
                   for kind in ("spin", "mcs"))  # fmt: skip
    assert spin[1] / spin[0] > 2 * queue[1] / queue[0]


@pytest.mark.parametrize("machine", [CASCADE_LAKE, EPYC], ids=lambda machine: machine.name)
@pytest.mark.parametrize("name", SIMULATED)
def test_one_lcore_costs_what_the_formulas_say(name: str, machine: Machine) -> None:
    for work in (1000.0, 0.0):
        place = Deployment(1, 1024, "session", "rare", work)
        cost = estimate(module_of(name), place, machine)
        assert cost is not None
        found = run(name, 1, machine, work).update
        assert found == pytest.approx(cost.update, rel=0.06, abs=0.1), work


@pytest.mark.parametrize("name", [n for n in SIMULATED if all_strategies()[n].per_lcore])
def test_what_lcores_do_not_share_costs_the_same_with_any_number(name: str) -> None:
    assert run(name, 32).update == pytest.approx(run(name, 1).update, rel=0.02)


@pytest.mark.parametrize("name", ["shared_atomic", "shared_lock", "shared_unsync"])
def test_more_lcores_at_a_line_cost_more(name: str) -> None:
    values = [run(name, n).update for n in (1, 4, 32)]
    assert values == sorted(values) and values[-1] > 10 * values[0]


def test_many_lcores_take_as_long_as_their_services_one_after_the_other() -> None:
    found = run("shared_atomic", 64)
    service = CASCADE_LAKE.transfer + 2 * CASCADE_LAKE.locked
    assert found.packet == pytest.approx(64 * service - 1000, rel=0.1)


@pytest.mark.parametrize("name", SIMULATED)
def test_a_simulation_ends_and_can_be_repeated(name: str) -> None:
    most = 5_000
    once, again = (run(name, 8, events=most) for _ in range(2))
    assert once == again
    assert 0 < once.events <= most + 8_000
    assert once.packets > 0


def test_it_ends_too_where_nothing_takes_time() -> None:
    still = replace(CASCADE_LAKE, transfer=1.0, locked=0.0, pause=0.0, width=1e9)
    for name in ("shared_lock", "shared_atomic", "per_core"):
        assert run(name, 4, still, work=0.0, events=2_000).events <= 6_000


def test_a_strategy_that_leaves_it_to_a_thread_is_not_simulated() -> None:
    polling = [name for name in STRATEGIES if all_strategies()[name].polls]
    assert polling
    for name in polling:
        place = Deployment(4, 1024, "session", "rare", 1000.0)
        assert simulate(module_of(name), place, CASCADE_LAKE) is None


@pytest.mark.parametrize("count", [1, 2, 3, 1000, 1024, 8192])
def test_flows_are_scattered_one_to_one(count: int) -> None:
    assert sorted(scattered(n, count) for n in range(count)) == list(range(count))

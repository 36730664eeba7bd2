# SPDX-License-Identifier: BSD-3-Clause
"""ThreadSanitizer, AddressSanitizer and UndefinedBehaviorSanitizer have nothing to say."""

import re
from pathlib import Path

import pytest

from tests.run import mutants
from tests.run.amount_scripts import FIXED
from tests.run.mutants import Mutant
from tests.run.tools import THREAD, options, thread, under_valgrind
from tests.run.variants import (
    CONCURRENT,
    EP_SOURCES,
    ON_DPDK,
    ZOO_SOURCES,
    Program,
    amounts,
    ep,
    few,
    growth,
    lives,
    zoo,
)
from tests.support.capabilities import can_link, have, needs_dpdk
from tests.support.cbuild import QUICK, SANITIZED, Build, Workshop, run_test
from tests.support.planted import planted
from tests.support.strategies import (
    ALL_EXACT,
    EXACT,
    LOSSY,
    STRATEGIES,
    UNLIKE,
    copies,
    fair,
    promise,
    usually,
)

RACE = "ThreadSanitizer: data race"

SMALL = {"READS": 20_000, "MOVES": 200, "RESETS": 100}
TINY = {"READS": 2_000, "MOVES": 50, "RESETS": 20}

pytestmark = [pytest.mark.slow, pytest.mark.native]


def sizes(variant: str) -> dict[str, int]:
    return TINY if fair(variant) else SMALL


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", usually(EXACT, STRATEGIES))
@pytest.mark.parametrize("test", ["resets", "consistency"])
def test_no_data_race(workshop: Workshop, test: str, variant: str) -> None:
    """Reads and resets beside updates, which test_stress.py has of every kind; what is torn there
    is no data race."""
    done = workshop.attempt(thread(ep(variant)), test, **sizes(variant))
    assert "ThreadSanitizer" not in done.stderr, done.stderr
    if test == "resets":
        assert done.returncode == 0, done.stderr


@pytest.mark.deep
def test_no_data_race_under_clang(workshop: Workshop) -> None:
    if not can_link("clang", "-fsanitize=thread"):
        pytest.skip("no clang with ThreadSanitizer (libclang-rt-dev)")
    for strategy in UNLIKE:
        build = thread(ep(strategy, test="resets"), "clang")
        workshop.passes(build, "resets", **SMALL)


RACES = [
    *((zoo, test, {"ROUNDS": 1000}) for test in ZOO_SOURCES["zoo_stress"]),
    (growth, "reads_meanwhile", {"FLOWS": 2100}),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("strategy", ALL_EXACT)
@pytest.mark.parametrize(("program", "test", "given"), RACES, ids=[test for _, test, _ in RACES])
def test_no_data_race_of_instances(
    workshop: Workshop, program: Program, test: str, given: dict[str, int], strategy: str
) -> None:
    workshop.passes(thread(program(strategy, test=test)), test, **given)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("strategy", ALL_EXACT)
def test_memory_of_growth(workshop: Workshop, strategy: str, port: str) -> None:
    program = workshop.program(growth(strategy, port, "reads_meanwhile").but(flags=SANITIZED))
    done = run_test(program, "reads_meanwhile", environment=options(port), FLOWS=3000)
    assert done.returncode == 0 and "Sanitizer" not in done.stderr, done.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize("strategy", usually(STRATEGIES, UNLIKE))
def test_memory_of_snapshots_and_lives(workshop: Workshop, strategy: str) -> None:
    for test in ("few_of_many", "snapshot_grows"):
        workshop.passes(few(strategy).but(flags=SANITIZED), test)
    for test in ("settled", "left_behind", "views"):
        held = int(promise(strategy, "propagation") == "flush")
        workshop.passes(lives(strategy).but(flags=SANITIZED), test, HELD=held)


@pytest.mark.parametrize("variant", LOSSY)
def test_a_lossy_strategy_is_reported(workshop: Workshop, variant: str) -> None:
    done = workshop.attempt(thread(ep(variant)), "resets", **SMALL)
    assert RACE in done.stderr


@pytest.mark.one_in(12)
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("strategy", ALL_EXACT)
@pytest.mark.parametrize("flags", [THREAD, SANITIZED], ids=["threads", "memory"])
def test_on_dpdk(workshop: Workshop, strategy: str, flags: tuple[str, ...]) -> None:
    """On EAL lcores, registered threads and others; the libraries of DPDK are as they are."""
    build = ep(strategy, "dpdk", "resets").but(flags=flags)
    done = run_test(workshop.program(build), "resets", **SMALL, environment=options("dpdk"))
    assert done.returncode == 0 and "Sanitizer" not in done.stderr, done.stderr


EP_TESTS = [
    test for name in ("threads", "life") for test in EP_SOURCES[name] if test not in ON_DPDK
]
ZOO_TESTS = [test for tests in ZOO_SOURCES.values() for test in tests]


@pytest.mark.one_in(8)
@pytest.mark.parametrize("strategy", usually(STRATEGIES, UNLIKE))
def test_memory(workshop: Workshop, strategy: str) -> None:
    """Nothing out of bounds, leaked or undefined in any test of any program."""
    for build, tests in (
        (ep(strategy), EP_TESTS),
        (zoo(strategy), ZOO_TESTS),
        (amounts(strategy), ["amounts"]),
    ):
        for test in tests:
            if strategy not in LOSSY or test not in CONCURRENT:
                given = {"ROUNDS": 500, "SCRIPT": FIXED, **copies(strategy)}
                workshop.passes(build.but(flags=SANITIZED), test, **given)


def attempt(workshop: Workshop, build: Build, tool: str, mutant: Mutant, test: str) -> str:
    """What a tool says of a program."""
    if tool == "valgrind":
        return under_valgrind(workshop, build.but(flags=QUICK), test).stderr
    build = thread(build) if tool == "tsan" else build.but(flags=SANITIZED)
    given = {**SMALL, **mutant.options}
    return run_test(workshop.program(build), test, environment=options("posix"), **given).stderr


@pytest.mark.one_in(12)
@pytest.mark.parametrize("mutant", mutants.of("tools"), ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, mutant: Mutant) -> None:
    """Each tool works: it reports what is planted for it."""
    tool, test = mutant.test.split(":")
    if tool == "valgrind" and not have("valgrind"):
        pytest.skip("no valgrind")
    tree = planted(tmp_path, mutant.edits)
    build = mutant.program(mutant.sync, test=test).but(tree=tree)
    said = attempt(workshop, build, tool, mutant, test)
    assert re.search(mutant.says, said), said

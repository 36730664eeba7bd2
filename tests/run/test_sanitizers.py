# SPDX-License-Identifier: BSD-3-Clause
"""ThreadSanitizer, AddressSanitizer and UndefinedBehaviorSanitizer have nothing to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cbuild import Build, Workshop, can_link, planted
from tests.run.mutants import sync
from tests.run.variants import (
    CONCURRENT,
    EP_SOURCES,
    EXACT,
    LOSSY,
    STRATEGIES,
    ZOO_SOURCES,
    ep,
    fair,
    trio,
    wrap,
    zoo,
)

# gcc warns that it does not see fences; data beside them are atomics, so it need not.
THREAD = ("-O1", "-g", "-fsanitize=thread")
MEMORY = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
RACE = "ThreadSanitizer: data race"

SMALL = {"RUNS": 2, "ROUNDS": 300, "READS": 20_000, "MOVES": 200, "RESETS": 100}
TINY = {"RUNS": 1, "ROUNDS": 100, "READS": 2_000, "MOVES": 50, "RESETS": 20}

pytestmark = pytest.mark.slow


def thread(build: Build, compiler: str = "gcc") -> Build:
    """The program with ThreadSanitizer."""
    more = ("-Wno-tsan",) if compiler == "gcc" else ()
    return build.but(compiler=compiler, flags=(*THREAD, *more))


def sizes(variant: str) -> dict[str, int]:
    return TINY if fair(variant) else SMALL


@pytest.mark.parametrize("variant", EXACT)
@pytest.mark.parametrize("test", ["conservation", "consistency"])
def test_no_data_race(workshop: Workshop, test: str, variant: str) -> None:
    """Updates of every kind, reads and resets; what is torn there is no data race."""
    done = workshop.attempt(thread(ep(variant)), test, **sizes(variant))
    assert "ThreadSanitizer" not in done.stderr, done.stderr
    if test == "conservation":
        assert done.returncode == 0, done.stderr


def test_no_data_race_under_clang(workshop: Workshop) -> None:
    if not can_link("clang", "-fsanitize=thread"):
        pytest.skip("no clang with ThreadSanitizer (libclang-rt-dev)")
    for strategy in STRATEGIES:
        if strategy not in LOSSY:
            build = thread(ep(strategy, test="conservation"), "clang")
            workshop.passes(build, "conservation", **SMALL)


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in LOSSY])
@pytest.mark.parametrize("test", ZOO_SOURCES["zoo_stress"])
def test_no_data_race_in_the_zoo(workshop: Workshop, test: str, strategy: str) -> None:
    workshop.passes(thread(zoo(strategy, test=test)), test, ROUNDS=1000, FLOWS=2100)


@pytest.mark.parametrize("variant", LOSSY)
def test_a_lossy_strategy_is_reported(workshop: Workshop, variant: str) -> None:
    done = workshop.attempt(thread(ep(variant)), "conservation", **SMALL)
    assert RACE in done.stderr


def test_a_second_writer_is_reported(workshop: Workshop, tmp_path: Path) -> None:
    """Foreign threads that share an instance without atomics: the owner's plain load shows it."""
    edit = [("ctr_atomic_{{ op.verb }}", "ctr_{{ op.verb }}")]
    build = ep("per_core").but(tree=planted(tmp_path, {sync("per_core"): edit}))
    done = workshop.attempt(thread(build), "conservation", **SMALL)
    assert RACE in done.stderr


EP_TESTS = [test for name in ("threads", "life", "descriptor") for test in EP_SOURCES[name]]
ZOO_TESTS = [test for tests in ZOO_SOURCES.values() for test in tests]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_memory(workshop: Workshop, strategy: str) -> None:
    """Nothing out of bounds, leaked or undefined in any test of any program."""
    for build, tests in (
        (ep(strategy), EP_TESTS),
        (zoo(strategy), ZOO_TESTS),
        (wrap(strategy), ["resets_around", "value", "sum"]),
    ):
        for test in tests:
            if strategy not in LOSSY or test not in CONCURRENT:
                workshop.passes(build.but(flags=MEMORY), test, ROUNDS=500, FLOWS=2100)


def test_memory_of_buffers(workshop: Workshop) -> None:
    build = trio("shared_buffered:buffer=16,soft_threshold=16,hints=4").but(flags=MEMORY)
    for test in ("room", "flush", "hints", "taken", "order", "reset"):
        workshop.passes(build, test, BUFFER=16, SOFT=16, HINTS=4)


def test_an_overrun_is_reported(workshop: Workshop, tmp_path: Path) -> None:
    """A buffer that believes it is larger than it is."""
    edit = [(".size = {{ d.opt.buffer }},", ".size = {{ d.opt.buffer }} + 8,")]
    edit += [("{{ d.opt.soft_threshold }});", "{{ d.opt.soft_threshold }} + 8);")]
    tree = planted(tmp_path, {sync("shared_buffered"): edit})
    build = trio("shared_buffered:buffer=16,soft_threshold=16").but(flags=MEMORY, tree=tree)
    done = workshop.attempt(build, "room", BUFFER=24, SOFT=24)
    assert "AddressSanitizer: heap-buffer-overflow" in done.stderr

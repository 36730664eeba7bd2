# SPDX-License-Identifier: BSD-3-Clause
"""What schemas may have counts right, each in a program of its own: step by step under every
strategy, while threads count, on DPDK and under sanitizers.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from ctrgen.model.keys import memory
from ctrgen.pipeline.check import check
from tests.run.tools import thread
from tests.run.variants import HISTOGRAM_TESTS, LIST_TESTS, c_tests, keys, labels, named
from tests.support.capabilities import needs, needs_dpdk
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import (
    BUFFERING,
    CONSISTENT,
    DELTAS,
    DRAINED,
    EXACT,
    GRANULAR,
    LOSSY,
    NARROW,
    SEQUENCED,
    SHARED,
    STRATEGIES,
    UNLIKE,
    USUAL,
    VARIANTS,
    fewer,
    usually,
)

BOTH = UNLIKE[::2]
"""Two strategies that have least in common."""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Feature:
    """A program of tests.run.variants, its tests of one thread, and under what they are run."""

    program: str
    tests: tuple[str, ...]
    variants: Collection[str] = tuple(STRATEGIES)
    usual: Collection[str] = tuple(VARIANTS)
    """Of the variants; others are run with --long."""
    one_in: float = 1
    dpdk: Collection[str] = ()
    sanitized: Collection[str] = ()
    concurrent: tuple[str, ...] = ()
    """Tests of several threads, which run on DPDK and under sanitizers too."""
    brief: Mapping[str, int] = field(default_factory=dict)
    """Options of all tests under sanitizers."""
    races: bool = False
    """Whether it runs under ThreadSanitizer too, all with --long."""
    whole: bool = False
    """Whether the tests of several threads need reads of whole updates."""

    def loads(self, variant: str) -> tuple[str, ...]:
        """Those tests of several threads that hold under a variant."""
        return () if self.whole and variant not in CONSISTENT else self.concurrent


FEATURES = (
    Feature("labels", c_tests("labels"), VARIANTS, {*UNLIKE, GRANULAR[0]}, sanitized=[USUAL]),
    Feature("lists", LIST_TESTS, VARIANTS, {*UNLIKE, GRANULAR[1], DRAINED, DELTAS}, 4, [DRAINED],
            [f"{BUFFERING}:buffer=16,soft_threshold=16", NARROW], ("threads",), {"ROUNDS": 500}),
    Feature("keys", c_tests("keys", "bytes"), VARIANTS, UNLIKE, 1, [USUAL], [USUAL],
            brief={"ROUNDS": 3000}),
    Feature("histograms", HISTOGRAM_TESTS, VARIANTS, {*UNLIKE, *LOSSY, SHARED}, 2, BOTH, BOTH,
            ("together",), {"READS": 500}, whole=True),
    Feature("peaks", c_tests("peaks", "threads", "none_lost"), one_in=2, dpdk=[USUAL],
            sanitized=[USUAL], concurrent=("threads", "none_lost"), brief={"OBSERVED": 20_000},
            races=True),
    Feature("sources", c_tests("sources", "a_rate_takes_two_reads", "agrees"), one_in=3,
            dpdk=[USUAL], sanitized=[USUAL], concurrent=("agrees",), brief={"UPDATES": 5000},
            races=True),
    Feature("reported", c_tests("reported"), one_in=3, dpdk=[USUAL], sanitized=[USUAL],
            brief={"ROUNDS": 500}, races=True),
    Feature("symbolic", c_tests("symbolic"), usual=BOTH, dpdk=BOTH, sanitized=UNLIKE),
    Feature("moments", c_tests("moments"), one_in=2, dpdk=[USUAL]),
    Feature("values", c_tests("values"), [USUAL], sanitized=[SHARED]),
)  # fmt: skip
LOADS = (
    ("lists", "threads", EXACT, {*UNLIKE, GRANULAR[1], DRAINED, DELTAS, SEQUENCED}, 4, {}, 1),
    ("histograms", "together", CONSISTENT, {*UNLIKE, SEQUENCED}, 1, {"READS": 3000}, 10),
    ("peaks", "threads", STRATEGIES, [USUAL], 1, {"OBSERVED": 200_000}, 10),
    ("peaks", "none_lost", STRATEGIES, [USUAL], 1, {"OBSERVED": 200_000}, 10),
    ("sources", "agrees", STRATEGIES, STRATEGIES, 2, {"UPDATES": 200_000}, 10),
    ("sources", "a_rate_takes_two_reads", STRATEGIES, [USUAL], 1, {}, 1),
)
"""Tests of several threads: a program, one of its tests, variants, which are usual, one in how many
is run, options, and by how much less of them slow locks do."""


def case(given: Any, program: str, one_in: float, *values: object) -> Any:
    """A case of a test, under what usually() gives."""
    (variant,) = given.values
    marks = [*given.marks, *([pytest.mark.one_in(one_in)] if one_in > 1 else ())]
    return pytest.param(*values, variant, marks=marks, id=f"{program}-{variant}")


@pytest.mark.parametrize(
    ("feature", "variant"),
    [
        case(given, f.program, f.one_in, f)
        for f in FEATURES
        for given in usually(f.variants, f.usual)
    ],
)
def test_step_by_step(workshop: Workshop, feature: Feature, variant: str) -> None:
    for test in feature.tests:
        workshop.passes(named(feature.program)(variant), test)


@pytest.mark.parametrize(
    ("program", "test", "options", "by", "variant"),
    [
        case(given, f"{program}-{test}", one_in, program, test, options, by)
        for program, test, variants, usual, one_in, options, by in LOADS
        for given in usually(list(variants), usual)
    ],
)
def test_under_load(
    workshop: Workshop, program: str, test: str, options: dict[str, int], by: int, variant: str
) -> None:
    less = {key: fewer(variant, value, by) for key, value in options.items()}
    workshop.passes(named(program)(variant), test, WHOLE=int(variant in CONSISTENT), **less)


@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize(
    ("feature", "variant"),
    [
        case(given, f.program, 1, f)
        for f in FEATURES
        if f.dpdk
        for given in usually(STRATEGIES, f.dpdk)
    ],
)
def test_on_dpdk(workshop: Workshop, feature: Feature, variant: str) -> None:
    for test in (*feature.tests, *(feature.loads(variant) if variant in EXACT else ())):
        workshop.passes(named(feature.program)(variant, "dpdk"), test)


SHORT = ("labels", "lists", "keys", "values")
"""Programs that sanitizers look at without --long."""


@pytest.mark.native
@pytest.mark.parametrize(
    ("feature", "variant"),
    [
        case(given, f.program, 1, f)
        for f in FEATURES
        for given in usually(list(f.sanitized), f.sanitized if f.program in SHORT else ())
    ],
)
def test_under_sanitizers(workshop: Workshop, feature: Feature, variant: str) -> None:
    build = named(feature.program)(variant)
    for each in (build.but(flags=SANITIZED), *([thread(build)] if feature.races else ())):
        for test in (*feature.tests, *feature.loads(variant)):
            workshop.passes(each, test, **feature.brief)


@pytest.mark.native
@pytest.mark.parametrize(
    ("program", "test", "variant", "rounds"),
    [
        ("keys", "setters_and_finders", USUAL, 3000),
        ("lists", "threads", f"{DRAINED}:ring=19", 500),
        ("lists", "threads", SEQUENCED, 500),
    ],
)
def test_no_data_race(
    workshop: Workshop, program: str, test: str, variant: str, rounds: int
) -> None:
    workshop.passes(thread(named(program)(variant)), test, ROUNDS=rounds)


def test_the_memory_of_keys_is_that_of_plans(workshop: Workshop) -> None:
    build = keys(SHARED)
    module = check(str(build.schema)).module
    assert module is not None
    (scope,) = (scope for scope in module.scopes if scope.name == "session")
    one, every = (memory(scope.key, scope.instances, n) for n in (1, scope.instances))
    workshop.passes(build, "bytes", ONE=one, ALL=every)


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=needs("clang", "ld.lld"))])
def test_optimised_as_a_whole(workshop: Workshop, compiler: str) -> None:
    """With what applications and distributions pass."""
    flags = ("-O2", "-flto", "-fvisibility=hidden", "-fno-plt", "-Wall", "-Werror")
    link = ("-fuse-ld=lld",) if compiler == "clang" else ()
    build = labels(USUAL).but(compiler=compiler, flags=flags, link=link)
    workshop.passes(build, "one_list")

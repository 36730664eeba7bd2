# SPDX-License-Identifier: BSD-3-Clause
"""All mechanisms at the same time, under every exact strategy: stress.c.

A quarter of a minute for all together; with --long an hour. What a run draws follows from SEED,
which it prints.
"""

import pytest

from tests.run.tools import options, thread
from tests.run.variants import amounts
from tests.support.capabilities import needs, needs_dpdk
from tests.support.cbuild import ARCHITECTURES, EMULATION, SANITIZED, Build, Workshop, figures
from tests.support.strategies import (
    ALL_EXACT,
    BY_CPU,
    EXACT,
    NARROW,
    UNLIKE,
    USUAL,
    at_most,
    usually,
)

NATIVE, THREADS, EMULATED = 10_000, 4_000, 2_000
"""Milliseconds of all strategies together."""
LONG = 240
"""How many times as long --long takes."""
GENTLY = {"TIMER": 2000, "FORKS": 0}
"""Options under sanitizers."""

pytestmark = pytest.mark.slow


def share(request: pytest.FixtureRequest, whole: int, among: int) -> int:
    """Milliseconds of one of so many."""
    return whole * (LONG if request.config.getoption("--long") else 1) // among


def stress(workshop: Workshop, build: Build, ms: int, **more: object) -> None:
    """Nothing is lost or counted twice."""
    found = figures(workshop.passes(build, "stress", 120 + ms // 500, MS=ms, **more))
    assert found["steps"] >= 100


@pytest.mark.parametrize("variant", usually(EXACT, ALL_EXACT))
def test_all_at_once(workshop: Workshop, request: pytest.FixtureRequest, variant: str) -> None:
    among = len(EXACT) if request.config.getoption("--long") else len(ALL_EXACT)
    stress(workshop, amounts(at_most(variant)), share(request, NATIVE, among))


@pytest.mark.dpdk
@pytest.mark.one_in(3)
@needs_dpdk
@pytest.mark.parametrize("strategy", usually(ALL_EXACT, UNLIKE))
def test_on_dpdk(workshop: Workshop, request: pytest.FixtureRequest, strategy: str) -> None:
    """A child of fork() begins anew there: test_fork.py."""
    ms = share(request, NATIVE, len(ALL_EXACT))
    stress(workshop, amounts(strategy, "dpdk"), ms, FORKS=0)


@pytest.mark.native
def test_updates_that_are_aborted(workshop: Workshop, request: pytest.FixtureRequest) -> None:
    build = amounts(BY_CPU).but(compiler="clang")
    stress(workshop, build, share(request, NATIVE, len(ALL_EXACT)), TIMER=50)


@pytest.mark.native
@pytest.mark.parametrize("memory", [False, True], ids=["races", "memory"])
@pytest.mark.parametrize("strategy", usually(ALL_EXACT, UNLIKE))
def test_sanitizers_have_nothing_to_say(
    workshop: Workshop, request: pytest.FixtureRequest, strategy: str, memory: bool
) -> None:
    """No access is a data race, or one to memory that was given back."""
    build = amounts(strategy).but(flags=SANITIZED) if memory else thread(amounts(strategy))
    ms = share(request, THREADS, len(UNLIKE))
    stress(workshop, build, ms, environment=options("posix"), **GENTLY)


@pytest.mark.native
@needs(*EMULATION)
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("strategy", usually(ALL_EXACT, (USUAL, NARROW)))
def test_emulated(
    workshop: Workshop, request: pytest.FixtureRequest, strategy: str, arch: str
) -> None:
    ms = share(request, EMULATED, 2)
    stress(workshop, amounts(strategy).but(arch=arch), ms, TIMER=5000)

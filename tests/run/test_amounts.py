# SPDX-License-Identifier: BSD-3-Clause
"""Amounts at the bounds of their types, in every kind of call, under every strategy.

amounts.c performs the calls of a script; amounts.py has what reads must give. Corners are always
tried (amount_scripts.py): each pair of corner amounts in each two places of an update, by a single
call, a bulk call and a batch.
"""

import pytest

from tests.run.amount_scripts import EARLY, FIXED, THREADS
from tests.run.variants import DEBUG, LIGHT, amounts
from tests.support.capabilities import needs, needs_dpdk
from tests.support.cbuild import Build, Workshop
from tests.support.strategies import EXACT, STRATEGIES, UNLIKE, VARIANTS, at_most, promise, usually

ALWAYS = [*STRATEGIES, *(name for name in VARIANTS if "words=u16" in name)]
"""What changes the arithmetic."""

pytestmark = pytest.mark.slow


def plain(variant: str) -> Build:
    """The program of most of these tests; optimised it is on DPDK and with the other compiler."""
    return amounts(at_most(variant)).but(flags=LIGHT)


def check(workshop: Workshop, build: Build, *, exact: bool = True) -> None:
    """What is read is what the model has, of two threads as well where that is exact."""
    for script in (FIXED, THREADS)[: 1 + exact]:
        workshop.passes(build, "amounts", SCRIPT=script)


@pytest.mark.parametrize("variant", usually(VARIANTS, ALWAYS))
def test_corners(workshop: Workshop, variant: str) -> None:
    check(workshop, plain(variant), exact=bool(promise(variant, "exact")))


@pytest.mark.parametrize("variant", usually(VARIANTS, STRATEGIES))
def test_before_and_after(workshop: Workshop, variant: str) -> None:
    """What comes before P_init() or after P_fini() counts nothing but in P_late()."""
    workshop.passes(plain(variant), "amounts", SCRIPT=EARLY)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("strategy", usually(STRATEGIES, UNLIKE))
def test_before_and_after_in_debug_builds(workshop: Workshop, strategy: str) -> None:
    workshop.passes(amounts(strategy).but(flags=DEBUG), "amounts", SCRIPT=EARLY)


@needs("clang")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("strategy", usually([s for s in STRATEGIES if s in EXACT], UNLIKE))
def test_with_the_other_compiler(workshop: Workshop, strategy: str) -> None:
    check(workshop, amounts(strategy).but(compiler="clang"))


@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("strategy", usually([s for s in STRATEGIES if s in EXACT], UNLIKE))
def test_on_dpdk(workshop: Workshop, strategy: str) -> None:
    check(workshop, amounts(strategy, "dpdk"))
    workshop.passes(amounts(strategy, "dpdk"), "amounts", SCRIPT=EARLY)

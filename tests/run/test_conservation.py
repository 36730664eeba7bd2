# SPDX-License-Identifier: BSD-3-Clause
"""Nothing is lost and nothing counted twice beside resets. test_stress.py has all calls.

Iteration counts can be enlarged: CTR_TEST_RESETS, CTR_TEST_EPOCHS.
"""

import pytest

from tests.run.variants import ep
from tests.support.capabilities import needs
from tests.support.cbuild import Workshop, figures
from tests.support.strategies import ALL_EXACT, EXACT, LOSSY, UNLIKE, fewer, usually

BILLION = 10**9
RESETS = 60_000
EPOCHS = 300_000
ATTEMPTS = 10  # chances for a lossy strategy to lose

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("variant", LOSSY)
def test_a_lossy_strategy_is_seen_to_lose(workshop: Workshop, variant: str, port: str) -> None:
    for _ in range(ATTEMPTS):
        done = workshop.attempt(ep(variant, port), "resets", RESETS=RESETS)
        if done.returncode != 0:
            break
    assert "were added" in done.stderr, f"{variant} kept every count {ATTEMPTS} times"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", EXACT)
def test_no_reset_is_lost(workshop: Workshop, variant: str, port: str) -> None:
    """60,000 resets, fewer under fair locks, while three threads update back-to-back."""
    resets = fewer(variant, RESETS, 10)
    numbers = figures(workshop.passes(ep(variant, port), "resets", RESETS=resets))
    assert numbers["resets"] == resets
    # Where a reader gives up on purpose, so does a reset.
    assert numbers["took"] + numbers["again"] > resets * 0.9, "most resets took nothing"


@pytest.mark.deep
@pytest.mark.parametrize("strategy", ALL_EXACT)
def test_a_billion_updates(workshop: Workshop, strategy: str) -> None:
    """As many as a counter sees in minutes of real traffic, next to resets."""
    updates = 0
    while updates < BILLION:
        done = figures(workshop.passes(ep(strategy), "resets", 3600, RESETS=10 * RESETS))
        assert done["updates"] > RESETS
        updates += done["updates"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", EXACT)
def test_no_read_goes_over_a_reset(workshop: Workshop, variant: str) -> None:
    """One packet between two resets: readers, more than there are cores, see 0 or 1, also where
    the counter wraps."""
    workshop.passes(ep(variant), "epochs", EPOCHS=fewer(variant, EPOCHS, 100))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", EXACT)
def test_no_read_adds_up_copies_of_two_epochs(workshop: Workshop, variant: str, port: str) -> None:
    """The packets are counted in two copies in turn, each between two resets."""
    epochs = fewer(variant, EPOCHS // 10, 20) // (10 if port == "dpdk" else 1)
    workshop.passes(ep(variant, port), "copies", EPOCHS=epochs)


@pytest.mark.one_in(6)
@needs("clang")
@pytest.mark.parametrize("strategy", usually(ALL_EXACT, UNLIKE))
def test_with_the_other_compiler(workshop: Workshop, strategy: str, port: str) -> None:
    build = ep(strategy, port, "resets").but(compiler="clang")
    workshop.passes(build, "resets", RESETS=RESETS // 10)

# SPDX-License-Identifier: BSD-3-Clause
"""Nothing is lost and nothing counted twice, whoever updates, reads and resets.

Iteration counts can be enlarged: CTR_TEST_ROUNDS, CTR_TEST_RESETS, CTR_TEST_READS.
"""

import pytest

from tests.run.variants import ep
from tests.support.capabilities import needs
from tests.support.cbuild import Workshop, figures
from tests.support.strategies import ALL_EXACT, EXACT, LOSSY, UNLIKE, fewer, usually

ROUNDS = 5_000  # calls of each worker in each of ten runs
UPDATES = 11  # of each such call
BILLION = 10**9
RESETS = 6_000
EPOCHS = 300_000
ATTEMPTS = 10  # chances for a lossy strategy to lose

pytestmark = pytest.mark.slow


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", EXACT)
def test_all_that_is_added_is_read(workshop: Workshop, variant: str, port: str) -> None:
    """4 registered and 2 other threads, a reader and a resetter, ten runs in a row."""
    text = workshop.passes(ep(variant, port), "conservation", ROUNDS=fewer(variant, ROUNDS, 100))
    assert figures(text)["runs"] == 10
    assert figures(text)["resets"] > 10, text


@pytest.mark.deep
@pytest.mark.parametrize("strategy", ALL_EXACT)
def test_a_billion_updates(workshop: Workshop, strategy: str) -> None:
    """As many as a counter sees in minutes of real traffic."""
    rounds = BILLION // (10 * 6 * UPDATES)
    text = workshop.passes(ep(strategy), "conservation", 3600, ROUNDS=rounds)
    assert figures(text)["pkts"] > 0.9 * BILLION, text


@pytest.mark.parametrize("variant", LOSSY)
def test_a_lossy_strategy_is_seen_to_lose(workshop: Workshop, variant: str, port: str) -> None:
    for _ in range(ATTEMPTS):
        done = workshop.attempt(ep(variant, port), "conservation", ROUNDS=ROUNDS)
        if done.returncode != 0:
            break
    assert ": lost " in done.stderr, f"{variant} kept every count {ATTEMPTS} times"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", EXACT)
def test_no_reset_is_lost(workshop: Workshop, variant: str, port: str) -> None:
    """6,000 resets, fewer under fair locks, while three threads update back-to-back."""
    resets = fewer(variant, RESETS, 10)
    numbers = figures(workshop.passes(ep(variant, port), "resets", RESETS=resets))
    assert numbers["resets"] == resets
    # Where a reader gives up on purpose, so does a reset.
    assert numbers["took"] + numbers["again"] > resets * 0.9, "most resets took nothing"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", EXACT)
def test_no_read_goes_over_a_reset(workshop: Workshop, variant: str) -> None:
    """One packet between two resets: readers, more than there are cores, see 0 or 1."""
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
@pytest.mark.parametrize("test", ["conservation", "resets"])
def test_with_the_other_compiler(workshop: Workshop, test: str, strategy: str, port: str) -> None:
    build = ep(strategy, port, test).but(compiler="clang")
    workshop.passes(build, test, ROUNDS=ROUNDS // 10, RESETS=RESETS // 10)

# SPDX-License-Identifier: BSD-3-Clause
"""Counters of one update are read and reset together, where the strategy promises it."""

import collections

import pytest

from tests.run.variants import ep
from tests.support.cbuild import Workshop, figures
from tests.support.strategies import CONSISTENT, SEQUENCED, STRATEGIES, fewer, promise

READS = 1_000_000  # of them some thousand see the counters move
MOVES = 2_000
RESETS = 1_000
ATTEMPTS = 10

# Where a reader falls back on purpose to reading counter by counter.
IMPATIENT = f"{SEQUENCED}:retries=1"
PATIENT = [variant for variant in CONSISTENT if variant != IMPATIENT]
TORN = [name for name in STRATEGIES if promise(name, "consistency") != "update"]

pytestmark = pytest.mark.slow


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", PATIENT)
def test_no_read_is_torn(workshop: Workshop, variant: str, port: str) -> None:
    """Many reads, fewer under fair locks, during updates and resets."""
    reads, moves = fewer(variant, READS, 600), fewer(variant, MOVES, 20)
    resets = fewer(variant, RESETS, 20)
    text = workshop.passes(
        ep(variant, port), "consistency", READS=reads, MOVES=moves, RESETS=resets
    )
    numbers = figures(text)
    assert numbers["reads"] >= reads
    assert numbers["again"] <= numbers["reads"] // 1000, f"{variant} gives up too often: {text}"


@pytest.mark.one_in(2)
def test_a_read_that_gives_up_says_so(workshop: Workshop, port: str) -> None:
    """With a single retry many reads fall back, and none of the others is torn."""
    options = {"READS": READS, "MOVES": MOVES, "IMPATIENT": 1}
    found: collections.Counter[str] = collections.Counter()
    for _ in range(ATTEMPTS):  # where cores are scarce, readers seldom meet a writer
        found.update(figures(workshop.passes(ep(IMPATIENT, port), "consistency", **options)))
        if found["again"] and found["resets_again"]:
            return
    pytest.fail(f"nothing gave up: {found}")


@pytest.mark.parametrize("strategy", TORN)
def test_torn_reads_are_seen_where_nothing_is_promised(workshop: Workshop, strategy: str) -> None:
    """So that the tests above can fail."""
    for _ in range(ATTEMPTS):
        done = workshop.attempt(ep(strategy), "consistency", READS=READS, MOVES=MOVES)
        if done.returncode != 0:
            break
    assert "failed: bytes == SIZE * pkts: torn" in done.stderr

# SPDX-License-Identifier: BSD-3-Clause
"""What readers do to writers, and when they see what writers did: as each strategy promises."""

from __future__ import annotations

import pytest

from ctrgen.strategies import all_strategies
from tests.cbuild import Workshop, figures
from tests.run.variants import STRATEGIES, ep, promise

TRIALS = 60
ATTEMPTS = 20  # chances for a reader to be stopped where it holds a lock

pytestmark = pytest.mark.slow


def strategies(what: str, value: object) -> list[str]:
    """The strategies that promise something."""
    return [name for name in STRATEGIES if promise(name, what) == value]


def held(workshop: Workshop, strategy: str, port: str, pause: int) -> dict[str, int]:
    """Stop a reader in the middle of what it does, again and again, and watch two writers."""
    text = workshop.passes(ep(strategy, port), "held_reader", TRIALS=TRIALS, PAUSE_MS=pause)
    return figures(text)


@pytest.mark.parametrize("strategy", strategies("reader", "preemptible"))
def test_a_stopped_reader_stops_nobody(workshop: Workshop, strategy: str, port: str) -> None:
    assert held(workshop, strategy, port, 3000)["blocked"] == 0


def most_stopped(workshop: Workshop, strategy: str, port: str, enough: int) -> int:
    """The most writers that were ever seen to get nowhere; stops looking when it is enough."""
    worst = 0
    for _ in range(ATTEMPTS):
        worst = max(worst, held(workshop, strategy, port, 50)["worst"])
        if worst >= enough:
            break
    return worst


@pytest.mark.parametrize("strategy", strategies("reader", "stalls-lcore"))
def test_a_stopped_reader_stops_one_lcore(workshop: Workshop, strategy: str, port: str) -> None:
    assert most_stopped(workshop, strategy, port, 1) == 1


@pytest.mark.parametrize("strategy", strategies("reader", "blocks-writers"))
def test_a_stopped_reader_stops_writers(workshop: Workshop, strategy: str, port: str) -> None:
    """So that the tests above can fail, and the promise is no worse than it has to be."""
    assert most_stopped(workshop, strategy, port, 2) == 2


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_update_is_seen_when_promised(workshop: Workshop, strategy: str, port: str) -> None:
    found = figures(workshop.passes(ep(strategy, port), "visible"))
    held_back = all_strategies()[strategy].promises["propagation"] == "flush"
    assert (found["before"], found["behind"]) == (0 if held_back else 1, 1)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_lcore_has_a_part_of_its_own_or_none(
    workshop: Workshop, strategy: str, port: str
) -> None:
    found = figures(workshop.passes(ep(strategy, port), "visible"))
    assert found["parts"] == found["part"] == (promise(strategy, "instances") == "lcores")

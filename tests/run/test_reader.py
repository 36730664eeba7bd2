# SPDX-License-Identifier: BSD-3-Clause
"""What readers do to writers, and when they see what writers did: as each strategy promises."""

import pytest

from tests.run.variants import ep, parked
from tests.support.cbuild import Workshop
from tests.support.strategies import (
    LOCKING,
    SEQUENCED,
    STRATEGIES,
    VARIANTS,
    lcore_values,
    promise,
    settings,
    strategy_of,
)

TRIALS = 60

pytestmark = pytest.mark.slow


def strategies(what: str, value: object) -> list[str]:
    """The strategies that promise something."""
    return [name for name in STRATEGIES if promise(name, what) == value]


def watch(workshop: Workshop, strategy: str, port: str, **options: int) -> None:
    """Stop a reader in the middle of what it does, again and again, and watch two writers."""
    workshop.passes(ep(strategy, port), "held_reader", TRIALS=TRIALS, **options)


@pytest.mark.parametrize("strategy", strategies("reader", "preemptible"))
def test_a_stopped_reader_stops_nobody(workshop: Workshop, strategy: str, port: str) -> None:
    watch(workshop, strategy, port, MOST=0, PAUSE_MS=3000)


@pytest.mark.parametrize("strategy", strategies("reader", "stalls-lcore"))
def test_a_stopped_reader_stops_one_lcore(workshop: Workshop, strategy: str, port: str) -> None:
    watch(workshop, strategy, port, MOST=1, LEAST=1, PAUSE_MS=50)


@pytest.mark.parametrize("strategy", strategies("reader", "blocks-writers"))
def test_a_stopped_reader_stops_writers(workshop: Workshop, strategy: str, port: str) -> None:
    """So that the tests above can fail, and the promise is no worse than it has to be."""
    watch(workshop, strategy, port, LEAST=2, PAUSE_MS=50)


@pytest.mark.parametrize("variant", [*STRATEGIES, f"{LOCKING}:granularity=instance"])
def test_a_read_section_stops_updates_where_it_is_said(workshop: Workshop, variant: str) -> None:
    """Of a whole snapshot under these strategies; under others of one instance at most."""
    stopped = 2 if strategy_of(variant).delays(settings(variant)) == "snapshot" else 0
    pause = 50 if stopped else 3000
    workshop.passes(ep(variant), "read_section", MOST=stopped, LEAST=stopped, PAUSE_MS=pause)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_update_is_seen_when_promised(workshop: Workshop, strategy: str, port: str) -> None:
    """At once or when its buffer is flushed; an lcore has a part of its own or none."""
    at_once = promise(strategy, "propagation") == "store"
    parts = lcore_values(strategy)
    options = {"BEFORE": int(at_once), "PARTS": int(parts)}
    options["POLLED"] = int(strategy_of(strategy).polls)
    workshop.passes(ep(strategy, port), "visible", **options)


@pytest.mark.parametrize("test", ["gives_up_once", "reset_takes"])
@pytest.mark.parametrize("variant", [v for v in VARIANTS if v.startswith(SEQUENCED)])
def test_who_waits_for_a_stopped_writer(
    workshop: Workshop, test: str, variant: str, port: str
) -> None:
    """A call gives up once, however much it reads; a reset takes all the same."""
    retries = 1 if "retries=1" in variant else 200_000
    workshop.passes(parked(variant, port), test, RETRIES=retries)

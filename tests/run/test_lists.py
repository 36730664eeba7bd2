# SPDX-License-Identifier: BSD-3-Clause
"""Updates of several instances of a scope count each as often as it is named, or nothing."""

import signal

import pytest

from tests.run.tools import thread
from tests.run.variants import LIST_TESTS, asserted, lists
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import (
    BUFFERING,
    CONSISTENT,
    DELTAS,
    DRAINED,
    EXACT,
    LOCKING,
    NARROW,
    SEQUENCED,
    UNLIKE,
    VARIANTS,
    usually,
)

USUAL = (*UNLIKE, f"{LOCKING}:lock=mcs,granularity=instance", DRAINED, DELTAS)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", usually(VARIANTS, USUAL))
def test_lists(workshop: Workshop, variant: str) -> None:
    for test in LIST_TESTS:
        workshop.passes(lists(variant), test)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", usually(EXACT, (*USUAL, SEQUENCED)))
def test_threads_whose_lists_overlap(workshop: Workshop, variant: str) -> None:
    workshop.passes(lists(variant), "threads", WHOLE=int(variant in CONSISTENT))


def test_lists_on_every_port(workshop: Workshop, port: str) -> None:
    for test in (*LIST_TESTS, "threads"):
        workshop.passes(lists(DRAINED, port), test)


def test_nothing_out_of_bounds(workshop: Workshop) -> None:
    for variant in (f"{BUFFERING}:buffer=16,soft_threshold=16", NARROW):
        for test in LIST_TESTS:
            workshop.passes(lists(variant).but(flags=SANITIZED), test)


@pytest.mark.parametrize("variant", [f"{DRAINED}:ring=19", SEQUENCED])
def test_no_data_race(workshop: Workshop, variant: str) -> None:
    workshop.passes(thread(lists(variant)), "threads", ROUNDS=500)


@pytest.mark.slow
@pytest.mark.parametrize("variant", usually(VARIANTS, UNLIKE))
def test_debug_builds_abort(workshop: Workshop, variant: str) -> None:
    build = asserted(variant)
    for test in LIST_TESTS:
        workshop.passes(build, test, ASSERTED=1)
    for test, says in (
        ("too_long", "ctr_list_greatest"),
        ("too_great", "ctr_list_greatest"),
        ("kept", "update_packet(): "),
    ):
        done = workshop.attempt(build, test, 60)
        assert done.returncode == -signal.SIGABRT, done.stderr
        assert says in done.stderr, done.stderr

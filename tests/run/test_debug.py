# SPDX-License-Identifier: BSD-3-Clause
"""A debug build aborts on misuse, and says in which call; correct programs run."""

import platform
import signal

import pytest

from tests.run.variants import DEBUG, LIST_TESTS, amounts, asserted, debugged, ep, forking, misused
from tests.support.cbuild import Build, Workshop
from tests.support.strategies import (
    EXACT,
    STRATEGIES,
    UNLIKE,
    USUAL,
    VARIANTS,
    at_most,
    by_cpu,
    promise,
    usually,
)

NESTED = [v for v in VARIANTS if promise(v, "signals") == "none"]
SHARED = {"instances": "one", "propagation": "store"}
OWN = [
    name
    for name in STRATEGIES
    if not by_cpu(name) and any(promise(name, what) != SHARED[what] for what in SHARED)
]
"""Strategies under which an lcore writes words of its own."""

pytestmark = pytest.mark.slow


def aborts(workshop: Workshop, build: Build, test: str, says: str) -> None:
    done = workshop.attempt(build, test, 60)
    assert done.returncode == -signal.SIGABRT, done.stderr
    assert says in done.stderr, done.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_an_update_in_a_read_section(workshop: Workshop, variant: str) -> None:
    says = "(): an update in a read section"
    aborts(workshop, misused(variant), "in_a_section", f"_packet{says}")
    aborts(workshop, misused(variant), "bulk_in_a_section", says)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_an_index_past_the_last(workshop: Workshop, variant: str) -> None:
    aborts(workshop, misused(variant), "past_the_last", "Assertion `session < 1000u' failed")


@pytest.mark.parametrize("variant", usually(OWN, {USUAL}))
def test_a_second_writer(workshop: Workshop, variant: str) -> None:
    says = "ep_stats_global_add64(): another thread has updated with this lcore id"
    aborts(workshop, misused(variant), "second_writer", says)


@pytest.mark.parametrize("variant", usually(VARIANTS, UNLIKE))
def test_lists_of_indexes(workshop: Workshop, variant: str) -> None:
    build = asserted(variant)
    for test in LIST_TESTS:
        workshop.passes(build, test, ASSERTED=1)
    aborts(workshop, build, "too_long", "ctr_list_greatest")
    aborts(workshop, build, "too_great", "ctr_list_greatest")
    aborts(workshop, build, "kept", "update_packet(): ")


@pytest.mark.native
@pytest.mark.skipif(platform.machine() != "x86_64", reason="steps are those of x86-64")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", NESTED)
def test_an_update_in_an_update(workshop: Workshop, variant: str) -> None:
    aborts(workshop, debugged(variant), "step_by_step", "an update in an update of the same thread")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", EXACT)
def test_correct_programs_run(workshop: Workshop, variant: str) -> None:
    """Also with indexes that are found, counted with and retired under traffic."""
    for test in ("thread_churn", "read_sections"):
        workshop.passes(ep(variant).but(flags=DEBUG), test)
    workshop.passes(amounts(at_most(variant)).but(flags=DEBUG), "stress", MS=1000)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_children_run(workshop: Workshop, variant: str) -> None:
    if workshop.arch and promise(variant, "propagation") == "drain":
        pytest.skip("qemu 7.2 does not fork next to a thread of the library")
    build = forking(variant)
    workshop.passes(build.but(flags=(*build.flags, "-DCTR_DEBUG")), "in_a_read_section")

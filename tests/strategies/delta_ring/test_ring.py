# SPDX-License-Identifier: BSD-3-Clause
"""Rings of what lcores add, in all their ways: when it is seen, and that all of it is."""

import pytest

from ctrgen.pipeline.build import parse_sync
from ctrgen.pipeline.check import check
from tests.run.variants import amounts
from tests.strategies.delta_ring.programs import largest, polled, ringed, widest
from tests.support.cbuild import Workshop

MODES = ("spsc", "mpmc", "rts", "hts")
SIZES = (16, 37, 1024)
"""The least that some records fill in a few calls, what is no power of two, and the default."""
LEAST = 62
"""Units of two records of the update with the most arguments."""
TESTS = ["polled", "filled", "sizes", "runs", "ended_elsewhere"]

pytestmark = pytest.mark.slow


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mode", MODES)
def test_what_is_sent(workshop: Workshop, mode: str) -> None:
    for ring in SIZES:
        build = ringed(f"delta_ring:ring={ring},mode={mode}")
        for test in TESTS:
            workshop.passes(build, test, RING=ring)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mode", MODES)
def test_the_largest_record_in_any_ring(workshop: Workshop, mode: str) -> None:
    for ring in (LEAST, LEAST + 1, 1048576):
        build = largest(f"delta_ring:ring={ring},mode={mode}")
        workshop.passes(build, "largest")


@pytest.mark.parametrize("mode", MODES)
def test_a_smaller_ring_is_refused(mode: str) -> None:
    schema = str(widest())
    for ring, fits in {LEAST: True, LEAST - 1: False}.items():
        sync = parse_sync(f"delta_ring:ring={ring},mode={mode}")
        assert (check(schema, sync).module is not None) == fits


STOPS = ["first_ended", "ended", "counts_as_it_ends", "preempted", "bounded"]


@pytest.mark.parametrize("mode", MODES)
def test_threads_that_stop(workshop: Workshop, mode: str, port: str) -> None:
    """In the middle of an update, of which others see nothing, or of a drain; some never go on."""
    build = ringed(f"delta_ring:ring=64,mode={mode}", port)
    for test in STOPS[:3] if mode == "spsc" else STOPS[1:]:
        # The EAL has its own way to end, and so has an emulator.
        if test != "first_ended" or (port != "dpdk" and not workshop.arch):
            workshop.passes(build, test, RING=64)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("mode", MODES)
def test_more_lcores_than_cores(workshop: Workshop, mode: str, port: str) -> None:
    """They fill a small ring; the library's thread and the control thread drain it."""
    build = amounts(f"delta_ring:ring=64,mode={mode}", port)
    workshop.passes(build, "stress", MS=1000, FORKS=0)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("mode", MODES)
def test_ends_beside_what_is_on_its_way(workshop: Workshop, mode: str, port: str) -> None:
    workshop.passes(ringed(f"delta_ring:ring=37,mode={mode}", port), "ended_elsewhere", RING=37)


@pytest.mark.native
@pytest.mark.parametrize("mode", ["spsc", "mpmc"])
@pytest.mark.parametrize("test", ["drains", "held", "fails", "signals", "forked"])
def test_the_control_thread(workshop: Workshop, test: str, mode: str, port: str) -> None:
    workshop.passes(polled(f"delta_ring:mode={mode}", port), test, 120)

# SPDX-License-Identifier: BSD-3-Clause
"""Threads come and go, the module begins and ends: the same under every strategy."""

from __future__ import annotations

import pytest

from tests.run.variants import CONCURRENT, ep, leaving, slots
from tests.support.cbuild import Workshop
from tests.support.strategies import LOSSY, STRATEGIES, VARIANTS, fewer

BOTH_PORTS = [
    "allocations",
    "life",
    "own_buffer",
    "thread_churn",
    "thread_limit",
    "thread_shares",
]
ANY_PORT = ["arguments", "descriptor", "read_sections", "snapshot", "thread_exit"]

pytestmark = pytest.mark.slow


CASES = [(t, v) for t in BOTH_PORTS for v in VARIANTS if t not in CONCURRENT or v not in LOSSY]


@pytest.mark.parametrize(("test", "variant"), CASES)
def test_on_every_port(workshop: Workshop, test: str, variant: str, port: str) -> None:
    workshop.passes(ep(variant, port), test, SHARE=fewer(variant, 1000, 20))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("test", ANY_PORT)
def test_on_threads(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(ep(variant), test)


@pytest.mark.parametrize("variant", STRATEGIES)
def test_creation_beside_a_thread_that_leaves(workshop: Workshop, variant: str, port: str) -> None:
    workshop.passes(leaving(variant, port), "leaving")


def test_lcores_share_no_line(workshop: Workshop, port: str) -> None:
    workshop.passes(slots("per_core", port), "isolation")

# SPDX-License-Identifier: BSD-3-Clause
"""Tests that run side by side do not take huge pages from each other."""

import threading
from concurrent.futures import ThreadPoolExecutor

from tests.support.huge_pages import POOL, set_aside

TAKERS = 3


def test_one_at_a_time() -> None:
    """Who comes second waits, and finds the number as it was."""
    inside = threading.Semaphore(1)

    def take(_: int) -> tuple[bool, int]:
        with set_aside(1):
            alone = inside.acquire(blocking=False)
            during = int((POOL / "nr_hugepages").read_text())
            if alone:
                inside.release()
            return alone, during

    with ThreadPoolExecutor(TAKERS) as takers:
        found = set(takers.map(take, range(TAKERS * 20)))
    assert len(found) == 1 and all(alone for alone, _ in found)

# SPDX-License-Identifier: BSD-3-Clause
"""Huge pages of the machine, which tests share with each other: one test at a time has some."""

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest

POOL = Path("/sys/kernel/mm/hugepages/hugepages-2048kB")
SIZE = 2 << 20
"""Bytes of one."""


@contextlib.contextmanager
def set_aside(many: int) -> Iterator[None]:
    """`many` huge pages that are free; skips where the system does not let us have them.

    The number of pages of a machine is one number: who reads, adds and puts it back while
    another does the same takes pages from under a running program. So the file is locked.
    """
    total = POOL / "nr_hugepages"
    try:
        lock = total.open()
    except OSError:
        pytest.skip("the system has no huge pages")
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        before = int(total.read_text())
        try:
            total.write_text(str(before + many))
        except OSError:
            pytest.skip("huge pages cannot be set aside")
        try:
            if int((POOL / "free_hugepages").read_text()) < many:
                pytest.skip(f"the system has no {many} huge pages")
            yield
        finally:
            total.write_text(str(before))

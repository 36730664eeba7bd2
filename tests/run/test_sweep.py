# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots and rows of many instances are what reads of each are."""

import pytest

from tests.run.variants import HARNESS, HERE
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Build, Workshop
from tests.support.strategies import STRATEGIES, USUAL, lcore_values


def program(sync: str, port: str = "posix") -> Build:
    """The program of sweep.c."""
    return Build(HERE / "schemas" / "sweep.yaml", sync, (HERE / "sweep.c",), HARNESS, port)


@pytest.mark.parametrize("sync", filter(lcore_values, STRATEGIES))
def test_each_is_what_is_read(workshop: Workshop, sync: str) -> None:
    workshop.passes(program(sync), "sweep")


@needs_dpdk
def test_on_dpdk(workshop: Workshop) -> None:
    workshop.passes(program(USUAL, "dpdk"), "sweep")

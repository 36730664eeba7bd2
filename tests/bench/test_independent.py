# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench` and a program that has nothing of it measure the same costs."""

import os
import platform
from pathlib import Path

import pytest

from tests.benchmarks import independent
from tests.benchmarks.independent import Place, Row
from tests.support.capabilities import needs, needs_dpdk

ALONE = ("per_core", "per_core_seqcount", "per_core_lock")
SHARED = ("shared_atomic", "shared_lock")
CALLS = ("single", "batch", "bulk")
FEW = 1 if len(os.sched_getaffinity(0)) < 2 else 2
"""Workers that have a processor each."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.native,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="a program for x86-64"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return independent.built(tmp_path_factory.mktemp("independent"))


def test_the_independent_program_counts_right(program: Path) -> None:
    """By each strategy and call, with work and without; and its clock is one."""
    for lcores in range(1, FEW + 1):
        for strategy in (*ALONE, *SHARED):
            for api in CALLS if lcores == 1 else ("single",):
                work = 50 if strategy == "per_core" else 0
                said = independent.own(program, Place(strategy, 7, work, api, lcores), 0.001)
                assert said["lost"] == 0, (strategy, api, lcores)
                assert said["pairs"] > 0 and 0.1 < said["clock"] < 10


def test_what_is_not_counted_is_missed(tmp_path: Path) -> None:
    text = independent.SOURCE.read_text("utf-8")
    forgetful = text.replace("add(&c->total.bytes, octets);", "")
    assert forgetful != text
    said = independent.own(
        independent.built(tmp_path, source=forgetful), Place("per_core", api="batch"), 0.001
    )
    assert said["lost"] > 0


@pytest.mark.parametrize(
    ("bench", "own", "agree"),
    [(10, 11, True), (12, 10, False), (8, 10, False), (0.9, 1.15, True), (1.5, 1.1, False)],
)
def test_what_counts_as_agreement(bench: float, own: float, agree: bool) -> None:
    assert Row(Place("per_core"), bench, own).agree is agree


@pytest.mark.deep
@pytest.mark.dpdk
@needs_dpdk
@needs("meson", "ninja")
@pytest.mark.skipif(FEW < 2, reason="one processor: nothing contends")
def test_both_measure_the_same(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """On a machine that does little else: within 15 %, or 0.3 cycles, at eight places and more, of
    which some wait for memory; and nowhere off by a factor of two."""
    rows = independent.measure(tmp_path)
    text = independent.table(rows)
    request.node.user_properties.append(("figures", text))
    agree = [row for row in rows if row.agree]
    assert len(agree) >= 8, text
    assert sum(row.place.flows == independent.MANY for row in agree) >= 3, text
    assert all(0.5 < row.ratio < 2 for row in rows), text

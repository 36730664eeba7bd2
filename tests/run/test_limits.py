# SPDX-License-Identifier: BSD-3-Clause
"""Quotas stop to the octet and thresholds are reported once, under every exact strategy."""

from pathlib import Path

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from tests.run.tools import thread
from tests.run.variants import CEILING_TESTS, LIMIT_TESTS, ceilings, limits
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import SANITIZED, Build, Workshop
from tests.support.strategies import BY_CPU, DRAINED, EXACT, UNLIKE, USUAL, fewer, usually


def _passes(workshop: Workshop, build: Build, variant: str, by: int = 1) -> None:
    for test in LIMIT_TESTS[build.port]:
        workshop.passes(
            build,
            test,
            UPDATES=fewer(variant, 100_000 // by, 20),
            CROSSINGS=fewer(variant, 4_000 // by, 10),
            LIVES=100 // by,
        )


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", usually(EXACT, {*UNLIKE, DRAINED, BY_CPU}))
def test_limits(workshop: Workshop, variant: str) -> None:
    _passes(workshop, limits(variant), variant)


@pytest.mark.parametrize("variant", usually(EXACT, {USUAL, DRAINED}))
def test_ceilings(workshop: Workshop, variant: str) -> None:
    for test in CEILING_TESTS["posix"]:
        workshop.passes(ceilings(variant), test, UPDATES=fewer(variant, 100_000, 20))


def test_every_output_takes_limits(tmp_path: Path) -> None:
    """A benchmark measures updates with a quota."""
    schema = Path(__file__).with_name("schemas") / "limits.yaml"
    assert build(BuildRequest(str(schema), str(tmp_path / "out"))).exit_code == 0
    (bench,) = (tmp_path / "out" / "bench").glob("*_bench.c")
    tried = bench.read_text("utf-8").partition("\nrun_quota(")[2].partition("\n}\n")[0]
    assert tried.count("_try(") == 6 and tried.count("_update_mark(") == 1


@needs_dpdk
@pytest.mark.parametrize("variant", usually(EXACT, {USUAL}))
def test_on_dpdk(workshop: Workshop, variant: str) -> None:
    _passes(workshop, limits(variant, "dpdk"), variant)
    for test in CEILING_TESTS["dpdk"]:
        workshop.passes(ceilings(variant, "dpdk"), test, UPDATES=20_000)


@pytest.mark.parametrize("test", ["stops", "own_reports"])
def test_under_thread_sanitizer(workshop: Workshop, test: str) -> None:
    workshop.passes(thread(limits(USUAL)), test, UPDATES=5_000, CROSSINGS=2_000)


def test_ceilings_under_thread_sanitizer(workshop: Workshop) -> None:
    workshop.passes(thread(ceilings(USUAL)), "stops", UPDATES=5_000)


@pytest.mark.deep
def test_ten_million_crossings(workshop: Workshop) -> None:
    workshop.passes(limits(USUAL), "own_reports", CROSSINGS=10_000_000, WORKERS=2)


@pytest.mark.deep
def test_under_sanitizers(workshop: Workshop) -> None:
    _passes(workshop, limits(USUAL).but(flags=SANITIZED), USUAL, by=10)

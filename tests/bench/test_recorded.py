# SPDX-License-Identifier: BSD-3-Clause
"""The figures of recorded runs stay what they were, whatever library computes them.

`recorded.tar.xz` holds two real runs of the same programs with the CSV of each.
"""

from pathlib import Path

import pytest

from ctrgen.tools.bench.compare import compare
from ctrgen.tools.bench.result import load
from tests.bench import columns
from tests.support import archive

RECORDED = archive.unpacked(Path(__file__).with_name("recorded.tar.xz"))


@pytest.mark.parametrize("name", ["before", "after"])
def test_medians_quartiles_and_ratios_are_as_recorded(name: str) -> None:
    expected = (RECORDED / f"{name}.csv").read_text("utf-8")
    assert columns.text(load(RECORDED / f"{name}.json")) == expected


def test_runs_of_the_same_programs_do_not_differ() -> None:
    found = compare(load(RECORDED / "before.json"), load(RECORDED / "after.json"))
    assert found.changes and not any(change.significant for change in found.changes)

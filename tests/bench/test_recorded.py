# SPDX-License-Identifier: BSD-3-Clause
"""The figures of recorded runs stay what they were, whatever library computes them.

`recorded.zip` holds two real runs of the same programs with the CSV of each, and the
comparisons of these and of made-up runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctrgen.bench.compare import Comparison, compare
from ctrgen.bench.result import load
from tests.bench import columns, synth
from tests.support import archive

RECORDED = archive.unpacked(Path(__file__).with_name("recorded.zip"))

MADE_UP: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "same": ({"seed": 1}, {"seed": 2}),
    "slower": ({"seed": 1, "rounds": 20}, {"seed": 2, "rounds": 20, "planted": 4}),
    "faster": ({"planted": 8, "rounds": 20}, {"seed": 2, "rounds": 20}),
    "five rounds": ({"seed": 5, "rounds": 5}, {"seed": 6, "rounds": 5, "planted": 2}),
    "unequal rounds": ({"seed": 7, "rounds": 8}, {"seed": 8, "rounds": 13}),
    "too few rounds": ({"seed": 3, "rounds": 3}, {"seed": 4, "rounds": 3}),
    "no controls": (
        {"seed": 9, "rounds": 8, "baselines": ()},
        {"seed": 10, "rounds": 8, "baselines": ()},
    ),
    "overcommit": (
        {"seed": 11, "overcommit": True, "flows": (64, 65536)},
        {"seed": 12, "overcommit": True, "flows": (64, 65536)},
    ),
}
"""Seeds of the runs that are compared, and how they differ."""


def rows(found: Comparison) -> list[list[Any]]:
    """Every figure of a comparison with its interval, its probability and its verdict."""
    return [
        [
            c.strategy, c.at.lcores, c.at.cores, c.at.flows, c.at.work,
            c.before, c.after, c.change, c.low, c.high, c.probability, c.significant,
        ]
        for c in found.changes
    ]  # fmt: skip


EXPECTED = json.loads((RECORDED / "comparisons.json").read_text("utf-8"))


def same(found: Comparison, name: str) -> None:
    """The figures are those that were recorded, but for the last digits."""
    computed, expected = rows(found), EXPECTED[name]
    assert len(computed) == len(expected)
    for row, before in zip(computed, expected, strict=True):
        for figure, was in zip(row, before, strict=True):
            exact = was is None or isinstance(was, str | bool)
            assert figure == (was if exact else pytest.approx(was, rel=1e-9, abs=1e-12))


def test_real_runs_compare_as_recorded() -> None:
    same(compare(load(RECORDED / "before.json"), load(RECORDED / "after.json")), "measured")


@pytest.mark.parametrize("name", MADE_UP)
def test_made_up_runs_compare_as_recorded(name: str) -> None:
    before, after = MADE_UP[name]
    same(compare(synth.result(**before), synth.result(**after)), name)


@pytest.mark.parametrize("name", ["before", "after"])
def test_medians_quartiles_and_ratios_are_as_recorded(name: str) -> None:
    expected = (RECORDED / f"{name}.csv").read_text("utf-8")
    assert columns.text(load(RECORDED / f"{name}.json")) == expected

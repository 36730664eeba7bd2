# SPDX-License-Identifier: BSD-3-Clause
"""The reports: the right figures in the right places, whatever was and was not measured."""

import re
from pathlib import Path
from typing import Any

import pytest

from ctrgen.tools.bench import figures, report
from ctrgen.tools.bench.result import Result, dump
from tests.bench import columns, synth
from tests.support.strategies import INEXACT, LOCKING, SHARED, USUAL, promise

MORE = ({"lcores": 8, "cores": 2}, {"lcores": 2, "cores": 2, "reads": 100.0})


def nothing(**change: Any) -> Result:
    """A result without points."""
    return Result.model_validate({**synth.document(rounds=1), "points": [], **change})


def bare() -> Result:
    """A result of one strategy at one place, in one round, with nothing optional."""
    made = synth.document(rounds=1, strategies=(USUAL,), ways=())
    made["points"] = made["points"][:1]
    made["workload"] |= {"memory": {}}
    return Result.model_validate(made)


def negative() -> Result:
    """Statistics that cost less than nothing, as noise can have it."""
    made = synth.document(rounds=3)
    for point in made["points"]:
        for entry in point["rounds"]:
            entry["generated"] = max(0.0, entry["none"] - 0.5)
    return Result.model_validate(made)


def calls(*apis: str) -> Result:
    """Some calls at two numbers of flows."""
    made = synth.document(rounds=2, flows=(64, 65536), strategies=(USUAL, LOCKING))
    made["points"] = [
        {**point, "at": {**point["at"], "api": api}} for point in made["points"] for api in apis
    ]
    return Result.model_validate(made)


def tunables() -> Result:
    """Many variants with long names."""
    names = [f"{USUAL}:{'granularity=instance,' * 6}buffer={n}" for n in range(40)]
    made = synth.document(rounds=2, flows=(64, 65536), strategies=(USUAL,))
    every = [{**point, "strategy": name} for point in made["points"] for name in names]
    return Result.model_validate({**made, "strategies": names, "points": every})


NS = {"none": [21, 22, 23], "generated": [24], "hash": [70], "array": []}

RESULTS = {
    "kernel": Result.model_validate(
        {**synth.document(rounds=1), "kernel": [{"strategy": USUAL, **NS}]}
    ),
    "tunables": tunables(),
    "single and bulk": calls("single", "batch", "bulk"),
    "plain": synth.result(),
    "full": synth.result(flows=(1024, 65536, 1 << 20), works=(0, 1000), more=MORE),
    "nothing": nothing(),
    "bare": bare(),
    "negative": negative(),
    "interrupted": Result.model_validate({**synth.document(rounds=4), "complete": False}),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_every_report(name: str, tmp_path: Path) -> None:
    made, file = RESULTS[name], tmp_path / "bench.json"
    file.write_text(dump(made), "utf-8")
    assert columns.load(file) == made
    assert report.text(made) and "nan" not in report.text(made).split()


# ---- tables and sentences ----


def test_the_table_has_the_shape_of_the_chapter() -> None:
    made = RESULTS["plain"]
    table = report.tables(made)[0]
    assert table.head == ("strategy", "1 lcore", "2 lcores")
    rows = {row[0]: row[1:] for row in table.rows}
    assert list(rows) == list(synth.COSTS)
    for point in made.points:
        cost = figures.overhead(point, synth.ADDS)
        cell = rows[point.strategy][point.at.lcores - 1]
        assert cost is not None and cell.split()[0] == figures.number(cost.median)
        losing = point.strategy == INEXACT and point.at.lcores == 2
        assert ("lost 1" in cell) == losing


def test_programs_in_the_kernel_are_a_table() -> None:
    (table,) = (t for t in report.tables(RESULTS["kernel"]) if t.title.startswith("XDP"))
    assert table.rows == ((USUAL, "22.0 (21.5 .. 22.5)", "24.0", "70.0", report.NONE),)
    assert table not in report.tables(RESULTS["plain"])


def test_every_point_is_in_some_table() -> None:
    made = RESULTS["full"]
    text = report.text(made)
    for point in made.points:
        assert report.interval(figures.overhead(point, synth.ADDS)) in text


def test_snapshots_have_a_table_of_their_own() -> None:
    (table,) = (t for t in report.tables(RESULTS["full"]) if t.title.startswith("Snapshots"))
    assert "2 lcores" in table.title and table.rows[0][1:] == ("1,000", "0.50")


def test_ratios_are_of_the_tight_loop() -> None:
    made = synth.result(works=(1000, 0), rounds=20)
    (table,) = [t for t in report.tables(made) if t.title.startswith("Generated code")]
    assert table.title.endswith("tight loop")
    tight = next(p for p in made.points if p.strategy == USUAL and p.at.work == 0)
    (row,) = [row for row in table.rows if row[0] == USUAL]
    assert row[1] == f"{figures.ratio(tight, 'hand'):.2f}"


@pytest.mark.parametrize("measured", [(), ("free", "quota")])
def test_quotas_have_a_ratio_where_they_are_measured(measured: tuple[str, ...]) -> None:
    made = synth.result(rounds=20, ways=("hand", *measured))
    (table,) = [t for t in report.tables(made) if t.title.startswith("Generated code")]
    found = [n for n, name in enumerate(table.head) if name.startswith(report.QUOTA)]
    assert len(found) == len(measured) and ('"quota":' in dump(made)) == bool(measured)
    (row,) = [row for row in table.rows if row[0] == USUAL]
    assert all(1.2 < float(row[n]) < 1.6 for n in found)


def test_sentences_say_what_stands_out() -> None:
    said = "\n".join(report.sentences(RESULTS["plain"]))
    assert "Every figure is of 12 rounds." in said
    assert re.search(rf"{INEXACT} lost up to \d+ % of its updates; all others counted", said)
    assert "No huge pages: ran without." in said
    interrupted = report.sentences(RESULTS["interrupted"])
    assert "interrupted" in interrupted[0]
    assert "Fewer than 6 rounds decide nothing" in "".join(interrupted)
    assert report.sentences(RESULTS["nothing"])[-1] == "Nothing was measured."


COSTS = rf"{USUAL}: [\d.]+ cycles an update with"
AT = "1,024 flows, tight loop"
BETTER = [name for name in synth.COSTS if promise(name, "exact")]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("plain", rf"{COSTS} 2 lcores, {AT}; {SHARED} costs \d\d times as much"),
        ("full", rf"{COSTS} 2 lcores, {AT}; {SHARED} costs \d\d times as much"),
        ("bare", rf"{COSTS} 1 lcore, {AT}"),
        (
            "negative",
            rf"\w+, \w+, \w+ and {len(BETTER) - 3} others: below noise with 2 lcores, {AT}",
        ),
    ],
)
def test_the_verdict_comes_first(name: str, first: str) -> None:
    (said,) = report.verdict(RESULTS[name])
    assert re.fullmatch(first, said)
    assert " ".join(report.text(RESULTS[name]).split()).startswith(said)


def test_what_loses_updates_is_no_verdict() -> None:
    made = synth.document(strategies=(INEXACT, LOCKING))
    for point in made["points"]:
        for entry in point["rounds"] if point["strategy"] == INEXACT else ():
            entry["generated"] = entry["none"] + 0.1
    assert report.text(Result.model_validate(made)).startswith(f"{LOCKING}: ")


def test_negative_figures_are_said_to_be_noise() -> None:
    text = report.text(RESULTS["negative"])
    assert "below noise" in text
    assert not re.search(r"(?<![\w.])-\d", text)
    assert "elow noise" not in report.text(RESULTS["plain"])
    some = figures.Spread(1.0, -2.0, 3.0, 9)
    assert report.interval(some) == "below noise (< 3.00)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.123, "0.12"),
        (9.994, "9.99"),
        (-0.001, "0.00"),
        (9.996, "10.0"),
        (99.96, "100"),
        (8236, "8,236"),
        (-3, "-3.00"),
    ],
)
def test_numbers_have_the_digits_they_deserve(value: float, text: str) -> None:
    assert figures.number(value) == text


# ---- files ----


def test_columns_have_a_line_for_each_point() -> None:
    made = RESULTS["full"]
    lines = columns.rows(made)
    assert len(lines) == len(made.points)
    for line, point in zip(lines, made.points, strict=True):
        cost = figures.overhead(point, synth.ADDS)
        assert cost is not None and float(line["overhead"]) == pytest.approx(cost.median, rel=1e-4)
        assert line["strategy"] == point.strategy and int(line["flows"]) == point.at.flows

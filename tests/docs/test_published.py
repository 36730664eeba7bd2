# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the docs that `./dev bench` compares: each has a name, and what has none is found."""

import re
from pathlib import Path

import pytest

from ctrgen.tools.bench import figures as statistics
from tests.bench import synth
from tests.benchmarks import published
from tests.support.paths import ROOT
from tests.support.strategies import INEXACT, SEQUENCED, SHARED, USUAL

PAGE = Path("page.md")
SPREAD = re.compile(r"\d \(-?[\d.,]+ to -?[\d.,]+\)")
"""A median and its quartiles."""


def every() -> list[published.Figure]:
    return [
        one for page in published.PAGES for one in published.figures(page, page.read_text("utf-8"))
    ]


def test_figures_have_names_that_a_benchmark_can_have() -> None:
    of = every()
    assert len(of) > 90
    for one in of:
        benchmark, *words = one.name.split()
        if benchmark == "bench":
            published.wanted(words)


WRITTEN = re.compile(r"(?s)<!-- (?:generated: [a-z]+|peers|measured) -->.*?<!-- end")
"""Tables that `./dev bench --peers` writes, or that were measured once."""


def test_no_measurement_has_no_name() -> None:
    named = {one.where for one in every()}
    for page in published.PAGES:
        text = WRITTEN.sub(lambda whole: "\n" * whole[0].count("\n"), page.read_text("utf-8"))
        for number, line in enumerate(text.splitlines(), 1):
            if SPREAD.search(line):
                assert f"{page.name}:{number}" in named, line


def test_a_table_and_a_sentence() -> None:
    text = """\
It takes 1,234.5<!-- figure: walk --> s, not 7.

<!-- figures: bench work=0; lcores=1 overhead; lcores=2 lost_percent -->
| strategy | cost | lost |
|---|---|---|
| `one` | -0.21 (-0.58 to 0.13) | none |
| `other:lock=mcs` | 87 | 0.45 % |
"""
    cost = "bench work=0 lcores=1 overhead"
    assert [(figure.name, figure.value) for figure in published.figures(PAGE, text)] == [
        ("walk", 1234.5),
        (f"{cost} one", -0.21),
        (f"{cost} other:lock=mcs", 87),
        ("bench work=0 lcores=2 lost_percent other:lock=mcs", 0.45),
    ]
    with pytest.raises(ValueError, match="no number"):
        list(published.figures(PAGE, "It takes long.<!-- figure: walk -->\n"))
    with pytest.raises(ValueError, match="'walk=0'"):
        published.wanted(["one", "lcores=1", "overhead", "walk=0"])


def test_figures_are_beside_what_was_measured() -> None:
    result = synth.result()
    point = next(point for point in result.points if point.strategy == USUAL)
    cost = statistics.overhead(point, synth.ADDS)
    assert cost is not None
    measured = published.Measured(result, {"walk": 2.0})
    of = [
        published.Figure("walk", "page.md:1", 4.0),
        published.Figure(f"bench {USUAL} lcores=1 work=0 overhead", "page.md:2", 0.81),
        published.Figure(f"bench {USUAL} lcores=64 work=0 overhead", "page.md:3", 1.0),
    ]
    text = published.table(of, measured)
    assert re.search(r"^walk +page.md:1 +4 +2 +0.50$", text, re.M)
    assert re.search(rf"^bench {USUAL} .* page.md:2 +0.81 +{cost.median:.4g} ", text, re.M)
    assert f"not measured, 1:\n  page.md:3: bench {USUAL} lcores=64 work=0 overhead, 1\n" in text


def test_the_readme_quotes_the_comparison() -> None:
    """Its figures are those of docs/peers.md."""
    readme, peers = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/peers.md"))
    rows = [line for line in peers.splitlines() if line.startswith("|")]
    quoted = {
        INEXACT: ("69 %",),
        "grout": ("45 % twice",),
        "perfbook": ("26 %",),
        SHARED: ("72.1",),
        f"{USUAL}`": ("0.98",),
        SEQUENCED: ("update; 0", "2.17"),
    }
    for name, figures in quoted.items():
        text = " ".join(row for row in rows if name in row.split("|")[1])
        assert [figure for figure in figures if figure not in text] == [], name
    shown = ("69 %", "45 %", "up to 26 %", "72 cycles", f"1.0 (`{USUAL}`)", f"2.2 (`{SEQUENCED}`)")
    for figure in shown:
        assert figure in readme


MEASURED = """\
Text with 5.6<!-- figure: bench empty --> cycles and 7<!-- figure: other --> of something.

<!-- figures: bench work=0; lcores=1 overhead; lcores=1 lost_percent; lcores=1 memory_bytes -->
| strategy | cycles | lost | longest |
|---|---|---|---|
| `one` | 0.81 | 0 | 51,986,572 |
| `another` | 1.36 | 17 % | 12 |
"""


class Fake(published.Measured):
    """What was measured, as it is told."""

    def __init__(self, **values: float) -> None:
        super().__init__(None, {})
        self.values = values

    def __call__(self, name: str) -> float | None:
        return next((self.values[w] for w in name.split() if w in self.values), None)


def test_without_a_measurement_every_page_stays_as_it_is() -> None:
    for page in published.PAGES:
        text = page.read_text("utf-8")
        assert published.renewed(text, published.Measured(None, {})) == text


def test_figures_are_written_as_before() -> None:
    now = Fake(empty=1.234, overhead=12.34, lost_percent=0.456, memory_bytes=9876543.2)
    text = published.renewed(MEASURED, now)
    assert "Text with 1.23<!-- figure: bench empty --> cycles and 7<!-- figure: other -->" in text
    row = "12.3 | 0.46 % | 9,876,543 |"
    assert f"| `one` | {row}" in text and f"| `another` | {row}" in text
    assert published.renewed(text, Fake(lost_percent=0)).count("| 0 |") == 2


def test_figures_keep_their_names() -> None:
    page = published.PAGES[0]
    before = [figure.name for figure in published.figures(page, MEASURED)]
    assert [
        figure.name
        for figure in published.figures(page, published.renewed(MEASURED, Fake(empty=1)))
    ] == before

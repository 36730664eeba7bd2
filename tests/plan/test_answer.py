# SPDX-License-Identifier: BSD-3-Clause
"""What a plan prints first and how wide it is: an answer in one line, one table, nothing twice."""

import functools
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.tools.plan import output
from tests.plan import example
from tests.support.paths import EP, SCHEMAS
from tests.support.process import ctrgen
from tests.support.strategies import BUFFERING, DRAINED, SHARED, USUAL

WIDTH, COLUMNS = 100, 6
ENDS = re.compile(
    r"\w[^:]*: [\d,.]+ cycles a packet by (single|bulk) calls, [\d.,]+ (B|KiB|MiB|GiB) for "
    r"\d+ lcores?(; \w+ (as much|[\d,.]+ times as much(, but .+)?))?"
)

NAME = "n" * 40
HEAD = "ctrgen: 1\nmodule: m\nsync: SYNC\nREQUIRES\nscopes:\n"
ITEM = "counters: {a: {unit: packets, description: A.}}"
SCOPES = "".join(f"  {NAME}{n}: {{max: {10**n}, {ITEM}}}\n" for n in range(1, 7))
UPDATES = "".join(f"  u{n}: {{add: {{{NAME}{n}.a: 1}}}}\n" for n in range(1, 7))
LONG = f"{HEAD}{SCOPES}updates:\n{UPDATES}"
INSIDE = f"{HEAD}  s: {{storage: embedded, {ITEM}}}\nupdates:\n  u: {{add: {{s.a: 1}}}}\n"
NEEDS = "requires: {memory: 40MiB, lcores: 16}"
MADE_UP = {
    "long names": LONG.replace("SYNC", USUAL).replace("REQUIRES", NEEDS),
    "none fits": LONG.replace("SYNC", USUAL).replace("REQUIRES", "requires: {memory: 1KiB}"),
    "objects": INSIDE.replace("SYNC", "caller").replace("REQUIRES", ""),
    "ring": LONG.replace("SYNC", DRAINED).replace("REQUIRES", ""),
}
EVERY = [*sorted(path.name for path in SCHEMAS.glob("*.yaml")), *MADE_UP]
OPTIONS = [(), ("--lcores", "16", "--pps", "100M")]


@functools.cache
def printed(*words: str | Path) -> str:
    return ctrgen("plan", *words).stdout


@pytest.fixture(params=EVERY, scope="module")
def schema(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A schema of the project, or one that is made up for what is unusual."""
    if request.param not in MADE_UP:
        return SCHEMAS / str(request.param)
    path = tmp_path_factory.mktemp("schema") / "s.yaml"
    path.write_text(MADE_UP[request.param], "utf-8")
    return path


def tables(text: str) -> list[list[list[str]]]:
    """The cells of each table, without its head; folded cells are lines of their own."""
    found = []
    for block in re.findall(r"(?:.+\n)*?-{5}[- ]*\n(?:.+\n)+", text):
        lines = block.splitlines()
        rule = next(n for n, line in enumerate(lines) if not line.strip("- "))
        spans = [match.span() for match in re.finditer("-+", lines[rule])]
        ends = [(a, b) for (a, _), (b, _) in zip(spans, [*spans[1:], (WIDTH, 0)], strict=True)]
        found.append([[line[a:b].strip() for a, b in ends] for line in lines[rule + 1 :]])
    return found


@pytest.mark.parametrize("words", OPTIONS)
def test_the_answer_comes_first_and_all_fits(schema: Path, words: tuple[str, ...]) -> None:
    first, *rest = printed(schema, *words).splitlines()
    assert len(first) <= output.MOST and not any(rest[:1])
    assert [line for line in rest if len(line) > WIDTH] == []
    found = tables("\n".join(rest) + "\n")
    assert len(found) == 1 or schema.name == "s.yaml"
    assert {len(row) for table in found for row in table} <= {*range(1, COLUMNS + 1)}
    said = Counter(re.findall(r"^\* (.+)", "\n".join(rest), re.MULTILINE))
    assert {line for line, often in said.items() if often > 1} == set()


def test_the_answer_is_what_is_recommended(schema: Path) -> None:
    first = printed(schema).splitlines()[0]
    found = json.loads(printed(schema, "--format", "json"))
    whole, advised = found["all"]["strategy"], found["recommendation"][0]
    if whole and f"take {whole} for all" in advised:
        assert first.startswith(f"{whole}: ") and ENDS.fullmatch(first), first
    elif advised.startswith("take "):
        assert {*re.findall(r"\w+", first)} & {*all_strategies()} and ENDS.fullmatch(first), first
    else:
        assert "cycles" not in first, first


def test_what_is_cheaper_than_what_is_recommended_has_a_reason(schema: Path) -> None:
    for rows in tables(printed(schema)):
        named = [row for row in rows if row[0] and row[1] != "0.0"]
        notes = [row[-1] for row in named]
        if "recommended" in notes:
            assert all(notes[: notes.index("recommended")]), rows


def test_the_other_figure_is_by_the_same_calls() -> None:
    """A shared counter by single calls of 20 lcores, where one call a burst costs little more."""
    first = printed(example.SCHEMA, *example.OPTIONS).splitlines()[0]
    assert first == (
        f"{BUFFERING}: 31.2 cycles a packet by single calls, 15.6 MiB for 20 lcores; "
        f"{SHARED} 13 times as much"
    )


def test_a_recommended_strategy_that_no_packet_has_time_for_is_marked() -> None:
    notes = " ".join(row[-1] for row in tables(printed(EP, "--pps", "100G"))[0])
    assert "recommended; more cycles than a packet has" in notes


def test_a_line_that_is_too_long_gives_way() -> None:
    assert output._fitting(["x" * output.MOST, "short"]) == "x" * output.MOST
    assert output._fitting(["x" * (output.MOST + 1), "short"]) == "short"

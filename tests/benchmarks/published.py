# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the docs and results compared with what was measured now: the end of `./dev bench`.

usage: python -m tests.benchmarks.published [--write] [OPTIONS OF ctrgen bench]

With --write the pages get the figures of `ctrgen bench` that were measured now.

The pages hold the figures. In text, `<!-- figure: NAME -->` is right behind one. In front of a
table, `<!-- figures: COMMON; NAME; NAME... -->` names those of each column behind the first; a
name is COMMON, that of the column, and what the first cell says, with spaces between.

Names that begin with `bench` are of bench.json: a strategy, the value of each axis that is not the
usual one, and a column of tests/bench/columns.py: `bench STRATEGY lcores=1 work=0 overhead`. Other
benchmarks write theirs, with record(). A figure that no benchmark has measured is listed all the
same.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ctrgen.output.tables import grid
from ctrgen.tools.bench.result import At, Result
from tests.bench import columns as report
from tests.support.paths import ROOT

RECORDED = ROOT / "build" / "bench"
"""What other benchmarks than `ctrgen bench` have measured, a file each."""
RESULTS = ROOT / "tests" / "benchmarks" / "results.md"
"""All that was measured, of which pages of docs/ have a part."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), RESULTS]
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_MARK = re.compile(r"<!-- (figures?): (.*?) -->")


@dataclass(frozen=True)
class Figure:
    """A figure of a page: its name, where it is, what it says."""

    name: str
    where: str
    value: float


def record(benchmark: str, measured: dict[str, float]) -> None:
    """Keep what a benchmark has measured, by name without that of the benchmark."""
    RECORDED.mkdir(parents=True, exist_ok=True)
    named = {f"{benchmark} {name}": value for name, value in measured.items()}
    (RECORDED / f"{benchmark}.json").write_text(json.dumps(named), "utf-8")


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("`", "") for cell in line.strip()[1:-1].split("|")]


def figures(page: Path, text: str) -> Iterator[Figure]:
    """The figures of a page that have a name. Raises ValueError for one without a number."""
    columns: list[str] = []
    common, body = "", False
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{page.name}:{number}"
        if body and line.startswith("|"):
            first, *cells = _cells(line)
            for column, cell in zip(columns, cells, strict=True):
                found = _NUMBER.match(cell)
                if found:
                    yield Figure(f"{common} {column} {first}", where, _value(found[0]))
        else:
            body = bool(columns) and line.startswith("|--")
            columns = columns if line.startswith("|") else []
        for mark in _MARK.finditer(line):
            if mark[1] == "figures":
                common, *columns = [part.strip() for part in mark[2].split(";")]
                continue
            before = _NUMBER.findall(_MARK.sub("", line[: mark.start()]))
            if not before:
                raise ValueError(f"{where}: no number in front of {mark[2]}")
            yield Figure(mark[2], where, _value(before[-1]))


def _value(text: str) -> float:
    return float(text.replace(",", ""))


class Measured:
    """What was measured now, by name."""

    def __init__(self, result: Result | None, recorded: dict[str, float]) -> None:
        self.recorded = dict(recorded)
        self.points = [] if result is None else report.rows(result)

    def __call__(self, name: str) -> float | None:
        """The figure of that name, if it was measured."""
        return self.recorded.get(name) if name in self.recorded else self._point(name)

    def _point(self, name: str) -> float | None:
        benchmark, *words = name.split()
        if benchmark != "bench":
            return None
        strategy, place, column = wanted(words)
        for point in self.points:
            if point["strategy"] == strategy and all(
                point[axis] == value for axis, value in place.items()
            ):
                return float(point[column]) if point[column] else None
        return None


def wanted(words: list[str]) -> tuple[str, dict[str, str], str]:
    """Strategy, place and column that words name. Raises ValueError for a word that is none."""
    usual = {name: field.default for name, field in At.model_fields.items()}
    place = {axis: f"{usual[axis]:g}" if isinstance(usual[axis], int | float) else usual[axis]
             for axis in usual if axis not in ("lcores", "cores")}  # fmt: skip
    strategy = column = ""
    for word in words:
        axis, is_axis, value = word.partition("=")
        if is_axis and axis in usual:
            place[axis] = value
        elif word in report.head():
            column = word
        elif not strategy:
            strategy = word
        else:
            raise ValueError(f"'{word}' is no axis and no column")
    if not (strategy and column and "lcores" in place):
        raise ValueError(f"'{' '.join(words)}' lacks a strategy, lcores=N or a column")
    return strategy, place, column


def table(of: list[Figure], measured: Measured) -> str:
    """Every figure: in the docs, now, the ratio; then those that were not measured."""
    rows, lacking = [], []
    for figure in of:
        now = measured(figure.name)
        if now is None:
            lacking.append(f"  {figure.where}: {figure.name}, {figure.value:,g}\n")
            continue
        ratio = f"{now / figure.value:.2f}" if figure.value > 0 and now > 0 else "-"
        rows.append((figure.name, figure.where, f"{figure.value:,g}", f"{now:,.4g}", ratio))
    text = grid(("figure", "in", "docs", "now", "ratio"), rows, (2, 3, 4))
    more = f"\nnot measured, {len(lacking)}:\n" if lacking else ""
    return text + more + "".join(lacking)


def _number(value: float) -> str:
    """A figure of three digits, or of all in front of the point."""
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:,.{digits}f}"


def _shown(cell: str, name: str, measured: Measured) -> str:
    """A cell of a table with what was measured now, written as before."""
    now = measured(name) if name.startswith("bench ") else None  # others have units
    if now is None or not _NUMBER.match(cell):
        return cell
    if "lost_percent" in name.split():
        return f"{now:.2g} %" if now else "0"
    if "(" not in cell:
        return _number(now)
    low, high = (measured(re.sub(r"\boverhead\b", f"overhead_{q}", name)) for q in ("q1", "q3"))
    assert low is not None and high is not None
    return f"{_number(now)} ({_number(low)} to {_number(high)})"


def _row(line: str, common: str, columns: list[str], measured: Measured) -> str:
    """A row of a table with what was measured now."""
    first, *cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
    plain = first.replace("`", "")
    shown = [
        _shown(cell, f"{common} {column} {plain}", measured)
        for cell, column in zip(cells, columns, strict=True)
    ]
    return f"| {' | '.join([first, *shown])} |"


def renewed(text: str, measured: Measured) -> str:
    """A page with the figures that were measured now; all others as they are."""
    columns: list[str] = []
    common, body, lines = "", False, []

    def behind(match: re.Match[str]) -> str:
        now = measured(match[2]) if match[2].startswith("bench ") else None
        return f"{match[1] if now is None else _number(now)}<!-- figure: {match[2]} -->"

    for line in text.splitlines():
        if body and line.startswith("|"):
            line = _row(line, common, columns, measured)
        else:
            body = bool(columns) and line.startswith("|--")
            columns = columns if line.startswith("|") else []
        if match := re.match("<!-- figures: (.*?) -->", line):
            common, *columns = [part.strip() for part in match[1].split(";")]
        lines.append(re.sub(rf"({_NUMBER.pattern})<!-- figure: (.*?) -->", behind, line))
    return "\n".join(lines) + "\n"


def fresh(path: Path) -> bool:
    """Whether a file is of this run of `./dev bench`; by itself, any is."""
    began = RECORDED / "began"
    return path.exists() and not (began.exists() and began.stat().st_mtime > path.stat().st_mtime)


def main() -> int:
    """Print the table; the exit code."""
    words = [word for word in sys.argv[1:] if word != "--write"]
    at = next((n for n, word in enumerate(words) if word in ("-o", "--output")), len(words))
    path = Path(words[at + 1] if at + 1 < len(words) else "bench-out") / "bench.json"
    recorded: dict[str, float] = {}
    for file in sorted(RECORDED.glob("*.json")):
        recorded |= json.loads(file.read_text("utf-8"))
    measured = Measured(report.load(path) if fresh(path) else None, recorded)
    of = [one for page in PAGES for one in figures(page, page.read_text("utf-8"))]
    print(table(of, measured), end="")
    if "--write" not in sys.argv:
        return 0
    for page in PAGES:
        page.write_text(renewed(page.read_text("utf-8"), measured), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

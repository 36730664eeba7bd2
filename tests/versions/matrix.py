# SPDX-License-Identifier: BSD-3-Clause
"""The matrix of versions and machines: `./dev matrix [--help]`.

Rows are a DPDK, an architecture and a compiler; columns are the example schemas, and
instances that come and go: see dynamic.py.
A cell is green, or a number under which the reason is printed in words. A second table
is of the packages that users install: see packages.py.
"""

from __future__ import annotations

import argparse
import datetime
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ctrgen.findings.usage import UsageError

from . import cells, dynamic, packages, systems
from .kitchen import ARCHITECTURES, COMPILERS, Kitchen, WrongError
from .systems import SUITES, System

BEGIN, END = "<!-- matrix -->", "<!-- end of matrix -->"
PACKAGES = "<!-- packages -->", "<!-- end of packages -->"

COLUMNS: dict[str, Callable[[Kitchen, list[cells.Code]], None]] = {
    **{f"`{schema}`": cells.cook for schema in cells.SCHEMAS},
    "lives": dynamic.cook,
}
"""What makes a cell of each."""


@dataclass(frozen=True)
class Row:
    """A compiler of a system for an architecture."""

    dpdk: str
    arch: str
    compiler: str
    reasons: tuple[str, ...]
    """For each of COLUMNS why it is not green; empty when it is."""

    @property
    def green(self) -> bool:
        return not any(self.reasons)


def missing(suite: str) -> list[Row]:
    """The rows of a system that is not there."""
    script = Path(__file__).with_name("chroots.sh").relative_to(Path(__file__).parents[2])
    reason = f"not tried: no root folder of Debian {suite} ({script} makes it, as root)"
    every = (reason,) * len(COLUMNS)
    return [
        Row(SUITES[suite], arch, compiler, every)
        for arch in ARCHITECTURES
        for compiler in COMPILERS
    ]


def row(system: System, arch: str, compiler: str, codes: dict[str, list[cells.Code]]) -> Row:
    """Everything with one compiler."""
    folder = Path(tempfile.mkdtemp(prefix="row-", dir=system.work))
    kitchen = Kitchen(system, compiler, arch, folder)
    version = system.version(kitchen.tool())
    if not version:
        reason = f"not tried: {' '.join(kitchen.tool())} is not installed"
        return Row(system.dpdk, arch, compiler, (reason,) * len(COLUMNS))
    reasons = []
    for column in COLUMNS:
        begin = time.monotonic()
        reasons.append(_reason(kitchen, column, codes[column]))
        took = f"{time.monotonic() - begin:.0f} s"
        where = f"DPDK {system.dpdk}, {arch}, {compiler} {version}, {column}"
        print(f"{where}: {reasons[-1] or 'green'} ({took})", file=sys.stderr, flush=True)
    shutil.rmtree(folder)
    return Row(system.dpdk, arch, f"{compiler} {version}", tuple(reasons))


def _reason(kitchen: Kitchen, column: str, codes: list[cells.Code]) -> str:
    try:
        COLUMNS[column](kitchen, codes)
    except WrongError as wrong:
        return str(wrong)
    except UsageError as wrong:
        return f"benchmark: {wrong.message}"
    except subprocess.TimeoutExpired as late:
        return f"no end after {late.timeout:.0f} s"
    return ""


def generate(folder: Path) -> dict[str, list[cells.Code]]:
    """What is compiled in the cells of each column."""
    examples = cells.generate(folder)
    return {
        **{f"`{schema}`": codes for schema, codes in examples.items()},
        "lives": dynamic.generate(folder),
    }


def every_row(suites: Sequence[str], arches: Sequence[str], compilers: Sequence[str]) -> list[Row]:
    """The whole matrix; systems that are not there with a reason in every cell."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="ctrgen-matrix-") as temporary:
        work = Path(temporary)
        there = {system.name: system for system in systems.found(work, suites)}
        codes = generate(work / "generated") if there else {}
        for suite in suites:
            if suite in there:
                pairs = [(arch, compiler) for arch in arches for compiler in compilers]
                rows += [row(there[suite], *pair, codes) for pair in pairs]
            else:
                rows += missing(suite)
    return rows


def text(rows: Sequence[Row]) -> str:
    """The matrix as Markdown, with the reasons below it."""
    reasons = list(dict.fromkeys(reason for row in rows for reason in row.reasons if reason))
    head = ["DPDK", "architecture", "compiler", *COLUMNS]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for one in rows:
        marks = [f"[{reasons.index(why) + 1}]" if why else "green" for why in one.reasons]
        lines.append(f"| {' | '.join([one.dpdk, one.arch, one.compiler, *marks])} |")
    numbered = [f"[{number}] {reason}" for number, reason in enumerate(reasons, 1)]
    return "\n".join(lines) + "\n" + "".join(f"\n{line}\n" for line in numbered)


def note(path: Path, table: str, marks: tuple[str, str] = (BEGIN, END)) -> None:
    """Put a table with today's date into a document, between two marks."""
    begin, end = marks
    before, _, rest = path.read_text("utf-8").partition(begin)
    _, _, after = rest.partition(end)
    today = datetime.datetime.now(datetime.timezone.utc).date()
    block = f"{begin}\nPrinted on {today}:\n\n{table}{end}"
    path.write_text(f"{before}{block}{after}", "utf-8")


def every_package(suites: Sequence[str]) -> list[packages.Result]:
    """What users install, in some suites of Debian."""
    with tempfile.TemporaryDirectory(prefix="ctrgen-packages-") as temporary:
        return packages.every(suites, Path(temporary))


def main() -> int:
    """0 when every cell is green, else 1."""
    parser = argparse.ArgumentParser(prog="./dev matrix", description=__doc__)
    parser.add_argument("--only", choices=("compilers", "packages"), help="one of the tables")
    parser.add_argument("--suite", choices=SUITES, action="append", help="a Debian; all")
    parser.add_argument("--arch", choices=ARCHITECTURES, action="append", help="all")
    parser.add_argument("--compiler", choices=COMPILERS, action="append", help="all")
    parser.add_argument("--note", type=Path, help="a document to put the tables into")
    asked = parser.parse_args()
    suites = asked.suite or tuple(SUITES)
    green, notes = True, []
    if asked.only != "packages":
        rows = every_row(suites, asked.arch or ARCHITECTURES, asked.compiler or COMPILERS)
        green = all(row.green for row in rows)
        notes.append((text(rows), (BEGIN, END)))
    if asked.only != "compilers":
        results = every_package(suites)
        green = green and all(result.green for result in results)
        notes.append((packages.table(results), PACKAGES))
    for table, marks in notes:
        print(table)
        if asked.note:
            note(asked.note, table, marks)
    return 0 if green else 1


if __name__ == "__main__":
    sys.exit(main())

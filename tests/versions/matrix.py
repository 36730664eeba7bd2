# SPDX-License-Identifier: BSD-3-Clause
"""The matrix of versions and machines: `./dev matrix [--help]`.

Rows are a DPDK, an architecture and a compiler; columns are the example schemas.
A cell is green, or a number under which the reason is printed in words. A second table
is of instances that come and go, see dynamic.py; a third of the packages that users
install, see packages.py.
"""

import argparse
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

Codes = dict[str, list[cells.Code]]
"""What is generated for the cells of each column."""


@dataclass(frozen=True)
class Table:
    """What is done in each system, for each architecture and with each compiler."""

    columns: tuple[str, ...]
    generate: Callable[[Path], Codes]
    cook: Callable[[Kitchen, list[cells.Code]], None]


def _lives(folder: Path) -> Codes:
    return {"lives": dynamic.generate(folder)}


TABLES = {
    "compilers": Table(cells.SCHEMAS, cells.generate, cells.cook),
    "lives": Table(("lives",), _lives, dynamic.cook),
}


@dataclass(frozen=True)
class Row:
    """A compiler of a system for an architecture."""

    dpdk: str
    arch: str
    compiler: str
    reasons: tuple[str, ...]
    """For each column why it is not green; empty when it is."""

    @property
    def green(self) -> bool:
        return not any(self.reasons)


def missing(suite: str, table: Table) -> list[Row]:
    """The rows of a system that is not there."""
    script = Path(__file__).with_name("chroots.sh").relative_to(Path(__file__).parents[2])
    reason = f"not tried: no root folder of Debian {suite} ({script} makes it, as root)"
    every = (reason,) * len(table.columns)
    return [
        Row(SUITES[suite], arch, compiler, every)
        for arch in ARCHITECTURES
        for compiler in COMPILERS
    ]


def row(system: System, arch: str, compiler: str, table: Table, codes: Codes) -> Row:
    """Everything with one compiler."""
    folder = Path(tempfile.mkdtemp(prefix="row-", dir=system.work))
    kitchen = Kitchen(system, compiler, arch, folder)
    version = system.version(kitchen.tool())
    if not version:
        reason = f"not tried: {' '.join(kitchen.tool())} is not installed"
        return Row(system.dpdk, arch, compiler, (reason,) * len(table.columns))
    reasons = []
    for column in table.columns:
        begin = time.monotonic()
        reasons.append(_reason(kitchen, table, codes[column]))
        took = f"{time.monotonic() - begin:.0f} s"
        where = f"DPDK {system.dpdk}, {arch}, {compiler} {version}, {column}"
        print(f"{where}: {reasons[-1] or 'green'} ({took})", file=sys.stderr, flush=True)
    shutil.rmtree(folder)
    return Row(system.dpdk, arch, f"{compiler} {version}", tuple(reasons))


def _reason(kitchen: Kitchen, table: Table, codes: list[cells.Code]) -> str:
    try:
        table.cook(kitchen, codes)
    except WrongError as wrong:
        return str(wrong)
    except UsageError as wrong:
        return f"benchmark: {wrong.message}"
    except subprocess.TimeoutExpired as late:
        return f"no end after {late.timeout:.0f} s"
    except FileNotFoundError as missing:
        return f"no {missing.filename}"
    return ""


def every_row(
    suites: Sequence[str], arches: Sequence[str], compilers: Sequence[str], table: Table
) -> list[Row]:
    """A whole table; systems that are not there with a reason in every cell."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="ctrgen-matrix-") as temporary:
        work = Path(temporary)
        there = {system.name: system for system in systems.found(work, suites)}
        codes = table.generate(work / "generated") if there else {}
        for suite in suites:
            if suite in there:
                pairs = [(arch, compiler) for arch in arches for compiler in compilers]
                rows += [row(there[suite], *pair, table, codes) for pair in pairs]
            else:
                rows += missing(suite, table)
    return rows


def text(rows: Sequence[Row], table: Table = TABLES["compilers"]) -> str:
    """A table as Markdown, with the reasons below it."""
    reasons = list(dict.fromkeys(reason for row in rows for reason in row.reasons if reason))
    head = ["DPDK", "architecture", "compiler", *(f"`{name}`" for name in table.columns)]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for one in rows:
        marks = [f"[{reasons.index(why) + 1}]" if why else "green" for why in one.reasons]
        lines.append(f"| {' | '.join([one.dpdk, one.arch, one.compiler, *marks])} |")
    numbered = [f"[{number}] {reason}" for number, reason in enumerate(reasons, 1)]
    return "\n".join(lines) + "\n" + "".join(f"\n{line}\n" for line in numbered)


def every_package(suites: Sequence[str]) -> list[packages.Result]:
    """What users install, in some suites of Debian."""
    with tempfile.TemporaryDirectory(prefix="ctrgen-packages-") as temporary:
        return packages.every(suites, Path(temporary))


def main() -> int:
    """0 when every cell is green, else 1."""
    parser = argparse.ArgumentParser(prog="./dev matrix", description=__doc__)
    parser.add_argument("--only", choices=(*TABLES, "packages"), help="one of the tables")
    parser.add_argument("--suite", choices=SUITES, action="append", help="a Debian; all")
    parser.add_argument("--arch", choices=ARCHITECTURES, action="append", help="all")
    parser.add_argument("--compiler", choices=COMPILERS, action="append", help="all")
    asked = parser.parse_args()
    suites = asked.suite or tuple(SUITES)
    green = True
    chosen = asked.arch or ARCHITECTURES, asked.compiler or COMPILERS
    for name, one in TABLES.items():
        if asked.only in (None, name):
            rows = every_row(suites, *chosen, one)
            green = green and all(row.green for row in rows)
            print(text(rows, one))
    if asked.only in (None, "packages"):
        results = every_package(suites)
        green = green and all(result.green for result in results)
        print(packages.table(results))
    return 0 if green else 1


if __name__ == "__main__":
    sys.exit(main())

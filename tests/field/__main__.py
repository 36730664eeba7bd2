# SPDX-License-Identifier: BSD-3-Clause
"""Build examples of DPDK as they are and ported to ctrgen, run both, compare: `./dev field`.

Ends with 0 when all ports count exactly and none is slower than 0.98 of its original by more than
the original differs from itself, with 1 otherwise, and with 2 when the source of DPDK or a program
is missing.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from ctrgen.model.strategies.catalogue import all_strategies
from tests.field import apps, instructions, page, ports, sources
from tests.field.measure import Cell, measure
from tests.field.runs import BrokenRunError
from tests.support.capabilities import have
from tests.support.strategies import USUAL


def options() -> argparse.Namespace:
    """What the command line says."""
    visible = [
        name
        for name, strategy in all_strategies().items()
        if strategy.promises.propagation == "store" and "static" in strategy.storage
    ]
    parser = argparse.ArgumentParser(prog="./dev field", description=__doc__)
    parser.add_argument("--runs", type=int, default=12, help="of each example; 12")
    parser.add_argument(
        "--seconds", type=float, default=1.2, help="of a run, for all variants; 1.2"
    )
    parser.add_argument("--sync", choices=visible, default="", help=f"of the ports; {USUAL}")
    parser.add_argument("--app", action="append", choices=ports.APPS, help="only this one")
    parser.add_argument("--lcores", action="append", type=int, choices=apps.WORKERS)
    parser.add_argument(
        "--instructions", action="store_true", help="count those of a packet too, by callgrind"
    )
    parser.add_argument("--keep", type=Path, help="build in this folder, which is new, and keep it")
    parser.add_argument(
        "--write", action="store_true", help="the table into tests/field/results.md"
    )
    return parser.parse_args()


def built(
    chosen: argparse.Namespace, folder: Path, console: Console
) -> dict[str, dict[str, ports.Program]]:
    """The programs that were asked for, by example and variant."""
    yard = ports.Yard(sources.examples(), folder, chosen.sync)
    programs = {}
    for app in chosen.app or ports.APPS:
        console.print(f"building {app}: {', '.join(ports.variants(app))}")
        programs[app] = {variant: yard.build(app, variant) for variant in ports.variants(app)}
    return programs


def compare(chosen: argparse.Namespace, folder: Path, console: Console) -> list[Cell]:
    """Build, run and measure what was asked for, and show it; then count instructions, if they were
    asked for. What was measured is written before that begins."""
    programs = built(chosen, folder, console)
    runs = folder / "runs"
    runs.mkdir()
    counts = chosen.lcores or apps.WORKERS
    cases = [apps.CASES[app](count, runs) for app in programs for count in counts]
    cells = measure(cases, programs, runs, chosen.runs, chosen.seconds, console.print)
    out = Console(width=160)
    out.print(page.table(cells))
    publish(chosen, cells, [])
    if chosen.instructions or chosen.write:
        console.print("instructions a packet")
        counted = instructions.table(programs, runs)
        out.print(page.rich_table(page.COUNTED, counted))
        publish(chosen, cells, counted)
    return cells


def publish(chosen: argparse.Namespace, cells: list[Cell], counted: list[list[str]]) -> None:
    """Put what is there into the page, if that was asked for."""
    if chosen.write:
        package = sources.installed()
        words = f"{package.name} {package.version}"
        page.write(cells, counted, words, chosen.runs, chosen.seconds)


def verdict(cells: list[Cell], console: Console) -> int:
    """Say what is not as it should be; the exit code."""
    code = 0
    for cell in cells:
        name = f"{cell.case.app}, {cell.case.workers} lcores"
        for text in cell.unequal:
            console.print(f"{name}: {text}")
            code = 1
        if page.slow(cell):
            console.print(f"{name}: the port is slower than {page.LEAST} of the original")
            code = 1
    return code


def main() -> int:
    """Do it all; the exit code."""
    chosen = options()
    console = Console(stderr=True, highlight=False)
    lacking = [name for name in ("spatch", "valgrind") if not have(name)]
    if lacking:
        console.print(f"field: no {', '.join(lacking)}: ./dev setup")
        return 2
    with tempfile.TemporaryDirectory(prefix="ctrgen-field-") as temporary:
        folder = chosen.keep or Path(temporary)
        try:
            cells = compare(chosen, folder, console)
        except sources.NoSourceError as error:
            console.print(f"field: no source of DPDK: {error}")
            return 2
        except (ports.StalePatchError, BrokenRunError) as error:
            console.print(f"field: {error}")
            return 1
    return verdict(cells, console)


if __name__ == "__main__":
    sys.exit(main())

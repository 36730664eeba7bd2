# SPDX-License-Identifier: BSD-3-Clause
"""Build examples of DPDK as they are and ported to ctrgen, run both, compare: `./dev field`.

Ends with 0 when all ports count exactly and none is slower than 0.98 of its original, with 1
otherwise, and with 2 when the source of DPDK or a program is missing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from ctrgen.strategies.catalogue import all_strategies
from tests.field import apps, page, ports, sources
from tests.field.measure import Cell, measure
from tests.field.runs import BrokenRunError
from tests.support.capabilities import have


def options() -> argparse.Namespace:
    """What the command line says."""
    visible = [
        name
        for name, strategy in all_strategies().items()
        if strategy.promises.propagation == "store" and "static" in strategy.storage
    ]
    parser = argparse.ArgumentParser(prog="./dev field", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="of each example; 7")
    parser.add_argument("--seconds", type=float, default=3.0, help="of a run, for all variants; 3")
    parser.add_argument("--sync", choices=visible, default="", help="of the ports; per_core")
    parser.add_argument("--app", action="append", choices=ports.APPS, help="only this one")
    parser.add_argument("--lcores", action="append", type=int, choices=apps.WORKERS)
    parser.add_argument("--keep", type=Path, help="build in this folder, which is new, and keep it")
    parser.add_argument("--write", action="store_true", help="the table into docs/field.md")
    return parser.parse_args()


def compare(chosen: argparse.Namespace, folder: Path, console: Console) -> list[Cell]:
    """Build, run and measure what was asked for."""
    yard = ports.Yard(sources.examples(), folder, chosen.sync)
    names = chosen.app or list(ports.APPS)
    programs = {}
    for app in names:
        console.print(f"building {app}: {', '.join(ports.variants(app))}")
        programs[app] = {variant: yard.build(app, variant) for variant in ports.variants(app)}
    runs = folder / "runs"
    runs.mkdir()
    cases = [
        apps.CASES[app](count, runs) for app in names for count in chosen.lcores or apps.WORKERS
    ]
    return measure(cases, programs, runs, chosen.runs, chosen.seconds, console.print)


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
    if not have("spatch"):
        console.print("field: no coccinelle: ./dev setup")
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
    Console(width=160).print(page.table(cells))
    if chosen.write:
        page.write(page.text(cells, sources.installed(), chosen.runs, chosen.seconds))
    return verdict(cells, console)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: BSD-3-Clause
"""Measures tests/figures/figures.md again, and prints what has changed: `./dev figures`."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.figures import table
from tests.figures.measure import GROUPS, Bench, Group

PAGE = Path(__file__).with_name("figures.md")
HEAD = """\
# Figures

For those who change the generator, or want to know what a change of it did.

Everything here is counted, not timed, and the same on every machine. `./dev figures` writes the
page, and prints what has changed; a test compares it. Where the first cell of a table names a
compiler or a Python, other versions count otherwise: with those the table is left as it is, and its
test is skipped (`./dev figures --here` takes the versions of this machine).

Instructions are those of the calls for every packet under each strategy, compiled alone, for the
port without DPDK: up to the first return, which is the way of an lcore, or all, loops included, of
`update_packet_bulk`, `batch_packet`, `batch_end`, `update_list_of_4`, `update_try_bulk` and
`batch_try`, with those of functions of the header that the compiler does not inline. Structs,
memory and instructions are of the reference schema, `schemas/ep.yaml`; updates of several
instances, of `tests/figures/lists.yaml`; `update_try` and so on, with a quota, of
`tests/figures/limits.yaml` (`update_counted` is the same update without it). The wide schema has
500 global counters, 10 scopes of 50, and 100 updates of four operations (`tests/support/wide.py`).
Calls are those of functions of ctrgen, by room (docs/design.md), in a build with everything loaded:
of these two schemas, and of 1,000 counters in one scope, 1,000 in 50 scopes, and 200 updates of
eight operations over 400 counters (`tests/support/shapes.py`). Calls that templates make
are among those of `output`.
"""


def other(group: Group, was: table.Table | None) -> str:
    """Why a table cannot be compared here; empty when it can."""
    lacking = group.lacking()
    if lacking:
        return f"no {lacking}"
    tool = group.tool()
    return f"with {was.tool}, not {tool}" if was and was.tool != tool else ""


def main() -> int:
    """Measure, write and print; the exit code."""
    parser = argparse.ArgumentParser(prog="./dev figures", description=__doc__)
    parser.add_argument("--here", action="store_true", help="with what compilers there are here")
    here = parser.parse_args().here
    was = table.read(PAGE.read_text("utf-8")) if PAGE.exists() else {}
    kept = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for group in GROUPS:
            before = was.get(group.title)
            why = other(group, before)
            if why and not (here and not group.lacking()):
                print(f"{group.title}: {why}, left as it is")
                kept += [before] if before else []
                continue
            now = group.table(bench)
            kept.append(now)
            for line in table.differences(before or table.Table(group.title), now):
                print(line)
    PAGE.write_text(table.page(HEAD, kept), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

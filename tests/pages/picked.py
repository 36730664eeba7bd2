# SPDX-License-Identifier: BSD-3-Clause
"""Short tables of measurements for the pages, picked from the results of the benchmarks."""

import itertools
from pathlib import Path
from typing import NamedTuple

from tests.support.markdown import markdown
from tests.support.paths import ROOT

BENCH = ROOT / "tests" / "benchmarks" / "results.md"
PEERS = ROOT / "tests" / "benchmarks" / "peers" / "results.md"


class Column(NamedTuple):
    """A column of a short table: its head, and where it is from: a section of the whole tables and
    the head there."""

    head: str
    section: str
    source: str


def rows(page: Path, section: str) -> list[dict[str, str]]:
    """The rows of the first table of a section, by heads of columns. Raises ValueError."""
    text = page.read_text("utf-8").partition(f"\n## {section}\n")[2].split("\n## ")[0]
    lines = itertools.dropwhile(lambda line: not line.startswith("|"), text.splitlines())
    table = list(itertools.takewhile(lambda line: line.startswith("|"), lines))
    if len(table) < 3:
        raise ValueError(f"{page.name}: no table in a section '{section}'")
    head, _, *body = ([cell.strip() for cell in line.strip()[1:-1].split("|")] for line in table)
    return [dict(zip(head, cells, strict=False)) for cells in body]


def picked(page: Path, keys: tuple[str, ...], columns: tuple[Column, ...]) -> str:
    """A table with some columns of others; rows are those of the first one, known by `keys`."""
    sections = {column.section: rows(page, column.section) for column in columns}
    names = {section: {tuple(row[key] for key in keys): row for row in of}
             for section, of in sections.items()}  # fmt: skip
    first = next(iter(names.values()))
    made = []
    for name in first:
        made.append([*name, *(names[c.section][name][c.source].split(" (")[0] for c in columns)])
    right = range(len(keys), len(keys) + len(columns))
    return markdown([*keys, *(column.head for column in columns)], made, right)


def costs() -> str:
    """What `ctrgen bench` measured: the columns that decide."""
    tight, work = "Tight loop, 1,024 flows", "Work of 1000 cycles, 1,024 flows"
    many = "Flows and work, two lcores"
    reader = "A snapshot reader, two lcores, tight loop, 16,384 flows"
    return picked(
        BENCH,
        ("strategy",),
        (
            Column("tight, 1 lcore", tight, "1 lcore"),
            Column("tight, 2 lcores", tight, "2 lcores"),
            Column("lost", tight, "lost"),
            Column("work, 2 lcores", work, "2 lcores"),
            Column("1 M flows, work", many, "1 M flows, work"),
            Column("same, `_bulk`", many, "the same by `_bulk`"),
            Column("with reader", reader, "overhead"),
        ),
    )


def peers() -> str:
    """What `./dev bench --peers` measured: errors and costs."""
    lost, two = "Lost updates, resets, reads, memory", "2 threads"
    return picked(
        PEERS,
        ("pattern",),
        (
            Column("updates lost", lost, "updates lost"),
            Column("resets lose", lost, "resets lose"),
            Column("read: promised; torn", lost, "read: promised; torn"),
            Column("bytes, 16 threads", lost, "16 threads"),
            Column("1 instance", "One instance", two),
            Column("1,024", "1,024 instances", two),
            Column("1 M", "A million instances", two),
            Column("99.9 % with reader", "Bursts while another thread reads", "99.9 %"),
        ),
    )

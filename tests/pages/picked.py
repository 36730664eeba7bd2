# SPDX-License-Identifier: BSD-3-Clause
"""A short table of measurements for the pages, picked from the results of `./dev field`."""

import itertools
from pathlib import Path

from tests.support.markdown import markdown
from tests.support.paths import ROOT

FIELD = ROOT / "tests" / "field" / "results.md"
KEYS = ("Example", "Lcores")
RATIOS = ("Port / original", "Original / itself", "By hand / original")


def rows(page: Path, section: str) -> list[dict[str, str]]:
    """The rows of the first table of a section, by heads of columns. Raises ValueError."""
    text = page.read_text("utf-8").partition(f"\n## {section}\n")[2].split("\n## ")[0]
    lines = itertools.dropwhile(lambda line: not line.startswith("|"), text.splitlines())
    table = list(itertools.takewhile(lambda line: line.startswith("|"), lines))
    if len(table) < 3:
        raise ValueError(f"{page.name}: no table in a section '{section}'")
    head, _, *body = ([cell.strip() for cell in line.strip()[1:-1].split("|")] for line in table)
    return [dict(zip(head, cells, strict=False)) for cells in body]


def field() -> str:
    """The ratios of packets a second, that by hand without its quartiles."""
    made = [
        [*(row[key] for key in (*KEYS, *RATIOS[:2])), row[RATIOS[2]].split(" (")[0]]
        for row in rows(FIELD, "Measured")
    ]
    return markdown([*KEYS, *RATIOS], made, range(len(KEYS), len(KEYS) + len(RATIOS)))

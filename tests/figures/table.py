# SPDX-License-Identifier: BSD-3-Clause
"""Tables of figures: as Markdown, read back, and compared."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.support.markdown import markdown

Cells = dict[tuple[str, str], int]
"""Figures by row and column."""


@dataclass(frozen=True)
class Table:
    """Figures, and the program whose version they depend on, if they depend on one."""

    title: str
    tool: str = ""
    cells: Cells = field(default_factory=dict)

    def markdown(self) -> str:
        """As a section of a page; a row or a column that is not there everywhere has gaps."""
        rows = list(dict.fromkeys(row for row, _ in self.cells))
        columns = list(dict.fromkeys(column for _, column in self.cells))
        lines = [
            [row, *(f"{self.cells.get((row, column), '-')}" for column in columns)] for row in rows
        ]
        table = markdown([self.tool, *columns], lines, range(1, len(columns) + 1))
        return f"## {self.title}\n\n{table}"


def read(page: str) -> dict[str, Table]:
    """The tables of a page, by title."""
    found = {}
    for title, text in re.findall(r"^## (.*?)\n\n((?:\|.*\n)+)", page, re.MULTILINE):
        head, _, *lines = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()
        ]
        cells = {
            (line[0], column): int(cell)
            for line in lines
            for column, cell in zip(head[1:], line[1:], strict=True)
            if cell != "-"
        }
        found[title] = Table(title, head[0], cells)
    return found


def differences(was: Table, now: Table) -> list[str]:
    """A line for each figure that is another one, is new or is gone."""
    return [
        f"{now.title}: {row}, {column}: was {was.cells.get((row, column), 'not there')}, "
        f"is {now.cells.get((row, column), 'gone')}"
        for row, column in dict.fromkeys((*was.cells, *now.cells))
        if was.cells.get((row, column)) != now.cells.get((row, column))
    ]


def page(head: str, of: Iterable[Table]) -> str:
    """A page with tables."""
    return "\n".join([head, *(table.markdown() for table in of)])

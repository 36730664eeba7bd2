# SPDX-License-Identifier: BSD-3-Clause
"""Tables in Markdown."""

from collections.abc import Collection, Iterable


def markdown(
    header: Iterable[str], rows: Iterable[Iterable[str]], right: Collection[int] = ()
) -> str:
    """A Markdown table, the columns with a number in `right` aligned to the right."""
    head = list(header)
    rule = ["---:" if number in right else "---" for number in range(len(head))]
    lines = [head, rule, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)

# SPDX-License-Identifier: BSD-3-Clause
"""Tables as text for a terminal, and documents in YAML."""

import io
import sys
import textwrap
from collections.abc import Collection, Iterable
from typing import Any, Literal

import yaml

WIDTH = 100
"""Columns of a document, as far as its words allow."""

_SWITCHES = ("y", "n")
"""Words that readers of the first YAML take for true and false, but the library does not quote."""


class _Dumper(yaml.SafeDumper):
    """Writes every list and mapping in block style, lists further in, and no aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists in mappings, too."""
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        """Equal parts are written out each time."""
        return True


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "'" if text.lower() in _SWITCHES else "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _string)


def document(data: Any) -> str:
    """`data` (mappings, lists, text, numbers) as YAML, keys in their order."""
    return yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH,
        default_flow_style=False,
    )  # fmt: skip


_RULED = "    \n    \n -  \n    \n    \n    \n    \n    \n"
"""A line below the head and nothing else, as `rich.box.Box` reads it."""


COLUMNS = 100
"""Width that text for people is wrapped to where there is no terminal."""


def wrapped(text: str, first: str = "") -> str:
    """Lines of text, the first after `first`, the others indented alike."""
    indent = " " * len(first)
    return textwrap.fill(text, COLUMNS, initial_indent=first, subsequent_indent=indent,
                         break_long_words=False) + "\n"  # fmt: skip


def grid(
    header: Iterable[str], rows: Iterable[Iterable[str]], right: Collection[int] = (),
    width: int = 10_000,
) -> str:  # fmt: skip
    """Aligned columns, those with a number in `right` to the right. In a terminal the head is bold
    and all cells but those of the first column are folded; elsewhere text is plain, and folded to
    `width`."""
    from rich.box import Box
    from rich.console import Console
    from rich.table import Table

    terminal = sys.stdout.isatty()
    table = Table(
        box=Box(_RULED, ascii=True), show_edge=False, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for number, name in enumerate(header):
        justify: Literal["left", "right"] = "right" if number in right else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=number == 0)
    for row in rows:
        table.add_row(*row)
    console = Console(
        file=io.StringIO(), force_terminal=terminal, width=None if terminal else width,
        markup=False, emoji=False, highlight=False,
    )  # fmt: skip
    with console.capture() as capture:
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())

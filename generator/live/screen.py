# SPDX-License-Identifier: BSD-3-Clause
"""What terminals show of applications."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from .watch import Row, Watch

_BARS = "▁▂▃▄▅▆▇█"
_SPARK = 24
_SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def screen(rows: Sequence[Row], watch: Watch, lines: int) -> Group:
    """The fastest counters first, then what does not grow, in so many lines."""
    ordered = sorted(rows, key=lambda row: -(row.rate or 0))
    table = Table(expand=True, box=None, pad_edge=False, header_style="bold")
    table.add_column("application", ratio=2, no_wrap=True)
    table.add_column("item", ratio=4, no_wrap=True)
    table.add_column("value", justify="right", ratio=2, no_wrap=True)
    table.add_column("a second", justify="right", ratio=1, no_wrap=True)
    table.add_column("unit", ratio=1, no_wrap=True)
    table.add_column("the last minute", width=_SPARK, no_wrap=True)
    for row in ordered[: max(lines, 1)]:
        style = "" if row.rate else "dim"
        table.add_row(
            Text(row.application, style), Text(label(row), style), Text(value(row), style),
            Text("" if row.rate is None else scaled(row.rate), style),
            Text(row.item.unit, style), Text(sparkline(row.rates), "cyan"),
        )  # fmt: skip
    notes = [f"[red]{escape(name)}: {escape(why)}[/]" for name, why in watch.errors.items()]
    notes += [
        f"[yellow]{escape(name)}: {escape(scope)}: the first {watch.most:,} instances[/]"
        for name, _, scope in sorted(watch.cut)
    ]
    if not rows and not notes:
        notes = ["no application: start one, or name its segment or telemetry socket"]
    return Group(table, *notes)


def label(row: Row) -> str:
    """An item as people write it: `ep.session[7].pkts`."""
    names = ",".join(row.instance.names)
    scope = "" if row.scope.name == "global" else f"{row.scope.name}[{names}]."
    return f"{row.module.name}.{scope}{row.item.name}"


def value(row: Row) -> str:
    """A value for people; a dash for none."""
    if row.value is None:
        return "-"
    if isinstance(row.value, bool):
        return "yes" if row.value else "no"
    return f"{row.value:,}" if isinstance(row.value, int) else row.value


def scaled(rate: float) -> str:
    """A rate in four digits or so: `1.23M`."""
    for size, sign in _SCALES:
        if rate >= size:
            return f"{rate / size:.3g}{sign}" if rate < 1000 * size else f"{rate / size:.0f}{sign}"
    return f"{rate:.3g}"


def sparkline(rates: Sequence[float | None]) -> str:
    """The latest rates as bars, from 0 to the greatest; a space where there is none."""
    shown = rates[-_SPARK:]
    most = max((rate for rate in shown if rate is not None), default=0.0)
    bars = [
        " " if rate is None else _BARS[int(rate / most * (len(_BARS) - 1)) if most else 0]
        for rate in shown
    ]
    return "".join(bars)

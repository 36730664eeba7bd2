# SPDX-License-Identifier: BSD-3-Clause
"""What terminals show of applications."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from .watch import Row, Watch, watched

_BARS = "▁▂▃▄▅▆▇█"
_SPARK = 24
_ROOM_FOR_SPARKS, _ROOM_FOR_UNITS = 90, 60
"""Columns from which on they are shown."""
_SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def screen(rows: Sequence[Row], watch: Watch, lines: int, width: int) -> Group:
    """What counts fastest first, then what does not count, in so many lines and columns. Items of
    an instance stay together. What is least needed goes first where there is little room."""
    several = len({row.application for row in rows}) > 1
    spark, units = width >= _ROOM_FOR_SPARKS, width >= _ROOM_FOR_UNITS
    table = Table(expand=True, box=None, pad_edge=False, header_style="bold")
    if several:
        table.add_column("application", no_wrap=True, max_width=width // 5)
    table.add_column("item", ratio=1, no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("a second", justify="right", no_wrap=True)
    if units:
        table.add_column("unit", no_wrap=True)
    if spark:
        table.add_column("lately", width=_SPARK, no_wrap=True)
    for row in ordered(rows)[: max(lines, 1)]:
        style = "" if row.rate else "dim"
        cells = [Text(row.application, style)] if several else []
        rate = "" if row.rate is None else scaled(row.rate)
        cells += [Text(label(row), style), Text(value(row), style), Text(rate, style)]
        cells += [Text(row.item.unit, style)] if units else []
        cells += [Text(sparkline(row.rates).rjust(_SPARK), "cyan")] if spark else []
        table.add_row(*cells)
    notes = [f"[red]{escape(name)}: {escape(why)}[/]" for name, why in watch.errors.items()]
    notes += [
        f"[yellow]{escape(name)}: {escape(scope)}: the first {watch.most:,} instances[/]"
        for name, _, scope in sorted(watch.cut)
    ]
    if not rows and not notes:
        notes = ["no application: start one, or name its segment or telemetry socket"]
    return Group(table, *notes)


def ordered(rows: Sequence[Row]) -> list[Row]:
    """Rows for people: what there is once and counts, the fastest first; instances, by how fast
    their first counter is; what does not count."""
    speeds: dict[tuple[object, ...], float] = {}
    for row in rows:
        if row.item is watched(row.scope):
            speeds[_instance(row)] = row.rate or 0.0

    def key(pair: tuple[int, Row]) -> tuple[float, float, int]:
        number, row = pair
        if not row.scope.indexes:
            return (0, -row.rate, number) if row.rate else (2, 0, number)
        speed = speeds[_instance(row)]
        return (1, -speed, number) if speed else (2, 0, number)

    return [row for _, row in sorted(enumerate(rows), key=key)]


def _instance(row: Row) -> tuple[object, ...]:
    return row.application, row.module.name, row.scope.name, row.instance.indexes


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

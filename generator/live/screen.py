# SPDX-License-Identifier: BSD-3-Clause
"""What terminals show of applications."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.console import Group
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from ..language.units import shown_size
from ..model.ir import HEALTH, NAMELESS
from .model import NOTHING_FOUND, Histogram
from .quantiles import quantile, quantity
from .watch import Row, Watch, watched

_BARS = "▁▂▃▄▅▆▇█"
_SPARK = 24
_ROOM_FOR_SPARKS, _ROOM_FOR_UNITS = 90, 60  # columns from which on they are shown
_STALE = 5  # seconds since a publication from which on values are marked as stale
_STYLES = ("red", "yellow", "dim")
_NOTEWORTHY = 1 << 20  # bytes of a segment from which on its memory is shown


class Line(NamedTuple):
    """A line of a table: an item, or a histogram. Rates are a second, the latest last."""

    application: str
    name: str
    value: str
    unit: str
    rates: tuple[float | None, ...]

    @property
    def rate(self) -> float | None:
        """The latest rate."""
        return self.rates[-1] if self.rates else None


def screen(rows: Sequence[Row], watch: Watch, lines: int, width: int) -> Group:
    """What counts first, in so many lines and columns; the least needed columns go first."""
    several = len({row.application for row in rows}) > 1
    columns = (
        (several, Column("application", no_wrap=True, max_width=width // 5)),
        (True, Column("item", ratio=1, no_wrap=True)),
        (True, Column("value", justify="right", no_wrap=True)),
        (True, Column("a second", justify="right", no_wrap=True)),
        (width >= _ROOM_FOR_UNITS, Column("unit", no_wrap=True)),
        (width >= _ROOM_FOR_SPARKS, Column("lately", width=_SPARK, no_wrap=True)),
    )
    table = Table(
        *(column for shown, column in columns if shown),
        expand=True, box=None, pad_edge=False, header_style="bold",
    )  # fmt: skip
    for line in arranged(rows, max(lines, 1)):
        style = "" if line.rate else "dim"
        rate = "" if line.rate is None else quantity(line.rate, "").replace(" ", "")
        texts = (line.application, line.name, line.value, rate, line.unit)
        cells = [Text(text, style) for text in texts]
        cells.append(Text(sparkline(line.rates).rjust(_SPARK), "cyan"))
        table.add_row(*(cell for (shown, _), cell in zip(columns, cells, strict=True) if shown))
    notes = [*_notes(watch), *_occupied(rows)]
    if not rows and not notes:
        notes = [NOTHING_FOUND]
    return Group(table, *notes)


def _notes(watch: Watch) -> Iterator[str]:
    """Lines below the table, in the markup of rich."""
    for name, style, text in sorted(_remarks(watch), key=lambda one: _STYLES.index(one[1])):
        yield f"[{style}]{escape(f'{name}: {text}')}[/]"


def _remarks(watch: Watch) -> Iterator[tuple[str, str, str]]:
    """What there is to say of applications: name, style and text."""
    for reading in watch.readings:
        look, name = reading.result, reading.name
        if look is None:
            yield name, "red", str(reading.error)
            continue
        if look.bare:
            yield name, "yellow", look.bare
        if reading.age is not None and reading.age >= _STALE:
            yield name, "yellow", f"stale for {reading.age:.0f} s"
        for _, scope in sorted(look.cut):
            yield name, "yellow", f"{scope}: the first {watch.most:,} instances"
        if look.left_out:
            scopes = ", ".join(f"{count:,} of {scope}" for scope, count in look.left_out.items())
            yield name, "dim", f"without {scopes}, which counted nothing (--all)"
        if look.memory and look.memory[0] >= _NOTEWORTHY:
            size, memory = map(shown_size, look.memory)
            yield name, "dim", f"a segment of {size}, of which {memory} are memory"


def _occupied(rows: Sequence[Row]) -> Iterator[str]:
    """How full the dynamic scopes of applications are, a line each."""
    own = [row for row in rows if row.scope.name == HEALTH]
    most = {(row.application, row.module.name, row.item.name): row for row in own}
    for row in own:
        limit = most.get((row.application, row.module.name, f"{row.item.name}_max"))
        if limit is not None:
            what = f"{row.module.name}.{row.item.name.removesuffix('_instances')}"
            text = f"{row.application}: {what}: {value(row)} of {value(limit)} alive"
            yield f"[dim]{escape(text)}[/]"


def arranged(rows: Sequence[Row], most: int) -> list[Line]:
    """Up to `most` lines: by scope what counts, the fastest first, a share each; then the rest."""
    busy: dict[tuple[str, str, str], list[tuple[float, list[Line]]]] = {}
    still: list[Line] = []
    for (*where, _), group in groupby(rows, key=_instance):
        found = list(group)
        application, module, scope = where
        lines, counts = list(_lines(found)), any(row.rate for row in found)
        if counts and not found[0].scope.indexes:
            still += [line for line in lines if not line.rate]
            lines = [line for line in lines if line.rate]
        elif not counts:
            still += lines
        if counts:
            item = watched(found[0].scope)
            speed = next(row.rate for row in found if row.item is item) or 0.0
            busy.setdefault((application, module, scope), []).append((speed, lines))
    blocks = [
        [line for _, lines in sorted(found, key=lambda one: -one[0]) for line in lines]
        for found in busy.values()
    ]
    return [*_shared(blocks, most), *still][:most]


def _shared(blocks: Sequence[Sequence[Line]], most: int) -> Iterator[Line]:
    """The first lines of each block: as many of each, and what some leave to others."""
    share = most // max(len(blocks), 1)
    spare = most - sum(min(share, len(block)) for block in blocks)
    for block in blocks:
        more = min(spare, max(0, len(block) - share))
        spare -= more
        yield from block[: share + more]


def _lines(rows: Sequence[Row]) -> Iterator[Line]:
    """The lines of an instance; a histogram has one, in the place of its first bucket."""
    folded: dict[int, Histogram | None] = {}
    for histogram in rows[0].scope.histograms:
        folded |= dict.fromkeys((*histogram.buckets, histogram.sum), None)
        folded[histogram.first] = histogram
    for at, row in enumerate(rows):
        if at not in folded:
            name = label(row, row.item.display or row.item.name)
            yield Line(row.application, name, value(row), row.item.shown_unit, row.rates)
        elif (found := folded[at]) is not None:
            yield _distribution(found, row, [rows[n] for n in found.buckets])


def _distribution(histogram: Histogram, first: Row, buckets: Sequence[Row]) -> Line:
    """A histogram: median and 99th percentile of the last interval, or else since the start."""
    name = label(first, histogram.display or histogram.name)
    rates = tuple(
        None if None in each else sum(rate or 0.0 for rate in each)
        for each in zip(*(row.rates for row in buckets), strict=True)
    )
    since = "" if rates and rates[-1] else " since start"
    counts = [row.value if since else row.rate for row in buckets]
    numbers = [count for count in counts if isinstance(count, int | float)]
    text = "-"
    if len(numbers) == len(counts) and any(numbers):
        parts = ((n, quantile(n / 100, histogram.bounds, numbers)) for n in (50, 99))
        text = ", ".join(f"p{n} {quantity(found, histogram.unit)}" for n, found in parts) + since
    return Line(first.application, name, text, first.item.unit, rates)


def _instance(row: Row) -> tuple[str, str, str, tuple[int, ...]]:
    return row.application, row.module.name, row.scope.name, row.instance.indexes


def label(row: Row, name: str) -> str:
    """An item or histogram of an instance as people write it: `ep.session[7].pkts`."""
    names = ",".join(row.instance.names)
    scope = "" if row.scope.name in NAMELESS else f"{row.scope.name}[{names}]."
    return f"{row.module.name}.{scope}{name}"


def value(row: Row) -> str:
    """A value for people; a dash for none."""
    if row.value is None:
        return "-"
    if isinstance(row.value, bool):
        return "yes" if row.value else "no"
    if isinstance(row.value, float):
        return f"{row.value:.3f}"
    return f"{row.value:,}" if isinstance(row.value, int) else row.value


def sparkline(rates: Sequence[float | None]) -> str:
    """The latest rates as bars, from 0 to the greatest; a space where there is none."""
    shown = rates[-_SPARK:]
    most = max((rate for rate in shown if rate is not None), default=0.0)
    bars = [
        " " if rate is None else _BARS[int(rate / most * (len(_BARS) - 1)) if most else 0]
        for rate in shown
    ]
    return "".join(bars)

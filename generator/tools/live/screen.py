# SPDX-License-Identifier: BSD-3-Clause
"""Terminal output of applications."""

import gc
import json
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from ...findings.printers import visible
from ...findings.usage import UsageError
from ...model.ir import HEALTH, NAMELESS
from ...model.language.units import shown_size
from .model import NO_INSTANCE, NOTHING_FOUND, Histogram, Limits
from .targets import Targets
from .watch import Row, Rows, Watch, as_json, watched

_ROOM_FOR_UNITS = 60  # columns from which on they are shown
_NUMBER = 26  # columns of the greatest number; a longer text leaves names their place
_STALE = 5  # seconds since a publication from which on values are marked as stale
_STYLES = ("red", "yellow", "dim")
_NOTEWORTHY = 1 << 20  # bytes of a segment from which on its memory is shown


class Line(NamedTuple):
    """A line of a table: an item, or a histogram, with its rate a second."""

    application: str
    name: str
    value: str
    unit: str
    rate: float | None


def screen(instances: Sequence[Rows], watch: Watch, lines: int, width: int) -> Group:
    """The most important values, in the given lines and columns; drops less important columns."""
    several = len({rows[0].application for rows in instances}) > 1
    most = max(_NUMBER, width * 2 // 5)
    columns = (
        (several, Column("application", no_wrap=True, max_width=width // 5)),
        (True, Column("item", ratio=1, no_wrap=True)),
        (True, Column("value", justify="right", no_wrap=True, max_width=most)),
        (True, Column("a second", justify="right", no_wrap=True)),
        (width >= _ROOM_FOR_UNITS, Column("unit", no_wrap=True)),
    )
    table = Table(
        *(column for shown, column in columns if shown),
        expand=True, box=None, pad_edge=False, header_style="bold",
    )  # fmt: skip
    for line in arranged(instances, max(lines, 1)):
        style = "" if line.rate else "dim"
        rate = "" if line.rate is None else quantity(line.rate, "").replace(" ", "")
        texts = (line.application, line.name, line.value, rate, line.unit)
        cells = (Text(visible(text), style) for text in texts)
        table.add_row(*(cell for (shown, _), cell in zip(columns, cells, strict=True) if shown))
    notes = [*_notes(watch), *_occupied(instances)]
    if not instances and not notes:
        notes = [NOTHING_FOUND]
    return Group(table, *notes)


def _notes(watch: Watch) -> Iterator[str]:
    """Lines below the table, in the markup of rich."""
    for name, style, text in sorted(_remarks(watch), key=lambda one: _STYLES.index(one[1])):
        yield f"[{style}]{escape(visible(f'{name}: {text}'))}[/]"


def _remarks(watch: Watch) -> Iterator[tuple[str, str, str]]:
    """Remarks on applications: name, style and text."""
    for reading in watch.readings:
        look, name = reading.result, reading.name
        if look is None:
            yield name, "red", str(reading.error)
            continue
        if look.bare:
            yield name, "yellow", NO_INSTANCE
        if reading.age is not None and reading.age >= _STALE:
            yield name, "yellow", f"stale for {reading.age:.0f} s"
        for _, scope in sorted(look.cut):
            yield name, "yellow", f"{scope}: the first {watch.most:,} instances"
        if look.left_out:
            scopes = ", ".join(f"{count:,} of {scope}" for scope, count in look.left_out.items())
            yield name, "dim", f"without {scopes}, which counted nothing (--all)"
        if look.memory[0] >= _NOTEWORTHY:
            size, memory = map(shown_size, look.memory)
            yield name, "dim", f"a segment of {size}, of which {memory} are memory"


def _occupied(instances: Sequence[Rows]) -> Iterator[str]:
    """How full the dynamic scopes of applications are, a line each."""
    own = [row for rows in instances for row in rows if row.scope.name == HEALTH]
    most = {(row.application, row.module.name, row.item.name): row for row in own}
    for row in own:
        limit = most.get((row.application, row.module.name, f"{row.item.name}_max"))
        if limit is not None:
            what = f"{row.module.name}.{row.item.name.removesuffix('_instances')}"
            text = f"{row.application}: {what}: {value(row)} of {value(limit)} alive"
            yield f"[dim]{escape(visible(text))}[/]"


def arranged(instances: Sequence[Rows], most: int) -> list[Line]:
    """Up to `most` lines: by scope what counts, the fastest first, a share each; then the rest."""
    busy: dict[tuple[str, str, str], list[tuple[float, list[Line]]]] = {}
    still: list[Line] = []
    for found in instances:
        lines, counts = list(_lines(found)), any(row.rate for row in found)
        if counts and not found[0].scope.indexes:
            still += [line for line in lines if not line.rate]
            lines = [line for line in lines if line.rate]
        elif not counts:
            still += lines
        if counts:
            item = watched(found[0].scope)
            speed = next(row.rate for row in found if row.item is item) or 0.0
            where = found[0].application, found[0].module.name, found[0].scope.name
            busy.setdefault(where, []).append((speed, lines))
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


def _lines(rows: Rows) -> Iterator[Line]:
    """The lines of an instance; a histogram has one, in the place of its first bucket."""
    folded: dict[int, Histogram | None] = {}
    for histogram in rows[0].scope.histograms:
        folded |= dict.fromkeys((*histogram.buckets, histogram.sum), None)
        folded[histogram.first] = histogram
    for at, row in enumerate(rows):
        if at not in folded:
            name = label(row, row.item.display or row.item.name)
            yield Line(row.application, name, value(row), row.item.shown_unit, row.rate)
        elif (found := folded[at]) is not None:
            yield _distribution(found, row, [rows[n] for n in found.buckets])


def _distribution(histogram: Histogram, first: Row, buckets: Sequence[Row]) -> Line:
    """A histogram: median and 99th percentile of the last interval, or else since the start."""
    name = label(first, histogram.display or histogram.name)
    rates = [row.rate for row in buckets if row.rate is not None]
    rate = sum(rates) if len(rates) == len(buckets) else None
    since = "" if rate else " since start"
    counts = [row.value if since else row.rate for row in buckets]
    numbers = [count for count in counts if isinstance(count, int | float)]
    text = "-"
    if len(numbers) == len(counts) and any(numbers):
        parts = ((n, quantile(n / 100, histogram.bounds, numbers)) for n in (50, 99))
        text = ", ".join(f"p{n} {quantity(found, histogram.unit)}" for n, found in parts) + since
    return Line(first.application, name, text, first.item.unit, rate)


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


_NANOSECONDS = {
    "ns": 1, "nanoseconds": 1, "us": 1e3, "microseconds": 1e3, "ms": 1e6, "milliseconds": 1e6,
    "s": 1e9, "seconds": 1e9,
}  # fmt: skip
_Scales = tuple[tuple[float, str], ...]
_TIMES: _Scales = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns"))
_SIZES: _Scales = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""))
_DIGITS = 1000


def quantile(q: float, bounds: Sequence[int], counts: Sequence[float]) -> float:
    """The quantile of a histogram as `histogram_quantile()` of Prometheus has it: linear between
    the bounds of a bucket (`counts` has one bucket more than there are bounds, not cumulative), 0
    the lower bound of the first; the greatest bound for what is beyond it."""
    sums = list(accumulate(counts))
    rank = q * sums[-1]
    at = next(n for n, sum_ in enumerate(sums) if sum_ >= rank)
    if at == len(bounds) or bounds[at] <= 0:
        return float(bounds[min(at, len(bounds) - 1)])
    low = bounds[at - 1] if at else 0
    return low + (bounds[at] - low) * (rank - (sums[at] - counts[at])) / counts[at]


def quantity(number: float, unit: str) -> str:
    """A quantity of three digits or more: `1.5 us` for 1,500 nanoseconds, `1.2 Mbytes`."""
    scales, base, name = _SIZES, number, unit if unit != "1" else ""
    if unit in _NANOSECONDS:
        scales, base, name = _TIMES, number * _NANOSECONDS[unit], ""
    size, sign = next(((s, sign) for s, sign in scales if base >= s), scales[-1])
    digits = f"{base / size:.3g}" if base < _DIGITS * size else f"{base / size:.0f}"
    return f"{digits} {sign}{name}".rstrip()


def once(
    targets: Sequence[str], interval: float, limits: Limits, *, every: bool, as_data: bool,
    out: TextIO,
) -> int:  # fmt: skip
    """Look twice, `interval` seconds apart, and print the second; 1 if nothing could be read."""
    watch = Watch(limits=limits)
    with Targets(targets, every=every) as found:
        watch.look(found.found())
        time.sleep(interval)
        rows = watch.look(found.found())
    if as_data:
        json.dump(as_json(rows, watch), out, indent=1)
        out.write("\n")
    else:
        console = Console(file=out, highlight=False)
        console.print(screen(rows, watch, sum(map(len, rows)), console.width))
    return 0 if rows else 1


def run(targets: Sequence[str], interval: float, limits: Limits, *, every: bool) -> None:
    """Look again and again, until interrupted or terminated, which restores the terminal."""
    gc.enable()  # unlike other verbs, this one runs long
    watch, console = Watch(limits=limits), Console(highlight=False)
    if not console.is_terminal or console.is_dumb_terminal:
        raise UsageError("the output is not a terminal that can show a screen", "add --once")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    live = Live(console=console, screen=True, auto_refresh=False)
    with Targets(targets, every=every) as found, live:
        while True:
            rows = watch.look(found.found())
            live.update(screen(rows, watch, console.height - 4, console.width), refresh=True)
            time.sleep(interval)

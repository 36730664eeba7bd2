# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of matplotlib as SVG that becomes part of a page: its colours, its font, its titles."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from cycler import cycler
from matplotlib.figure import Figure
from matplotlib.ticker import SymmetricalLogLocator

Values = Sequence[float]

WIDTH = 900
"""Width of every drawing in pixels."""

COLUMNS = 4
"""Entries in a line of a legend above the axes."""

WIDE = 20.0
"""Ratio of the largest to the smallest value from which on a scale is logarithmic."""

COLOURS = {
    "page": ("#ffffff", "#14171b"),
    "ink": ("#1b1f24", "#e8eaed"),
    "soft": ("#57606a", "#a9b1ba"),
    "grid": ("#e3e6ea", "#2b3037"),
    "edge": ("#c9ced4", "#454c55"),
    "s0": ("#0068a3", "#56b4e9"),
    "s1": ("#b34700", "#f0904d"),
    "s2": ("#007a59", "#2fc6a0"),
    "s3": ("#a0407a", "#e39bc6"),
    "s4": ("#7a5c00", "#e6c84b"),
    "s5": ("#1b1f24", "#e8eaed"),
    "s6": ("#3a7ca8", "#8fc7ea"),
}
"""Light and dark colours of the page by name. Those of marks, `s0` and so on, are Okabe and Ito's,
told apart without full colour vision; darkened for text. A drawing is made with the light ones."""

PAGE, _, SOFT, GRID, EDGE, *MARKS = (light for light, _ in COLOURS.values())
SHAPES = "os^D"

SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "ctrgen",
    "text.parse_math": False,
    "font.size": 12,
    "font.sans-serif": ["DejaVu Sans"],
    "axes.prop_cycle": cycler(color=MARKS),
    "axes.grid": True,
    "grid.color": GRID,
    "legend.frameon": False,
    "lines.markersize": 9,
    "lines.markeredgecolor": PAGE,
    "lines.linewidth": 2,
    "xtick.bottom": False,
    "ytick.left": False,
}
"""Settings of matplotlib that all drawings are made under."""
_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_FOREIGN = re.compile(
    r' (xmlns|xmlns:xlink|clip-path)="[^"]*"|(?<= )xlink:|<(style|clipPath)\b.*?</\2>', re.DOTALL
)
"""What has no place in a page: name spaces, styles for all of it, clipping of marks at the edge."""


class Drawing:
    """A figure `height` pixels high with axes that fill what their labels leave free."""

    def __init__(self, height: float) -> None:
        self._tooltips: list[Sequence[str]] = []
        size = (WIDTH / 72, height / 72)
        self.figure = Figure(figsize=size, layout="constrained", frameon=False)
        self.axes = self.figure.add_subplot(frameon=False)

    def marks(
        self, series: int, label: str, x: Values, y: Values, tooltips: Sequence[str], **bars: Any
    ) -> None:
        """The marks of a series, each with a tooltip; `bars` are options of `errorbar`."""
        marks, *_ = self.axes.errorbar(
            x, y, marker=SHAPES[series % len(SHAPES)], color=f"C{series}", label=label,
            elinewidth=3, **{"linestyle": "", **bars},
        )  # fmt: skip
        marks.set_gid(f"marks-{len(self._tooltips)}")
        self._tooltips.append(tooltips)

    def text(self, text: str, x: float, y: float) -> None:
        """Text to the right of a mark."""
        self.axes.annotate(
            text, (x, y), xytext=(10, 0), textcoords="offset points", va="center_baseline"
        )

    def scale(self, axis: str, title: str, least: float, ticks: Values | None = None) -> None:
        """Title axis `x` or `y`, and make it logarithmic, down to `least`, if values span much."""
        low, high = getattr(self.axes.dataLim, f"interval{axis}")
        span = high / max(low, least)
        ruler = getattr(self.axes, f"{axis}axis")
        if span >= WIDE:
            title += " (logarithmic)"
            steps = (1.0,) if span > 1000 else (1.0, 2.0, 5.0)
            getattr(self.axes, f"set_{axis}scale")("symlog", linthresh=least, linscale=0.4)
            ruler.set_major_locator(SymmetricalLogLocator(base=10, linthresh=least, subs=steps))
            limits = low / 1.3 if low > least else low - least / 2, high * 1.3
        else:
            limits = min(0.0, 1.05 * low), 1.05 * max(high, least)
        self.axes.set(**{f"{axis}lim": limits})
        if ticks is not None:
            ruler.set_ticks(ticks)
        ruler.set_major_formatter("{x:,.12g}")
        ruler.minorticks_off()
        ruler.set_label_text(title)

    def rows(self, names: Sequence[str], height: float = 1.0) -> None:
        """Make the vertical axis one of names from the top down, each `height` high."""
        middles = [height * (row + 0.5) for row in range(len(names))]
        self.axes.set_yticks(middles, names, fontweight="bold")
        self.axes.set_ylim(height * len(names), 0)
        self.axes.grid(False, axis="y")
        self.figure.legend(loc="outside upper left", ncols=COLUMNS)

    def limit(self, text: str, x: float) -> None:
        """A line at what nothing can be faster than, if that is within the scale."""
        low, high = self.axes.get_xlim()
        if low <= x <= high:
            self.axes.axvline(x, color=SOFT, linewidth=1, linestyle="--", zorder=1)
            top = self.axes.get_xaxis_transform()
            self.axes.text(x, 1.01, text, transform=top, ha="center", color=SOFT)

    def svg(self, name: str, title: str, description: str) -> str:
        """The element `svg` for a page of HTML, in which `name` is unique. The same every time."""
        stream = io.StringIO()
        self.figure.savefig(stream, format="svg", metadata=_METADATA)
        name = f"plot-{name}"
        text = re.sub(r'( id="|href="#)', rf"\1{name}-", _FOREIGN.sub("", stream.getvalue()))
        text = text.replace("'DejaVu Sans'", "system-ui")
        names = {light: variable for variable, (light, _) in COLOURS.items()}
        text = re.sub("#[0-9a-f]{6}", lambda c: f"var(--{names.get(c[0], 'ink')})", text)
        root = ElementTree.fromstring(text)
        for number, tooltips in enumerate(self._tooltips):
            marks = root.findall(f".//g[@id='{name}-marks-{number}']//use")
            for mark, tooltip in zip(marks, tooltips, strict=True):
                ElementTree.SubElement(mark, "title").text = tooltip
        root.attrib |= {"id": name, "class": "plot", "role": "img"}
        root.set("aria-labelledby", f"{name}-title {name}-desc")
        for tag, content in (("desc", description), ("title", title)):
            element = ElementTree.Element(tag, id=f"{name}-{tag}")
            element.text = content
            root.insert(0, element)
        return ElementTree.tostring(root, encoding="unicode")

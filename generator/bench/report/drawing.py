# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of matplotlib as SVG that becomes part of a page: its colours, its font, its titles."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.scale import LinearScale, ScaleBase, SymmetricalLogScale
from matplotlib.ticker import AutoLocator, FixedLocator, Locator, SymmetricalLogLocator

WIDTH = 900
"""Width of every drawing in pixels."""

CHARACTER = 7.4
"""Width of a character in pixels, generously, for text of 12 pixels."""

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

_SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "ctrgen",
    "text.parse_math": False,
    "font.size": 12,
    "font.sans-serif": ["DejaVu Sans"],
    "axes.labelpad": 8,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 1,
    "legend.frameon": False,
    "legend.handletextpad": 0.3,
    "lines.markersize": 9,
    "lines.markeredgecolor": PAGE,
    "lines.linewidth": 2,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}
_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def settings() -> contextlib.AbstractContextManager[None]:
    """What all drawings are made under, whatever the user's own settings are."""
    return style.context(["default", _SETTINGS])


class Drawing:
    """One figure with axes `height` pixels high and the given margins around them, in pixels."""

    def __init__(self, height: float, left: float, right: float, top: float) -> None:
        bottom = 52
        whole = top + height + bottom
        self._titles: dict[str, list[str]] = {}
        self.figure = Figure(figsize=(WIDTH / 72, whole / 72), frameon=False)
        self.axes = self.figure.add_axes(
            (left / WIDTH, bottom / whole, (WIDTH - left - right) / WIDTH, height / whole),
            frameon=False,
        )

    def marks(
        self, series: int, x: Sequence[float], y: Sequence[float], label: str, titles: Sequence[str]
    ) -> None:
        """The marks of a series, each with its title, which the pointer shows; its legend."""
        name = f"marks-{len(self._titles)}"
        self._titles[name] = list(titles)
        shape = SHAPES[series % len(SHAPES)]
        self.axes.plot(x, y, shape, color=colour(series), label=label, gid=name)

    def text(self, x: float, y: float, text: str) -> None:
        """Text to the right of a mark."""
        self.axes.annotate(
            text, (x, y), xytext=(10, 0), textcoords="offset points", va="center_baseline"
        )

    def measure(
        self,
        axis: str,
        title: str,
        values: Sequence[float],
        least: float,
        ticks: Sequence[float] | None = None,
    ) -> None:
        """Make axis `x` or `y` one of numbers that has room for `values`.

        It is logarithmic if they span much; `least` is the smallest value that it then tells
        apart. `ticks` are chosen if not given.
        """
        high, low = max(*values, least * 2), min(values)
        scale: ScaleBase
        locator: Locator
        if high / max(low, least) < WIDE:
            margin = 0.05 * (high - min(0.0, low))
            limits = low - margin if low < 0 else 0.0, high + margin
            scale, locator = LinearScale(None), AutoLocator()
        else:
            wide = high > max(low, least) * 1000
            limits = low / 1.3 if low > least else low - least / 2, high * 1.3
            scale = SymmetricalLogScale(None, linthresh=least, linscale=0.4)
            locator = SymmetricalLogLocator(
                base=10, linthresh=least, subs=(1.0,) if wide else (1.0, 2.0, 5.0)
            )
            title += " (logarithmic)"
        self.axes.set(**{f"{axis}scale": scale, f"{axis}lim": limits, f"{axis}label": title})
        ruler = self.axes.xaxis if axis == "x" else self.axes.yaxis
        ruler.set_major_locator(locator if ticks is None else FixedLocator(ticks))
        ruler.set_major_formatter(lambda value, _: tidy(value))
        ruler.minorticks_off()

    def names(self, positions: Sequence[float], names: Sequence[str]) -> None:
        """Make the vertical axis one of names, the first one at the top."""
        self.axes.set_yticks(positions, names, fontweight="bold")
        self.axes.tick_params("y", pad=12)
        self.axes.grid(False, axis="y")

    def legend(self, above: bool = False) -> None:
        """What the marks mean, to the right of the axes or in lines above them."""
        if above:
            place = (-0.01, 1 + 16 / self.axes.bbox.height)
            self.axes.legend(loc="lower left", bbox_to_anchor=place, ncols=COLUMNS)
        else:
            self.axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02))

    def svg(self, name: str, title: str, description: str) -> str:
        """The element `svg` for a page of HTML, in which `name` is unique. The same every time."""
        stream = io.StringIO()
        for artist in self.figure.findobj():
            artist.set_clip_on(False)
        with settings():
            self.figure.savefig(stream, format="svg", metadata=_METADATA)
        root = ElementTree.fromstring(stream.getvalue())
        for parent in root.iter():
            _embed(parent, f"plot-{name}-")
        for group, titles in self._titles.items():
            marks = root.findall(f".//g[@id='plot-{name}-{group}']//use")
            for mark, text in zip(marks, titles, strict=True):
                ElementTree.SubElement(mark, "title").text = text
        _describe(root, f"plot-{name}", title, description)
        return ElementTree.tostring(root, encoding="unicode")


def _embed(element: ElementTree.Element, prefix: str) -> None:
    """Fit an element for a page: no name spaces, names that are unique, colours of the page."""
    element.tag = element.tag.rpartition("}")[2]
    for child in [child for child in element if child.tag.endswith("}style")]:
        element.remove(child)
    attributes = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
    element.attrib.clear()
    for key, value in attributes.items():
        if key == "id":
            value = prefix + value
        elif key == "href":
            value = f"#{prefix}{value[1:]}"
        elif key == "style":
            value = re.sub("#[0-9a-f]{6}", _variable, value).replace("'DejaVu Sans'", "system-ui")
        element.set(key, value)


def _variable(colour: re.Match[str]) -> str:
    names = {light: name for name, (light, _) in COLOURS.items()}
    return f"var(--{names.get(colour[0], 'ink')})"


def _describe(root: ElementTree.Element, name: str, title: str, description: str) -> None:
    """Name the whole drawing, for readers that do not see it too."""
    for key in ("width", "height", "version"):
        del root.attrib[key]
    root.attrib |= {
        "id": name,
        "class": "plot",
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-desc",
    }
    for position, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(tag, id=f"{name}-{tag}")
        element.text = text
        root.insert(position, element)


def colour(series: int) -> str:
    """The colour of the marks of a series."""
    return MARKS[series % len(MARKS)]


def tidy(value: float) -> str:
    """A tick, without zeroes that say nothing."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"

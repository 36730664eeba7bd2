# SPDX-License-Identifier: BSD-3-Clause
"""A drawing of each strategy: who touches what, from what its strategy.yaml declares.

Threads are at the top, memory in the middle, a reader and a reset at the bottom; the numbers are
an example of one counter. It is as narrow as a telephone, so that it reads well anywhere.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import jinja2

from ctrgen.model.strategies.catalogue import Strategy
from ctrgen.output.render import environment, normalise
from tests.pages.steps import Deeds, deeds

WIDTH = 400
_COLUMNS = (8, 140, 272)
_COLUMN = 120
_BOTTOM = 96
_ARROW = 20
"""How far right of the edge of its column an arrow is."""
_LINE = 16
_EDGE = 8


class Box(NamedTuple):
    """A rectangle with centred lines of text."""

    kind: str
    x: int
    y: int
    width: int
    height: int
    lines: tuple[str, ...] = ()

    @property
    def middle(self) -> int:
        """Its centre from left to right."""
        return self.x + self.width // 2

    @property
    def bottom(self) -> int:
        """Its lower edge."""
        return self.y + self.height

    @property
    def first(self) -> int:
        """The base line of its first line."""
        return self.y + (self.height - _LINE * (len(self.lines) - 1)) // 2 + 4


class Arrow(NamedTuple):
    """A line through points; `head` says whether it ends in an arrow head."""

    kind: str
    points: tuple[tuple[int, int], ...]
    head: bool = True


class Label(NamedTuple):
    """Text beside an arrow: `anchor` is `start`, `middle` or `end`."""

    kind: str
    x: int
    y: int
    anchor: str
    text: str


class Drawing:
    """What is drawn so far; `y` is where the next row begins."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []
        self.arrows: list[Arrow] = []
        self.labels: list[Label] = []
        self.y = _EDGE

    def row(self, boxes: Iterable[Box]) -> list[Box]:
        """Boxes beside each other, and the next row below them."""
        row = list(boxes)
        self.boxes += row
        self.y = max(box.bottom for box in row)
        return row

    def down(self, kind: str, x: int, top: int, bottom: int, said: Iterable[str] = ()) -> None:
        """An arrow downwards, and beside it what is done."""
        self.arrows.append(Arrow(kind, ((x, top), (x, bottom))))
        self.say(kind, x + 9, top, bottom, said)

    def say(
        self, kind: str, x: int, top: int, bottom: int, said: Iterable[str], anchor: str = "start"
    ) -> None:
        """Lines of text halfway between top and bottom."""
        lines = list(said)
        first = (top + bottom - _LINE * (len(lines) - 1)) // 2 + 3
        for number, text in enumerate(lines):
            self.labels.append(Label(kind, x, first + number * _LINE, anchor, text))


def _room(*texts: tuple[str, ...]) -> int:
    """The height of a gap with such lines beside its arrows."""
    return 18 + _LINE * max(map(len, texts))


def _threads(drawing: Drawing, strategy: Strategy) -> list[Box]:
    last = "another thread" if strategy.own_object else "other threads"
    names = ("lcore 0", "lcore 1", last)
    if strategy.by_cpu:
        names = ("a thread on CPU 0", "one on CPU 1", "one just moved")
    return drawing.row(
        Box("thread", x, drawing.y, _COLUMN, 32, (name,))
        for x, name in zip(_COLUMNS, names, strict=True)
    )


def _memory(drawing: Drawing, kind: str, x: int, width: int, parts: Iterable[str]) -> Box:
    """A place in memory, with cells in it from top to bottom, or side by side where it is wide."""
    cells, y = list(parts), drawing.y
    wide = width > _COLUMN
    height = 16 + 26 * (1 if wide else len(cells))
    box = Box(kind, x, y, width, height)
    drawing.boxes.append(box)
    each = (width - 12 - 4 * (len(cells) - 1)) // len(cells) if wide else width - 12
    for number, text in enumerate(cells):
        left = x + 6 + (number * (each + 4) if wide else 0)
        top = y + 8 + (0 if wide else number * 26)
        guard = text.split()[0] in ("lock", "sequence", "its")
        drawing.boxes.append(Box("guard" if guard else "word", left, top, each, 24, (text,)))
    return box


def _copies(drawing: Drawing, strategy: Strategy, done: Deeds, threads: list[Box]) -> None:
    """A shard below each lcore, and one for all other threads; then who adds them up."""
    top, shared = drawing.y, ("share", "a shard")
    drawing.y = top + _room(done.update, shared)
    bits = strategy.shape.lcores and strategy.shape.lcores.words
    guards = {"lock": "lock", "sequence": "sequence 8"}
    head = [guards[done.guard]] if done.guard else []
    copies = []
    counts = (40, 20, 4) if strategy.sums else (50, 30, 4)
    for thread, count in zip(threads, counts, strict=True):
        word = f"{count} (32 bits)" if bits else f"packets {count}"
        copies.append(_memory(drawing, "copy", thread.x, _COLUMN, [*head, word]))
        other = thread is threads[-1]
        said = shared if other else done.update
        drawing.down("update", thread.x + _ARROW, top, drawing.y, said)
    bus = copies[0].bottom + 14
    lines = [((copy.middle, copy.bottom), (copy.middle, bus)) for copy in copies]
    lines.append(((copies[0].middle, bus), (copies[-1].middle, bus)))
    drawing.arrows += [Arrow("read", line, head=False) for line in lines]
    drawing.y = bus
    kept = ["baseline 60", *(["carried 20"] if strategy.sums else [])]
    _bottom(drawing, done, kept)


def _instance(drawing: Drawing, strategy: Strategy, done: Deeds, threads: list[Box]) -> None:
    """One instance below all threads, perhaps behind the buffer of each lcore."""
    sources, seen = threads, 24
    if done.flush:
        top = drawing.y
        drawing.y += _room(done.update)
        held = drawing.row(
            Box("buffer", thread.x, drawing.y, _COLUMN, 32, (f"buffers +{count}",))
            for thread, count in zip(threads[:-1], (3, 2), strict=True)
        )
        for box in held:
            drawing.down("update", box.x + _ARROW, top, box.y, done.update)
        sources, seen = [*held, threads[-1]], 19
    begin, said = drawing.y, done.flush or done.update
    drawing.y += _room(said)
    cells, kind = [f"packets {seen}"], "copy" if done.flush else "hot"
    if strategy.own_object:
        cells, kind = ["its lock", *cells, "other members"], "copy"
    elif done.guard:
        cells.insert(0, done.guard)
    box = _memory(drawing, kind, _EDGE, WIDTH - 2 * _EDGE, cells)
    for source in sources:
        drawing.down("update", source.x + _ARROW, source.bottom, box.y)
        drawing.say("update", source.x + _ARROW + 9, begin, box.y, said)
    drawing.y = box.bottom
    _bottom(drawing, done, (), seen)


def _bottom(drawing: Drawing, done: Deeds, kept: Sequence[str], seen: int = 24) -> None:
    """The reader, what resets keep, and a reset."""
    top = drawing.y
    drawing.y = top + _room(done.read, done.reset)
    height = 44
    reader = Box("reader", _EDGE, drawing.y, _BOTTOM, height, ("reader", f"sees {seen}"))
    right = WIDTH - _EDGE - _BOTTOM
    reset = Box("reset", right, drawing.y, _BOTTOM, height, ("reset", f"returns {seen}"))
    into = reader.x + 60, reset.x + _BOTTOM - 60
    drawing.down("read", into[0], top, drawing.y, done.read)
    drawing.say("reset", into[1] - 9, top, drawing.y, done.reset, "end")
    if kept:
        drawing.down("reset", into[1], top, drawing.y)
        base = Box("cold", 154, drawing.y, WIDTH - 308, height, tuple(kept))
        half = drawing.y + height // 2
        drawing.arrows.append(Arrow("read", ((base.x, half), (reader.x + _BOTTOM, half))))
        drawing.arrows.append(Arrow("reset", ((reset.x, half), (base.x + base.width, half))))
        drawing.labels.append(Label("read", 129, half - 7, "middle", "minus"))
        drawing.labels.append(Label("reset", WIDTH - 129, half - 7, "middle", "store"))
        drawing.row((reader, base, reset))
    else:
        drawing.arrows.append(Arrow("reset", ((into[1], drawing.y), (into[1], top))))
        drawing.row((reader, reset))


def svg(strategy: Strategy) -> str:
    """The drawing of a strategy as an SVG image, in colours for light and dark pages."""
    done, drawing = deeds(strategy), Drawing()
    threads = _threads(drawing, strategy)
    draw = _copies if strategy.per_lcore else _instance
    draw(drawing, strategy, done, threads)
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    template = environment().overlay(loader=loader).get_template("drawing.svg.j2")
    return normalise(template.render(
        name=strategy.name, summary=strategy.summary, deeds=done,
        drawing=drawing, width=WIDTH, height=drawing.y + _EDGE, line=_LINE,
    ))  # fmt: skip

# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of strategies: current, readable, and made of the folder alone."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ctrgen.model.strategies import catalogue
from tests.pages.drawing import WIDTH, svg
from tests.support.paths import DOCS
from tests.support.strategies import SEQUENCED

SVG = "{http://www.w3.org/2000/svg}"
EACH = 6.4
"""About the width of a letter."""

Rectangle = tuple[float, float, float, float]


def drawn(name: str) -> ET.Element:
    return ET.fromstring(svg(catalogue.all_strategies()[name]))


def rectangle(box: ET.Element) -> Rectangle:
    x, y = float(box.get("x", 0)), float(box.get("y", 0))
    return x, y, x + float(box.get("width", 0)), y + float(box.get("height", 0))


def extent(text: ET.Element) -> Rectangle:
    """About the room that a text takes."""
    x, y, width = float(text.get("x", 0)), float(text.get("y", 0)), EACH * len(text.text or "")
    left = x - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor", "start")]
    return left, y - 10, left + width, y + 3


def inside(a: Rectangle, b: Rectangle) -> bool:
    return a[0] >= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] <= b[3]


def apart(a: Rectangle, b: Rectangle) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_they_are_current() -> None:
    strategies = catalogue.all_strategies()
    kept = {path.stem: path.read_text("utf-8") for path in (DOCS / "drawings").iterdir()}
    made = {name: svg(strategy) for name, strategy in strategies.items()}
    assert kept == made, "if this is meant, `./dev golden` makes them again"


@pytest.mark.parametrize("name", catalogue.all_strategies())
def test_every_text_has_room(name: str) -> None:
    image = drawn(name)
    boxes = [rectangle(box) for box in image.iter(f"{SVG}rect")]
    texts = [(text.text, extent(text)) for text in image.iter(f"{SVG}text")]
    assert len(texts) > 10
    for text, room in texts:
        around = [box for box in boxes if inside(room, box)]
        assert around, f"{text!r} leaves the image"
        for box in boxes:
            assert box in around or apart(room, box), f"{text!r} leaves a box"
        for other, taken in texts:
            assert room is taken or apart(room, taken), f"{text!r} is on {other!r}"
    assert boxes[0] == (0, 0, WIDTH, float(image.get("height", 0)))


def test_who_cannot_see_them_is_told() -> None:
    image = drawn(SEQUENCED)
    title, described = image.find(f"{SVG}title"), image.find(f"{SVG}desc")
    assert title is not None and described is not None
    assert image.get("role") == "img"
    assert image.get("aria-labelledby") == f"{title.get('id')} {described.get('id')}"
    assert "sequence odd, add, sequence even" in (described.text or "")


def test_a_folder_that_says_little_is_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "little"
    folder.mkdir()
    (folder / "strategy.yaml").write_text(
        "summary: A < B & C.\n"
        "promises: {exact: true, consistency: counter, reader: preemptible,\n"
        "           reset: lossless, propagation: store, instances: lcores}\n"
        "storage: [static]\n"
    )
    image = ET.fromstring(svg(catalogue._load(folder)))
    assert "A < B & C." in (image.findtext(f"{SVG}desc") or "")

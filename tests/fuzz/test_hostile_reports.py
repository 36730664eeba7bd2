# SPDX-License-Identifier: BSD-3-Clause
"""Hostile text in the result of a benchmark stays text: HTML, CSV, Markdown and terminals."""

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.tools.bench import report
from ctrgen.tools.bench.compare import compare
from ctrgen.tools.bench.report import STYLES
from ctrgen.tools.bench.result import Result, parse
from tests.bench import synth
from tests.fuzz import hostile

CALM = "plain words"
EVIL = ["\n".join(hostile.TEXTS), "-".join(hostile.NAMES), "-1+1", "=1", "@x", "\t=1", "a\r\n=1",
        "a|b\\|c", "\u202ea"]  # fmt: skip


def leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where text is, in a document."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from leaves(child, (*at, key))
    elif isinstance(value, list):
        for number, child in enumerate(value[:1]):
            yield from leaves(child, (*at, number))
    elif isinstance(value, str):
        yield at


def put(document: dict[str, Any], at: tuple[Any, ...], text: str) -> dict[str, Any]:
    """The document with another text at one place; a strategy is renamed everywhere."""
    copy = json.loads(json.dumps(document))
    if at == ("strategies", 0):
        old = document["strategies"][0]
        return json.loads(json.dumps(document).replace(json.dumps(old), json.dumps(text)))  # type: ignore[no-any-return]
    inner = copy
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = text
    return copy  # type: ignore[no-any-return]


def accepted(document: dict[str, Any]) -> Result | None:
    """What is read from a file, None when it is refused in words."""
    try:
        return parse(json.dumps(document))
    except UsageError as error:
        assert error.message and not hostile.controls(error.message), error.message
        return None


DOCUMENT = json.loads(json.dumps(synth.document(rounds=2, strategies=("per_core", "shared_lock"))))
PLACES = [at for at in leaves(DOCUMENT) if accepted(put(DOCUMENT, at, CALM))]
"""Where a result holds free text."""


class Tags(HTMLParser):
    """The elements of a page with the names of their attributes, and no text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("/", tag))

    def handle_comment(self, data: str) -> None:
        self.found.append(("comment",))


def shape(name: str, text: str) -> Any:
    """What must not depend on free text, by the name of a report."""
    if name.endswith("html"):
        return Tags(text).found
    if name.endswith("csv"):
        return [len(row) for row in csv.reader(io.StringIO(text, newline=""))]
    if name.endswith("md"):
        lines = [re.sub(r"\\.", "", line) for line in text.split("\n")]
        return [(line[:2], line.count("|") if line[:1] == "|" else 0) for line in lines]
    return None


@pytest.mark.one_in(5)
@pytest.mark.parametrize("at", PLACES, ids=lambda at: ".".join(map(str, at)))
def test_reports_have_the_shape_that_harmless_text_gives(at: tuple[Any, ...]) -> None:
    calm = accepted(put(DOCUMENT, at, CALM))
    assert calm is not None
    before = {name: shape(name, write(calm)) for name, write in report.FILES.items()}
    for evil in EVIL:
        found = accepted(put(DOCUMENT, at, evil))
        if found is None:
            continue
        for name, write in report.FILES.items():
            text = write(found)
            assert shape(name, text) == before[name], (name, evil)
            if name.endswith("csv"):
                for row in csv.reader(io.StringIO(text, newline="")):
                    assert not any(re.match(r"[=+@\t\r]|-(?![\d.])", cell) for cell in row), row
            if name.endswith("md"):
                plain = re.sub(r"\\.", "", text)
                assert "<" not in plain and "](" not in plain
        assert not hostile.controls(report.terminal(report.summary(found))), evil


def test_names_of_strategies_are_such() -> None:
    """They become cells of a table that spreadsheets open."""
    assert accepted(put(DOCUMENT, ("strategies", 0), "own:buffer=1,x=a.b"))
    for evil in (*EVIL, *hostile.TEXTS, *hostile.NAMES, "=x", "a b", "x:y z", "x\n"):
        found = accepted(put(DOCUMENT, ("strategies", 0), evil))
        assert found is None or re.fullmatch(r"x+", evil), evil


@pytest.mark.deep
def test_comparisons_too() -> None:
    calm = accepted(DOCUMENT)
    assert calm is not None
    for at in PLACES:
        for evil in EVIL:
            found = accepted(put(DOCUMENT, at, evil))
            if found is None:
                continue
            try:
                made = compare(calm, found)
            except UsageError as error:
                assert not hostile.controls(error.message)
                continue
            for name, style in STYLES.items():
                text = style(made)
                if name == "json":
                    json.loads(text)
                else:
                    assert not hostile.controls(text), (at, evil)

# SPDX-License-Identifier: BSD-3-Clause
"""Modules without those flaws of which the meaning is known."""

from __future__ import annotations

from collections.abc import Callable

from ...findings.diagnostics import Span
from . import flaws, nodes, tables, twice
from .source import Source, modules, part

_ALL = (
    ("import-syntax", flaws.quoted),
    ("import-syntax", flaws.mended),
    ("import-syntax", nodes.merged),
    ("import-syntax", tables.typed),
    ("import-duplicate", twice.told_apart),
)
"""What reads a module as it is meant, one after the other, and the rule of what it says."""

Report = Callable[[str, Span, str], None]
"""Reports a finding: its rule, where, the message."""


def mended(source: Source, report: Report) -> Source:
    """A module as it is meant."""
    for rule, mend in _ALL:
        text = mend(source, _Said(source, rule, report))
        if text != source.text:
            again = modules(text, source.path)
            source = next((one for one in again if one.start == source.start), source)
    return source


class _Said:
    """Reports at characters of a source."""

    def __init__(self, source: Source, rule: str, report: Report) -> None:
        self.source, self.rule, self.report = source, rule, report

    def __call__(self, start: int, length: int, message: str) -> None:
        self.report(self.rule, self.source.span(start, length), message)


def legible(name: str, text: str) -> str:
    """The module of that name in a text as it is meant, for the tools; nothing is reported."""
    found = next((one for one in modules(text) if one.name == name), None)
    if found is None:
        return part(text, name)
    source = mended(found, lambda *_: None)
    return flaws.legible(source.text[source.start : source.end])[0]

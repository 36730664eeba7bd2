# SPDX-License-Identifier: BSD-3-Clause
"""Modules without those flaws of which the meaning is known."""

from __future__ import annotations

from collections.abc import Callable, Container

from ...findings.diagnostics import Span
from . import flaws, heads, imports, nodes, tables, twice
from .places import Library
from .source import Source, modules, part

_ALL = (
    ("import-syntax", flaws.quoted),
    ("import-syntax", heads.whole),
    ("import-syntax", heads.identified),
    ("import-syntax", flaws.mended),
    ("import-syntax", imports.separated),
    ("import-syntax", imports.completed),
    ("import-syntax", nodes.merged),
    ("import-syntax", tables.typed),
    ("import-duplicate", twice.told_apart),
    ("import-moved", nodes.placed),
    ("import-syntax", flaws.relabelled),
)
"""What reads a module as it is meant, one after the other, and the rule of what it says."""

Report = Callable[[str, Span, str, str], object]
"""Reports a finding: its rule, where, the message, a hint."""


def mended(source: Source, report: Report) -> Source:
    """A module as it is meant."""
    for rule, mend in _ALL:
        for _ in range(2):  # what a name has become may have a flaw of its own
            before, source = source, _again(source, mend(source, _Said(source, rule, report)))
            if source is before:
                break
    return source


def relayed(source: Source, library: Library, report: Report) -> Source:
    """A module that imports names from the modules that define them."""
    return _again(source, imports.relayed(source, library, _Said(source, "import-syntax", report)))


def rooted(source: Source, library: Library, report: Report, cut: Container[str] = ()) -> Source:
    """A module of which the nodes of `cut` have an OID."""
    said = _Said(source, "import-moved", report)
    return _again(source, imports.rooted(source, library, said, cut))


def _again(source: Source, text: str) -> Source:
    if text == source.text:
        return source
    again = modules(text, source.path)
    return next((one for one in again if one.start == source.start), source)


class _Said:
    """Reports at characters of a source."""

    def __init__(self, source: Source, rule: str, report: Report) -> None:
        self.source, self.rule, self.report = source, rule, report

    def __call__(self, start: int, length: int, message: str, hint: str = "") -> None:
        self.report(self.rule, self.source.span(start, length), message, hint)


def legible(name: str, text: str, library: Library) -> str:
    """The module of that name in a text as it is meant, for the tools; nothing is reported."""
    found = next((one for one in modules(text) if one.name == name), None)
    if found is None:
        return part(text, name)
    source = relayed(mended(found, lambda *_: None), library, lambda *_: None)
    return flaws.legible(source.text[source.start : source.end])

# SPDX-License-Identifier: BSD-3-Clause
"""Findings about a schema. Everything that judges a schema reports into one `Diagnostics`
collector, by rules that are declared first, so that `RULES` is complete."""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Mapping
from operator import attrgetter
from pathlib import PurePath
from typing import NamedTuple

LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""Line ends of a schema: the line breaks of YAML 1.1, which PyYAML counts."""


class Span(NamedTuple):
    """A range of text. Lines and columns are 1-based and count characters; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of_file(cls, path: str | PurePath) -> Span:
        """The span of a whole file."""
        return cls(str(path), 1, 1, 1, 1)


NOWHERE = Span.of_file("")
"""The position of what no file holds."""


class Severity(str, enum.Enum):
    """How bad a finding is; only an error makes a command fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Diagnostic(NamedTuple):
    """One finding. `hint` says what to do about it and may be empty."""

    rule: str
    severity: Severity
    span: Span
    message: str
    hint: str = ""


_ORDER = attrgetter(
    *("span.path", "span.line", "span.column"),
    *("rule", "message", "hint", "span.end_line", "span.end_column"),
)


class Rule(NamedTuple):
    """A kind of finding: its id, its severity, and one sentence on what it finds and why. `tags`
    group rules for tools (json); `instead` is the advice that every finding shares."""

    id: str
    severity: Severity
    sentence: str
    tags: tuple[str, ...] = ()
    instead: str = ""


RULES: dict[str, Rule] = {}
"""Every declared rule by id. Complete once `ctrgen.frontends.rules` is imported."""


def declare(
    rule_id: str, severity: Severity, sentence: str, tags: tuple[str, ...] = (), instead: str = "",
    catalogue: dict[str, Rule] = RULES,
) -> Rule:  # fmt: skip
    """Add a rule to a catalogue. Raises ValueError when the id is taken."""
    if rule_id in catalogue:
        raise ValueError(f"rule '{rule_id}' is declared twice")
    catalogue[rule_id] = rule = Rule(rule_id, severity, sentence, tags, instead)
    return rule


def errors(sentences: Mapping[str, str]) -> None:
    """Declare rules that find errors in schemas: their sentences by id."""
    for rule_id, sentence in sentences.items():
        declare(rule_id, Severity.ERROR, sentence)


MAX_MESSAGE = 2000
"""Most characters of a message; what it quotes may be as long as a file."""


@functools.lru_cache(maxsize=16)
def _lines(text: str) -> list[str]:
    return LINE_BREAK.split(text)


class Diagnostics:
    """Collects findings by `rules` (those about schemas by default), and the text of the files they
    are about. Not thread-safe: one collector belongs to one run."""

    def __init__(self, rules: Mapping[str, Rule] = RULES) -> None:
        self.rules = rules
        self._findings: set[Diagnostic] = set()
        self.texts: dict[str, str] = {}
        """Text by path, so that findings can show the line they are about."""
        self.files: dict[str, None] = {}
        """The files that were read, in order: what is made from the schema depends on them."""
        self.unreadable = False
        """Set when the schema given by the caller could not be read at all."""

    def line(self, path: str, number: int) -> str | None:
        """Line `number` (1-based) of one of `texts` without its line break, or None."""
        lines = _lines(self.texts[path]) if path in self.texts else []
        return lines[number - 1] if 0 < number <= len(lines) else None

    def report(self, rule_id: str, span: Span, message: str, hint: str = "") -> None:
        """Add a finding of a declared rule (else KeyError). Of a message longer than MAX_MESSAGE
        the beginning is kept."""
        if len(message) > MAX_MESSAGE:
            message = f"{message[:MAX_MESSAGE]}..."
        self.add(Diagnostic(rule_id, self.rules[rule_id].severity, span, message, hint))

    def add(self, finding: Diagnostic) -> None:
        """Add a finding whose severity may differ from its rule's."""
        self._findings.add(finding)

    def join(self, other: Diagnostics) -> None:
        """Add what another run has collected, as of one run about several schemas."""
        self._findings |= other._findings
        self.texts |= other.texts
        self.files |= other.files
        self.unreadable |= other.unreadable

    @property
    def findings(self) -> list[Diagnostic]:
        """Every finding once, sorted by file, position, rule and text."""
        return sorted(self._findings, key=_ORDER)

    def count(self, severity: Severity) -> int:
        """How many findings have that severity."""
        return sum(1 for finding in self._findings if finding.severity is severity)

    @property
    def failed(self) -> bool:
        """Whether there is at least one error."""
        return self.count(Severity.ERROR) > 0

    @property
    def exit_code(self) -> int:
        """0 without errors, 1 with errors, 2 when there was no schema to judge."""
        return 2 if self.unreadable else int(self.failed)

# SPDX-License-Identifier: BSD-3-Clause
"""Changes that are meant: each with its reason, in a comment of the schema or on the command line.

    # ctrgen: allow item-removed session.drops: nobody polled it, see issue 12
    --allow 'item-removed session.drops: nobody polled it'

Without a subject (`session.drops`), every finding of the rule is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..findings.diagnostics import LINE_BREAK, Span

COMMENT = re.compile(r"(?:^|\s)#\s*(ctrgen:\s*allow\b(.*))")
_ALLOW = re.compile(r"\s*([\w-]+)(?:\s+([\w.-]+))?\s*:\s*(\S.*?)\s*\Z")


@dataclass(slots=True)
class Allow:
    """A change that is meant. `span` is that of the comment; `used` is set once it applies."""

    rule: str
    subject: str
    reason: str
    span: Span | None = None
    used: bool = field(default=False, compare=False)

    def covers(self, rule: str, subject: str) -> bool:
        """Whether a finding is one of those that are allowed."""
        return self.rule == rule and self.subject in ("", subject)


def parse(text: str, span: Span | None = None) -> Allow | None:
    """`RULE [SUBJECT]: REASON`, or None when the text is not of that form."""
    match = _ALLOW.match(text)
    return Allow(match[1], match[2] or "", match[3], span) if match else None


def comments(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[Allow | None, Span]]:
    """The comments about changes in the text of files (path, text); None for a broken one."""
    for path, text in texts:
        if "allow" not in text:
            continue
        for number, line in enumerate(LINE_BREAK.split(text), start=1):
            match = COMMENT.search(line) if "allow" in line else None
            if match:
                span = Span(path, number, match.start(1) + 1, number, match.end(1) + 1)
                yield parse(match[2], span), span

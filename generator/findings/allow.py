# SPDX-License-Identifier: BSD-3-Clause
"""Intended changes: each with its reason, in a comment of the schema.

    # ctrgen: allow item-removed session.drops: never polled, see issue 12

Without a subject (`session.drops`), every finding of the rule is allowed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .diagnostics import LINE_BREAK, Diagnostics, Span

_COMMENT = re.compile(r"(?:^|\s)#\s*(ctrgen:\s*allow\b(.*))")
_ALLOW = re.compile(r"\s*([\w-]+)(?:\s+([\w.-]+))?\s*:\s*(\S.*?)\s*\Z")


@dataclass(slots=True)
class Allow:
    """An intended change. `span` is that of the comment; `used` is set once it applies."""

    rule: str
    subject: str
    reason: str
    span: Span
    used: bool = False


def comments(source: Diagnostics) -> Iterator[tuple[Span, Allow | None]]:
    """Changes that comments in the files of `source` allow, and where; None if invalid."""
    for path, text in source.texts.items():
        for number, line in enumerate(LINE_BREAK.split(text), start=1):
            if "allow" in line and (match := _COMMENT.search(line)):
                span = Span(path, number, match.start(1) + 1, number, match.end(1) + 1)
                found = _ALLOW.match(match[2])
                allow = Allow(found[1], found[2] or "", found[3], span) if found else None
                yield span, allow

# SPDX-License-Identifier: BSD-3-Clause
"""Changes that are meant: each with its reason, in a comment of the schema or on the command line.

    # ctrgen: allow item-removed session.drops: nobody polled it, see issue 12
    --allow 'item-removed session.drops: nobody polled it'

Without a subject (`session.drops`), every finding of the rule is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..findings.diagnostics import LINE_BREAK, Diagnostics, Severity, Span, declare
from ..findings.usage import UsageError
from .model import CHANGES, RULES

_COMMENT = re.compile(r"(?:^|\s)#\s*(ctrgen:\s*allow\b(.*))")
_ALLOW = re.compile(r"\s*([\w-]+)(?:\s+([\w.-]+))?\s*:\s*(\S.*?)\s*\Z")

_FORM = "A change is allowed by `# ctrgen: allow RULE [SUBJECT]: REASON`."
declare("allow-comment", Severity.ERROR, _FORM, catalogue=RULES)
_UNUSED = "A comment allows a change that has not been made."
declare("allow-unused", Severity.NOTE, _UNUSED, catalogue=RULES)


@dataclass(slots=True)
class Allow:
    """A change that is meant. `span` is that of the comment; `used` is set once it applies."""

    rule: str
    subject: str
    reason: str
    span: Span | None = None
    used: bool = False


def _parse(text: str, span: Span | None = None) -> Allow | None:
    """`RULE [SUBJECT]: REASON`, or None when the text is not of that form."""
    match = _ALLOW.match(text)
    return Allow(match[1], match[2] or "", match[3], span) if match else None


def from_option(text: str) -> Allow:
    """The value of `--allow`. Raises UsageError when it makes no sense."""
    allow = _parse(text)
    if allow is None:
        raise UsageError(f"--allow: '{text}' gives no reason", "'RULE [SUBJECT]: REASON'")
    if allow.rule not in CHANGES:
        raise UsageError(f"--allow: there is no rule '{allow.rule}'")
    return allow


def from_comments(source: Diagnostics, diagnostics: Diagnostics) -> Iterator[Allow]:
    """What comments in the files of `source` allow; those that make no sense are reported."""
    for path, text in source.texts.items():
        for number, line in enumerate(LINE_BREAK.split(text), start=1):
            match = _COMMENT.search(line) if "allow" in line else None
            if match is None:
                continue
            span = Span(path, number, match.start(1) + 1, number, match.end(1) + 1)
            allow = _parse(match[2], span)
            if allow is None:
                message = "what is allowed, and why?"
                hint = "write `# ctrgen: allow RULE [SUBJECT]: REASON`"
                diagnostics.report("allow-comment", span, message, hint)
            elif allow.rule not in CHANGES:
                diagnostics.report("allow-comment", span, f"there is no rule '{allow.rule}'")
            else:
                yield allow

# SPDX-License-Identifier: BSD-3-Clause
"""Changes that are meant, for `ctrgen breaking`: from the command line, and from comments."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings.allow import Allow, comments, parse
from ..findings.diagnostics import Diagnostics, Severity, declare
from ..findings.usage import UsageError
from .model import CHANGES, RULES

_FORM = "A change is allowed by `# ctrgen: allow RULE [SUBJECT]: REASON`."
declare("allow-comment", Severity.ERROR, _FORM, catalogue=RULES)
_UNUSED = "A comment allows a change that has not been made."
declare("allow-unused", Severity.NOTE, _UNUSED, catalogue=RULES)


def from_option(text: str) -> Allow:
    """The value of `--allow`. Raises UsageError when it makes no sense."""
    allow = parse(text)
    if allow is None:
        raise UsageError(f"--allow: '{text}' gives no reason", "'RULE [SUBJECT]: REASON'")
    if allow.rule not in CHANGES:
        raise UsageError(f"--allow: there is no rule '{allow.rule}'")
    return allow


def from_comments(source: Diagnostics, diagnostics: Diagnostics) -> Iterator[Allow]:
    """What comments in the files of `source` allow; those that make no sense are reported."""
    for span, allow in comments(source):
        if allow is None:
            message = "what is allowed, and why?"
            hint = "write `# ctrgen: allow RULE [SUBJECT]: REASON`"
            diagnostics.report("allow-comment", span, message, hint)
        elif allow.rule not in CHANGES:
            diagnostics.report("allow-comment", span, f"there is no rule '{allow.rule}'")
        else:
            yield allow

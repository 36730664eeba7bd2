# SPDX-License-Identifier: BSD-3-Clause
"""Printers of findings: text for people, json and github for tools."""

import json
import re
import unicodedata

from .diagnostics import Diagnostics, Severity, Span

WINDOW = 120
"""How many characters of a long line are shown around the caret."""

_UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufff9-\ufffb]"
)


def visible(text: str) -> str:
    """Text with control and direction characters written as escapes, safe for a terminal."""
    return _UNSAFE.sub(lambda m: f"\\u{ord(m[0]):04x}", text.replace("\n", " "))


def width(char: str) -> int:
    """Number of terminal columns of one character."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def caret(line: str, span: Span) -> tuple[str, str]:
    """The part of a source line to show, and the line of carets below it. Tabs are repeated, so
    that carets stay below their text; what cannot be shown becomes U+FFFD."""
    first = min(span.column - 1, len(line))
    many = span.end_line > span.line
    last = max(first + 1, len(line.rstrip()) if many else min(span.end_column - 1, len(line)))
    low, high, before, after = 0, len(line), "", ""
    if len(line) > 2 * WINDOW:
        low, high = max(0, first - WINDOW // 2), min(len(line), first + WINDOW)
        before, after = ("..." if low else ""), ("..." if high < len(line) else "")
        last = min(last, high)
    excerpt = _UNSAFE.sub("\ufffd", line[low:high])
    pad = "".join("\t" if c == "\t" else " " * width(c) for c in excerpt[: first - low])
    marked = excerpt[first - low : last - low]
    carets = "^" * max(1, sum(1 if c == "\t" else width(c) for c in marked))
    return before + excerpt + after, " " * len(before) + pad + carets


def print_text(diagnostics: Diagnostics) -> str:
    """`path:line:col: error[rule]: message`, the line, a caret line, `hint: ...`."""
    lines: list[str] = []
    for finding in diagnostics.findings:
        span = finding.span
        lines.append(
            f"{visible(span.path)}:{span.line}:{span.column}: "
            f"{finding.severity.value}[{finding.rule}]: {visible(finding.message)}"
        )
        source = diagnostics.line(span.path, span.line)
        if source is not None and source.strip():
            lines.extend(caret(source, span))
        if finding.hint:
            lines.append(f"hint: {visible(finding.hint)}")
    return "".join(line + "\n" for line in lines)


def print_json(diagnostics: Diagnostics) -> str:
    """One JSON object: `findings` in order, and how many `errors` and `warnings` there are."""
    findings = [
        {
            **finding.span._asdict(),
            "rule": finding.rule,
            "severity": finding.severity.value,
            **({"tags": list(tags)} if (tags := diagnostics.rules[finding.rule].tags) else {}),
            "message": finding.message,
            "hint": finding.hint,
        }
        for finding in diagnostics.findings
    ]
    errors, warnings = map(diagnostics.count, (Severity.ERROR, Severity.WARNING))
    log = {"version": 1, "errors": errors, "warnings": warnings, "findings": findings}
    return json.dumps(log, indent=2) + "\n"


def _command(text: str, property_: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property_ else text


def print_github(diagnostics: Diagnostics) -> str:
    """Workflow commands that annotate the lines of a pull request."""
    lines = []
    for finding in diagnostics.findings:
        span = finding.span
        level = "notice" if finding.severity is Severity.NOTE else finding.severity.value
        place = f"file={_command(span.path, True)},line={span.line},endLine={span.end_line}"
        if span.line == span.end_line:
            place += f",col={span.column},endColumn={span.end_column}"
        hint = f"\nhint: {finding.hint}" if finding.hint else ""
        title, text = _command(finding.rule, True), _command(finding.message + hint)
        lines.append(f"::{level} {place},title={title}::{text}\n")
    return "".join(lines)


PRINTERS = {"text": print_text, "json": print_json, "github": print_github}
"""Every way to print findings, by the name the command line uses."""


def print_findings(diagnostics: Diagnostics, style: str = "text") -> str:
    """All findings in a style of `PRINTERS`; empty, or ends with a line break."""
    return PRINTERS[style](diagnostics)

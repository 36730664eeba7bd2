# SPDX-License-Identifier: BSD-3-Clause
"""Recognizes files of other tools, and text whose characters look like others."""

from __future__ import annotations

import re
import unicodedata

_FORMATS = {
    "P4Info": r"(pkg_info|tables|actions|counters|direct_counters|preamble)\s*\{",
    "YANG": r"(sub)?module\s+[\w-]+\s*\{",
    "XML": r"<[?!/\w]",
    "C": r"(#\s*include\b|(typedef\s+)?struct\b[^:]*\{)",
    "a .proto file": r"syntax\s*=\s*[\"']proto",
    "Prometheus' text format": r"(# (HELP|TYPE) \w+ |\w+\{\w+=\")",
    "TOML": r"(\w+\s*=\s*\S|\[[\w.]+\]\s*$)",
}
_COMMENT = re.compile(r"(?:^|[,{}\]])\s*(//|/\*)")
_SAMPLE = 50
"""Lines that show what a file is."""

_HINTS = {"C": "`ctrgen adopt` proposes a schema for counters in C"}
_START = "a schema starts with `ctrgen: 1`; `ctrgen init` writes one"

_ALIKE = str.maketrans("авеіјкмнорѕстухԁһαικνορτυχ", "abeijkmhopsctyxdhaikvoptux")
"""Letters of other scripts, and those that they look like."""


def foreign(lines: list[str]) -> tuple[int, str, str] | None:
    """The line (from 0) that shows that a text is no schema but a file of another tool, what it is,
    and a hint; None where nothing shows that."""
    for number, line in enumerate(lines[:_SAMPLE]):
        for name, start in _FORMATS.items():
            if re.match(rf"\s*{start}", line):
                message = f"this looks like {name}, not like a schema"
                return number, message, _HINTS.get(name, _START)
        if not re.match(r"\s*(#|//|/?\*|$)", line):
            break
    return None


def c_comment(line: str) -> int | None:
    """Where a line has a comment as C and JSON5 write it."""
    match = _COMMENT.search(line)
    return match.start(1) if match else None


def odd(text: str) -> int | None:
    """Where a text has a character that is no space, colon or quote and looks like one."""
    for number, char in enumerate(text):
        if char > "\x7f" and (char.isspace() or unicodedata.normalize("NFKC", char) in ":\"'-{}[]"):
            return number
    return None


def plain(word: str) -> str:
    """A word in ASCII, with what letters of other scripts look like; empty if that cannot be."""
    decomposed = unicodedata.normalize("NFKD", word.casefold().translate(_ALIKE))
    kept = "".join(c for c in decomposed if unicodedata.category(c) not in ("Mn", "Cf"))
    return kept if kept.isascii() else ""

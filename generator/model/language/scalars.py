# SPDX-License-Identifier: BSD-3-Clause
"""Values of YAML on one line: what plain scalars stand for (core schema of YAML 1.2)."""

import re
from collections.abc import Callable
from typing import Any

MAX_DIGITS = 40
"""Longest number that is read as a number."""

_INT = re.compile(r"[-+]?[0-9]+\Z|0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_NAMED = {"": None, "~": None, "null": None, "true": True, "false": False}
_WORDS = {word: v for name, v in _NAMED.items() for word in (name, name.title(), name.upper())}


def scalar(text: str) -> Any:
    """The value of a plain scalar: text, a number, true, false or null."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "0123456789+-." and len(text) <= MAX_DIGITS:
        if _INT.match(text):
            return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
        if _FLOAT.match(text):
            return float(text)
    return text


def flow(value: Any, text: Callable[[str], str]) -> str:
    """A value as YAML on one line; `text` writes a string, in quotes where it needs them."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        entries = (f"{flow(key, text)}: {flow(entry, text)}" for key, entry in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(entry, text) for entry in value) + "]"
    return "null" if value is None else str(value)

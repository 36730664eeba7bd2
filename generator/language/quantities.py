# SPDX-License-Identifier: BSD-3-Clause
"""Numbers on the command line: with units, within a range, and lists of them."""

from __future__ import annotations

import re

from ..findings.usage import UsageError

NUMBER_HINT = "write 1024, 64k, 1M, 2.3G or the like"

_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_OCTETS = {"": 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_NUMBER = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([kKmMgG]?)")
_SIZE = re.compile(r"([0-9]{1,12})\s*(B|KiB|MiB|GiB|)")
_RANGE = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def number(text: str, option: str, least: float, most: float) -> float:
    """A number such as `1024`, `2.3G` or `1M`. Raises UsageError, which names `option`."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"--{option}: '{text}' is not a number", NUMBER_HINT)
    value = float(match[1]) * _SCALE[match[2].lower()]
    if not least <= value <= most:
        raise UsageError(f"--{option}: {text} is not from {_shown(least)} to {_shown(most)}")
    return value


def whole(text: str, option: str, least: int, most: int) -> int:
    """A whole number, with the same units. Raises UsageError."""
    value = number(text, option, least, most)
    if value != int(value):
        raise UsageError(f"--{option}: {text} is not a whole number")
    return int(value)


def wholes(text: str, option: str, least: int, most: int) -> list[int]:
    """Whole numbers with commas between them. Raises UsageError."""
    return [whole(part, option, least, most) for part in text.split(",")]


def numbers(text: str, option: str, least: float, most: float) -> list[float]:
    """Numbers with commas between them. Raises UsageError."""
    return [number(part, option, least, most) for part in text.split(",")]


def size(text: str, option: str) -> int:
    """A size such as `64KiB`, at least a byte and at most a TiB. Raises UsageError."""
    match = _SIZE.fullmatch(text.strip())
    octets = int(match[1]) * _OCTETS[match[2]] if match else 0
    if not 1 <= octets <= 2**40:
        raise UsageError(f"--{option}: '{text}' is not a size", "write 64KiB, 1MiB or the like")
    return octets


def members(text: str, option: str) -> list[int]:
    """The numbers of a list such as `0-3,8`, each once, in its order. Raises UsageError."""
    listed: list[int] = []
    for part in text.split(","):
        bounds = _RANGE.fullmatch(part.strip())
        last = int(bounds[2] or bounds[1]) if bounds else -1
        if bounds is None or last < int(bounds[1]):
            raise UsageError(f"--{option}: '{text}' is no list such as 0-3,8")
        listed += range(int(bounds[1]), last + 1)
    if len(set(listed)) < len(listed):
        raise UsageError(f"--{option}: '{text}' names a number twice")
    return listed


def _shown(value: float) -> str:
    return f"{value:g}" if value != int(value) or value >= 1e15 else f"{int(value):,}"

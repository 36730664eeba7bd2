# SPDX-License-Identifier: BSD-3-Clause
"""Numbers with units, of a schema and of the command line, and text of a schema."""

import dataclasses
import re
import string
from collections.abc import Callable
from typing import TypeVar

from ...findings.usage import UsageError
from .. import ir
from . import schema

T = TypeVar("T", int, float)

NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
OCTETS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "B": 1}

NUMBER_HINT = "write 1024, 64k, 1M, 2.3G or the like"

_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_NUMBER = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([kKmMgG]?)")


def _scaled(text: str, factors: dict[str, int]) -> int:
    number = text.rstrip(string.ascii_letters)
    return int(number) * factors[text[len(number) :]]


def shown_size(octets: int) -> str:
    """Octets as people write them: `12.5 MiB`."""
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if octets >= OCTETS[unit]:
            return f"{octets / OCTETS[unit]:.1f} {unit}"
    return f"{octets} B"


def text(value: str | None) -> str:
    """Free text on one line: runs of white space become one space."""
    return " ".join((value or "").split())


def requires(needs: schema.Requires | None, outer: ir.Requires | None) -> ir.Requires:
    """Needs of a module (`outer` is None) or of a scope, whose keys override the module's; but
    the module's `memory` is for all scopes together."""
    written = needs.model_dump(exclude_none=True) if needs else {}
    if "propagation" in written:
        written["propagation_ns"] = _scaled(written.pop("propagation"), NANOSECONDS)
    memory = _scaled(written.pop("memory"), OCTETS) if "memory" in written else None
    return dataclasses.replace(outer or ir.Requires(), memory=memory, **written)


def seconds(text: str) -> int:
    """Whole seconds of a time in a schema, such as `5min`."""
    return _scaled(text, NANOSECONDS) // NANOSECONDS["s"]


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


def several(one: Callable[..., T], text: str, option: str, least: int, most: int) -> list[T]:
    """Numbers with commas between them, each read by `one`. Raises UsageError."""
    return [one(part, option, least, most) for part in text.split(",")]


def _shown(value: float) -> str:
    return f"{value:g}" if value != int(value) or value >= 1e15 else f"{int(value):,}"

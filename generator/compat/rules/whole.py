# SPDX-License-Identifier: BSD-3-Clause
"""Changes of the module as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, Found, error, warning
from ..pairs import Comparison


def _renamed(c: Comparison) -> Iterator[Found]:
    if c.old.name != c.new.name:
        message = f"module '{c.old.name}' is now called '{c.new.name}'"
        yield Found(c.new.name, c.new.span, message)


def _writers(c: Comparison) -> Iterator[Found]:
    if (c.old.writers, c.new.writers) == ("any", "lcores"):
        message = "threads without an lcore id could update, and no longer can"
        yield Found("writers", c.top_at("writers"), message)


def _bounds(c: Comparison) -> Iterator[Found]:
    if (c.old.bounds, c.new.bounds) == ("drop", "assert"):
        message = "an index out of range was dropped and counted; it is now undefined behaviour"
        yield Found("bounds", c.top_at("bounds"), message)


RULES = (
    error(
        "module-renamed",
        (C_API, C_ABI, OID, PROMETHEUS),
        _renamed,
        "The name of the module is part of every name in C, in the MIB and in metrics.",
        "Keep the name; `description` is free to change.",
    ),
    error(
        "writers-narrowed",
        (C_API, C_ABI, SEMANTICS),
        _writers,
        "Updates from threads without an lcore id are compiled out.",
        "Register the threads first (`ctr_thread_register()`), in a release before.",
    ),
    warning(
        "bounds-weakened",
        (SEMANTICS,),
        _bounds,
        "Updates no longer check indexes in release builds.",
        "Run a debug build, whose asserts find callers that relied on the check.",
    ),
)

# SPDX-License-Identifier: BSD-3-Clause
"""Changes of the module as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity
from ...findings.rules import Finding
from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, change
from ..pairs import Comparison


@change(
    Severity.ERROR,
    "The name of the module is part of every name in C, in the MIB and in metrics.",
    tags=(C_API, C_ABI, OID, PROMETHEUS),
    instead="Keep the name; `description` is free to change.",
)
def module_renamed(c: Comparison) -> Iterator[Finding]:
    if c.old.name != c.new.name:
        message = f"module '{c.old.name}' is now called '{c.new.name}'"
        yield Finding(c.new.span, message, part=c.new.name)


@change(
    Severity.ERROR,
    "Updates from threads without an lcore id are compiled out.",
    tags=(C_API, C_ABI, SEMANTICS),
    instead="Register the threads first (`ctr_thread_register()`), in a release before.",
)
def writers_narrowed(c: Comparison) -> Iterator[Finding]:
    if (c.old.writers, c.new.writers) == ("any", "lcores"):
        message = "threads without an lcore id could update, and no longer can"
        yield Finding(c.top_at("writers"), message, part="writers")


@change(
    Severity.WARNING,
    "Updates no longer check indexes in release builds.",
    tags=(SEMANTICS,),
    instead="Run a debug build, whose asserts find callers that relied on the check.",
)
def bounds_weakened(c: Comparison) -> Iterator[Finding]:
    if (c.old.bounds, c.new.bounds) == ("drop", "assert"):
        message = "an index out of range was dropped and counted; it is now undefined behaviour"
        yield Finding(c.top_at("bounds"), message, part="bounds")

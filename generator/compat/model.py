# SPDX-License-Identifier: BSD-3-Clause
"""What a breaking-change rule is: data about one kind of change, and how it is found.

A rule says whom a change breaks by categories. An error makes `ctrgen
breaking` fail; a warning is a change that needs care, such as a rebuild.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..findings.diagnostics import Rule, Severity, Span

if TYPE_CHECKING:
    from .pairs import Comparison

C_API = "c-api"
C_ABI = "c-abi"
OID = "oid"
SEMANTICS = "semantics"
PROMETHEUS = "prometheus"

CATEGORIES = {
    C_API: "Source code that uses the generated C no longer compiles, or must be changed to work.",
    C_ABI: "Objects compiled with the old header do not fit the new library: rebuild all of them.",
    OID: "SNMP managers no longer find what they poll, or read something else there.",
    SEMANTICS: "A number is still found, and means something else.",
    PROMETHEUS: "Queries, dashboards and alerts no longer find their metrics.",
}
"""What a change can break, with what happens to whom."""


class Found(NamedTuple):
    """A change that a rule has found. `subject` names what changed: `session.pkts`."""

    subject: str
    span: Span
    message: str
    hint: str = ""


def _nothing(_: Comparison) -> Iterator[Found]:
    return iter(())


@dataclass(frozen=True, slots=True)
class BreakingRule(Rule):
    """A kind of change. `tags` are the categories that it breaks, `sentence` says what happens.

    `instead` is what to do rather than that; `find` yields every such change of a schema.
    """

    instead: str = ""
    find: Callable[[Comparison], Iterator[Found]] = _nothing


def error(
    rule_id: str,
    breaks: tuple[str, ...],
    find: Callable[[Comparison], Iterator[Found]],
    sentence: str,
    instead: str = "",
) -> BreakingRule:
    """A change after which something of a user's no longer works."""
    return BreakingRule(rule_id, Severity.ERROR, sentence, breaks, instead, find)


def warning(
    rule_id: str,
    breaks: tuple[str, ...],
    find: Callable[[Comparison], Iterator[Found]],
    sentence: str,
    instead: str = "",
) -> BreakingRule:
    """A change that is all right once users do what the sentence says."""
    return BreakingRule(rule_id, Severity.WARNING, sentence, breaks, instead, find)

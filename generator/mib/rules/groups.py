# SPDX-License-Identifier: BSD-3-Clause
"""Rules about conformance groups that a schema names."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding, Findings
from .candidate import Candidate, rule


def _named(c: Candidate) -> Iterator[tuple[str, str, Span]]:
    """Every group that something names, with what that is, and where."""
    for scope in c.scopes:
        if scope.snmp.group:
            yield scope.snmp.group, f"scope '{scope.name}'", scope.span
        for item in scope.items:
            if item.snmp is not None and item.snmp.group:
                yield item.snmp.group, f"'{item.name}'", item.span


@rule(Severity.ERROR, "Groups that items and scopes name are in `groups` of `snmp`.")
def unknown_group(c: Candidate) -> Findings:
    known = {group.name for group in c.module.snmp.groups}
    for name, what, span in _named(c):
        if name not in known:
            hint = f"add `groups: {{{name}: {{description: ...}}}}` to `snmp`"
            yield Finding(span, f"{what} is in group '{name}', which is not there", hint)


@rule(Severity.WARNING, "A group that a schema names has objects.")
def unused_group(c: Candidate) -> Findings:
    used = {name for name, *_ in _named(c)}
    for group in c.module.snmp.groups:
        if group.name not in used:
            yield Finding(c.module.snmp.span, f"nothing is in group '{group.name}'", "remove it")


@rule(Severity.ERROR, "A scope that has its objects in a named group is as optional as that.")
def optional_scope(c: Candidate) -> Findings:
    for scope in c.scopes:
        if scope.snmp.optional and scope.snmp.group:
            message = f"scope '{scope.name}' is in group '{scope.snmp.group}', and says `optional`"
            hint = f"say it in `snmp: {{groups: {{{scope.snmp.group}: {{optional: ...}}}}}}`"
            yield Finding(scope.span, message, hint)

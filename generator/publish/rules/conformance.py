# SPDX-License-Identifier: BSD-3-Clause
"""Rules about conformance groups that a schema names, and about notifications, groups and
compliances that it gives itself."""

import re
from collections.abc import Iterator

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding, Findings
from ...model import ir
from .. import definitions, standard
from ..nodespec import base_type
from .candidate import Candidate, rule

_NAME = re.compile(r"[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")


@rule(Severity.ERROR, "What groups, compliances and notifications of a schema name is there.")
def unknown_member(c: Candidate) -> Findings:
    if not c.module.snmp.definitions:
        return
    entries = c.assignment.lock.entries
    objects = {e.name for e in entries if e.kind in ("object", "table", "row")}
    notified = {e.name for e in entries if e.kind == "notification"}
    groups = {e.name for e in entries if e.kind.endswith("group")}
    for one in c.module.snmp.definitions:
        known = notified if one.kind == "notification-group" else objects
        missing = [name for name in one.members if "::" not in name and name not in known]
        for part in one.modules:
            missing += _missing(part, groups, objects)
        for name in dict.fromkeys(missing):
            message = f"the module defines no '{name}' that can be in '{one.name}'"
            hint = "write the name that it has in the MIB, or `MODULE::name`"
            yield Finding(one.span, message, hint)


def _missing(part: ir.ComplianceModule, groups: set[str], objects: set[str]) -> list[str]:
    """The names in a part of a compliance that are not there; in one about another module, those
    that no module can have."""
    named = [*part.mandatory, *(name for name, _ in part.groups)]
    refined = [refinement.name for refinement in part.objects]
    if part.module:
        return [name for name in (*named, *refined) if not _NAME.fullmatch(name)]
    return [
        *(name for name in named if name not in groups),
        *(name for name in refined if name not in objects),
    ]


@rule(Severity.ERROR, "Types in compliances are defined in the module or imported.")
def unknown_refinement(c: Candidate) -> Findings:
    known = c.types | set(standard.TYPES) | standard.BUILT_IN
    for one in c.module.snmp.definitions:
        for refinement in (refinement for part in one.modules for refinement in part.objects):
            for syntax in filter(None, (refinement.syntax, refinement.write_syntax)):
                if "::" not in syntax and base_type(syntax) not in known:
                    message = f"'{one.name}' gives '{refinement.name}' the type {base_type(syntax)}"
                    hint = "write it as `MODULE::TYPE`, or define it in `snmp: types:`"
                    yield Finding(one.span, f"{message}, which is not known", hint)


@rule(Severity.WARNING, "What a schema defines has no name that an earlier build has published.")
def shadowed_definition(c: Candidate) -> Findings:
    for spec in definitions.shadowed(c.module, c.old.entries) if c.old else ():
        message = f"'{spec.name}' is published as what ctrgen made, and stays that"
        hint = "remove it from `snmp: definitions:`"
        yield Finding(spec.span, message, hint)


def _named(c: Candidate) -> Iterator[tuple[str, str, Span]]:
    """Every group that a scope or an item names, with a description and position of that."""
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
            yield Finding(span, f"{what} is in group '{name}', which does not exist", hint)


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
            message = f"scope '{scope.name}' is in group '{scope.snmp.group}', and has `optional`"
            hint = f"say it in `snmp: {{groups: {{{scope.snmp.group}: {{optional: ...}}}}}}`"
            yield Finding(scope.span, message, hint)

# SPDX-License-Identifier: BSD-3-Clause
"""Rules about names: what SMI and its tools take for a name, and for the same name."""

import re
from collections import Counter
from collections.abc import Iterator

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding, Findings
from .. import renames, standard
from ..lock import Key
from ..standard import MAX_NAME
from .candidate import Candidate, rule

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")

_REMOVED = ("item-removed", "scope-removed", "notification-removed")
"""Changes that a comment can allow, after which what is new is no rename."""


@rule(Severity.ERROR, "A former name is not that of something else.")
def rename_taken(c: Candidate) -> Findings:
    scopes = c.module.scope_names
    for scope in (*c.module.parents, *c.scopes):
        former = scope.renamed_from
        if former in scopes:
            message = f"'{scope.name}' was '{former}', but there is a scope of that name"
            yield Finding(scope.span, message, "remove `renamed_from`")
        items = {item.name for item in scope.items}
        for item in scope.items:
            if item.renamed_from in items:
                message = f"'{item.name}' is renamed from '{item.renamed_from}', which still exists"
                yield Finding(item.span, message, "remove `renamed_from`")
        names = [part.name for part in scope.key]
        for place, part in enumerate(scope.key):
            others = [*names, *(other.renamed_from for other in scope.key[:place])]
            if part.renamed_from and part.renamed_from in others:
                message = f"'{part.name}' is renamed from '{part.renamed_from}', which still exists"
                yield Finding(part.span, message, "remove `renamed_from`")
    yield from renames.declared_twice(c.module)


@rule(Severity.WARNING, "A former name is one that the lock file has.")
def rename_unknown(c: Candidate) -> Findings:
    if c.old is None:
        return
    known = {entry.key for entry in c.old.entries}
    for scope in c.scopes:
        items = {item.name for item in scope.items}
        scopes = (scope.name, scope.renamed_from)
        for item in scope.items:
            if item.renamed_from and item.renamed_from not in items:
                names = (item.name, item.renamed_from)
                if not {Key(s, name) for s in scopes for name in names} & known:
                    message = f"nothing called '{item.renamed_from}' is in the lock file"
                    yield Finding(item.span, message, "check the former name")


@rule(Severity.WARNING, "What has a new name says the former one, or its OID is lost.")
def undeclared_rename(c: Candidate) -> Findings:
    if c.old is not None and not c.assignment.frozen:
        removed = {subject for rule_id, subject in c.allowed if rule_id in _REMOVED}
        yield from renames.undeclared(c.module, c.assignment.lock, removed)


def _too_long(c: Candidate) -> Findings:
    """Names and labels of more than MAX_NAME characters; one for each span."""
    longest: dict[Span, str] = {}
    for name, span in c.names:
        if len(name) > MAX_NAME:
            longest[span] = max(longest.get(span, ""), name, key=len)
    for span, name in longest.items():
        message = f"'{name}' has {len(name)} characters in the MIB, more than {MAX_NAME}"
        hint = "rename it, or set `snmp: {name: ...}` to something shorter"
        yield Finding(span, message, hint)
    for item, name in c.labels:
        if len(name) > MAX_NAME:
            message = f"the label '{name}' has {len(name)} characters, more than {MAX_NAME}"
            yield Finding(item.span, message, "shorten it")


@rule(Severity.ERROR, "Names in a MIB are letters and digits, and at most 64 of them.")
def smi_name(c: Candidate) -> Findings:
    for name, span in c.names:
        if name not in c.types and not _is_name(name):
            message = f"'{name}' cannot be a name in the MIB"
            yield Finding(span, message, "letters and digits, starting with a letter")
    yield from _too_long(c)


def _is_name(text: str) -> bool:
    reserved = text in standard.KEYWORDS or text in standard.TYPES
    return _NAME.fullmatch(text) is not None and not reserved


def _clashes(c: Candidate) -> Iterator[tuple[str, str, Span]]:
    """Names that SMI takes for the same, both, and where; modules that were imported may have names
    that differ by case only."""
    first = {entry.name.lower(): entry.name for entry in c.assignment.lock.entries if entry.gone}
    first |= {name.lower(): name for name in _imported(c)}
    existing = c.types | _existing(c)
    for name, span in c.names:
        other = first.get(name.lower())
        first.setdefault(name.lower(), name)
        both = {name, other}
        if other == name or (other and not both <= existing and not both & c.types):
            yield name, other, span


def _existing(c: Candidate) -> set[str]:
    """Names of definitions with OIDs in the schema: they existed before it."""
    lock, snmp, required = c.assignment.lock, c.module.snmp, c.assignment.required
    names = {name for name, _ in snmp.nodes}
    names |= {e.name for e in lock.entries if e.key in required and required[e.key].oid}
    return names | ({lock.identity} if "oid" in snmp.written else set())


def _imported(c: Candidate) -> set[str]:
    """Names of index objects that come from other modules."""
    return {
        index.name
        for scope in c.scopes
        for index in scope.snmp.index
        if (index.module or index.name in standard.INDEXES)
        and index.module != c.module.snmp.name
        and index.name not in c.index_columns
    }


@rule(Severity.ERROR, "Names in a MIB differ by more than case.")
def smi_collision(c: Candidate) -> Findings:
    oids = Counter((e.name, e.oid) for e in c.assignment.lock.entries if not e.gone)
    twice = {name for (name, _), number in oids.items() if number > 1}  # of `rename-taken`
    for name, other, span in _clashes(c):
        if name not in c.types | twice:
            message = f"two definitions would have the name '{name}' in the MIB"
            if name != other:
                message = f"'{name}' and '{other}' would both be in the MIB, "
                message += "where they are equal"
            message += " (RFC 2578, 3.1)"
            yield Finding(span, message, "give one of them another name with `snmp: {name: ...}`")
    seen: set[tuple[str, str, str]] = set()
    for item, name in c.labels:
        if (item.scope, item.name, name) in seen:
            message = f"two labels of '{item.name}' would be called '{name}' in the MIB"
            yield Finding(item.span, message, "give one another name")
        seen.add((item.scope, item.name, name))

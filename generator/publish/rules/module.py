# SPDX-License-Identifier: BSD-3-Clause
"""Rules about the module as a whole: its revisions, and what was published."""

import re
from functools import partial

from ...findings.diagnostics import Severity
from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.language.defaults import DOCUMENTATION
from .. import changes, texts
from ..lock import Lock
from .candidate import Candidate, rule


@rule(
    Severity.WARNING,
    "A module that is published is below the enterprise number of its organization.",
)
def documentation_enterprise(c: Candidate) -> Findings:
    snmp = c.module.snmp
    if snmp.published and not {"enterprise", "oid"} & set(snmp.written):
        message = f"the MIB module is below {DOCUMENTATION}, the enterprise number for examples"
        hint = "add `snmp: {enterprise: N}` with the number that IANA gave your organization"
        yield Finding(snmp.span, message, hint)


@rule(Severity.WARNING, "A MIB module says when it was last changed.")
def default_revision(c: Candidate) -> Findings:
    snmp = c.module.snmp
    if snmp.published and "revisions" not in snmp.written:
        message = f"the MIB module has no revisions, so it is dated {snmp.revisions[0].date}"
        hint = "add `revisions: [{date: YYYY-MM-DD, description: Initial revision.}]`"
        yield Finding(snmp.span, message, hint)


@rule(Severity.ERROR, "Revisions are days of the calendar, newest first.")
def revision_order(c: Candidate) -> Findings:
    for found in changes.disorder(c.module.snmp.revisions):
        yield found._replace(message=f"{found.message} (RFC 2578, 5.5)")


@rule(Severity.WARNING, "A change of a published MIB module comes with a new revision.")
def unrevised_change(c: Candidate) -> Findings:
    old, new = c.old, c.assignment.lock
    if old is None or c.assignment.frozen or old.draft or not old.revisions:
        return
    if any(_late_names(c, old)) or new.revisions[0].date != old.revisions[0].date:
        return
    other_texts = texts.changed(c.module, new)
    before = changes.published(c.assignment.before)
    if other_texts or changes.differs(before, new):
        message = f"the MIB module is not what was published as of {old.revisions[0].date}: "
        message += f"{changes.shown(before, new, other_texts)} ({changes.RULE})"
        hint = "add a revision to `snmp: revisions:`, with `draft: true` until it is published"
        yield Finding(c.module.snmp.span, message, hint)


def _frozen(what: str, clause: str, c: Candidate) -> Findings:
    found = [finding for kind, finding in c.assignment.frozen if kind == what]
    if what == "name" and c.old is not None:
        found += _late_names(c, c.old)
    rfc = f" (RFC 2578, {clause})" if clause else ""
    yield from (one._replace(message=f"{one.message}{rfc}") for one in found)


def _late_names(c: Candidate, old: Lock) -> Findings:
    """Names of scopes in the MIB that come too late: objects keep what they were published as."""
    published = {entry.oid: entry for entry in old.entries}
    live = {
        e.key: e._replace(name=published[e.oid].name) for e, _ in c.entries if e.oid in published
    }
    for scope, first in changes.late_names(c.scopes, live):
        message = f"'{first}' and the rest of scope '{scope.name}' are published under other"
        message += f" names than {scope.snmp.name}..."
        hint = "remove the name: published objects keep theirs"
        yield Finding(scope.span, message, hint)


for _what, _clause, _sentence in (
    ("type", "10.2", "The type of what was published under an OID stays."),
    ("index", "10.2", "The index of a table that was published stays."),
    ("oid", "10", "An OID that was published stays."),
    ("name", "10.2", "The name of a published object stays: managers and other modules use it."),
    ("unit", "10.2 (6)", "A published number stands for what it stood for."),
    ("access", "10.2", "The access to a published object stays."),
    ("status", "10.2 (3)", "A published object is deprecated, then obsolete, and never goes back."),
    ("node", "10.1", "A name that the schema gives an OID stays the name of that OID."),
    ("objects", "10.3", "What raises a published notification stays, and what it carries."),
    ("clause", "", "A published DEFVAL, REFERENCE or DISPLAY-HINT may change, but is not removed."),
    ("definition", "", "Published groups, compliances and notifications of a schema stay."),
    ("rename", "10", "A rename is declared before a revision has another OID for it."),
    ("revision", "10", "The published revision history of a module does not change."),
):
    rule(Severity.ERROR, _sentence, rule_id=f"frozen-{_what}")(partial(_frozen, _what, _clause))


@rule(Severity.ERROR, "The bounds of a published histogram stay: a bucket takes what it took.")
def frozen_bounds(c: Candidate) -> Findings:
    if c.old is None:
        return
    for scope in c.scopes:
        for histogram in scope.histograms:
            before = _published(c.old, scope, histogram)
            now = {bucket.removeprefix(f"{histogram.name}_") for bucket in histogram.buckets}
            if before and before != now:
                bounds = sorted(int(end.split("_")[1]) for end in before if end.startswith("to_"))
                message = f"histogram '{histogram.name}' is published with the bounds "
                message += f"{', '.join(map(str, bounds))} (RFC 2578, 10.2)"
                hint = "an object means for ever what it meant: add a histogram of another name"
                yield Finding(histogram.span, message, hint)


def _published(old: Lock, scope: ir.Scope, histogram: ir.Histogram) -> set[str]:
    """The endings of the buckets that are published, under a present or a former name; none of
    what a draft has added."""
    names = "|".join(re.escape(n) for n in (histogram.name, histogram.renamed_from) if n)
    bucket = re.compile(rf"(?:{names})_((?:to|above)_[0-9]+)\Z")
    entries = (e for e in old.published if not e.gone and e.date != old.draft)
    found = (e.key.item for e in entries if e.key.scope in (scope.name, scope.renamed_from))
    return {match[1] for item in found if (match := bucket.match(item))}

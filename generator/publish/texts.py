# SPDX-License-Identifier: BSD-3-Clause
"""The schema's own texts in a module: descriptions, contact, bounds. The lock file has a digest of
each as it was published, so a build can tell that one has changed (RFC 2578, 10).

Three digests are of what no revision can change: the OID that the schema gives a name (role
`node`), which end of what a peak is (`end`), and what raises a notification (`condition`).

What ctrgen itself writes into descriptions is no part of a digest: a new version of ctrgen may
say it better, and that is no reason for every module to be revised.
"""

import hashlib
import itertools
from collections.abc import Collection, Iterator, Mapping

from ..findings.rules import Finding
from ..model import ir
from ..model.language import defaults
from . import definitions, groups, notifications
from .lock import Entry, Key, Lock

MODULE = Key(role="module")
"""The key of the texts of the module itself."""

_ROLES = {"end": "", "condition": notifications.RAISED}
"""Roles of digests of properties, with the role of the entry itself."""

CLAUSES = {
    "default": ("DEFVAL", "RFC 2578, 10.2 (4)"),
    "reference": ("REFERENCE", "RFC 2578, 10.2 (5)"),
}
"""Clauses that may be added or updated but not removed, by their key in texts, and the rule."""
_OF_TYPES = {"REFERENCE": "RFC 2579, 5 (3)", "DISPLAY-HINT": "RFC 2579, 5 (4)"}

Digests = dict[Key, str]
"""Digests of texts by the key of their entry."""


def own(module: ir.Module) -> Digests:
    """A digest of the texts that the schema gives to each thing of the module."""
    return module.once("texts", lambda made: {k: _digest(t) for k, t in given(made)})


def _digest(texts: Mapping[str, object]) -> str:
    """Eight hexadecimal digits for non-empty texts with normalised white space, then `+` and a
    letter for each clause present."""
    clauses_text = ""
    for name, text in texts.items():
        if text is not None and (words := str(text).split()):
            clauses_text += f"{name}={' '.join(words)}\n"
    clauses = "".join(name[0] for name in CLAUSES if str(texts.get(name, "")).strip())
    return hashlib.sha256(clauses_text.encode()).hexdigest()[:8] + (clauses and f"+{clauses}")


def given(module: ir.Module) -> Iterator[tuple[Key, dict[str, object]]]:
    """The texts in the schema, by the key of their entry."""
    snmp = module.snmp
    of_module = {
        "description": _given(module.description, defaults.module_description(module.name)),
        "organization": _given(snmp.organization, defaults.NOT_STATED),
        "contact": _given(snmp.contact, defaults.NOT_STATED),
    }
    yield MODULE, {**of_module}
    for name, oid in snmp.nodes:
        yield Key(role="node", name=name), {"oid": oid}
    if snmp.definitions or snmp.identities:
        yield from definitions.texts(module)
    for convention in snmp.types:
        of_type = {"description": convention.description, "reference": convention.reference}
        yield Key(role="type", name=convention.name), {**of_type}
    for notification in module.notifications:
        yield notifications.key(notification), {"description": notification.description}
        condition = _condition(notification, notification.scope, notification.item)
        yield notifications.key(notification, "condition"), condition
    yield from _of_groups(module)
    for scope in module.scopes:
        usual = defaults.scope_description(scope.name)
        table = {"description": _given(scope.description, usual), "rows": scope.name}
        more = {"row": scope.snmp.row, "reference": scope.snmp.reference}
        yield Key(scope.name, role="table"), {**table, **more}
        for index in scope.snmp.index:
            texts_of = {"description": index.description, "reference": index.reference}
            key = Key(scope.name, role="index", name=index.name)
            yield key, {**texts_of, "default": index.default}
        histograms = {histogram.name: histogram.description for histogram in scope.histograms}
        for item in scope.items:
            clauses = item.snmp or ir.ItemSnmp()
            about = histograms.get(item.histogram, item.description)
            bounded = {"description": about, "min": item.minimum, "max": item.maximum}
            more = {"reference": clauses.reference, "default": clauses.default}
            yield Key(scope.name, item.name), {**bounded, **more}
            if item.keeps:
                yield Key(scope.name, item.name, "end"), _end(item, item.of)


def _end(peak: ir.Item, of: str) -> dict[str, object]:
    return {"least": peak.least, "of": of}


def _condition(notification: ir.Notification, scope: str, item: str) -> dict[str, object]:
    return {
        "of": f"{scope}.{item}",
        "is": notification.condition.value,
        "values": notification.values,
    }


def _whose(key: Key) -> Key:
    """The key of the entry that a digest is about."""
    return key._replace(role=_ROLES.get(key.role, key.role))


def _of_groups(module: ir.Module) -> Iterator[tuple[Key, dict[str, object]]]:
    """Texts of conformance groups, by their keys (`publish.groups`)."""
    used = {scope.snmp.group for scope in module.scopes}
    used |= {i.snmp.group for scope in module.scopes for i in scope.items if i.snmp is not None}
    for group in module.snmp.groups:
        if group.name in used:
            texts_of = {"description": group.description, "optional": group.optional}
            yield Key(role=groups.NAMED, name=group.name), {**texts_of}
    for scope in module.scopes:
        if scope.snmp.optional:
            yield Key(scope.name), {"optional": scope.snmp.optional}


def of_group(key: Key) -> bool:
    """Whether a digest covers the texts of a conformance group."""
    return key.role == groups.NAMED or (key.scope != "" and key == Key(key.scope))


def _given(text: str, usual: str) -> str:
    """A text of the schema; empty where it is the default."""
    return "" if text == usual else text


def kept(
    module: ir.Module, old: Lock, former: Mapping[Key, Entry | None], gone: Collection[Key], *,
    revised: bool,
) -> tuple[tuple[Key, str], ...]:  # fmt: skip
    """The digests of a lock after this build: those of the published texts, until the module is
    `revised`. `former` are the former entries of the parts of the module, None for new ones;
    `gone` are keys of removed parts that may be restored.
    """
    before = dict(old.texts)
    digests: Digests = {key: d for key, d in before.items() if _whose(key) in gone}
    for key, digest in own(module).items():
        whose = _whose(key)
        entry = former.get(whose)
        if key == Key(key.scope):  # its group: the table has the former name of the scope
            entry = former.get(key.part("table"))
        own_key = key.role in ("module", "node", definitions.IDENTITY) or of_group(key)
        if whose in former or own_key:
            was = entry.key._replace(role=key.role) if entry is not None else key
            digests[key] = digest if revised or key.role in _ROLES else before.get(was, digest)
    return tuple(sorted(digests.items()))


def changed(module: ir.Module, lock: Lock) -> list[Key]:
    """Keys of the entries whose texts differ from the published ones."""
    now = own(module)
    return [key for key, digest in lock.texts if now.get(key, digest)[:8] != digest[:8]]


def removed(entry: Entry, hint: str, before: str, now: str) -> Iterator[tuple[str, str]]:
    """Removed clauses, each with the rule that forbids it, from the digests of the texts `before`
    and `now`. `hint` is the present DISPLAY-HINT of a convention."""
    had, has = (digest.partition("+")[2] for digest in (before, now))
    for name, (clause, rule) in CLAUSES.items():
        if name[0] in had and name[0] not in has:
            yield clause, _OF_TYPES[clause] if entry.kind == "type" else rule
    if entry.kind == "type" and entry.unit and not hint:
        yield "DISPLAY-HINT", _OF_TYPES["DISPLAY-HINT"]


def lost(
    module: ir.Module, old: Lock, former: Mapping[Key, Entry | None], draft: str
) -> Iterator[tuple[str, Finding]]:
    """Changes that no revision allows, except those of a draft."""
    now, before = own(module), dict(old.texts)
    for key, digest in before.items() if not old.draft else ():
        if key.role == "node" and now.get(key) != digest:
            message = f"'{key.name}' is published as the name of another OID"
            if key not in now:
                message = f"'{key.name}' is published as the name of an OID, and was removed"
            hint = "restore its entry in `snmp: nodes:`; another OID has another name"
            yield "node", Finding(module.snmp.span, message, hint)
    raised = {notifications.key(one): one for one in module.notifications}
    hints = {Key(role="type", name=one.name): one.display_hint for one in module.snmp.types}
    for key, entry in former.items():
        if entry is None or entry.date == draft:
            continue
        digest, hint = before.get(entry.key, ""), hints.get(key, entry.unit)
        for clause, rule in removed(entry, hint, digest, now.get(key, digest)):
            message = f"'{entry.name}' is published with a {clause} ({rule})"
            span = module.item(key.scope, key.item).span if key.item else module.snmp.span
            yield "clause", Finding(span, message, f"restore it, or write another {clause}")
        end, condition = (before.get(entry.key._replace(role=role)) for role in _ROLES)
        if key.item and not key.role and end and end not in _ends(module, key):
            item = module.item(key.scope, key.item)
            message = f"'{entry.name}' is published as {item.kind.noun} of another kind"
            hint = f"add {item.kind.noun} of another name, and keep this one as it was for a while"
            yield "type", Finding(item.span, message, hint)
        notification = raised.get(key)
        if notification and condition and condition not in _conditions(module, notification):
            message = f"'{entry.name}' is published with another condition"
            hint = "add a notification of another name, and keep this one as it was for a while"
            yield "objects", Finding(notification.span, message, hint)


def _conditions(module: ir.Module, notification: ir.Notification) -> set[str]:
    """Possible digests of a notification's condition, as its item may have been renamed."""
    scope = module.scope(notification.scope)
    item = module.item(scope.name, notification.item)
    scopes, items = ({one.name, one.renamed_from or one.name} for one in (scope, item))
    return {_digest(_condition(notification, *names)) for names in itertools.product(scopes, items)}


def _ends(module: ir.Module, key: Key) -> set[str]:
    """The digests that an item may have as a peak: its gauge may have another name now."""
    item = module.item(key.scope, key.item)
    if not item.keeps:
        return set()
    gauges = (other for other in module.scope(key.scope).items if item.of and other.name == item.of)
    names = {item.of, *(gauge.renamed_from for gauge in gauges if gauge.renamed_from)}
    return {_digest(_end(item, of)) for of in names}

# SPDX-License-Identifier: BSD-3-Clause
"""Resolves what a schema says about SNMP, every default filled in."""

from __future__ import annotations

from ..findings.diagnostics import Span
from ..frontends.raw import Raw
from ..language import defaults, schema, units
from ..language import snmp as schema_snmp
from ..model import ir
from ..model.naming import smi


def module(top: schema.Schema, raw: Raw, where: Span) -> ir.Snmp:
    """The MIB module of a schema; `where` is where the schema names itself."""
    given = top.snmp or schema_snmp.Snmp()
    enterprise = given.enterprise or defaults.DOCUMENTATION
    arc = defaults.ARC if given.arc is None else given.arc
    oid = ".".join([defaults.ENTERPRISES, str(enterprise), *map(str, arc)])
    name = given.name or smi.module_name(top.module)
    span = raw.key_span(("snmp",)) if raw.has(("snmp",)) else where
    revisions = [
        ir.Revision(r.date, _text(r.description), raw.value_span(("snmp", "revisions", n)), r.draft)
        for n, r in enumerate(given.revisions or ())
    ]
    initial = ir.Revision(defaults.FIRST_REVISION, "Initial revision.", span)
    return ir.Snmp(
        oid=given.oid or oid,
        name=name,
        identity=given.identity or smi.identity(name),
        enterprise=None if given.oid else enterprise,
        organization=_text(given.organization) or defaults.NOT_STATED,
        contact=_text(given.contact) or defaults.NOT_STATED,
        revisions=tuple(revisions) or (initial,),
        low_capacity=given.low_capacity,
        nodes=tuple(given.nodes.items()),
        types=tuple(_convention(name, entry) for name, entry in given.types.items()),
        written=tuple(key for key in type(given).model_fields if key in given.model_fields_set),
        span=span,
    )


def _convention(name: str, given: schema_snmp.Convention) -> ir.Convention:
    labels = tuple(ir.Label(label, value) for label, value in given.labels.items())
    text, hint = _text(given.description), units.text(given.display_hint)
    return ir.Convention(name, given.syntax, text, hint, given.status, labels)


def scope(given: schema.Scope) -> ir.ScopeSnmp:
    """What a scope says about its table."""
    own = given.snmp or schema_snmp.ScopeSnmp()
    index = given.index if isinstance(given.index, list) else [given.index]
    return ir.ScopeSnmp(
        name=own.name or "",
        oid=own.oid or "",
        table=own.table or "",
        entry=own.entry or "",
        status=own.status or "",
        implied=own.implied,
        serve=own.serve,
        cap=own.cap or 0,
        index=tuple(_index(entry) for entry in index if entry is not None),
        augments=given.augments or "",
    )


def _index(given: schema_snmp.Index | str) -> ir.IndexObject:
    if isinstance(given, str):
        given = schema_snmp.Index(object=given)
    module, _, name = given.object.rpartition("::")
    return ir.IndexObject(
        name=name,
        module=module,
        oid=given.oid or "",
        syntax=given.syntax or "",
        description=_text(given.description),
        unit=units.text(given.unit),
        status=given.status,
        access=given.access,
    )


def item(given: schema_snmp.ItemSnmp | None) -> ir.ItemSnmp | None:
    """What an item says about its object, None when it says nothing."""
    if given is None:
        return None
    return ir.ItemSnmp(
        name=given.name or "",
        oid=given.oid or "",
        syntax=given.syntax or "",
        status=given.status or "",
        access=given.access or "",
        labels=tuple(given.labels.items()),
    )


def _text(value: str | None) -> str:
    """Free text as paragraphs: white space is folded, blank lines are kept."""
    paragraphs = (units.text(part) for part in (value or "").replace("\r\n", "\n").split("\n\n"))
    return "\n\n".join(part for part in paragraphs if part)

# SPDX-License-Identifier: BSD-3-Clause
"""Resolves what a schema says about SNMP, every default filled in."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar, cast

from ...findings.diagnostics import Span
from ...model import ir
from ...model.language import defaults, schema, units
from ...model.language import snmp as language
from ...model.naming import smi
from ..raw import Raw

Part = TypeVar("Part")

_PARAGRAPHS = ("description", "reference", "row", "optional", "organization", "contact")
"""Fields with free text of several paragraphs."""


def module(top: schema.Schema, raw: Raw, where: Span) -> ir.Snmp:
    """The MIB module of a schema; `where` is where the schema names itself."""
    written = top.snmp or language.Snmp()
    enterprise = written.enterprise or defaults.DOCUMENTATION
    arc = defaults.ARC if written.arc is None else written.arc
    oid = ".".join([defaults.ENTERPRISES, str(enterprise), *map(str, arc)])
    name = written.name or smi.module_name(top.module)
    span = raw.key_span(("snmp",)) if raw.has(("snmp",)) else where
    revisions = [
        _part(
            ir.Revision, entry, date=entry.date.removesuffix(defaults.MIDNIGHT),
            span=raw.value_span(("snmp", "revisions", number)),
        )
        for number, entry in enumerate(written.revisions or ())
    ]  # fmt: skip
    nodes = written.nodes.items()
    return _part(
        ir.Snmp, written, oid=written.oid or oid, name=name,
        identity=written.identity or smi.identity(name),
        enterprise=None if written.oid else enterprise,
        organization=_text(written.organization) or defaults.NOT_STATED,
        contact=_text(written.contact) or defaults.NOT_STATED,
        revisions=tuple(revisions) or (ir.Revision(*defaults.INITIAL, span),),
        nodes=tuple((n, entry if isinstance(entry, str) else entry.oid) for n, entry in nodes),
        identities=tuple(
            _part(ir.Identity, entry, name=node)
            for node, entry in nodes
            if isinstance(entry, language.Identity)
        ),
        definitions=tuple(_definitions(written.definitions or language.Definitions(), raw)),
        types=tuple(_convention(name, entry) for name, entry in written.types.items()),
        groups=tuple(_part(ir.Group, entry, name=name) for name, entry in written.groups.items()),
        published=top.snmp is not None and not written.draft,
        written=tuple(key for key in type(written).model_fields if key in written.model_fields_set),
        span=span,
    )  # fmt: skip


def _definitions(written: language.Definitions, raw: Raw) -> Iterator[ir.Definition]:
    """Notifications first, then the groups, as they refer to each other."""
    for kind, key in ir.DEFINITIONS.items():
        for name, entry in getattr(written, key).items():
            members = (*getattr(entry, "objects", ()), *getattr(entry, "notifications", ()))
            modules = map(_compliance, getattr(entry, "modules", ()))
            yield _part(
                ir.Definition, entry, kind=kind, name=name, members=members,
                modules=tuple(modules), span=raw.key_span(("snmp", "definitions", key, name)),
            )  # fmt: skip


def _compliance(written: language.ComplianceModule) -> ir.ComplianceModule:
    groups = tuple((name, _text(text)) for name, text in written.groups.items())
    objects = tuple(_part(ir.Refinement, one, name=name) for name, one in written.objects.items())
    return ir.ComplianceModule(written.module or "", tuple(written.mandatory), groups, objects)


def _convention(name: str, written: language.Convention) -> ir.Convention:
    labels = tuple(ir.Label(label, value) for label, value in written.labels.items())
    hint = units.text(written.display_hint)
    return _part(ir.Convention, written, name=name, labels=labels, display_hint=hint)


def scope(written: schema.Scope) -> ir.ScopeSnmp:
    """Keys of a scope about its table."""
    index = written.index if isinstance(written.index, list) else [written.index]
    indexes = tuple(_index(entry) for entry in index if entry is not None)
    return _part(ir.ScopeSnmp, written.snmp, index=indexes, augments=written.augments or "")


def _index(written: language.Index | str) -> ir.IndexObject:
    if isinstance(written, str):
        written = language.Index(object=written)
    module, _, name = written.object.rpartition("::")
    unit = units.text(written.unit)
    return _part(ir.IndexObject, written, name=name, module=module, unit=unit)


def item(written: language.ItemSnmp | None) -> ir.ItemSnmp | None:
    """Keys of an item about its object, or None."""
    if written is None:
        return None
    labels, stated = tuple(written.labels.items()), units.text(written.units)
    return _part(ir.ItemSnmp, written, labels=labels, units=stated)


def _part(model: type[Part], written: Any, /, **other: Any) -> Part:
    """A part of a module with what the schema says under the names of its fields, or `other`."""
    values = {field.name: getattr(written, field.name, None) for field in fields(cast(Any, model))}
    values |= {key: _text(values[key]) for key in _PARAGRAPHS if values.get(key)}
    return model(**{key: value for key, value in (values | other).items() if value is not None})


def _text(value: str | None) -> str:
    """Free text as paragraphs: white space is folded, blank lines are kept."""
    paragraphs = (units.text(part) for part in (value or "").replace("\r\n", "\n").split("\n\n"))
    return "\n\n".join(part for part in paragraphs if part)

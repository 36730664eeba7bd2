# SPDX-License-Identifier: BSD-3-Clause
"""Resolves what a schema says about SNMP, every default filled in."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from ..findings.diagnostics import Span
from ..frontends.raw import Raw
from ..language import defaults, schema, units
from ..language import snmp as schema_snmp
from ..model import ir
from ..model.naming import smi

Part = TypeVar("Part", ir.Convention, ir.IndexObject, ir.ItemSnmp, ir.ScopeSnmp, ir.Snmp)


def module(top: schema.Schema, raw: Raw, where: Span) -> ir.Snmp:
    """The MIB module of a schema; `where` is where the schema names itself."""
    written = top.snmp or schema_snmp.Snmp()
    enterprise = written.enterprise or defaults.DOCUMENTATION
    arc = defaults.ARC if written.arc is None else written.arc
    oid = ".".join([defaults.ENTERPRISES, str(enterprise), *map(str, arc)])
    name = written.name or smi.module_name(top.module)
    span = raw.key_span(("snmp",)) if raw.has(("snmp",)) else where
    revisions = [
        ir.Revision(
            r.date.removesuffix(defaults.MIDNIGHT),
            _text(r.description),
            raw.value_span(("snmp", "revisions", n)),
            r.draft,
        )
        for n, r in enumerate(written.revisions or ())
    ]
    initial = ir.Revision(*defaults.INITIAL, span)
    return _part(
        ir.Snmp, written, oid=written.oid or oid, name=name,
        identity=written.identity or smi.identity(name),
        enterprise=None if written.oid else enterprise,
        organization=_text(written.organization) or defaults.NOT_STATED,
        contact=_text(written.contact) or defaults.NOT_STATED,
        revisions=tuple(revisions) or (initial,), nodes=_nodes(written),
        identities=_identities(written), definitions=_definitions(written, raw),
        types=tuple(_convention(name, entry) for name, entry in written.types.items()),
        groups=tuple(_group(name, entry) for name, entry in written.groups.items()),
        published=top.snmp is not None and not written.draft,
        written=tuple(key for key in type(written).model_fields if key in written.model_fields_set),
        span=span,
    )  # fmt: skip


def _nodes(written: schema_snmp.Snmp) -> tuple[tuple[str, str], ...]:
    """The OIDs of nodes by their names."""
    nodes = written.nodes.items()
    return tuple((name, node if isinstance(node, str) else node.oid) for name, node in nodes)


def _identities(written: schema_snmp.Snmp) -> tuple[ir.Identity, ...]:
    """What is said of nodes."""
    return tuple(
        ir.Identity(name, node.status, _text(node.description), _text(node.reference))
        for name, node in written.nodes.items()
        if isinstance(node, schema_snmp.Identity)
    )


def _definitions(written: schema_snmp.Snmp, raw: Raw) -> tuple[ir.Definition, ...]:
    """What the module has besides objects; few schemas say anything about it."""
    if written.definitions is None:
        return ()
    from .definitions import definitions

    return definitions(written.definitions, raw, _text)


def _convention(name: str, written: schema_snmp.Convention) -> ir.Convention:
    labels = tuple(ir.Label(label, value) for label, value in written.labels.items())
    return _part(
        ir.Convention, written, name=name, labels=labels, description=_text(written.description),
        display_hint=units.text(written.display_hint), reference=_text(written.reference),
    )  # fmt: skip


def _group(name: str, written: schema_snmp.Group) -> ir.Group:
    return ir.Group(name, _text(written.description), _text(written.optional))


def scope(written: schema.Scope) -> ir.ScopeSnmp:
    """What a scope says about its table."""
    index = written.index if isinstance(written.index, list) else [written.index]
    indexes = tuple(_index(entry) for entry in index if entry is not None)
    augments = written.augments or ""
    said = written.snmp or schema_snmp.ScopeSnmp()
    texts = {key: _text(getattr(said, key)) for key in ("row", "reference", "optional")}
    return _part(ir.ScopeSnmp, written.snmp, index=indexes, augments=augments, **texts)


def _index(written: schema_snmp.Index | str) -> ir.IndexObject:
    if isinstance(written, str):
        written = schema_snmp.Index(object=written)
    module, _, name = written.object.rpartition("::")
    return _part(
        ir.IndexObject, written, name=name, module=module, description=_text(written.description),
        unit=units.text(written.unit), reference=_text(written.reference),
    )  # fmt: skip


def item(written: schema_snmp.ItemSnmp | None) -> ir.ItemSnmp | None:
    """What an item says about its object, None when it says nothing."""
    if written is None:
        return None
    labels, stated = tuple(written.labels.items()), units.text(written.units)
    reference = _text(written.reference)
    return _part(ir.ItemSnmp, written, labels=labels, units=stated, reference=reference)


def _part(model: type[Part], written: Any, /, **other: Any) -> Part:
    """A part of a module with what the schema says under the names of its fields, or `other`."""
    names = (field.name for field in fields(model))
    values = {name: getattr(written, name, None) for name in names} | other
    return model(**{name: value for name, value in values.items() if value is not None})


def _text(value: str | None) -> str:
    """Free text as paragraphs: white space is folded, blank lines are kept."""
    paragraphs = (units.text(part) for part in (value or "").replace("\r\n", "\n").split("\n\n"))
    return "\n\n".join(part for part in paragraphs if part)

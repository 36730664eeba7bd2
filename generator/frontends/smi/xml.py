# SPDX-License-Identifier: BSD-3-Clause
"""Reads the XML that smidump writes.

Declarations of entities are refused, not expanded: smidump writes none.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from .model import Module, Object, Table, Type

_ACCESS = {
    "noaccess": "not-accessible",
    "notifyonly": "accessible-for-notify",
    "readonly": "read-only",
    "readwrite": "read-write",
    "writeonly": "read-write",
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_NUMBER = re.compile(r"-?[0-9]{1,20}\Z")
_OID = re.compile(r"[0-9]{1,10}(\.[0-9]{1,10})*\Z")
_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class XmlError(Exception):
    """What smidump wrote cannot be read."""


def read(text: str) -> Module:
    """The module that a document holds. Raises XmlError."""
    if "<!ENTITY" in text or text.count("<!DOCTYPE") > 1:
        raise XmlError("it declares entities")
    try:
        root = ElementTree.fromstring(_CONTROL.sub("?", text))
    except ElementTree.ParseError as error:
        raise XmlError(str(error)) from error
    head = root.find("module")
    if head is None:
        raise XmlError("it holds no module")
    identity = head.find("identity")
    revisions = [
        (entry.get("date", ""), _text(entry, "description")) for entry in head.iter("revision")
    ]
    return Module(
        name=head.get("name", ""),
        identity=identity.get("node", "") if identity is not None else "",
        organization=_text(head, "organization"),
        contact=_text(head, "contact"),
        description=_text(head, "description"),
        revisions=revisions,
        nodes={_name(node): _oid(node) for node in root.iterfind("nodes/node")},
        types={_name(entry): _type(entry) for entry in root.iterfind("typedefs/typedef")},
        scalars=[_object(scalar) for scalar in root.iterfind("nodes/scalar")],
        tables=[_table(table) for table in root.iterfind("nodes/table")],
    )


def _table(element: ElementTree.Element) -> Table:
    row = element.find("row")
    if row is None:
        raise XmlError(f"table {element.get('name')} has no row")
    linkage = row.find("linkage")
    keys = [] if linkage is None else [(key.tag, _qualified(key)) for key in linkage]
    return Table(
        name=_name(element),
        oid=_oid(element),
        entry=_name(row),
        columns=tuple(_object(column) for column in row.iterfind("column")),
        index=tuple(name for tag, name in keys if tag == "index"),
        augments=next((name for tag, name in reversed(keys) if tag != "index"), ""),
        implied=linkage is not None and linkage.get("implied") == "true",
        status=element.get("status", ""),
        description=_text(element, "description"),
    )


def _object(element: ElementTree.Element) -> Object:
    syntax = element.find("syntax")
    kind = syntax[0] if syntax is not None and len(syntax) else None
    access = _text(element, "access")
    return Object(
        name=_name(element),
        oid=_oid(element),
        type=_type(kind) if kind is not None else Type(),
        access=_ACCESS.get(access, access),
        status=element.get("status", ""),
        unit=_text(element, "units"),
        description=_text(element, "description"),
    )


def _type(element: ElementTree.Element) -> Type:
    if element.tag == "type":
        return Type(parent=_qualified(element))
    parent = element.find("parent")
    labels = [(n.get("name", ""), n.get("number", "")) for n in element.iterfind("namednumber")]
    return Type(
        base=element.get("basetype", ""),
        parent=_qualified(parent) if parent is not None else "",
        ranges=tuple((r.get("min", ""), r.get("max", "")) for r in element.iterfind("range")),
        labels=tuple((name, int(number)) for name, number in labels if _NUMBER.match(number)),
        hint=_text(element, "format"),
        status=element.get("status", ""),
        description=_text(element, "description"),
    )


def _name(element: ElementTree.Element) -> str:
    """The name of a definition. Raises XmlError for what is none, which C could not have either."""
    name = element.get("name", "")
    if not _NAME.match(name):
        raise XmlError(f"a {element.tag} has no name")
    return name


def _oid(element: ElementTree.Element) -> str:
    """The OID of a definition. Raises XmlError for what is none."""
    oid = element.get("oid", "")
    if not _OID.match(oid):
        raise XmlError(f"{element.tag} {element.get('name')} has no OID")
    return oid


def _qualified(element: ElementTree.Element) -> str:
    module, name = element.get("module", ""), element.get("name", "")
    return f"{module}::{name}" if module else name


def _text(element: ElementTree.Element, tag: str) -> str:
    return element.findtext(tag, "").strip()

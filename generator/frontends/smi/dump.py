# SPDX-License-Identifier: BSD-3-Clause
"""Reads the XML of smidump, which does not escape everything in its texts."""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from .model import Module, Object, Table, Type

Part = TypeVar("Part")

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
_TEXTS = re.compile(
    r"<(default|description|reference|organization|contact|units|format)>(.*?)</\1>$",
    re.DOTALL | re.MULTILINE,
)
_OPEN = re.compile(
    r"^( {4}<table\b[^\n]*\n(?:(?! {2}(?: {2})?<)[^\n]*\n)*)(?= {4}<[a-z]| {2}<)", re.MULTILINE
)
"""A table without columns, which smidump does not end."""
_BARE = re.compile(
    r'^( {4}<)node( [^\n]*oid="([^"\n]*)"[^\n]*>\n) {4}</node>\n(?= {6}<row [^\n]*oid="\3\.\d+")',
    re.MULTILINE,
)
"""The node above a row, which the module does not define as a table; smidump ends a table there."""
_FURTHER = re.compile(r"^ +(</(?:table|scalar|node)>\n)(?= {6}<row\b)", re.MULTILINE)
"""What is before a further row below such a node, whose end is that of a table, too."""
_BESIDES = {"notification": "notifications", "group": "groups", "compliance": "compliances"}
"""Definitions of which only the OID is read: the rest is read from the module's text."""


class XmlError(Exception):
    """The output of smidump is malformed."""


def parse(text: str) -> Module:
    """The module in a document, in which no entities may be declared. Raises XmlError."""
    if "<!ENTITY" in text or text.count("<!DOCTYPE") > 1:
        raise XmlError("it declares entities")
    text = _CONTROL.sub("?", text)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError:
        try:
            text = _TEXTS.sub(lambda m: f"<{m[1]}>{escape(html.unescape(m[2]))}</{m[1]}>", text)
            text = _FURTHER.sub(r"    \1    <table>\n", _BARE.sub(r"\1table\2", text))
            text = _OPEN.sub(_ended, text)
            root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            raise XmlError(str(error)) from error
    head = root.find("module")
    if head is None:
        raise XmlError("it holds no module")
    identity = head.find("identity")
    revisions = [
        (entry.get("date", ""), _text(entry, "description")) for entry in head.iter("revision")
    ]
    scalars = _each(root.iterfind("nodes/scalar"), _object)
    # Of a row without INDEX the columns are written as scalars.
    tables = root.iterfind("nodes/table")
    rows = (table for table in tables if table.find("row") is not None)
    bare = tuple(f"{table.get('oid')}." for table in rows if table.find("row/column") is None)
    return Module(
        name=head.get("name", ""),
        identity=identity.get("node", "") if identity is not None else "",
        organization=_text(head, "organization"),
        contact=_text(head, "contact"),
        description=_text(head, "description"),
        revisions=revisions,
        nodes=_oids(root, "nodes/node"),
        besides={
            n: o for k, part in _BESIDES.items() for n, o in _oids(root, f"{part}/{k}").items()
        },
        types=dict(_each(root.iterfind("typedefs/typedef"), lambda e: (_name(e), _type(e)))),
        scalars=[scalar for scalar in scalars if not scalar.oid.startswith(bare)],
        tables=list(_each(root.iterfind("nodes/table"), _table)),
    )


def _each(
    elements: Iterable[ElementTree.Element], made: Callable[[ElementTree.Element], Part]
) -> Iterator[Part]:
    """The parts that `made` returns for the elements; elements that raise XmlError are skipped."""
    for element in elements:
        try:
            yield made(element)
        except XmlError:
            continue


def _oids(root: ElementTree.Element, path: str) -> dict[str, str]:
    """The OIDs of some definitions by their names."""
    return dict(_each(root.iterfind(path), lambda element: (_name(element), _oid(element))))


def _ended(found: re.Match[str]) -> str:
    """A table with its end, and that of its row."""
    is_open = "\n      <row" in found[0] and "\n      </row>" not in found[0]
    row = "      </row>\n" if is_open else ""
    return f"{found[0]}{row}    </table>\n"


def _table(element: ElementTree.Element) -> Table:
    row = element.find("row")
    if row is None:
        raise XmlError(f"table {element.get('name')} has no row")
    if row.find("column") is None:
        raise XmlError(f"row {row.get('name')} has no column")
    keys = [(key.tag, _qualified(key)) for key in row.iterfind("linkage/*")]
    return Table(
        name=_name(element),
        oid=_oid(element),
        entry=_name(row),
        columns=tuple(_each(row.iterfind("column"), _object)),
        index=tuple(name for tag, name in keys if tag == "index"),
        augments=next((name for tag, name in reversed(keys) if tag != "index"), ""),
        implied=row.find("linkage[@implied='true']") is not None,
        status=element.get("status", ""),
        description=_text(element, "description"),
        reference=_text(element, "reference"),
        row=_text(row, "description"),
    )


def _object(element: ElementTree.Element) -> Object:
    kind = element.find("syntax/*")
    access = _text(element, "access")
    return Object(
        name=_name(element), oid=_oid(element), type=_type(kind) if kind is not None else Type(),
        access=_ACCESS.get(access, access), status=element.get("status", ""),
        unit=_text(element, "units"), description=_text(element, "description"),
        reference=_text(element, "reference"),
    )  # fmt: skip


def _type(element: ElementTree.Element) -> Type:
    if element.tag == "type":
        return Type(parent=_qualified(element))
    parent = element.find("parent")
    labels = [(n.get("name", ""), n.get("number", "")) for n in element.iterfind("namednumber")]
    return Type(
        base=element.get("basetype", ""), parent=_qualified(parent) if parent is not None else "",
        ranges=tuple((r.get("min", ""), r.get("max", "")) for r in element.iterfind("range")),
        labels=tuple((name, int(number)) for name, number in labels if _NUMBER.match(number)),
        hint=_text(element, "format"), status=element.get("status", ""),
        description=_text(element, "description"), reference=_text(element, "reference"),
    )  # fmt: skip


def _name(element: ElementTree.Element) -> str:
    """The name of a definition. Raises XmlError if it is malformed."""
    name = element.get("name", "")
    if not _NAME.match(name):
        raise XmlError(f"a {element.tag} has no name")
    return name


def _oid(element: ElementTree.Element) -> str:
    """The OID of a definition. Raises XmlError if it is malformed."""
    oid = element.get("oid", "")
    if not _OID.match(oid):
        raise XmlError(f"{element.tag} {element.get('name')} has no OID")
    return oid


def _qualified(element: ElementTree.Element) -> str:
    module, name = element.get("module", ""), element.get("name", "")
    return f"{module}::{name}" if module else name


def _text(element: ElementTree.Element, tag: str) -> str:
    return element.findtext(tag, "").strip()

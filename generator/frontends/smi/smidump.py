# SPDX-License-Identifier: BSD-3-Clause
"""Reads modules with smidump, which knows SMI better than anything else that is free."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...findings.usage import reason
from .model import Module, Object, Table, Type

SECONDS = 20
"""Longest that smidump may take; some modules make it run for ever."""
MAX_OUTPUT = 256 << 20
"""Most octets that smidump may write."""


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


class Dump(NamedTuple):
    """What came of a run: a module, or why there is none; lines with what is wrong with each."""

    module: Module | None
    messages: tuple[tuple[int, str], ...] = ()
    failure: str = ""


def installed() -> bool:
    """Whether there is a smidump."""
    return shutil.which("smidump") is not None


def run(text: str, search: list[Path]) -> Dump:
    """Dump the module in a text. Never raises for what it holds."""
    environment = {**os.environ, "SMIPATH": os.pathsep.join(map(str, search)), "LC_ALL": "C"}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as err:
        path = f"{folder}/MODULE"
        Path(path).write_text(text, encoding="utf-8")
        command = ["smidump", "-k", "-q", "-s", "-l", "2", "-c", os.devnull, "-f", "xml", path]
        try:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=err, stdin=subprocess.DEVNULL,
                env=environment,
            ) as process:  # fmt: skip
                out, failure = _output(process)
        except OSError as error:
            return Dump(None, (), f"smidump cannot be run: {reason(error)}")
        err.seek(0)
        lines = err.read(1 << 20).decode("utf-8", "replace").splitlines()
    said = re.compile(rf"{re.escape(path)}:([0-9]+): \[[01]\] (.*)")  # 0 and 1 are the worst
    messages = tuple((int(match[1]), match[2]) for match in map(said.match, lines) if match)
    if not failure and process.returncode < 0:
        failure = f"smidump broke down with signal {-process.returncode}"
    module = None
    try:
        if out and not failure:
            module = parse(out.decode("utf-8", "replace"))
    except XmlError as error:
        failure = f"the XML of smidump cannot be read: {error}"
    return Dump(module, messages, failure)


def _output(process: subprocess.Popen[bytes]) -> tuple[bytes, str]:
    """All that a process writes until it ends, or why it was ended before."""
    assert process.stdout is not None
    handle = process.stdout.fileno()
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    end = time.monotonic() + SECONDS
    out = bytearray()
    while len(out) <= MAX_OUTPUT:
        left = end - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            process.kill()
            return b"", f"smidump took more than {SECONDS} s"
        chunk = os.read(handle, 1 << 20)
        if not chunk:
            return bytes(out), ""
        out += chunk
    process.kill()
    return b"", "smidump wrote too much"


def parse(text: str) -> Module:
    """The module in a document, in which no entities may be declared. Raises XmlError."""
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
    keys = [(key.tag, _qualified(key)) for key in row.iterfind("linkage/*")]
    return Table(
        name=_name(element),
        oid=_oid(element),
        entry=_name(row),
        columns=tuple(_object(column) for column in row.iterfind("column")),
        index=tuple(name for tag, name in keys if tag == "index"),
        augments=next((name for tag, name in reversed(keys) if tag != "index"), ""),
        implied=row.find("linkage[@implied='true']") is not None,
        status=element.get("status", ""),
        description=_text(element, "description"),
    )


def _object(element: ElementTree.Element) -> Object:
    kind = element.find("syntax/*")
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

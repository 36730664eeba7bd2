# SPDX-License-Identifier: BSD-3-Clause
"""How smidump sees a module, read from its XML without anything of the importer."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

Fact = tuple[str, ...]

BrokenXml = ElementTree.ParseError
"""What is raised when smidump writes no XML that can be read."""

_SMI_V1 = {"Counter": "Counter32", "Gauge": "Gauge32", "NetworkAddress": "IpAddress"}
"""SMIv2 has other names for these types of SMIv1."""


def xml(path: Path, search: str) -> str:
    """What smidump writes of a module."""
    done = subprocess.run(
        ["smidump", "-k", "-q", "-f", "xml", str(path)],
        env={**os.environ, "SMIPATH": search, "LC_ALL": "C"},
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout.decode("latin-1")


def facts(path: Path, search: str) -> dict[str, Fact]:
    """By OID: name, access and type of every scalar and column; INDEX or AUGMENTS of every row.

    A type of the module itself is followed to what it is made from, since it may
    have got a name; one of another module is that name.
    """
    root = ElementTree.fromstring(xml(path, search))
    found: dict[str, Fact] = {}
    view = _View(root)
    for one in root.iter():
        oid, name = one.get("oid", ""), one.get("name", "")
        if one.tag in ("scalar", "column"):
            found[oid] = (name, one.findtext("access", ""), view.syntax(one))
        elif one.tag == "table":
            found[oid] = (name, "table")
        elif one.tag == "row":
            found[oid] = (name, "row", *view.linkage(one))
    return found


class _View:
    def __init__(self, root: ElementTree.Element) -> None:
        module = root.find("module")
        self.module = module.get("name", "") if module is not None else ""
        self.types = {one.get("name", ""): one for one in root.findall("typedefs/typedef")}

    def syntax(self, one: ElementTree.Element) -> str:
        """The type of an object with its ranges, or with its named numbers."""
        named, inside = one.find("syntax/type"), one.find("syntax/typedef")
        if named is not None:
            return self._named(named)
        return "" if inside is None else self._made(inside)

    def _named(self, one: ElementTree.Element) -> str:
        module, name = one.get("module", ""), one.get("name", "")
        if module == self.module and name in self.types:
            return self._made(self.types[name])
        if module == "RFC1155-SMI":
            module, name = "SNMPv2-SMI", _SMI_V1.get(name, name)
        return f"{module}::{name}"

    def _made(self, one: ElementTree.Element) -> str:
        parent = one.find("parent")
        parts = [one.get("basetype", "") if parent is None else self._named(parent)]
        parts += [f"{_bound(r, 'min')}..{_bound(r, 'max')}" for r in one.findall("range")]
        if parent is None:  # some of the labels of a type with a name are all of them afterwards
            numbers = [
                (int(n.get("number", "0")), n.get("name")) for n in one.findall("namednumber")
            ]
            parts += [f"{name}({number})" for number, name in sorted(numbers)]
        return " ".join(parts)

    def linkage(self, row: ElementTree.Element) -> Iterator[str]:
        """What a row is found by, in order."""
        for one in row.findall("linkage") + row.findall("linkage//*"):
            shown = [f"{key}={value}" for key, value in sorted(one.attrib.items()) if key != "oid"]
            yield " ".join([one.tag, *shown])


def _bound(one: ElementTree.Element, key: str) -> str:
    """A bound; smidump shows another number for some at each run, which no type can hold."""
    text = one.get(key, "")
    return "?" if text.isdigit() and 2**32 <= int(text) < 2**63 else text

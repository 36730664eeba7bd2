# SPDX-License-Identifier: BSD-3-Clause
"""Reads modules with pysmi, for those that smidump gives nothing or less for.

pysmi sorts what it gives; the order of the module is put back by who asked.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import Any

from .model import OF_SMI, Module, Object, Table, Type
from .places import Library
from .shelf import fill

_BESIDES = (
    *("notificationtype", "traptype", "objectgroup", "notificationgroup", "modulecompliance"),
)
"""Classes of definitions of which only the OID is read."""
_BASES = {
    "INTEGER": "Integer32",
    "Integer32": "Integer32",
    "OCTET STRING": "OctetString",
    "OBJECT IDENTIFIER": "ObjectIdentifier",
    "Bits": "Bits",
    "BITS": "Bits",
}


def installed() -> bool:
    """Whether pysmi can be imported."""
    return importlib.util.find_spec("pysmi") is not None


def run(name: str, text: str, library: Library, imports: Iterable[str] = ()) -> Module | None:
    """A module of which the text is given, and which builds on `imports`, or None. Never raises
    for what it holds."""
    try:
        with tempfile.TemporaryDirectory() as shelf:
            fill(Path(shelf), imports, library)
            data = _compile(name, text, [Path(shelf), *library.outer])
        return _Reader(name, data).module()
    except (Exception, RecursionError):  # pysmi lets through what its parser throws
        return None


def _compile(name: str, text: str, search: list[Path]) -> dict[str, Any]:
    from pysmi.codegen import JsonCodeGen  # type: ignore[import-untyped,unused-ignore]
    from pysmi.compiler import MibCompiler  # type: ignore[import-untyped,unused-ignore]
    from pysmi.parser import SmiV1CompatParser  # type: ignore[import-untyped,unused-ignore]
    from pysmi.reader import CallbackReader, FileReader  # type: ignore[import-untyped,unused-ignore]
    from pysmi.searcher import StubSearcher  # type: ignore[import-untyped,unused-ignore]
    from pysmi.writer import CallbackWriter  # type: ignore[import-untyped,unused-ignore]

    texts: dict[str, str] = {}
    writer = CallbackWriter(lambda module, data, context: texts.__setitem__(module, data))
    compiler = MibCompiler(SmiV1CompatParser(), JsonCodeGen(), writer)
    compiler.add_sources(CallbackReader(lambda module, context: text if module == name else ""))
    compiler.add_sources(*(FileReader(str(folder)) for folder in search))
    compiler.add_searchers(StubSearcher(*(base for base in JsonCodeGen.baseMibs if base != name)))
    limit = sys.getrecursionlimit()
    compiler.compile(name, genTexts=True, noDeps=False)
    sys.setrecursionlimit(limit)
    data: dict[str, Any] = json.loads(texts[name])
    return data


class _Reader:
    """Makes a module of the JSON of pysmi; `origins` tells where imported names are from."""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self.name = name
        self.entries = [entry for entry in data.values() if isinstance(entry, dict)]
        self.origins: dict[str, str] = {}
        for source, symbols in data.get("imports", {}).items():
            if isinstance(symbols, list):
                self.origins.update(dict.fromkeys(symbols, source))

    def _those(self, key: str, *values: str) -> list[dict[str, Any]]:
        return [entry for entry in self.entries if entry.get(key) in values]

    def module(self) -> Module:
        """The module; whatever it raises, the JSON is not as expected."""
        identity = next(iter(self._those("class", "moduleidentity")), {})
        revisions = identity.get("revisions", [])
        nodes = self._those("class", "moduleidentity", "objectidentity")
        types = self._those("class", "textualconvention", "type")
        rows = {row["oid"]: row for row in self._those("nodetype", "row")}
        tables = [(table, f"{table['oid']}.1") for table in self._those("nodetype", "table")]
        return Module(
            name=self.name,
            identity=identity.get("name", ""),
            organization=identity.get("organization", ""),
            contact=identity.get("contactinfo", ""),
            description=identity.get("description", ""),
            revisions=[(r["revision"], r.get("description", "")) for r in revisions],
            nodes={entry["name"]: entry["oid"] for entry in nodes},
            besides={e["name"]: e["oid"] for e in self._those("class", *_BESIDES) if "oid" in e},
            types={entry["name"]: self._type(entry) for entry in types},
            scalars=[self._object(entry) for entry in self._those("nodetype", "scalar")],
            tables=[self._table(table, rows[oid]) for table, oid in tables if oid in rows],
        )

    def _table(self, entry: dict[str, Any], row: dict[str, Any]) -> Table:
        indices = row.get("indices", [])
        augments = row.get("augmention") or {}
        return Table(
            name=entry["name"],
            oid=entry["oid"],
            entry=row["name"],
            columns=tuple(
                self._object(column)
                for column in self._those("nodetype", "column")
                if column["oid"].rpartition(".")[0] == row["oid"]
            ),
            index=tuple(f"{index['module']}::{index['object']}" for index in indices),
            augments=f"{augments['module']}::{augments['object']}" if augments else "",
            implied=any(index.get("implied") for index in indices),
            status=entry.get("status", ""),
            description=entry.get("description", ""),
            reference=entry.get("reference", ""),
            row=row.get("description", ""),
        )

    def _object(self, entry: dict[str, Any]) -> Object:
        return Object(
            name=entry["name"],
            oid=entry["oid"],
            type=self._type({"type": entry.get("syntax", {})}),
            access=entry.get("maxaccess", "read-only"),
            status=entry.get("status", ""),
            unit=entry.get("units", ""),
            description=entry.get("description", ""),
            reference=entry.get("reference", ""),
        )

    def _type(self, entry: dict[str, Any]) -> Type:
        syntax = entry.get("type", {})
        name = str(syntax.get("type", ""))
        limits = syntax.get("constraints", {})
        ranges = limits.get("range") or limits.get("size") or []
        labels = limits.get("enumeration") or syntax.get("bits") or {}
        base = _BASES.get(name, "")
        if labels and base == "Integer32":
            base = "Enumeration"
        parent = "" if base else OF_SMI.get(name, name)
        if parent and name not in OF_SMI:
            parent = f"{self.origins.get(name, self.name)}::{name}"
        return Type(
            base=base,
            parent=parent,
            ranges=tuple((str(pair["min"]), str(pair["max"])) for pair in ranges),
            labels=tuple(sorted(((k, int(v)) for k, v in labels.items()), key=itemgetter(1))),
            hint=entry.get("displayhint", ""),
            status=entry.get("status", ""),
            description=entry.get("description", ""),
            reference=entry.get("reference", ""),
        )

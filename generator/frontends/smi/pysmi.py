# SPDX-License-Identifier: BSD-3-Clause
"""Reads modules with pysmi, for those that smidump gives nothing or less for.

pysmi sorts what it gives; the order of the module is put back by who asked.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from operator import itemgetter
from pathlib import Path
from typing import Any

from .model import OF_SMI, Module, Object, Table, Type

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


def run(name: str, text: str, search: list[Path]) -> Module | str:
    """A module of which the text is given, or why there is none. Never raises for what it holds."""
    try:
        data = _compile(name, text, search)
        return data if isinstance(data, str) else _Reader(name, data).module()
    except (Exception, RecursionError) as error:  # pysmi lets through what its parser throws
        return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _compile(name: str, text: str, search: list[Path]) -> dict[str, Any] | str:
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
    result = compiler.compile(name, genTexts=True, noDeps=False)
    sys.setrecursionlimit(limit)
    if name not in texts:
        status = result.get(name, "missing")
        return " ".join(str(getattr(status, "error", "") or f"pysmi: {status}").split())[:300]
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

    def module(self) -> Module:
        """The module; whatever it raises, the JSON is not as expected."""
        module = Module(self.name)
        columns: dict[str, list[Object]] = {}
        rows = {entry["oid"]: entry for entry in self.entries if entry.get("nodetype") == "row"}
        for entry in self.entries:
            match entry.get("class"), entry.get("nodetype"):
                case "moduleidentity", _:
                    _identity(module, entry)
                case "objectidentity", _:
                    module.nodes[entry["name"]] = entry["oid"]
                case "textualconvention" | "type", _:
                    module.types[entry["name"]] = self._type(entry)
                case "objecttype", "scalar":
                    module.scalars.append(self._object(entry))
                case "objecttype", "column":
                    row = entry["oid"].rpartition(".")[0]
                    columns.setdefault(row, []).append(self._object(entry))
        for entry in self.entries:
            oid = f"{entry.get('oid')}.1"
            if entry.get("nodetype") == "table" and oid in rows:
                module.tables.append(_table(entry, rows[oid], columns.get(oid, [])))
        return module

    def _object(self, entry: dict[str, Any]) -> Object:
        return Object(
            name=entry["name"],
            oid=entry["oid"],
            type=self._type({"type": entry.get("syntax", {})}),
            access=entry.get("maxaccess", "read-only"),
            status=entry.get("status", ""),
            unit=entry.get("units", ""),
            description=entry.get("description", ""),
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
        )


def _identity(module: Module, entry: dict[str, Any]) -> None:
    module.identity = entry["name"]
    module.nodes[entry["name"]] = entry["oid"]
    module.organization = entry.get("organization", "")
    module.contact = entry.get("contactinfo", "")
    module.description = entry.get("description", "")
    revisions = entry.get("revisions", [])
    module.revisions = [(r["revision"], r.get("description", "")) for r in revisions]


def _table(entry: dict[str, Any], row: dict[str, Any], columns: list[Object]) -> Table:
    indices = row.get("indices", [])
    augments = row.get("augmention") or {}
    return Table(
        name=entry["name"],
        oid=entry["oid"],
        entry=row["name"],
        columns=tuple(columns),
        index=tuple(f"{index['module']}::{index['object']}" for index in indices),
        augments=f"{augments['module']}::{augments['object']}" if augments else "",
        implied=any(index.get("implied") for index in indices),
        status=entry.get("status", ""),
        description=entry.get("description", ""),
    )

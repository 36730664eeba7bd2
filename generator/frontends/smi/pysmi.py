# SPDX-License-Identifier: BSD-3-Clause
"""Reads modules with pysmi, for those that smidump gives nothing or less for.

pysmi sorts what it gives; the order of the module is put back by who asked.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

from .model import Module, Object, Table, Type

_BASES = {
    "INTEGER": "Integer32",
    "Integer32": "Integer32",
    "OCTET STRING": "OctetString",
    "OBJECT IDENTIFIER": "ObjectIdentifier",
    "Bits": "Bits",
    "BITS": "Bits",
}
_SMI = {"Counter": "Counter32", "Gauge": "Gauge32", "NetworkAddress": "IpAddress"}
_SAME = "Counter32 Counter64 Gauge32 TimeTicks IpAddress Opaque"
_SMI.update((name, name) for name in _SAME.split())


def installed() -> bool:
    """Whether pysmi can be imported."""
    return importlib.util.find_spec("pysmi") is not None


def run(name: str, text: str, search: list[Path]) -> Module | str:
    """A module of which the text is given, or why there is none. Never raises for what it holds."""
    try:
        data = _compile(name, text, search)
        return data if isinstance(data, str) else _module(name, data)
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


def _module(name: str, data: dict[str, Any]) -> Module:
    module = Module(name)
    origins: dict[str, str] = {}
    for source, symbols in data.get("imports", {}).items():
        if isinstance(symbols, list):
            origins.update(dict.fromkeys(symbols, source))
    entries = [entry for entry in data.values() if isinstance(entry, dict)]
    columns: dict[str, list[Object]] = {}
    for entry in entries:
        kind = entry.get("class")
        if kind == "moduleidentity":
            _identity(module, entry)
        elif kind == "objectidentity":
            module.nodes[entry["name"]] = entry["oid"]
        elif kind in ("textualconvention", "type"):
            module.types[entry["name"]] = _type(name, entry, origins)
        elif kind == "objecttype" and entry.get("nodetype") == "scalar":
            module.scalars.append(_object(name, entry, origins))
        elif kind == "objecttype" and entry.get("nodetype") == "column":
            row = entry["oid"].rpartition(".")[0]
            columns.setdefault(row, []).append(_object(name, entry, origins))
    rows = {entry["oid"]: entry for entry in entries if entry.get("nodetype") == "row"}
    for entry in entries:
        row = rows.get(f"{entry.get('oid')}.1")
        if entry.get("nodetype") == "table" and row is not None:
            module.tables.append(_table(entry, row, columns.get(row["oid"], [])))
    return module


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
        status=_status(entry),
        description=entry.get("description", ""),
    )


def _object(module: str, entry: dict[str, Any], origins: dict[str, str]) -> Object:
    return Object(
        name=entry["name"],
        oid=entry["oid"],
        type=_type(module, {"type": entry.get("syntax", {})}, origins),
        access=entry.get("maxaccess", "read-only"),
        status=_status(entry),
        unit=entry.get("units", ""),
        description=entry.get("description", ""),
    )


def _type(module: str, entry: dict[str, Any], origins: dict[str, str]) -> Type:
    syntax = entry.get("type", {})
    name = str(syntax.get("type", ""))
    limits = syntax.get("constraints", {})
    ranges = limits.get("range") or limits.get("size") or []
    labels = limits.get("enumeration") or syntax.get("bits") or {}
    base = _BASES.get(name, "")
    if labels and base == "Integer32":
        base = "Enumeration"
    parent = "" if base else _parent(module, name, origins)
    return Type(
        base=base,
        parent=parent,
        ranges=tuple((str(pair["min"]), str(pair["max"])) for pair in ranges),
        labels=tuple(sorted(((k, int(v)) for k, v in labels.items()), key=lambda label: label[1])),
        hint=entry.get("displayhint", ""),
        status=_status(entry),
        description=entry.get("description", ""),
    )


def _parent(module: str, name: str, origins: dict[str, str]) -> str:
    if name == "Unsigned32" or name in _SMI:
        return _SMI.get(name, name)
    return f"{origins.get(name, module)}::{name}" if name else ""


def _status(entry: dict[str, Any]) -> str:
    status = entry.get("status", "current")
    return "current" if status in ("mandatory", "optional") else str(status)

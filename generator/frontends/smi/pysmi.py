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

    made: dict[str, str] = {}
    writer = CallbackWriter(lambda module, data, context: made.__setitem__(module, data))
    compiler = MibCompiler(SmiV1CompatParser(), JsonCodeGen(), writer)
    compiler.add_sources(CallbackReader(lambda module, context: text if module == name else ""))
    compiler.add_sources(*(FileReader(str(folder)) for folder in search))
    compiler.add_searchers(StubSearcher(*(one for one in JsonCodeGen.baseMibs if one != name)))
    limit = sys.getrecursionlimit()
    result = compiler.compile(name, genTexts=True, noDeps=False)
    sys.setrecursionlimit(limit)
    if name not in made:
        status = result.get(name, "missing")
        return " ".join(str(getattr(status, "error", "") or f"pysmi: {status}").split())[:300]
    data: dict[str, Any] = json.loads(made[name])
    return data


def _module(name: str, data: dict[str, Any]) -> Module:
    module = Module(name)
    origins: dict[str, str] = {}
    for source, symbols in data.get("imports", {}).items():
        if isinstance(symbols, list):
            origins.update(dict.fromkeys(symbols, source))
    entries = [one for one in data.values() if isinstance(one, dict)]
    columns: dict[str, list[Object]] = {}
    for one in entries:
        kind = one.get("class")
        if kind == "moduleidentity":
            _identity(module, one)
        elif kind == "objectidentity":
            module.nodes[one["name"]] = one["oid"]
        elif kind in ("textualconvention", "type"):
            module.types[one["name"]] = _type(name, one, origins)
        elif kind == "objecttype" and one.get("nodetype") == "scalar":
            module.scalars.append(_object(name, one, origins))
        elif kind == "objecttype" and one.get("nodetype") == "column":
            row = one["oid"].rpartition(".")[0]
            columns.setdefault(row, []).append(_object(name, one, origins))
    rows = {one["oid"]: one for one in entries if one.get("nodetype") == "row"}
    for one in entries:
        row = rows.get(f"{one.get('oid')}.1")
        if one.get("nodetype") == "table" and row is not None:
            module.tables.append(_table(one, row, columns.get(row["oid"], [])))
    return module


def _identity(module: Module, one: dict[str, Any]) -> None:
    module.identity = one["name"]
    module.nodes[one["name"]] = one["oid"]
    module.organization = one.get("organization", "")
    module.contact = one.get("contactinfo", "")
    module.description = one.get("description", "")
    module.revisions = [(r["revision"], r.get("description", "")) for r in one.get("revisions", [])]


def _table(one: dict[str, Any], row: dict[str, Any], columns: list[Object]) -> Table:
    indices = row.get("indices", [])
    augments = row.get("augmention") or {}
    return Table(
        name=one["name"],
        oid=one["oid"],
        entry=row["name"],
        columns=tuple(columns),
        index=tuple(f"{index['module']}::{index['object']}" for index in indices),
        augments=f"{augments['module']}::{augments['object']}" if augments else "",
        implied=any(index.get("implied") for index in indices),
        status=_status(one),
        description=one.get("description", ""),
    )


def _object(module: str, one: dict[str, Any], origins: dict[str, str]) -> Object:
    return Object(
        name=one["name"],
        oid=one["oid"],
        type=_type(module, {"type": one.get("syntax", {})}, origins),
        access=one.get("maxaccess", "read-only"),
        status=_status(one),
        unit=one.get("units", ""),
        description=one.get("description", ""),
    )


def _type(module: str, one: dict[str, Any], origins: dict[str, str]) -> Type:
    syntax = one.get("type", {})
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
        ranges=tuple((str(one["min"]), str(one["max"])) for one in ranges),
        labels=tuple(sorted(((k, int(v)) for k, v in labels.items()), key=lambda label: label[1])),
        hint=one.get("displayhint", ""),
        status=_status(one),
        description=one.get("description", ""),
    )


def _parent(module: str, name: str, origins: dict[str, str]) -> str:
    if name == "Unsigned32" or name in _SMI:
        return _SMI.get(name, name)
    return f"{origins.get(name, module)}::{name}" if name else ""


def _status(one: dict[str, Any]) -> str:
    status = one.get("status", "current")
    return "current" if status in ("mandatory", "optional") else str(status)

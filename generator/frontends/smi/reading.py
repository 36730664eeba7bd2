# SPDX-License-Identifier: BSD-3-Clause
"""Reads one module with smidump; every object that is lost is a finding."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ...findings.diagnostics import Diagnostics, Span
from ...findings.suggest import nearest
from . import places, smidump, types
from .model import OF_SMI, Module, Object, Table, Type
from .repair import legible, repaired_text, with_index
from .source import Source, decode, part

_SMI = frozenset([*OF_SMI, "Integer32", "INTEGER", "OctetString", "ObjectIdentifier", "Bits"])
_BELOW_ZERO = re.compile(r"\b(?:ccitt|itu-t)\b")
"""Parents of nodes whose OIDs begin with 0, as those of unknown parents do in smidump."""

known: dict[tuple[str, int, str], Module | None] = {}
"""Other modules that this process has read, by their files and when these were changed."""


class Reading:
    """One module and those that it builds on."""

    def __init__(self, source: Source, library: places.Library, diagnostics: Diagnostics) -> None:
        self.source, self.library, self.diagnostics = source, library, diagnostics
        self.far: dict[str, Module | None] = {}
        objects = (d for d in source.definitions.values() if d.macro == "OBJECT-TYPE")
        self.required = {definition.name for definition in objects}

    def note(self, rule: str, name: str, message: str, hint: str = "") -> None:
        """Report a finding about a definition, or about the module for an unknown name."""
        self.diagnostics.report(rule, self.source.span_of(name), message, hint)

    def run(self) -> Module | None:
        """The module, or None after reporting why there is none."""
        if not smidump.installed():
            hint = "install libsmi's tools (Debian package smitools)"
            self.note("import-tools", "", "smidump is not installed", hint)
            return None
        if not self._imports():
            return None
        source, added = self.source, set[str]()
        dump = self._dump(source.text[source.start : source.end])
        rooted = replace(dump.module) if dump.module else Module(source.name)
        _drop_unknown(rooted)
        if dump.module is None or not self.required <= rooted.objects():
            text, added = with_index(source)
            dump = self._dump(text[source.start :], repaired_text)
        self._report(dump.messages)
        module = dump.module
        if module is None or module.name != source.name:
            failure = dump.failure or "smidump gives nothing"
            self.note("import-unreadable", "", f"'{source.name}' cannot be read: {failure}")
            return None
        if not _BELOW_ZERO.search(source.clean, source.start):
            _drop_unknown(module)
        module.tables = [
            replace(table, index=()) if table.entry in added else table for table in module.tables
        ]
        rows = {name for name in self.required if source.is_row(source.definitions[name])}
        module.scalars = [scalar for scalar in module.scalars if scalar.name not in rows]
        _qualify(module, source)
        self.far[module.name] = module
        module.scalars = [*filter(self._has_type, module.scalars)]
        module.tables = [
            replace(table, columns=tuple(filter(self._has_type, table.columns)))
            for table in module.tables
        ]
        for name in self.required - module.objects():
            message = f"'{name}' is not imported: its syntax or its OID cannot be resolved"
            self.note("import-lost-object", name, message)
        self._drop_duplicates(module)
        return module

    def _imports(self) -> bool:
        """Whether the module can be read with the modules that it imports and that are there."""
        complete = True
        for name, (start, symbols) in self.source.imports.items():
            files = self.library.find(name)
            span = self.source.span(start, len(name))
            base = name in places.BASE
            several = len(files) > 1 and not base
            if several and len({path.read_bytes() for path in files[:4]}) > 1:
                message = f"there are {len(files)} files of module '{name}'"
                hint = f"{files[0]} is used"
                self.diagnostics.report("import-ambiguous-module", span, message, hint)
            if files:
                self.diagnostics.files[str(files[0])] = None
                self._compare(name, files[0], symbols)
            if files or name == self.source.name or name in smidump.GIVEN:
                continue
            message = f"module '{name}' is missing"
            if symbols and not base:
                needed = ", ".join(symbols[:5]) + (", ..." if len(symbols) > 5 else "")
                message += f": what needs {needed} may be lost"
            rule = "import-missing-module" if base else "import-missing-import"
            self.diagnostics.report(rule, span, message, places.source_of(name))
            complete = complete and not base
        return complete

    def _compare(self, name: str, file: Path, symbols: list[str]) -> None:
        """Report imported names, other than macros, that the module in a file does not have."""
        words = places.words(decode(file.read_bytes()), name)
        for symbol in symbols:
            if symbol in words or symbol.isupper():
                continue
            found = re.compile(rf"(?<![\w-]){symbol}(?![\w-])").search(
                self.source.clean, self.source.start
            )
            span = self.source.span(found.start() if found else self.source.start, len(symbol))
            match = nearest(symbol, words)
            message = f"module '{name}' ({file.name}) does not define '{symbol}'"
            hint = f"did you mean '{match}'?" if match else "import it from the module that does"
            self.diagnostics.report("import-missing-import", span, message, hint)

    def _dump(self, text: str, repaired: smidump.Repaired | None = None) -> smidump.Dump:
        text = "\n" * self.source.text.count("\n", 0, self.source.start) + legible(text)
        return smidump.run(text, self.library, self.source.imports, repaired)

    def _report(self, messages: Iterable[tuple[int, str]]) -> None:
        """Report the first message of smidump about each definition."""
        source, reported = self.source, set[str]()
        starts = {name: source.span_of(name).line for name in source.definitions}
        for line, words in messages:
            before = [name for name, first in starts.items() if first <= line]
            name = max(before, key=starts.__getitem__, default=source.name)
            if name in reported or "failed to locate" in words:  # a module, which is reported
                continue
            reported.add(name)
            text = self.diagnostics.line(source.path, line) or ""
            start = len(text) - len(text.lstrip())
            span = Span(source.path, line, start + 1, line, max(len(text), 1) + 1)
            message = f"in '{name}': " + words.replace("`", "'")
            if "syntax error" in words or "/" in words:  # of a grammar, or with a name of a file
                message = f"'{name}' is no SMI from here on"
            self.diagnostics.report("import-syntax", span, message)

    def _has_type(self, entry: Object) -> bool:
        """Whether an object's type is known, or that of a module that is not there."""
        names, full = types.resolve(entry.type, self.lookup)
        if full.base or full.labels or not _SMI.isdisjoint(names):
            return True
        module = types.last(entry.type, self.lookup).rpartition("::")[0]
        return bool(module) and self._module(module) is None

    def _drop_duplicates(self, module: Module) -> None:
        """Keep one of the objects, and of nodes and objects, that have the same name."""
        seen: set[str] = set()

        def first(definition: Object | Table) -> bool:
            new = definition.name not in seen
            seen.add(definition.name)
            if not new:
                message = f"there are several objects '{definition.name}': one of them is imported"
                self.note("import-duplicate", definition.name, message)
            return new

        tables: dict[str, Table] = {}
        for table in filter(first, module.tables):
            seen.add(table.entry)
            tables[table.name] = replace(table, columns=tuple(filter(first, table.columns)))
        module.tables = [table for table in tables.values() if table.columns]
        module.scalars = [*filter(first, module.scalars)]
        for name in module.nodes.keys() & seen:
            message = f"'{name}' is a node and an object: the node is not imported"
            self.note("import-duplicate", name, message)
            del module.nodes[name]
        index = {name.lower() for table in module.tables for name in table.index}
        far = {name.rpartition("::")[2] for name in index if "::" in name}
        far -= {name.lower() for name in (*seen, module.identity)}
        for name in [name for name in module.nodes if name.lower() in far]:
            message = f"'{name}' is left out: an index of another module has its name"
            self.note("import-left-out", name, message)
            del module.nodes[name]

    # ---- other modules ----

    def lookup(self, module: str, name: str) -> Type | None:
        """The type that a module defines."""
        if module in ("", "SNMPv2-SMI"):
            return None
        other = self._module(module)
        return other.types.get(name) if other else None

    def object(self, module: str, name: str) -> Object | None:
        """An object of a module."""
        other = self._module(module)
        if other is None:
            return None
        columns = (column for table in other.tables for column in table.columns)
        return next((entry for entry in (*columns, *other.scalars) if entry.name == name), None)

    def table(self, module: str, entry: str) -> Table | None:
        """The table of a row of a module."""
        other = self._module(module)
        tables = other.tables if other is not None else []
        return next((table for table in tables if table.entry == entry), None)

    def _module(self, name: str) -> Module | None:
        """Another module, read when it is needed."""
        if name not in self.far:
            files = self.library.find(name)
            self.far[name] = read(name, files[0], self.library) if files else None
        return self.far[name]


def read(name: str, path: Path, library: places.Library) -> Module | None:
    """Another module; None for one that cannot be read."""
    key = (str(path.resolve()), path.stat().st_mtime_ns, name)
    if key not in known:
        text = legible(part(decode(path.read_bytes()), name))
        known[key] = smidump.run(text, library, [name]).module
    return known[key]


def _drop_unknown(module: Module) -> None:
    """Drop everything below an unknown node: smidump puts that below 0."""
    module.scalars = [scalar for scalar in module.scalars if scalar.oid[:2] != "0."]
    module.tables = [table for table in module.tables if table.oid[:2] != "0."]
    module.nodes = {name: oid for name, oid in module.nodes.items() if oid[:2] != "0."}
    module.besides = {name: oid for name, oid in module.besides.items() if oid[:2] != "0."}
    if module.identity not in module.nodes:
        module.identity = ""


def _qualify(module: Module, source: Source) -> None:
    """Put the module before each imported name where smidump did not find it."""
    origins = source.origins()
    own = module.objects() | module.types.keys()

    def qualified(name: str) -> str:
        origin, _, bare = name.rpartition("::")
        resolved = origin not in ("", module.name) or bare in own | _SMI
        return name if resolved or bare not in origins else f"{origins[bare]}::{bare}"

    def of_object(entry: Object) -> Object:
        definition = source.definitions.get(entry.name)
        stated = definition.syntax if definition else ""
        if entry.type == Type() and stated in origins:  # smidump has ignored it
            return replace(entry, type=Type(parent=f"{origins[stated]}::{stated}"))
        parent = qualified(entry.type.parent)
        return replace(entry, type=replace(entry.type, parent=parent))

    def of_table(table: Table) -> Table:
        columns = {column.name: f"{module.name}::{column.name}" for column in table.columns}
        index = (columns.get(name.rpartition("::")[2], name) for name in table.index)
        return replace(
            table, columns=tuple(map(of_object, table.columns)),
            index=tuple(map(qualified, index)), augments=qualified(table.augments),
        )  # fmt: skip

    module.types = {
        name: replace(entry, parent=qualified(entry.parent)) for name, entry in module.types.items()
    }
    module.scalars = [*map(of_object, module.scalars)]
    module.tables = [*map(of_table, module.tables)]

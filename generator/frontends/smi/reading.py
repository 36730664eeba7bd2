# SPDX-License-Identifier: BSD-3-Clause
"""Reads one module by smidump; nothing is lost unsaid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...findings.diagnostics import Diagnostics, Span
from . import flaws, imports, mending, places, shelf, smidump, tables
from .meant import meant
from .model import Module, Object, Type
from .source import Source, decode, part

_UNKNOWN = re.compile(r"unknown object identifier label `([^']*)'")

_ZERO = ("ccitt", "itu-t")
"""What an OID begins with whose first number is 0."""
ROUNDS = 4
"""How often smidump is asked again without what it cannot read."""

known: dict[tuple[str, int, str, bool], Module | None] = {}
"""Other modules that this process has read, by their files and when these were changed."""


class Reading:
    """One module and what it builds on."""

    def __init__(self, source: Source, mib_path: tuple[str, ...], diagnostics: Diagnostics) -> None:
        self.source, self.diagnostics = source, diagnostics
        path = Path(source.path)
        home = path.resolve().parent if path.is_file() else None
        self.library = places.Library.at(mib_path, home)
        self.far: dict[str, Module | None] = {}
        objects = (d for d in source.definitions.values() if d.macro == "OBJECT-TYPE")
        self.wanted = {definition.name for definition in objects}
        self.mended = False

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
        module, failure = self._dump()
        if module is None:
            self.note("import-unreadable", "", f"'{self.source.name}' cannot be read: {failure}")
            return None
        defined = self.source.definitions
        rows = {name for name in self.wanted if tables.is_row(self.source, defined[name])}
        module.scalars = [one for one in module.scalars if one.name not in rows]
        for name in self.wanted - module.objects():
            message = f"'{name}' is not imported: nothing could make sense of it"
            self.note("import-lost-object", name, message)
        return meant(module, self.source, self.note)

    def _lacks(self, module: Module | None) -> bool:
        """Whether there is no module, or objects are missing in it."""
        return module is None or not self.wanted <= module.objects()

    def _cut(self, module: Module | None) -> set[str]:
        """What the OIDs begin with of objects that smidump does not have, or has below 0."""
        have = set[str]() if module is None else _rooted(replace(module)).objects()
        return {self.source.top(name) for name in self.wanted - have}

    def _imports(self) -> bool:
        """Whether everything the module builds on is there, or can be done without."""
        complete = True
        for name, (start, symbols) in self.source.imports.items():
            files = self.library.prefer(name, symbols)
            span = self.source.span(start, len(name))
            base = name in places.BASE
            several = len(files) > 1 and not base
            if several and len({path.read_bytes() for path in files[:4]}) > 1:
                message = f"there are {len(files)} files of module '{name}'"
                hint = f"{files[0]} is used"
                self.diagnostics.report("import-ambiguous-module", span, message, hint)
            if files:
                self.diagnostics.files[str(files[0])] = None
            if files or name == self.source.name or name in shelf.GIVEN:
                continue
            message = f"module '{name}' is missing"
            if symbols and not base:
                needed = ", ".join(symbols[:5]) + (", ..." if len(symbols) > 5 else "")
                message += f": what needs {needed} may be lost"
            rule = "import-missing-module" if base else "import-missing-import"
            self.diagnostics.report(rule, span, message, places.source_of(name))
            complete = complete and not base
        return complete

    # ---- smidump ----

    def _dump(self) -> tuple[Module | None, str]:
        dump = self._run()
        if dump.orphans:
            dump = self._changed(mending.relayed, dump)
        if _is_cut_off(dump):
            self.mended = True  # what defines the rest may have flaws
            dump = self._run()
        if _is_cut_off(dump):
            dump = self._changed(partial(mending.rooted, cut=self._cut(dump.module)), dump)
        added: set[str] = set()
        source = self.source
        if self._lacks(dump.module):
            text, added = tables.with_index(source)
            if added:
                dump = self._run(text[source.start :])
        if self._lacks(dump.module):
            dump = self._without_flawed(dump)
        self._say(dump.messages)
        if dump.module is None or dump.module.name != source.name:
            return None, dump.failure or "smidump gives nothing"
        module = dump.module
        if _is_cut_off(dump) and not imports.begins(source, self.library, _ZERO):
            module = _rooted(module)
        module.tables = [
            replace(table, index=()) if table.entry in added else table for table in module.tables
        ]
        return module, ""

    def _say(self, messages: Iterable[tuple[int, str]]) -> None:
        """Report what smidump says of lines: of a definition with other syntax once."""
        source, bad = self.source, set[str]()
        starts = {name: source.span_of(name).line for name in source.definitions}
        for line, words in messages:
            text = self.diagnostics.line(source.path, line) or ""
            start = len(text) - len(text.lstrip())
            span = Span(source.path, line, start + 1, line, max(len(text), 1) + 1)
            message = smidump.meaning(words)
            if message is None:
                before = [name for name, first in starts.items() if first <= line]
                name = max(before, key=starts.__getitem__, default=source.name)
                message = "" if name in bad else f"'{name}' is no SMI from here on"
                bad.add(name)
            if message:
                self.diagnostics.report("import-syntax", span, message)

    def _changed(self, change: Callable[..., Source], dump: smidump.Dump) -> smidump.Dump:
        """What smidump gives of the module as something changes it."""
        source = change(self.source, self.library, self.diagnostics.report)
        if source is self.source:
            return dump
        self.source = source
        return self._run()

    def _run(self, text: str = "") -> smidump.Dump:
        source = self.source
        text = flaws.legible(text or source.text[source.start : source.end])
        text = "\n" * source.text.count("\n", 0, source.start) + text  # lines stay
        return smidump.run(text, self.library, source.imports, mended=self.mended)

    def _without_flawed(self, dump: smidump.Dump) -> smidump.Dump:
        """A dump without the definitions of which smidump cannot read the syntax: it passes over
        what follows them as well."""
        source, flawed = self.source, dump
        text = source.text[source.start : source.end]
        for _ in range(ROUNDS):
            wrong = [line for line, words in flawed.messages if "syntax error" in words]
            shorter = flaws.without(text, source, wrong)
            if shorter == text:
                break
            text = shorter
            flawed = self._run(text)
            if flawed.module is None:
                break
            if dump.module is None or len(flawed.module.objects()) > len(dump.module.objects()):
                dump = flawed._replace(messages=dump.messages)
        return dump

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

    def _module(self, name: str) -> Module | None:
        """Another module, read when it is asked for."""
        if name not in self.far:
            files = self.library.find(name)
            self.far[name] = read(name, files[0], self.library) if files else None
        return self.far[name]


def read(name: str, path: Path, library: places.Library, mended: bool = False) -> Module | None:
    """Another module, as it is or as it is meant; None for one that nothing can read."""
    key = (str(path.resolve()), path.stat().st_mtime_ns, name, mended)
    if key not in known:
        text = decode(path.read_bytes())
        text = mending.legible(name, text, library) if mended else part(text, name)
        known[key] = smidump.run(text, library, [name], mended=mended).module
    return known[key]


def _is_cut_off(dump: smidump.Dump) -> bool:
    """Whether something is below what smidump does not know."""
    unknown = any(_UNKNOWN.search(words) for _, words in dump.messages)
    module = dump.module or Module("")
    oids = [*module.nodes.values(), *module.besides.values(), *(t.oid for t in module.tables)]
    oids += (scalar.oid for scalar in module.scalars)
    return unknown or any(oid.startswith("0.") for oid in oids)


def _rooted(module: Module) -> Module:
    """A module without what smidump, not knowing its parent, has put below 0."""
    module.scalars = [entry for entry in module.scalars if not entry.oid.startswith("0.")]
    module.tables = [entry for entry in module.tables if not entry.oid.startswith("0.")]
    module.nodes = {name: oid for name, oid in module.nodes.items() if oid[:2] != "0."}
    module.besides = {name: oid for name, oid in module.besides.items() if oid[:2] != "0."}
    if module.identity not in module.nodes:
        module.identity = ""
    return module

# SPDX-License-Identifier: BSD-3-Clause
"""What the template of a MIB module shows: definitions in order, names instead of OIDs, imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..model import ir
from ..model.naming import smi
from . import objects, standard
from .annotations import MADE, Annotations, derived_names, lines
from .key import Key
from .lock import Entry, Lock, Oid, order, parse_oid
from .text import DISCONTINUITY

_QUALIFIED = re.compile(r"([A-Za-z][A-Za-z0-9-]*)::([A-Za-z][A-Za-z0-9-]*)")
_SIZE = re.compile(r" ?\(.*\)$")
_MACROS = {
    "table": "OBJECT-TYPE",
    "row": "OBJECT-TYPE",
    "object": "OBJECT-TYPE",
    "node": "",
    "type": "TEXTUAL-CONVENTION",
    "group": "OBJECT-GROUP",
    "compliance": "MODULE-COMPLIANCE",
}
_HOME = {"OBJECT-TYPE": standard.SMI, "TEXTUAL-CONVENTION": standard.TC}

_GONE = {
    "deprecated": "This object is deprecated: it is no longer counted.",
    "obsolete": "This object is obsolete: it is no longer counted.",
}


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition, ready to be shown: every text is already SMI.

    `place` is what stands behind `::=`. `columns` are those of a row, each
    with its type; `labels` those of an enumerated type. `notes` are lines of comment.
    """

    kind: str
    name: str
    head: str
    place: str
    syntax: str = ""
    clause: str = ""
    units: str = ""
    hint: str = ""
    access: str = ""
    status: str = ""
    description: str = ""
    columns: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    row: str = ""
    notes: tuple[str, ...] = ()

    def listed(self, indent: int) -> str:
        """The members below each other, further to the left when they are long."""
        longest = max((len(member) for member in self.members), default=0)
        margin = " " * min(indent, smi.COLUMNS - 1 - longest)
        return ",\n".join(margin + member for member in self.members)


@dataclass(frozen=True, slots=True)
class View:
    """A module: its imports (symbols by module), its identity, its parts in order."""

    imports: tuple[tuple[str, tuple[str, ...]], ...]
    place: str
    nodes: tuple[Definition, ...]
    types: tuple[Definition, ...]
    scalars: tuple[Definition, ...]
    tables: tuple[Definition, ...]
    compliances: tuple[Definition, ...]
    groups: tuple[Definition, ...]
    updated: str
    revisions: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def view(module: ir.Module, lock: Lock) -> View:
    """The module as its lock fixes it."""
    return _Viewer(module, lock).run()


def stamp(date: str) -> str:
    """A date of the schema as SMI has it: `202611210000Z`."""
    day, _, time = date.partition("T")
    return f"{day.replace('-', '')}{time.replace(':', '') or '0000'}Z"


class _Viewer:
    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.module = module
        self.lock = lock
        self.entries = [entry for entry in lock.entries if entry.status != "withdrawn"]
        self.imports: dict[str, set[str]] = {}
        self.local = {entry.name for entry in self.entries}
        self.names: dict[Oid, str] = {entry.oid: entry.name for entry in self.entries if entry.oid}
        self.extra: dict[Oid, str] = {}
        for name, oid in module.snmp.nodes:
            if parse_oid(oid) not in self.names:
                self.extra[parse_oid(oid)] = name
        self.names[lock.oid] = lock.identity
        self.columns: dict[Oid, list[Entry]] = {}
        self.rows = {entry.oid: entry for entry in self.entries if entry.kind == "row"}
        for entry in self.entries:
            if entry.kind == "object" and entry.oid[:-1] in self.rows:
                self.columns.setdefault(entry.oid[:-1], []).append(entry)
        self.discontinuities = {
            entry.key.scope: entry.name
            for entry in self.entries
            if entry.key.role == "discontinuity" and not entry.gone
        }
        annotations = Annotations(module, lock)
        self.comments = annotations.run()
        self.numbered = annotations.derived and bool(annotations.numbered)
        self.derived_nodes: list[str] = []
        self.imported = {
            Key(item.scope, item.name)
            for scope in module.scopes
            for item in scope.items
            if item.snmp is not None and item.snmp.oid
        }

    def run(self) -> View:
        self._need("MODULE-IDENTITY", standard.SMI)
        identity = self._place(self.lock.oid)
        parts = [(entry, self._definition(entry)) for entry in self._parts()]
        definitions = [definition for _, definition in parts]
        # in order of OIDs, what is above another before it: smidump may hang on two forward
        # references; nodes without an entry are known when all else is
        nodes = [(entry.oid, node) for entry, node in parts if entry.kind == "node"]
        nodes = sorted([*nodes, *self._extra_nodes()], key=lambda pair: pair[0])
        scalars = [part for part in definitions if part.kind == "object" and not part.row]
        tables = [part for part in definitions if part.kind in ("table", "row") or part.row]
        comments_ = self.comments.get("", ())
        if self.numbered:
            comments_ += tuple(lines(MADE, [*derived_names(self.lock), *self.derived_nodes], 0))
        revisions = [(stamp(r.date), smi.quoted(r.description)) for r in self.lock.revisions]
        return View(
            imports=tuple(self._imports()), place=identity, nodes=tuple(node for _, node in nodes),
            types=_of(definitions, "type"), scalars=tuple(scalars), tables=tuple(tables),
            compliances=_of(definitions, "compliance"), groups=_of(definitions, "group"),
            updated=revisions[0][0], revisions=tuple(revisions), notes=comments_,
        )  # fmt: skip

    def _parts(self) -> Iterator[Entry]:
        """What is defined: all but retired types and nodes that nothing uses any more."""
        used = {entry.syntax for entry in self.entries if entry.kind == "object"}
        parents = {entry.oid[:-1] for entry in self.entries if entry.oid}
        for entry in sorted(self.entries, key=order):
            if entry.kind == "node" and entry.oid not in parents:
                continue
            if entry.kind == "type" and entry.gone and entry.name not in used:
                continue
            yield entry

    # ---- names and imports ----

    def _need(self, symbol: str, module: str) -> None:
        if module != self.lock.name:
            self.imports.setdefault(module, set()).add(symbol)

    def _imports(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        first = [standard.SMI, standard.TC, standard.CONF]
        present = [name for name in first if name in self.imports]
        for name in (*present, *sorted(set(self.imports) - set(first))):
            symbols = sorted(self.imports[name], key=lambda s: (s[0].islower(), s.lower()))
            yield name, tuple(_wrapped(f"{', '.join(symbols)}"))

    def _place(self, oid: Oid) -> str:
        """`{ parent 1 }`; nodes between it and the nearest named one are given names."""
        return f"{{ {self._name(oid[:-1])} {oid[-1]} }}"

    def _name(self, oid: Oid) -> str:
        if oid in self.names:
            return self.names[oid]
        if oid in standard.ROOTS and self.lock.name != standard.SMI:
            self._need(standard.ROOTS[oid], standard.SMI)
            return standard.ROOTS[oid]
        if oid in standard.ARCS:
            return standard.ARCS[oid]
        self.names[oid] = name = self.extra.get(oid) or self._derived_node(oid)
        self.extra[oid] = name
        return name

    def _derived_node(self, oid: Oid) -> str:
        start = objects.prefix(self.module)
        tail = "x".join(map(str, oid[-3:] if len(oid) > 3 else oid))
        name = f"{start}Node{tail}"
        if standard.ROOTS.get(oid[:-1]) == "enterprises":
            name = f"{start}Enterprise"
        taken = {other.lower() for other in (*self.local, *self.extra.values())}
        while name.lower() in taken:
            name += "Node"
        self.derived_nodes.append(name)
        return name

    def _extra_nodes(self) -> list[tuple[Oid, Definition]]:
        """Nodes that no line of the lock is, with their OIDs: naming one may ask for another."""
        definitions: dict[Oid, Definition] = {}
        while pending := set(self.extra) - set(definitions):
            for oid in sorted(pending):
                definitions[oid] = self._shown("node", self.extra[oid], self._place(oid))
        return [(oid, definition) for oid, definition in definitions.items() if len(oid) > 1]

    def _type(self, syntax: str) -> str:
        """A type as the module writes it; what it needs is imported."""
        match = _QUALIFIED.match(syntax)
        if match:
            self._need(match[2], match[1])
            return syntax[match.end() - len(match[2]) :]
        base = base_type(syntax)
        if base not in self.local and base in standard.TYPES:
            self._need(base, standard.TYPES[base])
        return syntax

    def _clause(self, clause: str) -> str:
        for module, name in _QUALIFIED.findall(clause):
            self._need(name, module)
        return _QUALIFIED.sub(lambda match: match[2], clause)

    # ---- definitions ----

    def _shown(self, kind: str, name: str, place: str) -> Definition:
        head = smi.joined(name, "OBJECT IDENTIFIER", 4)
        return Definition(kind, name, smi.joined(head, f"::= {place}", 4), place)

    def _definition(self, entry: Entry) -> Definition:
        macro = _MACROS[entry.kind]
        if macro:
            self._need(macro, _HOME.get(macro, standard.CONF))
        if entry.kind == "node":
            return self._shown("node", entry.name, self._place(entry.oid))
        syntax, _, labels = entry.syntax.partition(" {")
        row = self.rows.get(entry.oid[:-1]) if entry.kind == "object" else None
        if entry.kind == "table":
            below = (*entry.oid, 1)
            syntax = f"SEQUENCE OF {_capital(self.rows[below].name)}"
        elif entry.kind == "row":
            syntax, labels = _capital(entry.name), ""
        return Definition(
            kind=entry.kind,
            name=entry.name,
            head=smi.joined(entry.name, "::= " * (entry.kind == "type") + macro, 4),
            place=self._place(entry.oid) if entry.oid else "",
            syntax=syntax if entry.kind in ("table", "row") else self._type(syntax),
            clause=_clause_lines(self._clause(entry.syntax)) if entry.kind == "row" else "",
            units="" if entry.kind == "type" else _short(entry.unit),
            hint=_short(entry.unit or _hint(entry)) if entry.kind == "type" else "",
            access=entry.access,
            status=entry.status,
            description=smi.quoted(self._description(entry)),
            columns=self._sequence(entry) if entry.kind == "row" else (),
            labels=_labels(labels.strip(" }")),
            members=entry.members,
            row=row.name if row is not None else "",
            notes=self.comments.get(entry.name, ()),
        )

    def _sequence(self, row: Entry) -> tuple[str, ...]:
        columns = self.columns.get(row.oid, [])
        width = min(max((len(column.name) for column in columns), default=0), 40)
        rows = []
        for column in columns:
            base = base_type(column.syntax.partition("::")[2] or column.syntax)
            rows.append(smi.joined(f"    {column.name:<{width}}", base))
        return tuple(rows)

    def _description(self, entry: Entry) -> str:
        parts = [entry.description or entry.name]
        if entry.kind == "group":
            parts = [f"The objects of {self._whose(entry.key.scope)}."]
        elif entry.kind == "compliance":
            parts = [f"What an implementation of {self.lock.name} has."]
        counter = base_type(entry.syntax) in ("Counter32", "Counter64")
        if counter and entry.key not in self.imported:
            sentence = DISCONTINUITY
            jump = self.discontinuities.get(entry.key.scope, "")
            if jump and not entry.gone:
                sentence += f", and at other times as indicated by the value of {jump}"
            parts.append(f"{sentence}.")
        if entry.gone and entry.status in _GONE:
            what = _GONE[entry.status]
            parts.append(what if entry.kind == "object" else what.partition(":")[0] + ".")
        return "\n\n".join(parts)

    def _whose(self, scope: str) -> str:
        if scope == ir.GLOBAL:
            return "the module as a whole"
        return f"each {scope.replace('_', ' ')}"


def base_type(syntax: str) -> str:
    """A type without its module, range, size and labels."""
    return _SIZE.sub("", syntax.partition("::")[2] or syntax).partition(" {")[0]


def _hint(entry: Entry) -> str:
    """The usual hint for a type of plain numbers."""
    plain = ("Integer32", "Unsigned32", "Gauge32", "INTEGER")
    return "d" if "{" not in entry.syntax and base_type(entry.syntax) in plain else ""


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _of(definitions: list[Definition], kind: str) -> tuple[Definition, ...]:
    return tuple(definition for definition in definitions if definition.kind == kind)


def _short(text: str) -> str:
    """A unit or hint as a string on one line, or below its clause."""
    plain = " ".join(smi.escape(text).split())
    if not plain:
        return ""
    return f'"{plain}"' if len(plain) < 54 else "\n" + smi.quoted(plain)


def _labels(text: str) -> tuple[str, ...]:
    labels = []
    for label in text.split(", ") if text else ():
        name, _, number = label.partition("(")
        labels.append(label if len(label) < 62 else f"{name}\n        ({number}")
    return tuple(labels)


def _wrapped(text: str) -> list[str]:
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > smi.COLUMNS - 6:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def _clause_lines(clause: str) -> str:
    """An INDEX clause, its names below each other when they are too long for one line."""
    keyword, _, rest = clause.partition(" ")
    line = f"    {keyword:<11} {rest}"
    if len(line) <= smi.COLUMNS:
        return line
    names = rest.strip("{ }").split(", ")
    return f"    {keyword} {{\n" + ",\n".join(f"        {name}" for name in names) + "\n    }"

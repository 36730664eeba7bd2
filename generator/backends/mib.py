# SPDX-License-Identifier: BSD-3-Clause
"""The SMIv2 module: names, types and OIDs for SNMP managers."""

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..model import ir
from ..model.naming import smi
from ..output.render import render
from ..publish import definitions, groups, objects, standard, texts
from ..publish.assign import assign
from ..publish.lock import LIVE, Entry, Key, Lock, Oid, order, parse_oid
from ..publish.nodespec import base_type, prefix
from ..publish.text import DISCONTINUITY, DRAFT
from . import BuiltIn, Options, in_short

_QUALIFIED = re.compile(r"([A-Za-z][A-Za-z0-9-]*)::([A-Za-z][A-Za-z0-9-]*)")
_NUMBERS = ("Integer32", "Unsigned32", "Gauge32", "INTEGER")
"""Types of plain numbers, which have a usual hint."""
_OBJECT = ("OBJECT-TYPE", standard.SMI)
_MACROS = {
    "type": ("TEXTUAL-CONVENTION", standard.TC),
    "notification": ("NOTIFICATION-TYPE", standard.SMI),
    "group": ("OBJECT-GROUP", standard.CONF),
    "notification-group": ("NOTIFICATION-GROUP", standard.CONF),
    "compliance": ("MODULE-COMPLIANCE", standard.CONF),
}
"""The macros of kinds other than objects, with the modules that define them."""


class Definition(NamedTuple):
    """An entry of the lock, ready to be shown: all but free texts is already SMI.

    `place` is the text after `::=`; `unit` is also the hint of a type. `columns` are those of a
    row, each with its type; `clause` is its index; `labels` those of an enumerated type, `default`
    a DEFVAL. `parts` are the requirements of a compliance, by module.
    """

    entry: Entry
    head: str
    place: str
    unit: str
    description: str
    syntax: str = ""
    clause: str = ""
    columns: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    reference: str = ""
    default: str = ""
    parts: tuple[ir.ComplianceModule, ...] = ()


def listed(names: Sequence[str], indent: int) -> str:
    """Names below each other, further to the left when they are long."""
    margin = " " * min(indent, smi.COLUMNS - 1 - max(map(len, names), default=0))
    return ",\n".join(margin + name for name in names)


class Viewer:
    """The module for its template."""

    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.module, self.lock = module, lock
        self.entries, self.live = lock.published, lock.live()
        self.imports: dict[str, set[str]] = {}
        self.by_name = {entry.name: entry for entry in self.entries}
        self.names: dict[Oid, str] = {entry.oid: entry.name for entry in self.entries if entry.oid}
        nodes = {parse_oid(oid): name for name, oid in module.snmp.nodes}
        self.extra = {oid: name for oid, name in nodes.items() if oid not in self.names}
        self.names[lock.oid] = lock.identity
        self.columns = lock.columns()
        self.rows = {entry.oid: entry for entry in self.entries if entry.kind == "row"}
        self.texts = dict(texts.given(module))
        self.defined = definitions.by_name(module)
        self.identities = {identity.name: identity for identity in module.snmp.identities}
        self.homes = {home.key: home for home in groups.homes(module)}
        self.nodes: dict[Oid, tuple[str, Definition | None]] = {}
        parts = objects.required(module)
        self.imported = {part.key for part in parts if part.oid and part.key.item}

    def run(self) -> dict[str, Any]:
        """Variables of the template: `imports`, lines of symbols by module; `place` of the
        identity; `nodes`, each with its OBJECT-IDENTITY if any; `sections`, definitions in order:
        types, scalars, tables, notifications, compliances, groups, notification-groups;
        `revisions`, dates and descriptions."""
        self._need("MODULE-IDENTITY", standard.SMI)
        identity = self._place(self.lock.oid)
        dates = [re.sub("[-T:]", "", revision.date) for revision in self.lock.revisions]
        sections: dict[str, list[Definition]] = defaultdict(list)
        for entry in self._parts():
            if entry.kind == "node":
                self.nodes[entry.oid] = self._node(entry.name, entry.oid)
            else:
                sections[self._section(entry)].append(self._definition(entry))
        # nodes that are not in the lock: to name one may take another
        while pending := self.extra.keys() - self.nodes:
            self.nodes |= {oid: self._node(self.extra[oid], oid) for oid in sorted(pending)}
        return {
            # what is above another before it: smidump may hang on two forward references
            "nodes": [node for _, node in sorted(self.nodes.items())],
            "sections": sections,
            "place": identity,
            "imports": self._imports(),
            "revisions": [
                (f"{date:0<12}Z", revision.description)
                for date, revision in zip(dates, self.lock.revisions, strict=True)
            ],
        }

    def _parts(self) -> Iterator[Entry]:
        """Entries to define: all except retired types and nodes that are no longer used."""
        used = {entry.syntax for entry in self.entries if entry.kind == "object"}
        parents = {entry.oid[:-1] for entry in self.entries if entry.oid}
        for entry in sorted(self.entries, key=order):
            unused_node = entry.kind == "node" and entry.oid not in parents
            retired_type = entry.kind == "type" and entry.gone and entry.name not in used
            if not unused_node and not retired_type:
                yield entry

    # ---- names and imports ----

    def _need(self, symbol: str, module: str) -> None:
        if module != self.lock.name:
            self.imports.setdefault(module, set()).add(symbol)

    def _imports(self) -> dict[str, list[str]]:
        first = (standard.SMI, standard.TC, standard.CONF)
        present = [name for name in first if name in self.imports]
        imports = {}
        for name in (*present, *sorted(self.imports.keys() - first)):
            symbols = sorted(self.imports[name], key=lambda s: (s[0].islower(), s.lower()))
            imports[name] = smi.wrapped(", ".join(symbols), smi.COLUMNS - 6).splitlines()
        return imports

    def _place(self, oid: Oid) -> str:
        """`{ parent 1 }`; nodes between it and the nearest named one are given names."""
        return f"{{ {self._name(oid[:-1])} {oid[-1]} }}"

    def _name(self, oid: Oid) -> str:
        above = self.module.snmp.parent
        if above and oid == self.lock.oid[:-1]:
            return self._unqualified(above)
        if oid in self.names:
            return self.names[oid]
        if oid in standard.ROOTS and self.lock.name != standard.SMI:
            self._need(standard.ROOTS[oid], standard.SMI)
            return standard.ROOTS[oid]
        if oid in standard.ARCS:
            return standard.ARCS[oid]
        self.names[oid] = self.extra[oid] = self.extra.get(oid) or self._derived_node(oid)
        return self.names[oid]

    def _derived_node(self, oid: Oid) -> str:
        start = prefix(self.module)
        name = f"{start}Node{'x'.join(map(str, oid[-3:]))}"
        if standard.ROOTS.get(oid[:-1]) == "enterprises":
            name = f"{start}Enterprise"
        taken = {other.lower() for other in (*self.by_name, *self.extra.values())}
        while name.lower() in taken:
            name += "Node"
        return name

    def _type(self, syntax: str) -> str:
        """A type as the module writes it; what it needs is imported."""
        base = base_type(syntax)
        if "::" not in syntax and base not in self.by_name and base in standard.TYPES:
            self._need(base, standard.TYPES[base])
        return self._unqualified(syntax)

    def _unqualified(self, text: str) -> str:
        if "::" not in text:
            return text
        for module, name in _QUALIFIED.findall(text):
            self._need(name, module)
        return _QUALIFIED.sub(r"\2", text)

    # ---- definitions ----

    def _node(self, name: str, oid: Oid) -> tuple[str, Definition | None]:
        """The head of a node or its whole text, and the definition of an OBJECT-IDENTITY."""
        identity, place = self.identities.get(name), self._place(oid)
        if identity is None:
            head = smi.joined(name, "OBJECT IDENTIFIER", 4)
            return smi.joined(head, f"::= {place}", 4), None
        self._need("OBJECT-IDENTITY", standard.SMI)
        entry = Entry("node", oid, name, identity.status, "", Key(role="node", name=name))
        head = smi.joined(name, "OBJECT-IDENTITY", 4)
        shown = Definition(
            entry, head, place, "", identity.description, reference=identity.reference
        )
        return head, shown

    def _default(self, value: str) -> str:
        """A value as the clause has it; an object of another module is imported."""
        value = value if value.startswith('"') else self._unqualified(value)
        line = f"{{ {value} }}"
        return line if len(line) < 54 else f"\n        {line}"

    def _definition(self, entry: Entry) -> Definition:
        macro, home = _MACROS.get(entry.kind, _OBJECT)
        self._need(macro, home)
        is_type, base = entry.kind == "type", base_type(entry.syntax)
        hint = "d" if is_type and "{" not in entry.syntax and base in _NUMBERS else ""
        more: dict[str, Any]
        if entry.kind == "table":
            row = (*entry.oid, 1)
            more = {"syntax": f"SEQUENCE OF {smi.capital(self.rows[row].name)}"}
        elif entry.kind == "row":
            clause = _clause_lines(self._unqualified(entry.syntax))
            more = {"columns": self._columns(entry), "clause": clause}
            more["syntax"] = smi.capital(entry.name)
        else:
            syntax, _, labels = entry.syntax.partition(" {")
            more = {"syntax": self._type(syntax), "labels": _labels(labels.strip(" }"))}
        if entry.kind == "compliance":
            more["parts"] = self._parts_of(entry)
        own = self.texts.get(entry.key, {}) if not entry.gone else {}
        more["reference"] = own.get("reference", "")
        if own.get("default"):
            more["default"] = self._default(str(own["default"]))
        if entry.key.role == definitions.ROLE:
            entry = entry._replace(members=tuple(map(self._unqualified, entry.members)))
        return Definition(
            entry,
            head=smi.joined(entry.name, f"::= {macro}" if is_type else macro, 4),
            place=self._place(entry.oid) if entry.oid else "",
            unit=_short(entry.unit or hint),
            description=self._description(entry),
            **more,
        )

    def _parts_of(self, entry: Entry) -> tuple[ir.ComplianceModule, ...]:
        """Modules of a compliance: those in the schema, or one with all generated groups."""
        if entry.key.role == definitions.ROLE:
            parts = self.defined[entry.name].modules or (ir.ComplianceModule(),)
            return tuple(replace(p, objects=tuple(map(self._refined, p.objects))) for p in parts)
        optional, refined = [], []
        for name in entry.optional:
            home = self.homes.get(groups.key(self.by_name[name])) if name in self.by_name else None
            optional.append((name, (home and home.optional) or groups.OPTIONAL))
        for name in entry.refined:
            type_ = groups.address_type(self.by_name[name]) if name in self.by_name else ""
            if type_:
                syntax, reason = f"InetAddressType {{ {type_} }}", groups.REFINED.format(type_)
                refined.append(ir.Refinement(name, syntax, description=reason))
        mandatory = tuple(name for name in entry.members if name not in entry.optional)
        return (ir.ComplianceModule("", mandatory, tuple(optional), tuple(refined)),)

    def _refined(self, refinement: ir.Refinement) -> ir.Refinement:
        syntax, written = (
            _folded(self._type(text)) if text else ""
            for text in (refinement.syntax, refinement.write_syntax)
        )
        return replace(refinement, syntax=syntax, write_syntax=written)

    def _section(self, entry: Entry) -> str:
        if entry.kind == "object" and entry.oid[:-1] not in self.rows:
            return "scalars"
        return "tables" if entry.kind in ("object", "row") else f"{entry.kind}s"

    def _columns(self, row: Entry) -> tuple[str, ...]:
        columns = self.columns.get(row.oid, [])
        width = min(max((len(column.name) for column in columns), default=0), 40)
        return tuple(smi.joined(f"    {c.name:<{width}}", base_type(c.syntax)) for c in columns)

    def _description(self, entry: Entry) -> str:
        parts = [entry.description or entry.name]
        if entry.key.role == definitions.ROLE and entry.name in self.defined:
            parts = [self.defined[entry.name].description]
        elif entry.kind == "group":
            home = self.homes.get(groups.key(entry))
            parts = [home.description if home else groups.described(entry.key)]
        elif entry.kind == "notification-group":
            parts = ["The notifications of this module."]
        elif entry.kind == "compliance":
            parts = [f"What an implementation of {self.lock.name} has."]
        counter = base_type(entry.syntax) in ("Counter32", "Counter64")
        if counter and entry.key not in self.imported:
            sentence = DISCONTINUITY
            discontinuity = self.live.get(Key(entry.key.scope, role="discontinuity"))
            if discontinuity is not None and not entry.gone:
                name = discontinuity.name
                sentence += f", and at other times as indicated by the value of {name}"
            parts.append(f"{sentence}.")
        if entry.gone and entry.status != LIVE:
            no_longer = ": it is no longer counted" if entry.kind == "object" else ""
            what = "notification" if entry.kind == "notification" else "object"
            parts.append(f"This {what} is {entry.status}{no_longer}.")
        return "\n\n".join(parts)


@functools.lru_cache(maxsize=1024)
def _short(text: str) -> str:
    """A unit or hint as a string on one line, or below its clause."""
    plain = " ".join(smi.escape(text).split())
    if not plain:
        return ""
    return f'"{plain}"' if len(plain) < 54 else "\n" + smi.quoted(plain)


def _labels(text: str) -> tuple[str, ...]:
    """Labels of an enumeration; the number of a long one is on a line of its own."""
    labels = text.split(", ") if text else []
    return tuple(
        label if len(label) < 62 else label.replace("(", "\n        (") for label in labels
    )


def _folded(syntax: str) -> str:
    """A type in a compliance, its labels below each other when they do not fit on a line."""
    name, _, labels = syntax.partition(" { ")
    if not labels or len(syntax) <= smi.COLUMNS - 22:
        return syntax
    lines = ",\n".join(f"{' ' * 12}{label}" for label in labels.removesuffix(" }").split(", "))
    return f"{name} {{\n{lines}\n        }}"


def _clause_lines(clause: str) -> str:
    """An INDEX clause, its names below each other when they are too long for one line."""
    keyword, _, rest = clause.partition(" ")
    line = f"    {keyword:<11} {rest}"
    if len(line) <= smi.COLUMNS:
        return line
    names = rest.strip("{ }").split(", ")
    return f"    {keyword} {{\n" + ",\n".join(f"        {name}" for name in names) + "\n    }"


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The module; nothing when the schema has, and had, nothing to put there."""
    lock = options.lock or assign(module, None).lock
    if not any(entry.kind == "object" for entry in lock.entries):
        return {}
    rendered = render(
        "mib/module.txt.j2", options=options, m=module, lock=lock, draft=DRAFT,
        source=smi.comment(options.source), listed=listed, **Viewer(module, lock).run(),
    )  # fmt: skip
    return {f"{lock.name}.txt": rendered}


BACKEND = BuiltIn("mib", in_short(__doc__), generate, uses_lock=True)

# SPDX-License-Identifier: BSD-3-Clause
"""What a module defines besides objects, for a schema: notifications, groups, compliances, what
OBJECT-IDENTITY says of nodes. What cannot be kept is a note, at its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...language.snmp import ACCESSES, REFINEMENT
from ..raw import Placed
from .clauses import Body, Clause, clauses
from .mapping import plain
from .model import OF_SMI, RETIRED, Module
from .source import Source

NOTIFICATIONS, OBJECT_GROUPS, NOTIFICATION_GROUPS, COMPLIANCES = (
    "notifications", "object_groups", "notification_groups", "compliances",
)  # fmt: skip
_KINDS = {
    "NOTIFICATION-TYPE": (NOTIFICATIONS, "notification"),
    "TRAP-TYPE": (NOTIFICATIONS, "trap"),
    "OBJECT-GROUP": (OBJECT_GROUPS, "group"),
    "NOTIFICATION-GROUP": (NOTIFICATION_GROUPS, "group"),
    "MODULE-COMPLIANCE": (COMPLIANCES, "compliance"),
}
"""Where a schema has what a macro defines, and what findings call it."""

_OF_SNMP = "1.3.6.1.2.1.11.0."
"""What the OIDs of traps of the protocol itself would begin with; RFC 3584 (3.1) has others."""
_DESCRIPTOR = re.compile(r"[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*\Z")
_REFINEMENT = re.compile(REFINEMENT)
_BASES = {
    **OF_SMI, "INTEGER": "INTEGER", "Integer32": "Integer32", "BITS": "BITS",
    "OCTET": "OCTET STRING", "OBJECT": "OBJECT IDENTIFIER",
}  # fmt: skip

Note = Callable[[str, str, str], None]


def add(
    snmp: dict[str, Any], module: Module, source: Source, bodies: Iterable[Body], note: Note
) -> None:
    """Put all of it into `snmp` of a schema; `bodies` are the definitions of the module."""
    nodes = snmp.get("nodes", {})
    reader = _Reader(module, source, note)
    for body in bodies:
        name = body.definition.name
        if body.definition.macro in _KINDS:
            reader.read(body)
        elif body.definition.macro == "OBJECT-IDENTITY" and name in nodes:
            said = {"oid": nodes[name]} | _texts(clauses(body))
            nodes[name] = Placed(source.region(name), said) if len(said) > 1 else nodes[name]
    if found := reader.settled():
        snmp["definitions"] = found


def _texts(said: Iterable[Clause]) -> dict[str, str]:
    """STATUS (of what is not in use any more), DESCRIPTION and REFERENCE."""
    words = {clause.keyword: clause.word for clause in reversed([*said])}
    found = {key: plain(words.get(key.upper(), "")) for key in ("description", "reference")}
    if (status := words.get("STATUS", "")) in RETIRED:
        found = {"status": status, **found}
    return {key: text for key, text in found.items() if text}


class _Reader:
    """Makes entries of the schema, by kind; names in them that are no objects, or no groups, of
    the module are left out."""

    def __init__(self, module: Module, source: Source, note: Note) -> None:
        self.module, self.source, self.note = module, source, note
        imports = source.imports.items()
        self.origins = {symbol: name for name, (_, symbols) in imports for symbol in symbols}
        self.objects = module.objects()
        self.taken = self.objects | module.nodes.keys()
        self.found: dict[str, dict[str, Any]] = {kind: {} for kind, _ in _KINDS.values()}

    def read(self, body: Body) -> None:
        """Make an entry of a definition, or say why there is none."""
        name, (kind, word) = body.definition.name, _KINDS[body.definition.macro]
        oid = self.module.besides.get(name, "")
        if name in self.taken or not _DESCRIPTOR.match(name):
            self._lost(name, f"the {word} '{name}' is not imported: its name is that of a node")
        elif not oid:
            self._lost(name, f"the {word} '{name}' is not imported: nothing tells its OID")
        elif word == "trap" and oid.startswith(_OF_SNMP):
            self._lost(name, f"the trap '{name}' is not imported: SNMPv2-MIB has it")
        else:
            said = clauses(body)
            texts = _texts(said[: _before(said)])
            entry = {"oid": oid} | self._content(kind, name, said) | texts
            self.found[kind][name] = Placed(self.source.region(name), entry)

    def _content(self, kind: str, name: str, said: list[Clause]) -> dict[str, Any]:
        """What a definition lists."""
        if kind == COMPLIANCES:
            return {"modules": [*self._modules(name, said)]}
        lists = ("OBJECTS", "VARIABLES", "NOTIFICATIONS")
        names = [member for one in said if one.keyword in lists for member in one.words]
        if kind == NOTIFICATION_GROUPS:
            return {"notifications": [*map(self._qualified, dict.fromkeys(names))]}
        members = [*map(self._qualified, names if kind == NOTIFICATIONS else dict.fromkeys(names))]
        members = [one for one in members if self._is_there(one, self.objects, name)]
        return {"objects": members} if members else {}

    def _lost(self, name: str, message: str) -> None:
        self.note("import-not-imported", name, message)

    # ---- names ----

    def _qualified(self, name: str) -> str:
        """A name with its module, where that is another one."""
        module, _, bare = name.rpartition("::")
        module = module or ("" if bare in self.objects else self.origins.get(bare, ""))
        return bare if module in ("", self.module.name) else f"{module}::{bare}"

    def _is_there(self, name: str, known: Iterable[str], of: str) -> bool:
        """Whether a name is known, or of another module; reports one that is not."""
        module, _, bare = name.rpartition("::")
        there = bool(module) or name in known
        found = there and _DESCRIPTOR.match(bare) is not None
        if not found:
            why = "that is no name" if there else "nothing has that name"
            self._lost(of, f"'{name}' in '{of}' is not imported: {why}")
        return found

    def settled(self) -> dict[str, Any]:
        """The entries that there are, each without what is not there: a group that has nothing in
        it is none."""
        found = self.found
        for kind, key, known in (
            (OBJECT_GROUPS, "objects", self.objects),
            (NOTIFICATION_GROUPS, "notifications", found[NOTIFICATIONS].keys()),
        ):
            for name, entry in [*found[kind].items()]:
                members = entry.get(key, [])
                if key == "notifications":
                    members = [one for one in members if self._is_there(one, known, name)]
                    entry[key] = members
                if not members:
                    self._lost(name, f"the group '{name}' is not imported: nothing is in it")
                    del found[kind][name]
        groups = found[OBJECT_GROUPS].keys() | found[NOTIFICATION_GROUPS].keys()
        for name, entry in found[COMPLIANCES].items():
            for part in entry["modules"]:
                self._settle(name, part, groups)
        return {kind: entries for kind, entries in found.items() if entries}

    def _settle(self, name: str, part: dict[str, Any], groups: Iterable[str]) -> None:
        """Take out of a compliance what the module does not have."""
        if "module" in part:
            return
        known = {"mandatory": groups, "groups": groups, "objects": self.objects}
        for key in [key for key in known if key in part]:
            left = [one for one in part[key] if self._is_there(one, known[key], name)]
            part[key] = left if key == "mandatory" else {one: part[key][one] for one in left}
            if not left:
                del part[key]

    # ---- compliances ----

    def _modules(self, name: str, said: list[Clause]) -> Iterator[dict[str, Any]]:
        """The modules that a compliance is about, this one without its name."""
        starts = [at for at, one in enumerate(said) if one.keyword == "MODULE"]
        for start, end in zip(starts, [*starts[1:], len(said)], strict=True):
            module = said[start].word
            part: dict[str, Any] = {} if module in ("", self.module.name) else {"module": module}
            mandatory = [c.words for c in said[start:end] if c.keyword == "MANDATORY-GROUPS"]
            if listed := [*dict.fromkeys(one for words in mandatory for one in words)]:
                part["mandatory"] = [one.rpartition("::")[2] for one in listed]
            for at in range(start, end):
                if said[at].keyword in ("GROUP", "OBJECT"):
                    self._part(name, part, said[at], [*_until(said, at + 1, end)])
            yield part

    def _part(self, name: str, part: dict[str, Any], head: Clause, said: list[Clause]) -> None:
        """A GROUP or OBJECT clause with those that belong to it."""
        key = "groups" if head.keyword == "GROUP" else "objects"
        entries = part.setdefault(key, {})
        if head.word in entries:
            self._lost(name, f"'{name}' says twice what is needed of '{head.word}': once is kept")
            return
        words = {clause.keyword: clause for clause in reversed(said)}
        text = plain(words["DESCRIPTION"].word) if "DESCRIPTION" in words else ""
        if key == "groups":
            entries[head.word] = text
            return
        entry: dict[str, str] = {}
        for keyword in ("SYNTAX", "WRITE-SYNTAX"):
            if keyword in words and (syntax := self._type(name, head.word, words[keyword])):
                entry[keyword.lower().replace("-", "_")] = syntax
        access = words["MIN-ACCESS"].word if "MIN-ACCESS" in words else ""
        if access in ACCESSES:
            entry["min_access"] = access
        elif access:
            self._lost(name, f"the access {access} to '{head.word}' in '{name}' is not imported")
        entries[head.word] = entry | ({"description": text} if text else {})

    def _type(self, name: str, of: str, said: Clause) -> str:
        """A type as a schema has it; empty after reporting one that it cannot have."""
        first = said.word
        base = _BASES.get(first, first)
        if first not in _BASES and first in self.origins:
            base = f"{self.origins[first]}::{first}"
        rest = said.words[2 if first in ("OCTET", "OBJECT") else 1 :]
        text = base + spelled(rest)
        if _REFINEMENT.match(text):
            return text
        self._lost(name, f"the type of '{of}' in '{name}' is not imported: {text[:60]}")
        return ""


def spelled(tokens: Iterable[str]) -> str:
    """Ranges, sizes or labels behind a type, spaced as in a schema."""
    text = " ".join(tokens)
    for tight in (r" ?(\.\.) ?", r" ?([(\[]) ?", r" ?([)\],])"):
        text = re.sub(tight, r"\1", text)
    text = re.sub(r"\bSIZE\(", "SIZE (", text)
    return f" {text}" if text else ""


def _before(said: list[Clause]) -> int:
    """How many clauses come before the first module of a compliance, that being its own ones."""
    return next((at for at, one in enumerate(said) if one.keyword == "MODULE"), len(said))


def _until(said: list[Clause], start: int, end: int) -> Iterator[Clause]:
    """The clauses that belong to the one before `start`."""
    for clause in said[start:end]:
        if clause.keyword in ("GROUP", "OBJECT", "MODULE", "MANDATORY-GROUPS"):
            return
        yield clause

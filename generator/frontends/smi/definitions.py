# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of a module besides objects: notifications, groups, compliances (RFC 2578, 8; RFC
2580), and the clauses of OBJECT-IDENTITY, from its text, as smidump does not write all of them.
What is not imported is a note, at its line.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Any, NamedTuple

from ...findings.diagnostics import Span
from ...model.language.snmp import ACCESSES, REFINEMENT
from ..raw import Node, Placed, listed, mapping, span
from .mapping import DESCRIPTOR, plain
from .model import OF_SMI, RETIRED, Module
from .source import Definition, Source

_TOKEN = re.compile(
    r"--[^\n]*|\"[^\"]*\"|'[^'\n]*'[HhBb]?|::=|\.\.|-?[0-9]+|[A-Za-z]\w*(?:-\w+)*|\S"
)
_NAME = re.compile(r"[a-z][\w-]*\Z")
_MODULE = re.compile(r"[A-Z][\w-]*\Z")
_NEXT = ("SYNTAX", "WRITE-SYNTAX", "MIN-ACCESS", "DESCRIPTION", "OBJECT", "GROUP", "MODULE", "::=")
"""Tokens that may follow a type in a compliance."""
_LISTS = ("OBJECTS", "NOTIFICATIONS", "VARIABLES", "MANDATORY-GROUPS")
_TYPES = ("SYNTAX", "WRITE-SYNTAX")
_WORDS = ("STATUS", "ENTERPRISE", "GROUP", "OBJECT", "MIN-ACCESS")
_TEXTS = ("DESCRIPTION", "REFERENCE")

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
"""The key of a schema for each macro, and the word for it in findings."""

_NOT_IMPORTED = "import-not-imported"
_OF_SNMP = "1.3.6.1.2.1.11.0."
"""Start of the OIDs of traps of the protocol itself; RFC 3584 (3.1) has others."""
_WRITABLE = re.compile(r"\bACCESS\s+(?:read-write|read-create|write-only)\b")
_DEFVAL = re.compile(r"\bDEFVAL\b")
_BASES = {
    **OF_SMI, "INTEGER": "INTEGER", "Integer32": "Integer32", "BITS": "BITS",
    "OCTET": "OCTET STRING", "OBJECT": "OBJECT IDENTIFIER",
}  # fmt: skip

Note = Callable[[str, str, str], None]
Report = Callable[[str, Span, str], object]
Predicate = Callable[[str], bool]


class Clause(NamedTuple):
    """A clause: its keyword, and a word or a text as the only one of `words`, or the names of a
    list, or the tokens of a type. A MODULE clause has the module's name, if any."""

    keyword: str
    words: tuple[str, ...]

    @property
    def word(self) -> str:
        """The only word; empty for none."""
        return self.words[0] if self.words else ""


def clauses(source: Source, definition: Definition) -> list[Clause]:
    """The clauses of a definition, as far as they can be read."""
    end = definition.start + len(definition.body)
    text = source.text[definition.start : end]
    found, tokens = [], [token for token in _TOKEN.findall(text) if not token.startswith("--")]
    at = 2  # behind its name and the macro
    while at < len(tokens) and tokens[at] != "::=":
        keyword = tokens[at]
        at += 1
        if keyword in _LISTS:
            names, at = _list(tokens, at)
            found.append(Clause(keyword, names))
        elif keyword in _TYPES:
            start = at
            while at < len(tokens) and (at == start or tokens[at] not in _NEXT):
                at += 1  # the first word is part of the type: OBJECT IDENTIFIER
            found.append(Clause(keyword, tuple(tokens[start:at])))
        elif keyword == "MODULE":
            name = tokens[at] if at < len(tokens) else ""
            named = _MODULE.match(name) is not None and name not in _LISTS + _WORDS
            found.append(Clause(keyword, (name,) if named else ()))
            at += named
        elif keyword in _TEXTS and at < len(tokens) and tokens[at][0] == '"':
            found.append(Clause(keyword, (tokens[at][1:-1],)))
            at += 1
        elif keyword in _WORDS and at < len(tokens) and tokens[at][0].isalpha():
            found.append(Clause(keyword, (tokens[at],)))
            at += 1
    return found


def _list(tokens: list[str], at: int) -> tuple[tuple[str, ...], int]:
    """The names in braces (`MODULE::name` where qualified), and the index after the list."""
    names: list[str] = []
    if tokens[at : at + 1] != ["{"]:
        return (), at
    at += 1
    while at < len(tokens) and tokens[at] != "}":
        if _MODULE.match(tokens[at]) and tokens[at + 1 : at + 2] == ["."]:
            names.append(f"{tokens[at]}::{tokens[at + 2]}" if at + 2 < len(tokens) else "")
            at += 2
        elif _NAME.match(tokens[at]):
            names.append(tokens[at])
        at += 1
    return tuple(filter(None, names)), at + 1


def add(snmp: dict[str, Any], module: Module, source: Source, note: Note) -> None:
    """Put the definitions of a module into `snmp` of its schema."""
    nodes = snmp.get("nodes", {})
    reader = _Reader(module, source, note)
    for name, definition in source.definitions.items():
        if definition.macro in _KINDS:
            reader.read(definition)
        elif definition.macro == "OBJECT-IDENTITY" and name in nodes:
            texts = _texts(clauses(source, definition))
            if texts:
                nodes[name] = Placed(source.region(name), {"oid": nodes[name]} | texts)
    if found := {kind: entries for kind, entries in reader.found.items() if entries}:
        snmp["definitions"] = found


def note_ignored(source: Source, note: Note) -> None:
    """Report what has no place in a schema, each kind at its first definition."""
    ignored: dict[str, list[str]] = {}
    for name, definition in source.definitions.items():
        if definition.macro == "AGENT-CAPABILITIES":
            ignored.setdefault("capabilities are not imported", []).append(name)
        elif definition.macro == "OBJECT-TYPE" and _WRITABLE.search(definition.body):
            ignored.setdefault("write access is not imported", []).append(name)
        if definition.macro == "OBJECT-TYPE" and _DEFVAL.search(definition.body):
            ignored.setdefault("a DEFVAL is not imported", []).append(name)
    for message, names in ignored.items():
        others = f", and {len(names) - 1} others" if len(names) > 1 else ""
        note(_NOT_IMPORTED, names[0], f"{message}: that of '{names[0]}'{others}")


def settle(snmp: dict[str, Node], is_known: Predicate, report: Report) -> None:
    """Take members that are not known, and groups without any, out of the definitions in `snmp`."""
    kinds = {kind: mapping(entries) for kind, entries in mapping(snmp.get("definitions")).items()}

    def filter_members(of: str, entry: dict[str, Node], key: str, known: Predicate) -> None:
        node = entry.get(key)
        if node is None:
            return
        is_list = isinstance(node.value, list)
        members = [(member.value, member) for member in listed(node)] or [*mapping(node).items()]
        left: list[tuple[str, Node]] = []
        for name, member in members:
            module, _, bare = name.rpartition("::")
            if (module or known(name)) and DESCRIPTOR.match(bare):
                left.append((name, member))
            else:
                message = f"'{name}' in '{of}' is not imported: nothing has that name"
                report(_NOT_IMPORTED, span(node.region), message)
        node.value = [Node(name, node.region) for name, _ in left] if is_list else dict(left)
        if not left:
            del entry[key]

    notified = kinds.get(NOTIFICATIONS, {}).__contains__
    for kind, key, known in (
        (NOTIFICATIONS, "objects", is_known),
        (OBJECT_GROUPS, "objects", is_known),
        (NOTIFICATION_GROUPS, "notifications", notified),
    ):
        for name, node in [*kinds.get(kind, {}).items()]:
            filter_members(name, mapping(node), key, known)
            if kind != NOTIFICATIONS and key not in mapping(node):
                message = f"the group '{name}' is not imported: nothing is in it"
                report(_NOT_IMPORTED, span(node.region), message)
                del kinds[kind][name]
    all_groups = kinds.get(OBJECT_GROUPS, {}) | kinds.get(NOTIFICATION_GROUPS, {})
    for name, node in kinds.get(COMPLIANCES, {}).items():
        for part in map(mapping, listed(mapping(node).get("modules"))):
            if "module" not in part:
                filter_members(name, part, "mandatory", all_groups.__contains__)
                filter_members(name, part, "groups", all_groups.__contains__)
                filter_members(name, part, "objects", is_known)
    for kind in [kind for kind, entries in kinds.items() if not entries]:
        del snmp["definitions"].value[kind]
    if kinds and not mapping(snmp["definitions"]):
        del snmp["definitions"]


def _texts(found: Iterable[Clause]) -> dict[str, str]:
    """STATUS (if not current), DESCRIPTION and REFERENCE."""
    words = {clause.keyword: clause.word for clause in reversed([*found])}
    texts = {key: plain(words.get(key.upper(), "")) for key in ("description", "reference")}
    if (status := words.get("STATUS", "")) in RETIRED:
        texts = {"status": status, **texts}
    return {key: text for key, text in texts.items() if text}


class _Reader:
    """Makes entries of the schema, by kind."""

    def __init__(self, module: Module, source: Source, note: Note) -> None:
        self.module, self.source, self.note = module, source, note
        self.origins = source.origins()
        self.objects = module.objects()
        self.taken = self.objects | module.nodes.keys()
        self.found: dict[str, dict[str, Any]] = {kind: {} for kind, _ in _KINDS.values()}

    def read(self, definition: Definition) -> None:
        """Make an entry of a definition, or report why there is none."""
        name, (kind, word) = definition.name, _KINDS[definition.macro]
        oid = self.module.besides.get(name, "")
        why = ""
        if name in self.taken or not DESCRIPTOR.match(name):
            why = "its name is that of a node"
        elif not oid:
            why = "its OID cannot be resolved"
        elif word == "trap" and oid.startswith(_OF_SNMP):
            why = "SNMPv2-MIB has it"
        if why:
            self._lost(name, f"the {word} '{name}' is not imported: {why}")
            return
        found = clauses(self.source, definition)
        first = next((n for n, c in enumerate(found) if c.keyword == "MODULE"), len(found))
        entry = {"oid": oid} | self._content(kind, name, found) | _texts(found[:first])
        self.found[kind][name] = Placed(self.source.region(name), entry)

    def _content(self, kind: str, name: str, found: list[Clause]) -> dict[str, Any]:
        """The members of a definition."""
        if kind == COMPLIANCES:
            return {"modules": [*self._modules(name, found)]}
        lists = ("OBJECTS", "VARIABLES", "NOTIFICATIONS")
        names = [member for clause in found if clause.keyword in lists for member in clause.words]
        members = [*map(self._qualified, names if kind == NOTIFICATIONS else dict.fromkeys(names))]
        key = "notifications" if kind == NOTIFICATION_GROUPS else "objects"
        return {key: members} if members else {}

    def _lost(self, name: str, message: str) -> None:
        self.note(_NOT_IMPORTED, name, message)

    def _qualified(self, name: str) -> str:
        """A name with its module, where that is another one."""
        module, _, bare = name.rpartition("::")
        module = module or ("" if bare in self.objects else self.origins.get(bare, ""))
        return bare if module in ("", self.module.name) else f"{module}::{bare}"

    # ---- compliances ----

    def _modules(self, name: str, found: list[Clause]) -> Iterator[dict[str, Any]]:
        """The modules that a compliance is about, this one without its name."""
        part: dict[str, Any] | None = None
        for number, clause in enumerate(found):
            if clause.keyword == "MODULE":
                if part is not None:
                    yield part
                part = {} if clause.word in ("", self.module.name) else {"module": clause.word}
            elif part is not None and clause.keyword == "MANDATORY-GROUPS":
                groups = (group.rpartition("::")[2] for group in clause.words)
                part["mandatory"] = [*dict.fromkeys([*part.get("mandatory", ()), *groups])]
            elif part is not None and clause.keyword in ("GROUP", "OBJECT"):
                own = takewhile(lambda one: one.keyword not in _PARTS, found[number + 1 :])
                self._part(name, part, clause, [*own])
        if part is not None:
            yield part

    def _part(self, name: str, part: dict[str, Any], head: Clause, found: list[Clause]) -> None:
        """A GROUP or OBJECT clause with those that belong to it."""
        key = "groups" if head.keyword == "GROUP" else "objects"
        entries = part.setdefault(key, {})
        if head.word in entries:
            self._lost(name, f"'{name}' refines '{head.word}' twice: the first one is imported")
            return
        words = {clause.keyword: clause for clause in reversed(found)}
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

    def _type(self, name: str, of: str, clause: Clause) -> str:
        """A type as a schema has it; empty after reporting one that it cannot have."""
        first = clause.word
        base = _BASES.get(first, first)
        if first not in _BASES and first in self.origins:
            base = f"{self.origins[first]}::{first}"
        rest = clause.words[2 if first in ("OCTET", "OBJECT") else 1 :]
        text = base + spelled(rest)
        if re.match(REFINEMENT, text):
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


_PARTS = ("GROUP", "OBJECT", "MODULE", "MANDATORY-GROUPS")
"""Beginning of a part of a compliance."""

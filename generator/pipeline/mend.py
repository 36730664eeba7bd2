# SPDX-License-Identifier: BSD-3-Clause
"""Mends the schema of an SMI module: what it comes from may break rules that schemas keep.

The schema is judged as `check` does. Names that collide in C, or that no module can have, are
changed, an index that nobody knows is left away, any other object that breaks a rule is left out;
each is said at its line. What cannot be mended stays an error, and so does whatever comments of the
module have asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from .. import rules
from ..findings.diagnostics import Diagnostic, Diagnostics, Severity, declare
from ..frontends.raw import Node, Raw, listed, mapping, plain, span
from ..language import schema
from ..mib.lock import LockFile
from ..mib.rules import judge
from ..mib.rules.names import MAX_NAME
from ..model.kinds import KINDS
from ..resolve.resolve import resolve
from ..resolve.validate import validate
from .follow import Definitions

declare("import-left-out", Severity.WARNING, "Objects of an SMI module break no rule of schemas.")
declare("import-renamed", Severity.NOTE, "Names in C that an SMI module gives are different.")

ROUNDS = 12
"""How often a schema is judged again; each time there is less in it."""
_SAME_NAMES = ("generated-name", "colliding-name")
_ENDS = ("_value", "_entry", "_x")
_LONGEST = 63
_START = 48
"""Most characters of what names of a table's groups and other objects start with."""


def errors(raw: Raw) -> list[Diagnostic]:
    """What `check` and `build` would refuse in a schema, alone and without a lock file."""
    found = Diagnostics()
    part = validate(raw, schema.Schema, found)
    if part is not None:
        resolution = resolve([part], found)
        rules.check(resolution, found)
        if not found.failed:
            judge(resolution.module, LockFile(), found)
    return [one for one in found.findings if one.severity is Severity.ERROR]


def is_over(raw: Raw) -> bool:
    """Whether a schema is an overlay of a module, complete in one file."""
    scopes = mapping(mapping(raw.root).get("scopes")).values()
    elsewhere = any(scope.region[0] != raw.root.region[0] for scope in scopes)
    return elsewhere and not raw.is_smi and "include" not in raw.data


def mend(raw: Raw, diagnostics: Diagnostics) -> Raw:
    """The schema of a module, or over one, without what is wrong in the module; what stays wrong
    in a module is reported."""
    wrong = errors(raw)
    for _ in range(ROUNDS):
        changes = _Changes(raw.root)
        made = [one for one in wrong if changes.make(one, diagnostics)]
        if not made:
            break
        changes.follow(diagnostics)
        raw = Raw(raw.path, raw.source, raw.root, raw.is_smi)
        wrong = errors(raw)
    for one in wrong if raw.is_smi else ():
        diagnostics.add(one)
    return raw


class _Changes:
    """Changes a schema where findings say; a place in it is mended once."""

    def __init__(self, root: Node) -> None:
        self.scopes = mapping(mapping(root).get("scopes"))
        self.snmp = mapping(mapping(root).get("snmp"))
        self.types = mapping(self.snmp.get("types"))
        self.definitions = Definitions(self.snmp)
        self.before = {*_objects(self.scopes)}
        self.renamed: dict[str, str] = {}
        self.gone: set[str] = set()
        self.done: set[Any] = set()

    def make(self, wrong: Diagnostic, diagnostics: Diagnostics) -> bool:
        """Mend what a finding is about; False when that is not to be found."""
        if wrong.span in self.done:
            return False
        made = self._make(wrong)
        if made:
            self.done.add(wrong.span)
            rule, message = made
            diagnostics.report(rule, wrong.span, message)
        return bool(made)

    def follow(self, diagnostics: Diagnostics) -> None:
        """Let groups, compliances and notifications have the names that objects have now."""
        lost = self.before - {*_objects(self.scopes)} - self.renamed.keys()
        self.definitions.follow(self.renamed, lost | self.gone, diagnostics)

    def _make(self, wrong: Diagnostic) -> tuple[str, str] | None:
        for scope in [*self.scopes]:
            keys = mapping(self.scopes[scope])
            here = span(self.scopes[scope].region) == wrong.span
            if here and (found := self._scope(scope, wrong)):
                return found
            for kind in KINDS:
                for item, node in mapping(keys.get(kind)).items():
                    if span(node.region) == wrong.span:
                        return self._item(scope, kind, item, wrong)
            for entry in self._index(keys):
                if span(entry.region) == wrong.span:
                    return self._drop(scope, f"the table of '{_object(entry)}'", wrong)
        for name in [name for name in self.types if span(self.types[name].region) == wrong.span]:
            del self.types[name]
            return "import-left-out", f"the type '{name}' is left out: {wrong.message}"
        if name := self.definitions.drop(wrong.span):
            self.gone.add(name)
            return "import-left-out", f"'{name}' is left out: {wrong.message}"
        return self._module(wrong)

    def _module(self, wrong: Diagnostic) -> tuple[str, str] | None:
        """Give the module another name, if it has one that no module can have."""
        node = self.snmp.get("name")
        name = _text(node)
        new = re.sub("-{2,}", "-", re.sub(r"[^A-Za-z0-9-]", "-", name)).strip("-")[:MAX_NAME]
        new = f"{new[:1].upper()}{new[1:]}"
        if node is None or wrong.rule != "wrong-value" or not new[:1].isalpha() or new == name:
            return None
        node.value = new
        return "import-renamed", f"the module '{name}' is called '{new}' in the schema"

    def _scope(self, scope: str, wrong: Diagnostic) -> tuple[str, str] | None:
        keys = mapping(self.scopes[scope])
        if wrong.rule in _SAME_NAMES and scope != "global":
            name = _rename(self.scopes, scope)
            return "import-renamed", f"'{scope}' is called '{name}' in the schema: {wrong.message}"
        names = mapping(keys.get("snmp"))
        objects = [names.get(key) for key in ("table", "entry")]
        objects += [mapping(entry).get("object") for entry in self._index(keys)]
        long = [node for node in objects if node is not None and len(_text(node)) > MAX_NAME]
        start = _text(names.get("name"))
        unnamed = "table" in names and not 0 < len(start) <= _START
        if wrong.rule == "smi-name" and (long or unnamed):
            taken = {*_objects(self.scopes)}
            for node in long:
                former = _text(node)
                node.value = self.renamed[former] = _shorter(former, taken)
                taken.add(node.value)
            if "table" in names:  # what else the table needs starts with that
                start = start or _text(names["table"])
                names["name"] = Node(start[:_START].rstrip("-"), self.scopes[scope].region)
            return "import-renamed", f"names of '{scope}' in the MIB are shortened: {wrong.message}"
        if wrong.rule == "smi-index" and {"index", "augments"} & keys.keys():
            keys.pop("augments", None)
            index = keys.pop("index", None)
            known = [one for one in listed(index) if isinstance(one.value, dict)]
            if index is not None and 0 < len(known) < len(listed(index)):
                keys["index"] = Node(known, index.region)
            message = f"the rows of '{scope}' get another index: {wrong.message}"
            return "import-left-out", message
        return None if scope == "global" else self._drop(scope, f"table '{scope}'", wrong)

    def _item(self, scope: str, kind: str, item: str, wrong: Diagnostic) -> tuple[str, str]:
        keys = self.scopes[scope].value
        items = keys[kind].value
        if wrong.rule in _SAME_NAMES:
            taken = {name for other in KINDS for name in mapping(keys.get(other))}
            name = _rename(items, item, taken)
            return "import-renamed", f"'{item}' is called '{name}' in the schema: {wrong.message}"
        named = _named(items[item])
        object_ = item if named is None else str(named.value)
        if wrong.rule == "smi-name" and named is not None and len(object_) > MAX_NAME:
            named.value = self.renamed[object_] = _shorter(object_, {*_objects(self.scopes)})
            message = f"'{object_}' is called '{named.value}' in the MIB: {wrong.message}"
            return "import-renamed", message
        del items[item]
        if not items:
            del keys[kind]
        if not any(other in keys for other in KINDS):
            del self.scopes[scope]
        return "import-left-out", f"'{object_}' is left out: {wrong.message}"

    def _drop(self, scope: str, what: str, wrong: Diagnostic) -> tuple[str, str]:
        del self.scopes[scope]
        return "import-left-out", f"{what} is left out: {wrong.message}"

    def _index(self, keys: dict[str, Node]) -> Iterable[Node]:
        return [one for one in listed(keys.get("index")) if isinstance(one.value, dict)]


def _objects(scopes: dict[str, Node]) -> Iterator[str]:
    """The names in the MIB of all items, index columns, tables and rows."""
    for scope in scopes.values():
        for kind in KINDS:
            for item in mapping(mapping(scope).get(kind)).values():
                if (named := _named(item)) is not None:
                    yield str(named.value)
        names = mapping(mapping(scope).get("snmp"))
        yield from (_text(names.get(key)) for key in ("table", "entry"))
        index = listed(mapping(scope).get("index"))
        yield from (_text(mapping(one).get("object")) for one in index)


def _text(node: Node | None) -> str:
    """A text; nothing for what is none."""
    return node.value if node is not None and isinstance(node.value, str) else ""


def _named(item: Node) -> Node | None:
    """The name that an item is said to have in the MIB."""
    return mapping(mapping(item).get("snmp")).get("name")


def _shorter(name: str, taken: set[str]) -> str:
    """A name that a MIB can have, and that is not taken."""
    number, new = 2, name[:MAX_NAME].rstrip("-")
    while new in taken:  # each turn gives another name
        new, number = f"{name[: MAX_NAME - 6]}{number}", number + 1
    return new


def _object(entry: Node) -> str:
    return str(plain(entry).get("object"))


def _rename(entries: dict[str, Node], name: str, taken: Iterable[str] = ()) -> str:
    """Give an entry another name, at its place; returns that."""
    names = {*taken, *entries}
    number, new = 0, name
    while new in names:  # each turn gives another name
        end = _ENDS[number] if number < len(_ENDS) else f"_x{number}"
        new, number = name[: _LONGEST - len(end)].rstrip("_") + end, number + 1
    renamed = [(new if key == name else key, node) for key, node in entries.items()]
    entries.clear()
    entries.update(renamed)
    return new

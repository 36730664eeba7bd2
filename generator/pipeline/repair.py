# SPDX-License-Identifier: BSD-3-Clause
"""Corrects the schema of an SMI module where the module breaks rules that schemas keep.

The schema is judged once. Names that collide in C are changed, an index that is not defined is
dropped, and so is any other object that breaks a rule; each is a finding at its line. Anything else
stays an error, and so does whatever comments of the module have asked for.
"""

from collections.abc import Iterable

from ..findings.diagnostics import Diagnostic, Diagnostics, Severity, Span
from ..frontends import rules
from ..frontends.raw import Node, Raw, listed, mapping, plain, span
from ..frontends.resolve.resolve import resolve
from ..frontends.resolve.validate import validate
from ..frontends.smi import definitions
from ..model.kinds import KINDS
from ..model.language import schema
from ..publish.lock import LockFile
from ..publish.rules import judge

_SAME_NAMES = ("generated-name", "colliding-name")
_ENDS = ("_value", "_entry", "_x", *(f"_x{number}" for number in range(2, 1000)))
_LONGEST = 63


def errors(raw: Raw) -> list[Diagnostic]:
    """The errors of a schema, alone and without a lock file."""
    found = Diagnostics()
    part = validate(raw, schema.Schema, found)
    if part is not None:
        resolution = resolve([part], found)
        rules.check(resolution, found)
        if all(error.rule in _SAME_NAMES for error in _errors(found)):
            judge(resolution.module, LockFile(), found)
    return _errors(found)


def _errors(found: Diagnostics) -> list[Diagnostic]:
    return [finding for finding in found.findings if finding.severity is Severity.ERROR]


def repair(raw: Raw, wrong: Iterable[Diagnostic], diagnostics: Diagnostics) -> Raw:
    """The schema of a module, or over one, without those of its errors that are the module's."""
    corrections = _Corrections(raw.root, diagnostics)
    made = [error for error in wrong if corrections.make(error)]
    if not made:
        return raw
    corrections.settle()
    return Raw(raw.path, raw.source, raw.root, raw.is_smi)


class _Corrections:
    """Corrects a schema at the locations of errors, each of these once."""

    def __init__(self, root: Node, diagnostics: Diagnostics) -> None:
        self.scopes = mapping(mapping(root).get("scopes"))
        self.snmp = mapping(mapping(root).get("snmp"))
        self.diagnostics = diagnostics
        self.before = {*_objects(self.scopes)}
        self.gone: set[str] = set()
        self.done: set[Span] = set()
        self.taken = {_joined(scope, item) for scope, item in _names(self.scopes)}

    def make(self, error: Diagnostic) -> bool:
        """Correct what an error is about; False when that is not found."""
        if error.span in self.done:
            return True
        found = self._make(error)
        if found:
            self.done.add(error.span)
            rule, message = found
            self.diagnostics.report(rule, error.span, f"{message}: {error.message}")
        return bool(found)

    def settle(self) -> None:
        """Remove objects that no longer exist from groups, compliances and notifications."""
        gone = self.gone | (self.before - {*_objects(self.scopes)})
        report = self.diagnostics.report
        definitions.settle(self.snmp, lambda name: name not in gone, report)

    def _make(self, error: Diagnostic) -> tuple[str, str] | None:
        where = error.span
        for name, scope in [*self.scopes.items()]:
            keys = mapping(scope)
            if name != "global" and span(scope.region) == where:
                return self._scope(name, keys, error)
            for kind in KINDS:
                for item, node in mapping(keys.get(kind)).items():
                    if span(node.region) == where:
                        return self._item(name, kind, item, error)
            for entry in listed(keys.get("index")):
                if isinstance(entry.value, dict) and span(entry.region) == where:
                    del self.scopes[name]
                    object_ = plain(entry).get("object")
                    return "import-left-out", f"the table of '{object_}' is left out"
        others = [mapping(self.snmp.get("types"))]
        others += map(mapping, mapping(self.snmp.get("definitions")).values())
        for entries in others:
            for name in [name for name, node in entries.items() if span(node.region) == where]:
                del entries[name]
                self.gone.add(name)
                return "import-left-out", f"'{name}' is left out"
        return None

    def _scope(self, name: str, keys: dict[str, Node], error: Diagnostic) -> tuple[str, str]:
        if error.rule in _SAME_NAMES:
            new = self._rename(self.scopes, name, "")
            return "import-renamed", f"'{name}' is called '{new}' in the schema"
        if error.rule == "smi-index" and {"index", "augments"} & keys.keys():
            keys.pop("augments", None)
            index = keys.pop("index", None)
            defined = [entry for entry in listed(index) if isinstance(entry.value, dict)]
            if index is not None and 0 < len(defined) < len(listed(index)):
                keys["index"] = Node(defined, index.region)
            return "import-left-out", f"the rows of '{name}' get another index"
        del self.scopes[name]
        return "import-left-out", f"table '{name}' is left out"

    def _item(self, scope: str, kind: str, item: str, error: Diagnostic) -> tuple[str, str]:
        keys = mapping(self.scopes[scope])
        items = mapping(keys[kind])
        if error.rule in _SAME_NAMES:
            new = self._rename(items, item, scope)
            return "import-renamed", f"'{item}' is called '{new}' in the schema"
        name = _text(mapping(mapping(items.pop(item)).get("snmp")).get("name")) or item
        if not items:
            del keys[kind]
        if not any(other in keys for other in KINDS):
            del self.scopes[scope]
        return "import-left-out", f"'{name}' is left out"

    def _rename(self, entries: dict[str, Node], name: str, scope: str) -> str:
        """Give an entry another name, at its place; returns that."""
        names = (name[: _LONGEST - len(end)].rstrip("_") + end for end in _ENDS)
        new = next(new for new in names if _joined(scope, new) not in self.taken)
        self.taken.add(_joined(scope, new))
        renamed = [(new if key == name else key, node) for key, node in entries.items()]
        entries.clear()
        entries.update(renamed)
        return new


def _joined(scope: str, name: str) -> str:
    """The name in C of a scope or item, without the prefix of the module, in capitals."""
    return "_".join(word for word in (scope, name) if word not in ("", "global")).upper()


def _names(scopes: dict[str, Node]) -> Iterable[tuple[str, str]]:
    """Scopes, with an empty name, and their items."""
    for scope, node in scopes.items():
        yield "", scope
        keys = mapping(node)
        yield from ((scope, item) for kind in KINDS for item in mapping(keys.get(kind)))


def _objects(scopes: dict[str, Node]) -> Iterable[str]:
    """The names in the MIB of all items, index columns, tables and rows."""
    for scope in scopes.values():
        keys = mapping(scope)
        for kind in KINDS:
            for item in mapping(keys.get(kind)).values():
                yield _text(mapping(mapping(item).get("snmp")).get("name"))
        names = mapping(keys.get("snmp"))
        yield from (_text(names.get(key)) for key in ("table", "entry"))
        yield from (_text(mapping(entry).get("object")) for entry in listed(keys.get("index")))


def _text(node: Node | None) -> str:
    """A text; empty for anything else."""
    return node.value if node is not None and isinstance(node.value, str) else ""

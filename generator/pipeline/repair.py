# SPDX-License-Identifier: BSD-3-Clause
"""Corrects the schema of an SMI module where the module breaks rules that schemas keep.

An object that breaks a rule is left out, which is a finding at its line.
Anything else stays an error.
"""

from collections.abc import Iterable

from ..findings.diagnostics import Diagnostic, Diagnostics, Severity, Span
from ..frontends import rules
from ..frontends.raw import Node, Raw, listed, mapping, span
from ..frontends.resolve.resolve import resolve
from ..frontends.resolve.validate import validate
from ..frontends.smi import definitions
from ..model.kinds import KINDS
from ..model.language import schema
from ..publish.lock import LockFile
from ..publish.rules import judge

_ROUNDS = 3
"""Times that a schema is judged after corrections: of its MIB module only once nothing is wrong in
C."""


def errors(raw: Raw) -> list[Diagnostic]:
    """The errors of a schema, alone and without a lock file."""
    found = Diagnostics()
    part = validate(raw, schema.Schema, found)
    if part is not None:
        resolution = resolve([part], found)
        rules.check(resolution, found)
        if not found.failed:
            judge(resolution.module, LockFile(), found)
    return _errors(found)


def _errors(found: Diagnostics) -> list[Diagnostic]:
    return [finding for finding in found.findings if finding.severity is Severity.ERROR]


def repair(raw: Raw, diagnostics: Diagnostics) -> tuple[Raw, list[Diagnostic]]:
    """The schema of a module, or over one, without what its errors are about, as far as that is the
    module's; and the errors that are left."""
    corrections, wrong = _Corrections(raw.root, diagnostics), errors(raw)
    for _ in range(_ROUNDS):
        if not [error for error in wrong if corrections.make(error)]:
            break
        corrections.settle()
        raw = Raw(raw.path, raw.source, raw.root, raw.is_smi)
        wrong = errors(raw)
    return raw, wrong


class _Corrections:
    """Corrects a schema at the locations of errors, each of these once."""

    def __init__(self, root: Node, diagnostics: Diagnostics) -> None:
        self.scopes = mapping(mapping(root).get("scopes"))
        self.snmp = mapping(mapping(root).get("snmp"))
        self.diagnostics = diagnostics
        self.before = {*_objects(self.scopes)}
        self.gone: set[str] = set()
        self.done: set[Span] = set()

    def make(self, error: Diagnostic) -> bool:
        """Correct what an error is about; False when that is not found."""
        if error.span in self.done:
            return True
        if left := self._left_out(error.span, error.rule):
            self.done.add(error.span)
            message = f"{left} is left out: {error.message}"
            self.diagnostics.report("import-left-out", error.span, message)
        return bool(left)

    def settle(self) -> None:
        """Remove objects that no longer exist from groups, compliances and notifications."""
        gone = self.gone | (self.before - {*_objects(self.scopes)})
        report = self.diagnostics.report
        definitions.settle(self.snmp, lambda name: name not in gone, report)

    def _left_out(self, where: Span, rule: str) -> str:
        """Leave out what is at a place; returns what that was, empty for nothing."""
        for name, scope in [*self.scopes.items()]:
            keys = mapping(scope)
            indexes = (span(entry.region) for entry in listed(keys.get("index")))
            if rule == "smi-index" and where == span(scope.region):
                return _without_index(name, keys)
            if name != "global" and where in (span(scope.region), *indexes):
                del self.scopes[name]
                return f"table '{name}'"
            for kind in [kind for kind in KINDS if kind in keys]:
                items = mapping(keys[kind])
                for item in [item for item, node in items.items() if span(node.region) == where]:
                    name_ = _text(mapping(mapping(items.pop(item)).get("snmp")).get("name"))
                    if not items:
                        del keys[kind]
                    if not any(other in keys for other in KINDS):
                        del self.scopes[name]
                    return f"'{name_ or item}'"
        others = [mapping(self.snmp.get("types"))]
        others += map(mapping, mapping(self.snmp.get("definitions")).values())
        for entries in others:
            for name in [name for name, node in entries.items() if span(node.region) == where]:
                del entries[name]
                self.gone.add(name)
                return f"'{name}'"
        return ""


def _without_index(name: str, keys: dict[str, Node]) -> str:
    """Leave out of the index of a scope what the module does not define; returns what that was."""
    keys.pop("augments", None)
    if index := keys.pop("index", None):
        defined = [entry for entry in listed(index) if isinstance(entry.value, dict)]
        if 0 < len(defined) < len(listed(index)):
            keys["index"] = Node(defined, index.region)
    return f"an index of '{name}'"


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

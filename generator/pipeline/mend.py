# SPDX-License-Identifier: BSD-3-Clause
"""Mends the schema of an SMI module: what it comes from may break rules that schemas keep.

The schema is judged as `check` does. Names that collide in C are changed, an index that nobody
knows is left away, any other object that breaks a rule is left out; each is said at its line.
What cannot be mended stays an error, and so does whatever comments of the module have asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import rules
from ..findings.diagnostics import Diagnostic, Diagnostics, Severity, declare
from ..frontends.raw import Node, Raw, plain, span
from ..language import schema
from ..mib.lock import LockFile
from ..mib.rules import judge
from ..model.kinds import KINDS
from ..resolve.resolve import resolve
from ..resolve.validate import validate

declare("import-left-out", Severity.WARNING, "Objects of an SMI module break no rule of schemas.")
declare("import-renamed", Severity.NOTE, "Names in C that an SMI module gives are different.")

ROUNDS = 12
"""How often a schema is judged again; each time there is less in it."""
_ENDS = ("_value", "_entry", "_x")
_MAX_NAME = 63


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


def mend(raw: Raw, diagnostics: Diagnostics) -> Raw:
    """The schema of a module without errors, or with those that are then reported."""
    wrong = errors(raw)
    for _ in range(ROUNDS):
        changes = _Changes(raw.root)
        if not wrong or not any([changes.make(one, diagnostics) for one in wrong]):
            break
        raw = Raw(raw.path, raw.source, raw.root, raw.is_smi)
        wrong = errors(raw)
    for one in wrong:
        diagnostics.add(one)
    return raw


class _Changes:
    """Changes a schema where findings say; a place in it is mended once."""

    def __init__(self, root: Node) -> None:
        self.scopes: dict[str, Node] = root.value["scopes"].value
        self.snmp: dict[str, Node] = root.value["snmp"].value
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

    def _make(self, wrong: Diagnostic) -> tuple[str, str] | None:
        for scope in [*self.scopes]:
            keys = self.scopes[scope].value
            if span(self.scopes[scope].region) == wrong.span:
                if found := self._scope(scope, wrong):
                    return found
            for kind in [kind for kind in KINDS if kind in keys]:
                for item in keys[kind].value:
                    if span(keys[kind].value[item].region) == wrong.span:
                        return self._item(scope, kind, item, wrong)
            for entry in self._index(keys):
                if span(entry.region) == wrong.span:
                    return self._drop(scope, f"the table of '{_object(entry)}'", wrong)
        types = self.snmp["types"].value if "types" in self.snmp else {}
        for name in [name for name in types if span(types[name].region) == wrong.span]:
            del types[name]
            return "import-left-out", f"the type '{name}' is left out: {wrong.message}"
        return None

    def _scope(self, scope: str, wrong: Diagnostic) -> tuple[str, str] | None:
        keys = self.scopes[scope].value
        if wrong.rule == "generated-name" and scope != "global":
            name = _rename(self.scopes, scope)
            return "import-renamed", f"'{scope}' is called '{name}' in the schema: {wrong.message}"
        if wrong.rule == "smi-index" and {"index", "augments"} & keys.keys():
            keys.pop("index", None)
            keys.pop("augments", None)
            message = f"the rows of '{scope}' get another index: {wrong.message}"
            return "import-left-out", message
        return None if scope == "global" else self._drop(scope, f"table '{scope}'", wrong)

    def _item(self, scope: str, kind: str, item: str, wrong: Diagnostic) -> tuple[str, str]:
        keys = self.scopes[scope].value
        items = keys[kind].value
        if wrong.rule == "generated-name":
            taken = {name for other in KINDS if other in keys for name in keys[other].value}
            name = _rename(items, item, taken)
            return "import-renamed", f"'{item}' is called '{name}' in the schema: {wrong.message}"
        object_ = items[item].value["snmp"].value["name"].value
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
        entries = keys["index"].value if "index" in keys else []
        return [one for one in entries if isinstance(one.value, dict)]


def _object(entry: Node) -> str:
    return str(plain(entry)["object"])


def _rename(entries: dict[str, Node], name: str, taken: Iterable[str] = ()) -> str:
    """Give an entry another name, at its place; returns that."""
    names = {*taken, *entries}
    number, new = 0, name
    while new in names:  # each turn gives another name
        end = _ENDS[number] if number < len(_ENDS) else f"_x{number}"
        new, number = name[: _MAX_NAME - len(end)].rstrip("_") + end, number + 1
    renamed = [(new if key == name else key, node) for key, node in entries.items()]
    entries.clear()
    entries.update(renamed)
    return new

# SPDX-License-Identifier: BSD-3-Clause
"""What SMI has no words for, as comments of the module: `-- ctrgen: sync = per_core`.

With them `ctrgen import` makes the schema again that the module was made from.
Only what does not follow from the module itself is said. A value is YAML on
one line, in printable 7-bit characters and without a double hyphen, which
would end the comment, so no text of a schema can get out of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..language import defaults
from ..language.scalars import flow, scalar
from ..model import ir
from ..model.kinds import BY_SMI, KINDS
from ..model.naming import smi
from . import names, objects, text, written
from .assign import assign
from .lock import Entry, Lock

OIDS = "oids"
"""The key that says whether OIDs and names were `made`, of the module, or `given`, of a scope."""

MADE = "made"
"""The key with names of nodes and types, or true in an object, that no schema has to give."""

ORDER = "order"
"""The key with the names of all scopes, where that is not the order of their tables."""

Notes = dict[str, tuple[str, ...]]
"""Comment lines by the name of the definition that they are in; the module's are under ``."""

_SKIPPED = re.compile("|".join(smi.SKIPPED))
_PLAIN = re.compile(r"[A-Za-z0-9_/.][A-Za-z0-9_/.()+%' -]*\Z")


def notes(module: ir.Module, lock: Lock) -> Notes:
    """Every annotation of a module, ready to be shown."""
    return _Notes(module, lock).run()


def _flow(value: Any) -> str:
    """A value as YAML on one line, fit for an SMI comment."""
    return flow(value, _quoted)


def _quoted(value: str) -> str:
    plain = _PLAIN.match(value) and "--" not in value and "  " not in value
    if (
        plain
        and not _SKIPPED.search(value)
        and not value.endswith(" ")
        and isinstance(scalar(value), str)
    ):
        return value
    escaped = "".join(map(_escaped, value))
    escaped = re.sub("-(?=-)", r"\\x2d", escaped)
    escaped = _SKIPPED.sub(lambda match: f"\\x{ord(match[0][0]):02x}{match[0][1:]}", escaped)
    return '"' + re.sub(" (?= )", r"\\x20", escaped) + '"'


def _escaped(char: str) -> str:
    if " " <= char <= "~" and char not in '"\\':
        return char
    code = ord(char)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\U{code:08x}" if code > 65535 else f"\\u{code:04x}"
    )


def lines(key: str, value: Any, indent: int) -> Iterator[str]:
    """One annotation as lines of comment, folded at spaces; a longer word is cut by backslashes."""
    start = f"{' ' * indent}-- ctrgen+:"
    room = smi.COLUMNS - len(start) - 2
    line = f"{' ' * indent}-- ctrgen: {key} ="
    for word in _flow(value).split(" "):
        if len(line) + 1 + len(word) > smi.COLUMNS:
            yield line
            line = start
        while len(word) > room + 1:
            yield f"{start} {word[:room]}\\"
            word = word[room:]
        line += f" {word}"
    yield line


def made(module: ir.Module, lock: Lock) -> bool:
    """Whether a build without a lock file would give the same names and OIDs to the same things."""
    return _facts(assign(module, None).lock) == _facts(lock)


def has_oids(scope: ir.Scope) -> bool:
    """Whether a schema gives the OIDs of a scope, as it was imported."""
    given = [i.snmp.oid for i in scope.items if i.snmp is not None]
    return any([scope.snmp.oid, *given, *(index.oid for index in scope.snmp.index)])


def remade(lock: Lock) -> Iterator[str]:
    """Names of nodes and types that a build makes by itself."""
    for entry in lock.entries:
        if entry.kind in ("node", "type") and not entry.key.startswith("/type:"):
            yield entry.name


def _facts(lock: Lock) -> list[Any]:
    return [(e.kind, e.oid, e.name, e.status, e.gone, e.members) for e in lock.entries]


class _Notes:
    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.module, self.lock = module, lock
        self.made = made(module, lock)
        self.given = {scope.name for scope in module.scopes if has_oids(scope)}
        self.found: dict[str, list[str]] = {"": []}
        shown = objects.shown_scopes(module)
        syncs = Counter(_flow(written.sync(s.sync)) for s in shown)
        first = max(shown or module.scopes, key=lambda s: syncs[_flow(written.sync(s.sync))])
        self.sync = written.sync(first.sync)
        self.reset = any(scope.reset for scope in module.scopes)

    def run(self) -> Notes:
        self._module()
        for scope in self.module.scopes:
            self._scope(scope)
        self._items()
        for one in self.module.updates:
            self._say("", f"updates.{one.name}", written.update(self.module, one))
        return {name: tuple(said) for name, said in self.found.items() if said}

    def _say(self, owner: str, key: str, value: Any) -> None:
        self.found.setdefault(owner, []).extend(lines(key, value, 4 if owner else 0))

    # ---- the module ----

    def _module(self) -> None:
        module, snmp = self.module, self.module.snmp
        if self.made:
            self._say("", OIDS, "made")
        if names.module(self.lock.name) != module.name:
            self._say("", "module", module.name)
        self._say("", "sync", self.sync)
        for key, default in (("bounds", "assert"), ("writers", "any")):
            if getattr(module, key) != default:
                self._say("", key, getattr(module, key))
        if self.made and not self.reset:
            self._say("", "reset", False)
        if need := written.requires(module.requires):
            self._say("", "requires", need)
        if not text.kept(module.description):
            self._say("", "description", module.description)
        for key in ("organization", "contact"):
            if not text.kept(getattr(snmp, key)):
                self._say("", f"snmp.{key}", getattr(snmp, key))
        if any(r.draft or not text.kept(r.description) for r in snmp.revisions):
            self._say("", "snmp.revisions", [written.revision(r) for r in snmp.revisions])
        if snmp.low_capacity:
            self._say("", "snmp.low_capacity", True)
        if self.made:
            self._numbers()
        self._order()

    def _numbers(self) -> None:
        """What else a schema says of its module; the rest of it was made."""
        snmp = self.module.snmp
        if snmp.enterprise is None:
            self._say("", "snmp.oid", snmp.oid)
        if not self.given and snmp.nodes:
            self._say("", "snmp.nodes", dict(snmp.nodes))
        if not self.given and snmp.types:
            self._say("", "snmp.types", {one.name: written.convention(one) for one in snmp.types})

    def _order(self) -> None:
        """The order of scopes where it is not that of an importer: scalars, tables, the rest."""
        module = self.module
        natural = [s.name for s in objects.shown_scopes(module) if s.name == ir.GLOBAL]
        tables = [e.key.partition("/")[0] for e in self.lock.entries if e.kind == "table"]
        natural += [name for name in tables if name not in natural]
        scopes = [scope.name for scope in module.scopes]
        natural += [name for name in scopes if name not in natural]
        if self.made and natural != scopes:
            self._say("", ORDER, scopes)

    # ---- scopes ----

    def _scope(self, scope: ir.Scope) -> None:
        said = self._scope_facts(scope)
        if scope.storage is ir.Storage.EMBEDDED:
            for one in scope.items:
                said.setdefault(one.kind.plural, {})[one.name] = written.item(one)
            grouped = [name for kind in KINDS for name in said.get(kind, {})]
            if grouped != [one.name for one in scope.items]:
                said["order"] = [one.name for one in scope.items]
            self._say("", f"scopes.{scope.name}", said)
            return
        start, owner = f"scopes.{scope.name}.", ""
        if scope.name != ir.GLOBAL:
            live = self.lock.live().get(f"{scope.name}/table")
            if live is None:
                return
            start, owner = "", live.name
        for key, value in said.items():
            self._say(owner, start + key, value)

    def _scope_facts(self, scope: ir.Scope) -> dict[str, Any]:
        """The keys of a scope but its items, in the order of people's schemas."""
        said: dict[str, Any] = {}
        is_global, embedded = scope.name == ir.GLOBAL, scope.storage is ir.Storage.EMBEDDED
        if self.made and scope.name in self.given:
            said[OIDS] = "given"
        if is_global or embedded:
            if scope.description != defaults.scope_description(scope.name):
                said["description"] = scope.description
        elif not text.kept(scope.description):
            said["description"] = scope.description
        if self.made and len(scope.path) > 1:
            said["parent"] = scope.path[-2]
        if not is_global and not embedded:
            said["max"] = scope.maxima[-1]
        if scope.storage is not ir.Storage.STATIC:
            said["storage"] = scope.storage.value
        if written.sync(scope.sync) != self.sync:
            said["sync"] = written.sync(scope.sync)
        if self.made and scope.reset != self.reset:
            said["reset"] = scope.reset
        outer = replace(self.module.requires, memory=None)
        same = written.requires(outer, outer.lcores)
        need = written.requires(scope.requires, outer.lcores)
        need = {key: value for key, value in need.items() if same.get(key) != value}
        if need:
            said["requires"] = need
        if scope.renamed_from:
            said["renamed_from"] = scope.renamed_from
        return said | self._table_facts(scope)

    def _table_facts(self, scope: ir.Scope) -> dict[str, Any]:
        said: dict[str, Any] = {}
        shown = written.scope_snmp(scope.snmp)
        if self.made and scope.name not in self.given:
            if scope.snmp.augments:
                said["augments"] = scope.snmp.augments
            if shown:
                said["snmp"] = shown
        else:
            seen = {key: shown[key] for key in ("serve", "cap") if key in shown}
            said.update({f"snmp.{key}": value for key, value in seen.items()})
            order = self._seen(scope)
            if order != [one.name for one in scope.items]:
                said["order"] = [one.name for one in scope.items]
        if self.made and scope.snmp.index and (scope.name not in self.given or scope.path[1:]):
            said["index"] = [written.index(one) for one in scope.snmp.index]
        return said

    def _seen(self, scope: ir.Scope) -> list[str]:
        """The items of a scope in the order that an importer gives them."""
        live = self.lock.live()
        keys = {one.name: objects.item_key(scope.name, one.name) for one in scope.items}
        found = [one for one in scope.items if keys[one.name] in live]
        found.sort(key=lambda one: live[keys[one.name]].oid)
        kinds = list(dict.fromkeys(one.kind for one in found))
        return [one.name for one in sorted(found, key=lambda one: kinds.index(one.kind))]

    # ---- items ----

    def _items(self) -> None:
        """What an importer would not see of items, and the names it would not guess."""
        guess: Any = names.Made(self.lock.name, self.lock.identity)
        if self.given or not self.made:
            guess = names.Scopes(names.module(self.lock.name), self.lock.name)
        rows = {e.oid: e for e in self.lock.entries if e.kind == "row"}
        shown = [e for e in self.lock.entries if e.status != "withdrawn"]
        scalars = [e for e in shown if e.kind == "object" and e.oid[:-1] not in rows]
        for entry in scalars:
            self._named(entry, guess, ir.GLOBAL, "")
        for table in (e for e in shown if e.kind == "table"):
            scope = guess.scope(table.name)
            name = table.key.partition("/")[0]
            if not table.gone and scope != name:
                self._say(table.name, "name", name)
            for entry in shown:
                inside = entry.kind == "object" and entry.oid[:-2] == table.oid
                if inside and "/index" not in entry.key:
                    self._named(entry, guess, scope, table.name)

    def _named(self, entry: Entry, guess: Any, within: str, table: str) -> None:
        """Say what is to say about the object of an item."""
        scope, dot, name = entry.key.partition(".")
        made = not dot or "/" in name
        if made and self.made:
            if entry.key.partition("/")[0].partition(".")[0] in self.given:
                self._say(entry.name, MADE, True)
            return
        guessed = guess.item(within, table, entry.name)
        if entry.gone or made:
            return
        one = self.module.item(scope, name)
        if guessed != name:
            self._say(entry.name, "name", name)
        given = one.snmp or ir.ItemSnmp()
        if self.made and scope in self.given and not given.oid:
            self._say(entry.name, OIDS, "made")
        imported = BY_SMI.get(entry.syntax)  # as what an importer takes the object
        if not given.oid and (given.syntax or (imported and imported[0] is not one.kind)):
            said = written.item(one)
            if text.kept(one.description, bounded=True):
                del said["description"]
            self._say(entry.name, one.kind.value, said)
            return
        for key, value in self._differences(entry, one).items():
            self._say(entry.name, key, value)

    def _differences(self, entry: Entry, one: ir.Item) -> dict[str, Any]:
        said: dict[str, Any] = {}
        given = one.snmp or ir.ItemSnmp()
        own = self.made and not given.oid
        unit = " ".join(smi.escape(entry.unit).split())
        needed = one.kind.numeric
        if names.unit(unit, "" if own else entry.name, needed=needed) != one.unit:
            said["unit"] = one.unit
        labels = {label.name: label.value for label in one.labels}
        renamed = dict(given.labels)
        pairs = sorted(labels.items(), key=lambda pair: pair[1])
        shown = tuple((renamed.get(name) or smi.camel(name), value) for name, value in pairs)
        if own and list(names.labels(shown)[0].items()) != list(labels.items()):
            said["labels"] = labels
        bounds = (one.minimum, one.maximum)
        seen: tuple[int | None, int | None] = (None, None)
        if own:
            seen = text.bounded(one.description + text.bounds(*bounds))[1:]
        elif "(" in entry.syntax:
            seen = bounds
        if seen != bounds or not text.kept(one.description, bounded=own):
            said["description"] = one.description
        limits = zip(("min", "max"), bounds, seen, strict=True)
        said.update({key: bound for key, bound, other in limits if bound != other})
        if one.renamed_from:
            said["renamed_from"] = one.renamed_from
        if own and one.snmp is not None:
            said["snmp"] = written.item_snmp(one.snmp)
        return said

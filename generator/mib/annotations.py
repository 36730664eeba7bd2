# SPDX-License-Identifier: BSD-3-Clause
"""What SMI has no words for, as comments of the module: `-- ctrgen: sync = per_core`.

With them `ctrgen import` makes the schema again that the module was made from. Only what does not
follow from the module itself is said. A value is YAML on one line, in printable 7-bit characters
and without a double hyphen, which would end the comment, so no text of a schema can get out of it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..language.scalars import flow, scalar
from ..model import ir, types
from ..model.kinds import BY_SMI, DERIVED
from ..model.naming import smi
from . import keys as mib_keys
from . import names, notifications, objects, text, unresolve
from .assign import first_of
from .definitions import CONFORMANCE, ROLE
from .lock import Entry, Key, Lock
from .wanted import base_type

_SERVED = ("serve", "cap", "group", "optional")
"""Keys of `snmp` in a scope that no importer sees."""

OIDS = "oids"
"""The key that says whether OIDs and names were `made`, of the module, or `given`, of a scope."""

DEFINITIONS = "definitions"
"""The key with the names of groups, compliances and notifications that are made of the schema, in a
module that has others as well; without it, there are only such."""

MADE = "made"
"""The key with names of nodes and types, or true in an object, that no schema has to give."""

PART = "histogram"
"""The key that an object has which is part of a histogram: its scope has that whole."""

ORDER = "order"
"""The key with the names of all scopes, where that is not the order of their tables."""

_PLAIN = re.compile(r"[A-Za-z0-9_/.][A-Za-z0-9_/.()+%' -]*(?<! )\Z")
_SKIPPED = "|".join(f"{word[0]}(?={word[1:]})" for word in smi.SKIPPED)
_ESCAPED = re.compile(rf"[^ !#-\[\]-~]|-(?=-)| (?= )|{_SKIPPED}")


@functools.lru_cache(maxsize=4096)
def _quoted(value: str) -> str:
    plain = _PLAIN.match(value) and not _ESCAPED.search(value)
    if plain and isinstance(scalar(value), str):
        return value
    return f'"{_ESCAPED.sub(_escape, value)}"'


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    mark, width = ("x", 2) if code < 256 else ("u", 4) if code < 65536 else ("U", 8)
    return f"\\{mark}{code:0{width}x}"


def lines(key: str, value: Any, indent: int) -> Iterator[str]:
    """One annotation as lines of comment, folded at spaces; a longer word is cut by backslashes."""
    start = f"{' ' * indent}-- ctrgen+:"
    room = smi.COLUMNS - len(start) - 2
    line = f"{' ' * indent}-- ctrgen: {key} ="
    for word in flow(value, _quoted).split(" "):
        if len(line) + 1 + len(word) > smi.COLUMNS:
            yield line
            line = start
        while len(word) > room + 1:
            yield f"{start} {word[:room]}\\"
            word = word[room:]
        line += f" {word}"
    yield line


def _identities(lock: Lock) -> list[Any]:
    return [
        (e.kind, e.oid, e.name, e.status, e.gone, e.syntax, e.members, e.optional)
        for e in lock.entries
    ]


def _survive(texts: Iterable[str]) -> bool:
    """Whether texts come back from a module as they were."""
    return all(map(text.survives, filter(None, texts)))


def _chosen(keys: dict[str, Any], lost: dict[str, bool]) -> dict[str, Any]:
    """What a schema says, of the keys that an importer does not see."""
    return {key: keys[key] for key, is_lost in lost.items() if is_lost and key in keys}


@functools.lru_cache(maxsize=1024)
def _unit(unit: str, name: str, needed: bool) -> str:
    """The unit that an importer gives to an object; most objects have one of a few."""
    return names.unit(" ".join(smi.escape(unit).split()), name, needed=needed)


def _as_published(entry: Entry, item: ir.Item, said: dict[str, Any]) -> dict[str, Any]:
    """The keys of an item that has the OID, name, type and text of its object for ever, and what
    the schema has `said` of that."""
    snmp = said | {"name": entry.name, "oid": entry.dotted}
    if entry.syntax != item.kind.syntax(item.value_type, item.length, imported=True):
        snmp["syntax"] = entry.syntax
    return {"description": text.bounded(entry.description)[0], "snmp": snmp}


class Annotations:
    """Every annotation of a module: `comments` are lines by the name of the definition that they
    are in; those of the module are under ``.

    `schema` is what the module was made from, `numbered` are scopes whose OIDs it gives. `derived`
    says whether a build without a lock file would give the same names and OIDs to the same things.
    """

    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.module, self.lock = module, lock
        self.live = lock.live()
        self.schema = unresolve.module(module, items=False)
        # the first lock of the module is in the cache, under these arguments alone
        found = first_of(module) if objects.HEALTH in self.live else first_of(module, False)
        first = found.lock
        self.derived = first is lock or _identities(first) == _identities(lock)
        self.numbered = {scope.name for scope in module.scopes if objects.schema_oids(scope)}
        self.comments: dict[str, list[str]] = {}
        self._module()
        for parent in self.module.parents if self.derived else ():
            said = unresolve.plain(self.schema.scopes[parent.name])
            self._add("", f"scopes.{parent.name}", said)
        for scope in self.module.scopes:
            self._scope(scope)
        self._items()
        for update in self.module.updates:
            keys = ("description", "args", *(operation.verb for operation in update.operations))
            written = unresolve.plain(self.schema.updates[update.name], keys)
            self._add("", f"updates.{update.name}", written)
        for told in self.module.notifications:
            self._add("", f"notifications.{told.name}", self._notification(told))

    def _notification(self, told: ir.Notification) -> dict[str, Any]:
        """All that a schema says of a notification; its names and OIDs where those are given."""
        written = unresolve.plain(self.schema.notifications[told.name])
        if not self.derived:
            roles = {"": notifications.RAISED, "cleared_": notifications.CLEARED}
            keys = {start: notifications.key(told, role) for start, role in roles.items()}
            found = [(start, self.live[key]) for start, key in keys.items() if key in self.live]
            written["snmp"] = {f"{start}name": entry.name for start, entry in found}
            written["snmp"] |= {f"{start}oid": entry.dotted for start, entry in found}
        return written

    def _add(self, owner: str, key: str, value: Any) -> None:
        self.comments.setdefault(owner, []).extend(lines(key, value, 4 if owner else 0))

    # ---- the module ----

    def _module(self) -> None:
        module, snmp = self.module, self.module.snmp
        if self.derived:
            self._add("", OIDS, "made")
        if names.module(self.lock.name) != module.name:
            self._add("", "module", module.name)
        top = self.schema.model_copy(update={"scopes": {}, "updates": {}, "notifications": {}})
        keys = {"sync": top.sync} | unresolve.plain(top)
        keys |= {f"snmp.{key}": value for key, value in keys.pop("snmp").items()}
        named = self.derived and not self.numbered
        revised = any(r.draft or not text.survives(r.description) for r in snmp.revisions)
        lost = {
            "sync": True, "bounds": True, "writers": True, "reset": self.derived, "requires": True,
            "views": True, "snapshots": True, "outputs": True,
            "prometheus": True,
            "description": not text.survives(module.description),
            "snmp.draft": True, "snmp.organization": not text.survives(snmp.organization),
            "snmp.contact": not text.survives(snmp.contact),
            "snmp.revisions": revised, "snmp.low_capacity": True, "snmp.oid": self.derived,
            "snmp.nodes": named, "snmp.types": named, "snmp.parent": self.derived,
            "snmp.definitions": named,
            "snmp.groups": True, "snmp.yang_namespace": True,
        }  # fmt: skip
        for key, value in _chosen(keys, lost).items():
            self._add("", key, value)
        if not named:
            self._definitions(keys)
        self._order()

    def _definitions(self, keys: dict[str, Any]) -> None:
        """Which definitions are made, and all of those whose texts would not come back."""
        for said in self.module.snmp.identities:
            if not _survive((said.description, said.reference)):
                self._add("", f"snmp.nodes.{said.name}", keys["snmp.nodes"][said.name])
        if not self.module.snmp.definitions:
            return
        made = [e for e in self.lock.published if e.kind in (*CONFORMANCE, notifications.KIND)]
        self._add("", DEFINITIONS, [e.name for e in made if e.key.role != ROLE])
        for one in self.module.snmp.definitions:
            texts = [one.description, one.reference]
            for part in one.modules:
                texts += (said for _, said in part.groups)
                texts += (said.description for said in part.objects)
            if not _survive(texts):
                key = ir.DEFINITIONS[one.kind]
                written = keys["snmp.definitions"][key][one.name]
                self._add("", f"snmp.definitions.{key}.{one.name}", written)

    def _order(self) -> None:
        """The order of scopes where it is not that of an importer: scalars, tables, the rest."""
        scopes = [scope.name for scope in self.module.scopes]
        first = [s.name for s in objects.published_scopes(self.module) if s.name == ir.GLOBAL]
        tables = [entry.key.scope for entry in self.lock.entries if entry.kind == "table"]
        if self.derived and scopes != list(dict.fromkeys((*first, *tables, *scopes))):
            self._add("", ORDER, scopes)

    # ---- scopes ----

    def _scope(self, scope: ir.Scope) -> None:
        keys = self._scope_keys(scope)
        if scope.storage is ir.Storage.EMBEDDED:
            self._add("", f"scopes.{scope.name}", keys)
            return
        owner, start = "", f"scopes.{scope.name}."
        if scope.name != ir.GLOBAL:
            owner, start = self.live[Key(scope.name, role="table")].name, ""
        for key, value in keys.items():
            self._add(owner, start + key, value)

    def _scope_keys(self, scope: ir.Scope) -> dict[str, Any]:
        """What to say of a scope, but for items that are objects."""
        written = unresolve.plain(self.schema.scopes[scope.name])
        embedded, numbered = scope.storage is ir.Storage.EMBEDDED, scope.name in self.numbered
        keys: dict[str, Any] = {OIDS: "given"} if self.derived and numbered else {}
        if scope.name != ir.GLOBAL and not embedded:  # its description is that of the table
            written["description"] = scope.description
            if text.survives(scope.description):
                del written["description"]
        placed = self.derived and not numbered
        lost = {
            "description": True, "parent": self.derived, "max": True, "labels": True,
            "storage": True, "sync": True, "reset": self.derived, "requires": True,
            "renamed_from": True, "augments": placed, "key": True, "snmp": placed,
            "histograms": True,
        }  # fmt: skip
        keys |= _chosen(written, lost)
        if not placed:
            snmp = written.get("snmp", {})
            keys |= {f"snmp.{key}": snmp[key] for key in _SERVED if key in snmp}
            items = list(scope.entries)
            if self._imported_order(scope) != items:
                keys["order"] = items
            for histogram in scope.histograms:
                oids = [self.live[Key(scope.name, part)].oid for part in histogram.parts]
                shown = [".".join(map(str, oid)) for oid in oids]
                keys["histograms"][histogram.name]["snmp"] = {"oids": shown}
        elif scope.histograms:
            keys["order"] = list(scope.entries)
        if self.derived and "index" in written and (not numbered or scope.path[1:]):
            keys["index"] = written["index"]
        if embedded:
            groups = dict.fromkeys(i.group for i in scope.items if not i.histogram)
            keys |= {key: written[key] for key in (*groups, "order") if key in written}
        return keys

    def _imported_order(self, scope: ir.Scope) -> list[str]:
        """The items of a scope in the order that an importer gives them."""
        live = (item for item in scope.items if Key(scope.name, item.name) in self.live)
        items = [item for item in live if not item.histogram]
        items.sort(key=lambda item: self.live[Key(scope.name, item.name)].oid)
        groups = list(dict.fromkeys(item.group for item in items))
        names = [item.name for item in sorted(items, key=lambda item: groups.index(item.group))]
        return [*names, *(histogram.name for histogram in scope.histograms)]

    # ---- items ----

    def _items(self) -> None:
        """What an importer would not see of items, and the names it would not guess."""
        guesses: names.Guesses = names.Derived(self.lock.name, self.lock.identity)
        if self.numbered or not self.derived:
            guesses = names.Imported(self.lock.name)
        columns = self.lock.columns()
        for entry in columns.get((), ()):
            self._object(entry, guesses, ir.GLOBAL, "")
        for table in (entry for entry in self.lock.published if entry.kind == "table"):
            scope = guesses.scope(table.name)
            if not table.gone and scope != table.key.scope:
                self._add(table.name, "name", table.key.scope)
            for entry in columns.get((*table.oid, 1), ()):
                if entry.key.role not in ("index", mib_keys.KEY, mib_keys.FAMILY):
                    self._object(entry, guesses, scope, table.name)

    def _object(self, entry: Entry, guesses: names.Guesses, within: str, table: str) -> None:
        """Say what is to say about an object; `within` is the guessed name of its scope."""
        scope, name = entry.key.scope, entry.key.item
        companion = not name or bool(entry.key.role) or scope == ir.HEALTH
        if companion and self.derived:
            if scope in (*self.numbered, ir.HEALTH):
                self._add(entry.name, MADE, True)
            return
        guess = guesses.item(within, table, entry.name)
        if entry.gone or companion:
            return
        item = self.module.item(scope, name)
        if item.histogram:
            self._add(entry.name, PART, item.histogram)
            return
        if guess != name:
            self._add(entry.name, "name", name)
        snmp = item.snmp or ir.ItemSnmp()
        if self.derived and scope in self.numbered and not snmp.oid:
            self._add(entry.name, OIDS, "made")
        base = base_type(entry.syntax)
        imported = BY_SMI.get(base)  # as what an importer takes the object
        other = types.BY_SMI.get(base, item.type) != item.type or (
            imported is not None and imported[0] is not item.kind
        )
        if item.derivation or (not snmp.oid and (snmp.syntax or other)):
            keys = unresolve.plain(unresolve.item(item))
            said = item.value_type.moment or item.kind.says  # there is more behind it
            if text.survives(item.description, bounded=True) and not said:
                del keys["description"]
            if not self.derived:
                keys |= _as_published(entry, item, keys.get("snmp", {}))
            self._add(entry.name, DERIVED if item.derivation else item.kind.value, keys)
            return
        for key, value in self._differences(entry, item, snmp).items():
            self._add(entry.name, key, value)

    def _differences(self, entry: Entry, item: ir.Item, snmp: ir.ItemSnmp) -> dict[str, Any]:
        """The keys of an item that an importer would get wrong."""
        derived = self.derived and not snmp.oid
        special = item.display or item.metric or item.labels or item.snmp
        written = unresolve.plain(unresolve.item(item)) if special else {}
        keys: dict[str, Any] = {
            key: written[key] for key in ("display", "prometheus") if key in written
        }
        object_name = "" if derived else entry.name
        if _unit(entry.unit, object_name, item.kind.numeric) != item.unit:
            keys["unit"] = item.unit
        labels = {label.name: label.value for label in item.labels}
        imported_labels, _ = names.labels(objects.labels(item)) if labels else ({}, {})
        shown = any(label.text for label in item.labels)
        if shown or (derived and list(imported_labels.items()) != list(labels.items())):
            keys["labels"] = written["labels"]
        bounds, told = {"min": item.minimum, "max": item.maximum}, entry.description
        imported = dict(zip(bounds, text.ranged(entry.syntax, both=item.kind.numeric), strict=True))
        if derived and imported == dict.fromkeys(bounds):
            told, low, high = text.bounded(told)
            imported = {"min": low, "max": high}
        kept = text.survives(item.description, bounded=derived)
        if not kept or text.of_object(told) != item.description:
            keys["description"] = item.description
        keys |= {key: bound for key, bound in bounds.items() if bound != imported[key]}
        if item.renamed_from:
            keys["renamed_from"] = item.renamed_from
        if not item.stored:
            keys["source"] = item.source.value
        if item.statistic:
            keys["statistic"] = item.statistic
        if derived and item.snmp is not None:
            keys["snmp"] = written["snmp"]
        elif snmp.group:
            keys["snmp.group"] = snmp.group
        if not derived and not text.survives(snmp.reference):
            keys["snmp.reference"] = snmp.reference
        return keys

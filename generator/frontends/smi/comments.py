# SPDX-License-Identifier: BSD-3-Clause
"""What comments of an SMI module say to ctrgen: `-- ctrgen: sync = per_core`.

Said before or inside of a definition it is for its scope or item, said before
the MODULE-IDENTITY or at the end for the schema as a whole. A key may be a path
(`requires.exact`), a value is what YAML takes; `-- ctrgen+: ...` goes on with the one before,
behind a space or, where that ends with a backslash, with the same word. `null` takes a key away.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...findings.diagnostics import Diagnostics, Span
from ...mib import carried
from ...model.kinds import DERIVED, KINDS, Kind
from .. import yaml
from ..raw import Node, Placed, Region, node, plain
from .reading import Reading
from .source import Annotation, Source

_SHAPE = re.compile(r"(?P<key>[A-Za-z_]\w*(?:\.[A-Za-z_][\w-]*)*)\s*=\s*(?P<value>.+)\Z", re.S)

_ITEMS = {kind.value: kind.plural for kind in Kind} | {DERIVED: DERIVED}
"""Keys that say everything about an item, and where a scope has the items."""

_PLAIN = (str, int, float, list)
"""Values that a mapping cannot be replaced by."""

Holders = dict[str, tuple[dict[str, Any], str]]
"""The mapping that the entry of a definition is in, and its key there."""


_UNUSED = ("oids", "made", "definitions", "histogram", carried.SCHEMA, carried.DIGEST)
"""Keys of a schema that was not taken, and of modules that ctrgen 0.2 generated."""


def schema_of(source: Source, report: Callable[[str, Span, str, str], object]) -> Node | None:
    """The schema that a module was generated from; None where there is none, or the definitions
    are no longer those that were generated."""
    found = {a.text.partition(" = ")[0]: a for a in source.annotations if not a.owner}
    schema, digest = found.get(carried.SCHEMA), found.get(carried.DIGEST)
    parsed = _parsed(schema, source.region("")) if schema and digest else None
    if digest is None or parsed is None:
        return None
    now = carried.digest(source.text[source.start : digest.start])
    if digest.text != f"{carried.DIGEST} = {now}":
        message = f"'{source.name}' was edited after ctrgen generated it"
        hint = "it is imported without the schema in its comments: change and build that instead"
        report("import-edited", source.span(digest.start, 10), message, hint)
        return None
    return parsed[1]


def apply(reading: Reading, schema: Placed, holders: Holders) -> None:
    """Put every annotation of a module into its schema; what makes no sense is reported."""
    renamed: dict[str, str] = {}
    scopes = schema["scopes"]
    holders[""] = ({"": schema}, "")
    for comment in reading.source.annotations:
        owner = comment.owner
        parsed = _parsed(comment, reading.source.place(comment.start, 10))
        if parsed is None:
            hint = "write `-- ctrgen: sync = per_core`, the value as in YAML"
            _report(reading, comment, f"'{comment.text[:60]}' is not KEY = VALUE", hint)
            continue
        keys, value = parsed
        if keys[0] in _UNUSED or (keys == ["order"] and not owner):
            continue
        if owner not in holders:
            _report(reading, comment, f"'{owner}' is neither a table nor an object of the schema")
            continue
        holder, key = holders[owner]
        of_item = owner and holder is not scopes and len(keys) == 1
        if owner and keys == ["name"] and isinstance(value.value, str):
            renamed[owner] = value.value
        elif of_item and keys[0] in _ITEMS and isinstance(value.value, dict):
            _replace(scopes, holders, owner, _ITEMS[keys[0]], value)
        elif not owner and keys in (["scopes"], ["snmp"]):
            hint = f"write `{keys[0]}.NAME = ...` for one of its keys"
            _report(reading, comment, f"'{keys[0]}' cannot be replaced as a whole", hint)
        elif not isinstance(holder[key], dict) or not _put(holder[key], keys, value):
            _report(reading, comment, f"'{'.'.join(keys)}' goes through what is not a mapping")
    for scope in scopes.values():
        if isinstance(scope, dict) and "labels" in scope:  # there are as many rows
            scope.pop("max", None)
    _rename(holders, renamed)


def _report(reading: Reading, comment: Annotation, message: str, hint: str = "") -> None:
    where = reading.source.span(comment.start, 10)
    reading.diagnostics.report("import-annotation", where, message, hint)


def _parsed(comment: Annotation, region: Region) -> tuple[list[str], Node] | None:
    match = _SHAPE.match(comment.text)
    if match is None:
        return None
    root = yaml.parse("", f"{{value: {match['value']}\n}}", Diagnostics())
    if root is None or set(root.value) != {"value"}:
        return None
    return match["key"].split("."), node(plain(root.value["value"]), region)


def _at(target: Any, keys: list[str]) -> Any:
    """What is at a path; None for nothing."""
    for key in keys:
        target = target.get(key) if isinstance(target, dict) else None
    return target


def _put(target: dict[str, Any], keys: list[str], value: Node) -> bool:
    if isinstance(value.value, _PLAIN) and isinstance(_at(target, keys), dict):
        return False
    for key in keys[:-1]:
        if not isinstance(target.setdefault(key, Placed(value.region, {})), dict):
            return False
        target = target[key]
    target[keys[-1]] = value
    if value.value is None:
        del target[keys[-1]]
    return True


def _replace(scopes: dict[str, Any], holders: Holders, owner: str, group: str, value: Node) -> None:
    """Make the item of an object what a comment says, but for a description it may not say."""
    holder, key = holders[owner]
    scope = next(s for s in scopes.values() if any(s.get(kind) is holder for kind in KINDS))
    old = holder.pop(key)
    target = scope.setdefault(group, {})
    target[key] = Placed(value.region, {"description": old["description"], **value.value})
    holders[owner] = (target, key)
    for name in [name for name in KINDS if scope.get(name) == {}]:
        del scope[name]


def _rename(holders: Holders, renamed: dict[str, str]) -> None:
    """Give entries other names, all at once: one may get the name that another one had."""
    before = {owner: (id(holder), key) for owner, (holder, key) in holders.items()}
    names = {before[owner]: name for owner, name in renamed.items()}
    for holder in {id(holders[owner][0]): holders[owner][0] for owner in renamed}.values():
        entries = [(names.get((id(holder), key), key), holder[key]) for key in holder]
        holder.clear()
        holder.update(entries)
    for owner, place in before.items():
        holders[owner] = (holders[owner][0], names.get(place, place[1]))

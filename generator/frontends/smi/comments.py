# SPDX-License-Identifier: BSD-3-Clause
"""What comments of an SMI module say to ctrgen: `-- ctrgen: sync = per_core`.

Said before or inside of a definition it is for its scope or item, said before
the MODULE-IDENTITY or at the end for the schema as a whole. A key may be a path
(`requires.exact`), a value is what YAML takes; `-- ctrgen+: ...` goes on with the one before.
"""

from __future__ import annotations

import re
from typing import Any

from ...diagnostics import Diagnostics
from .. import yaml
from ..raw import Node
from .reading import Reading
from .source import Annotation
from .tree import FarRegion, Placed, moved

_SHAPE = re.compile(r"(?P<key>[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*)\s*=\s*(?P<value>.+)\Z", re.S)

Holders = dict[str, tuple[dict[str, Any], str]]
"""The mapping that the entry of a definition is in, and its key there."""


def apply(reading: Reading, schema: Placed, holders: Holders) -> None:
    """Put every annotation of a module into its schema; what makes no sense is reported."""
    renamed: list[tuple[str, str]] = []
    for one in reading.source.annotations:
        line, column = reading.source.place(one.start)
        region = FarRegion((line, column, line, column + 10), reading.path)
        found = _parsed(one, region)
        if found is None:
            hint = "write `-- ctrgen: sync = per_core`, the value as in YAML"
            _report(reading, one, f"'{one.text[:60]}' is not KEY = VALUE", hint)
            continue
        keys, value = found
        if one.owner and one.owner not in holders:
            _report(reading, one, f"'{one.owner}' is neither a table nor an object of the schema")
        elif one.owner and keys == ["name"] and isinstance(value.value, str):
            renamed.append((one.owner, value.value))
        elif not _put(_target(schema, one, holders), keys, value):
            _report(reading, one, f"'{'.'.join(keys)}' goes through what is not a mapping")
    for owner, name in renamed:
        holder, key = holders[owner]
        _rename(holder, key, name)
        for other, (same, old) in list(holders.items()):
            if same is holder and old == key:
                holders[other] = (holder, name)


def _report(reading: Reading, one: Annotation, message: str, hint: str = "") -> None:
    reading.diagnostics.report("import-annotation", reading.at(one.start, 10), message, hint)


def _target(schema: Placed, one: Annotation, holders: Holders) -> dict[str, Any]:
    if not one.owner:
        return schema
    holder, key = holders[one.owner]
    target: dict[str, Any] = holder[key]
    return target


def _parsed(one: Annotation, region: FarRegion) -> tuple[list[str], Node] | None:
    match = _SHAPE.match(one.text)
    if match is None:
        return None
    found = yaml.parse("", f"{{value: {match['value']}\n}}", Diagnostics())
    if found is None or set(found.value) != {"value"}:
        return None
    return match["key"].split("."), moved(found.value["value"], region)


def _put(target: dict[str, Any], keys: list[str], value: Node) -> bool:
    for key in keys[:-1]:
        if not isinstance(target.setdefault(key, Placed(value.region, {})), dict):
            return False
        target = target[key]
    target[keys[-1]] = value
    return True


def _rename(holder: dict[str, Any], old: str, new: str) -> None:
    entries = list(holder.items())
    holder.clear()
    holder.update((new if key == old else key, value) for key, value in entries)

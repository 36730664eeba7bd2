# SPDX-License-Identifier: BSD-3-Clause
"""Writes a schema as YAML that people read: short things on one line, long text folded."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from ...language import scalars
from ...model.naming import smi
from .rows import MAX_ROWS

COLUMNS = 96
_PLAIN = re.compile(r"[A-Za-z0-9_/.][A-Za-z0-9 _/.()+'-]*\Z")
_FLOW = frozenset(["snmp", "labels"])
_WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])

_ORDER = [
    *("ctrgen", "module", "description", "sync", "reset", "views", "bounds", "writers", "poll"),
    *("snapshots", "requires", "prometheus", "snmp", "scopes", "updates"),
]

_HEADER = """\
# A schema imported from {name} by `ctrgen import`; yours to edit.
#
# snmp: keeps the names, OIDs and types of the module, so that the MIB made from this schema is
# the one it came from. What to decide here: `sync` (of the module, or of a scope), `max` (rows
# of a table; {rows} where the module does not say) and `updates` (calls that change several items).
# `reset: true` adds an object to the MIB that says when counters were reset.
#
# To keep the module as it is and only add to it, write a schema with `import: {name}` instead.

"""

_OWN = """\
# The schema of {name}, which ctrgen had generated, by `ctrgen import`.
#
# A build gives the MIB the same names and OIDs again. To go on from here, keep the lock file that
# the first build writes.

"""


def text(schema: dict[str, Any]) -> str:
    """The schema as text; the same for the same schema."""
    snmp = schema.get("snmp") or {}
    name = snmp.get("name") or smi.module_name(schema["module"])
    head = (_HEADER if "oid" in snmp else _OWN).format(name=name, rows=MAX_ROWS)
    parts = [head]
    for key in sorted(schema, key=lambda key: (*_ORDER, key).index(key)):
        if isinstance(schema[key], dict):
            parts.append("\n")
        parts.extend(f"{line}\n" for line in _entry(key, schema[key], 0))
    return "".join(parts)


def scalar(value: Any) -> str:
    """A value on one line, in quotes where YAML would take it for something else."""
    return scalars.flow(value, _quoted)


def _quoted(value: str) -> str:
    plain = _PLAIN.match(value) and not value.endswith(" ") and value.lower() not in _WORDS
    if plain and isinstance(scalars.scalar(value), str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _entry(key: str, value: Any, depth: int) -> Iterator[str]:
    before = "  " * depth
    start = f"{before}{scalar(key)}:"
    if isinstance(value, dict) and value:
        line = f"{start} {scalar(value)}"
        flat = not any(isinstance(child, (dict, list)) for child in value.values())
        if (key in _FLOW or flat) and len(line) <= COLUMNS:
            yield line
            return
        yield start
        for number, (name, child) in enumerate(value.items()):
            if depth == 0 and key == "scopes" and number:
                yield ""
            yield from _entry(name, child, depth + 1)
    elif isinstance(value, list) and value:
        line = f"{start} {scalar(value)}"
        if key in _FLOW and len(line) <= COLUMNS:
            yield line
            return
        yield start
        for entry in value:
            yield from _listed(entry, depth + 1)
    elif isinstance(value, str) and len(start) + len(value) > COLUMNS:
        yield f"{start} >-"
        yield from textwrap.wrap(
            value, COLUMNS, initial_indent=f"{before}  ", subsequent_indent=f"{before}  ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    else:
        yield f"{start} {scalar(value)}"


def _listed(entry: Any, depth: int) -> Iterator[str]:
    before = "  " * depth
    if not isinstance(entry, dict) or len(scalar(entry)) + len(before) + 2 <= COLUMNS:
        yield f"{before}- {scalar(entry)}"
        return
    lines = [line for key, child in entry.items() for line in _entry(key, child, depth + 1)]
    for number, line in enumerate(lines):
        yield f"{before}- {line[len(before) + 2 :]}" if number == 0 else line

# SPDX-License-Identifier: BSD-3-Clause
"""The keys of a model of YAML as tables in Markdown: type, default, meaning."""

from __future__ import annotations

from typing import Any

from ..language import schema
from ..language.notifications import SECONDS
from ..model import ir
from ..model.naming.lines import listed
from .tables import markdown as table

_SHAPES = {
    ("string", schema.DURATION): "duration, such as `1ms`",
    ("string", schema.SIZE): "size, such as `64MiB`",
    ("string", SECONDS): "time, such as `10s`",
}
PLACED = {
    "Schema": ("the module", "module"),
    "Fragment": ("a file", "several-files"),
    "Scope": ("a scope", "scopes"),
    **{kind.value.capitalize(): (kind.noun, kind.plural) for kind in ir.Kind},
    "Histogram": ("a histogram", "histograms"),
    "Update": ("an update", "updates"),
    "Notification": ("a notification", "notifications"),
    "SyncChoice": ("a strategy", "sync"),
    "Requires": ("needs", "requires"),
}
"""Models with a section of their own on the page: what a value is called there, and the anchor."""

_SCALARS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
}


def keys(definition: dict[str, Any]) -> str:
    """The keys of a model, by its JSON Schema."""
    first = definition.get("anyOf", [{}])[0]  # what is usual, of several ways
    required = {*definition.get("required", ()), *first.get("required", ())}
    rows = []
    entries = definition["properties"].items()
    for name, entry in sorted(entries, key=lambda pair: pair[0] not in required):
        default = "required" if name in required else _default(entry)
        meaning = " ".join(entry["description"].split())
        rows.append([f"`{name}`", _type(entry), default, meaning])
    return table(["Key", "Value", "Default", "Meaning"], rows)


def _default(entry: dict[str, Any]) -> str:
    value = entry.get("default")
    if value is None or value == "":
        return "none" if value is None and "default" in entry else "empty"
    return f"`{yaml(value)}`"


def _type(entry: dict[str, Any]) -> str:
    """What a value looks like, in words."""
    if "$ref" in entry:
        model = entry["$ref"].rsplit("/", 1)[1]
        name, anchor = PLACED.get(model, (model, model.lower()))
        return f"[{name}](#{anchor})"
    if several := entry.get("anyOf") or entry.get("oneOf"):
        ways = [_type(way) for way in several if way.get("type") != "null"]
        return listed(dict.fromkeys(ways), "or")
    if "const" in entry:
        return f"`{yaml(entry['const'])}`"
    if "enum" in entry:
        return ", ".join(f"`{value}`" for value in entry["enum"])
    if entry["type"] == "array":
        return f"list of {_grouped(entry['items'])}"
    if entry["type"] == "object":
        return f"names, each with {_grouped(entry['additionalProperties'])}"
    shape = _SHAPES.get((entry["type"], entry.get("pattern", "")))
    return shape or _SCALARS[entry["type"]] + _range(entry.get("minimum"), entry.get("maximum"))


def _grouped(entry: dict[str, Any]) -> str:
    text = _type(entry)
    return f"({text})" if " or " in text and not text.startswith("`true`") else text


def sections(definitions: dict[str, dict[str, Any]]) -> str:
    """A section for each model: what it is, its keys."""
    sections = []
    for model, definition in definitions.items():
        text = "\n\n".join(" ".join(p.split()) for p in definition["description"].split("\n\n"))
        sections.append(f"### {model}\n\n{text}\n\n{keys(definition)}")
    return "\n".join(sections)


def _range(low: int | None, high: int | None) -> str:
    if high is None:
        return "" if low is None else f", at least {number(low)}"
    return f", {number(low)} to {number(high)}"


def yaml(value: Any) -> str:
    """A value as a schema has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def number(value: int | None) -> str:
    """A bound; one next to a power of two is written as that."""
    if value is None:
        return "any"
    for power in (31, 32, 63, 64):
        if (short := (1 << power) - abs(value)) in (0, 1):
            return f"{'-' if value < 0 else ''}2^{power}{'-1' if short else ''}"
    return str(value)

# SPDX-License-Identifier: BSD-3-Clause
"""The JSON Schema of the language, from its models: what editors complete and underline."""

from __future__ import annotations

import json
from typing import Any

from ..strategies.catalogue import Strategy, all_strategies
from . import shapes
from .schema import Fragment, Schema


def _tunables(strategy: Strategy) -> dict[str, Any]:
    properties: dict[str, Any] = {"strategy": {"const": strategy.name}}
    for name, tunable in strategy.tunables.items():
        entry: dict[str, Any] = {"description": tunable.description, "default": tunable.default}
        if tunable.values:
            entry["enum"] = list(tunable.values)
        elif isinstance(tunable.default, bool):
            entry["type"] = "boolean"
        else:
            entry["type"] = "integer"
            limits = {"minimum": tunable.minimum, "maximum": tunable.maximum}
            entry.update({key: limit for key, limit in limits.items() if limit is not None})
        properties[name] = entry
    return {
        "type": "object",
        "title": strategy.name,
        "description": strategy.summary,
        "properties": properties,
        "required": ["strategy"],
        "additionalProperties": False,
    }


def _sync_schema() -> dict[str, Any]:
    strategies = all_strategies().values()
    names = [{"const": s.name, "description": s.summary} for s in strategies]
    return {
        "description": "A strategy: its name, or a mapping with its tunables.",
        "anyOf": [{"oneOf": names}, *(_tunables(strategy) for strategy in strategies)],
    }


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the language; strategies and tunables as installed.

    A fragment is checked against `#/$defs/Fragment`.
    """
    schema, fragment = Schema.model_json_schema(), Fragment.model_json_schema()
    schema["$defs"] |= fragment.pop("$defs")
    schema["$defs"] |= {"Fragment": fragment, "SyncChoice": _sync_schema()}
    for model in "Counter", "Gauge":
        definition = schema["$defs"][model]
        definition["required"].remove("unit")  # `defaults` of the file may have it
        definition["properties"]["unit"]["default"] = None
    text = "An SMI module, by name or file, that this adds to; then `module` need not be said."
    schema["properties"]["import"] = {"description": text, "title": "Import", "type": "string"}
    schema["required"].remove("module")
    schema["anyOf"] = [{"required": ["module"]}, {"required": ["import"]}]
    for properties in schema["properties"], schema["$defs"]["Scope"]["properties"]:
        sync = properties["sync"]
        kept = {key: sync[key] for key in ("default", "description", "title") if key in sync}
        properties["sync"] = {"$ref": "#/$defs/SyncChoice", **kept}
    shapes.shape(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "Generated from the models of ctrgen; do not edit.",
        **schema,
    }


def json_schema_text() -> str:
    """The JSON Schema as it is checked in under schemas/."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"

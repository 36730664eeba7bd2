# SPDX-License-Identifier: BSD-3-Clause
"""The JSON Schema of the language, from its models: what editors complete and underline.

The rules say what is wrong in words; an editor underlines the same places. What takes more than
one place to judge (names that collide, updates of unknown items) is for rules alone.
"""

import ast
import inspect
import itertools
import json
import textwrap
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from ctrgen.model import ir
from ctrgen.model.language.schema import Fragment, Schema
from ctrgen.model.language.shapes import MAX_LABELS, MAX_NAME, MAX_TEXT, MAX_UNIT, MODULE, UNIT
from ctrgen.model.naming import c
from ctrgen.model.strategies.catalogue import Strategy, all_strategies

Node = dict[str, Any]

_IDENTIFIER = c.IDENTIFIER.pattern.removesuffix(r"\Z")

_NAME: Node = {"pattern": f"^{_IDENTIFIER}$", "maxLength": MAX_NAME}
_TEXT: Node = {"maxLength": MAX_TEXT}
_INSTANCES = rf"\[ *(0 *\.\. *[0-9]{{1,2}}|{_IDENTIFIER}) *\]"
_TARGET: Node = {"pattern": rf"^{_IDENTIFIER}({_INSTANCES})?\.{_IDENTIFIER}(\[.*\])?$"}


def _of_type(node: Node, kind: str) -> list[Node]:
    """The node, or those of its alternatives, of a type."""
    alternatives = [node, *node.get("anyOf", ()), *node.get("oneOf", ())]
    nested = [inner for other in alternatives[1:] for inner in other.get("oneOf", ())]
    return [other for other in (*alternatives, *nested) if other.get("type") == kind]


def _lists(node: Node, **more: Any) -> None:
    """Lists of different names in a node, one name at least."""
    for names in _of_type(node, "array"):
        names.update({"minItems": 1, "uniqueItems": True, **more})
        names["items"].update(_NAME)


def _mappings(node: Node, keys: Node = _NAME) -> None:
    """Mappings in a node, from names."""
    for mapping in _of_type(node, "object"):
        mapping["propertyNames"] = dict(keys)


def _scope(properties: Node) -> None:
    for node in properties.values():
        if "$ref" in (node.get("additionalProperties") or {}):
            _mappings(node)
    _lists(properties["labels"], maxItems=MAX_LABELS)
    for mapping in _of_type(properties["labels"], "object"):
        mapping.update(propertyNames=dict(_NAME), minProperties=1)
        _lists(mapping["additionalProperties"], maxItems=MAX_LABELS)
        for texts in _of_type(mapping["additionalProperties"], "object"):
            texts.update(propertyNames=dict(_NAME), minProperties=1)


def _without(*keys: str) -> Node:
    """A mapping that has none of some keys."""
    return {"properties": dict.fromkeys(keys, False)}


def _together(scope: Node) -> None:
    """Keys of a scope that say whose instances they are: one of them, or none."""
    labelled = {"required": ["labels"], "properties": {"labels": {"type": ["array", "object"]}}}
    embedded = {"required": ["storage"], "properties": {"storage": {"const": "embedded"}}}
    always = {"properties": {"max": False, "storage": {"not": {"const": "dynamic"}}}}
    scope["allOf"] = [
        {"if": embedded, "then": _without("max", "labels", "parent")},
        {"if": labelled, "then": always},
    ]


def _scopes(node: Node) -> None:
    """Scopes by name: what `global` does not take."""
    null = {"type": "null"}
    alone = {"max": null, "labels": null, "parent": null, "storage": {"const": "static"}}
    node["properties"] = {"global": {**node["additionalProperties"], "properties": alone}}


def _numbered(schema: Node) -> None:
    """Every scope but `global` has `max` or `labels`, unless a MIB says how many there are."""
    embedded = {"required": ["storage"], "properties": {"storage": {"const": "embedded"}}}
    keys = [
        {"required": [key], "properties": {key: {"not": {"type": "null"}}}}
        for key in ("max", "labels")
    ]
    says = {"anyOf": [*keys, embedded]}
    scopes = {"properties": {"global": True}, "additionalProperties": says}
    schema.update({"if": {"required": ["import"]}, "else": {"properties": {"scopes": scopes}}})


def _histogram(node: Node) -> None:
    """Bounds in one of two ways."""
    ways = {"bounds": "array", "log2": "object"}
    node["oneOf"] = [
        {"required": [key], "properties": {key: {"type": kind}}} for key, kind in ways.items()
    ]


def _peak(node: Node) -> None:
    """A unit, or a gauge that has one."""
    text: Node = {"type": "string"}
    some = [{"required": [key], "properties": {key: text}} for key in ("of", "unit")]
    node["allOf"] = [{"anyOf": some}]


def _sourced(node: Node) -> None:
    """What a device calls an item, for items of devices."""
    device = {"properties": {"source": {"const": "device"}}, "required": ["source"]}
    says = {"required": ["statistic"], "properties": {"statistic": {"type": "string"}}}
    node["allOf"] = [{"if": device, "then": says, "else": _without("statistic")}]


def _derived(node: Node) -> None:
    """One thing that it is; a window for a rate."""
    ways = {"sum": "array", "difference": "array", "ratio": "object", "rate": "string"}
    node["oneOf"] = [
        {"required": [key], "properties": {key: {"type": kind}}} for key, kind in ways.items()
    ]
    rate = {"required": ["rate"], "properties": {"rate": {"type": "string"}}}
    node["allOf"] = [{"if": rate, "else": _without("window")}]
    for key in ("sum", "difference"):
        _lists(node["properties"][key], minItems=2)


def _typed(node: Node, owners: dict[str, list[str]]) -> None:
    """Keys that go with some types: those have them, no others do."""
    labels = node["properties"]["labels"]
    _lists(labels)
    for mapping in _of_type(labels, "object"):
        mapping.update(propertyNames=dict(_NAME), minProperties=1)
    given = {"labels": ["object", "array"], "length": ["integer"]}
    node["allOf"] = [
        {
            "if": {"properties": {"type": {"enum": types}}, "required": ["type"]},
            "then": {"required": [key], "properties": {key: {"type": given[key]}}},
            "else": _without(key),
        }
        for key, types in owners.items()
    ]


def _state(node: Node) -> None:
    """Labels, a length and bounds, each of the types that take them."""
    _typed(node, {"labels": ["enum"], "length": ["string"]})
    number = {"properties": {"type": {"enum": ["int32", "uint32"]}}, "required": ["type"]}
    node["allOf"].append({"if": number, "else": _without("min", "max")})


def _key_part(node: Node) -> None:
    """A name, a text, and what goes with the type."""
    properties = node["properties"]
    properties["name"].update(_NAME)
    properties["description"].update(_TEXT, pattern=r"\S")
    _typed(node, {"labels": ["enum"], "length": ["string", "octets"]})
    fixed = {"if": {"properties": {"type": {"const": "string"}}, "required": ["type"]}}
    node["allOf"].append({**fixed, "else": _without("fixed")})


def _update(update: Node) -> None:
    properties = update["properties"]
    _mappings(properties["args"])
    verbs = [verb for verb in properties if verb not in ("args", "description")]
    some = [{"required": [verb], "properties": {verb: {"minProperties": 1}}} for verb in verbs]
    update["allOf"] = [{"anyOf": some}]
    properties["observe"]["additionalProperties"] = {"type": "string"}
    for verb, node in properties.items():
        if verb not in ("args", "description"):
            _mappings(node, _TARGET)
        if verb in ("add", "sub"):
            for number in _of_type(node["additionalProperties"], "integer"):
                number["minimum"] = 0


class Described(GenerateJsonSchema):
    """Describes each field by the text below it in its class."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """The JSON Schema of a model."""
        found = super().model_schema(schema)
        _describe(found, schema["cls"])
        return found


def _describe(json_schema: Node, model: type[BaseModel]) -> None:
    for part in (part for part in model.__mro__ if BaseModel in part.__mro__[1:]):
        declaration = ast.parse(textwrap.dedent(inspect.getsource(part))).body[0]
        assert isinstance(declaration, ast.ClassDef)
        for field, text in itertools.pairwise(declaration.body):
            match field, text:
                case (
                    ast.AnnAssign(target=ast.Name(name)),
                    ast.Expr(ast.Constant(str() as description)),
                ) if name in json_schema["properties"]:
                    json_schema["properties"][name].setdefault("description", description)
    for entry in json_schema["properties"].values():
        if "description" in entry:
            entry["description"] = " ".join(entry["description"].split())


def shape(schema: Node) -> None:
    """Add patterns and lengths to the JSON Schema of the language."""
    definitions = schema["$defs"]
    for name, node in definitions.items():
        properties = node.get("properties", {})
        if "renamed_from" in properties or name in ("Update", "Fragment"):
            for text in _of_type(properties["description"], "string"):
                text.update(_TEXT)
        if "renamed_from" in properties and "unit" in properties:
            properties["description"]["pattern"] = r"\S"
            unit = f"^({UNIT})?$" if name == "State" else f"^{UNIT}$"
            properties["unit"].update(pattern=unit, maxLength=MAX_UNIT)
    for node in definitions["ItemSet"]["properties"].values():
        if "additionalProperties" in node:
            _mappings(node)
    definitions["Scope"]["properties"]["use"].update(uniqueItems=True)
    _scope(definitions["Scope"]["properties"])
    _together(definitions["Scope"])
    _state(definitions["State"])
    _key_part(definitions["KeyPart"])
    _histogram(definitions["Histogram"])
    _peak(definitions["Peak"])
    for name in ("Counter", "Gauge"):
        _sourced(definitions[name])
    _derived(definitions["Derived"])
    _update(definitions["Update"])
    conditions = [condition.value for condition in ir.Condition]
    definitions["Notification"]["oneOf"] = [{"required": [key]} for key in conditions]
    _numbered(schema)
    for top in (schema["properties"], definitions["Fragment"]["properties"]):
        _mappings(top["scopes"])
        _scopes(top["scopes"])
        _mappings(top["updates"])
        _mappings(top["notifications"])
    top = schema["properties"]
    for text in _of_type(top["description"], "string"):
        text.update(_TEXT)
    top["module"].update(pattern=f"^{MODULE}$", maxLength=MAX_NAME)
    top["views"].update(uniqueItems=True)
    top["views"]["items"].update(_NAME)


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
    schema, fragment = (
        model.model_json_schema(schema_generator=Described) for model in (Schema, Fragment)
    )
    schema["$defs"] |= fragment.pop("$defs")
    schema["$defs"] |= {"Fragment": fragment, "SyncChoice": _sync_schema()}
    for model in "Counter", "Gauge":
        definition = schema["$defs"][model]
        definition["required"].remove("unit")  # `defaults` of the file may have it
        definition["properties"]["unit"]["default"] = None
    text = "An SMI module, by name or file, that this schema extends; `module` is then optional."
    schema["properties"]["import"] = {"description": text, "title": "Import", "type": "string"}
    schema["required"].remove("module")
    schema["anyOf"] = [{"required": ["module"]}, {"required": ["import"]}]
    for properties in schema["properties"], schema["$defs"]["Scope"]["properties"]:
        sync = properties["sync"]
        kept = {key: sync[key] for key in ("default", "description", "title") if key in sync}
        properties["sync"] = {"$ref": "#/$defs/SyncChoice", **kept}
    shape(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "Generated from the models of ctrgen; do not edit.",
        **schema,
    }


def json_schema_text() -> str:
    """The JSON Schema as it is checked in under schemas/."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"

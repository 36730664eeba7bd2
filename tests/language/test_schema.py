# SPDX-License-Identifier: BSD-3-Clause
"""The schema language: its JSON Schema, and the examples under it."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ctrgen.model.language.schema import Fragment, Model, Schema
from ctrgen.model.strategies.catalogue import all_strategies
from tests.pages.jsonschema import Described, json_schema, json_schema_text
from tests.support.paths import ROOT

CHECKED_IN = ROOT / "schemas" / "ctrgen.schema.json"


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """The JSON Schema, as it takes a second to make."""
    return json_schema()


@pytest.fixture(scope="module")
def validator(whole: dict[str, Any]) -> Any:
    return jsonschema.Draft202012Validator(whole)


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def test_checked_in_json_schema_is_current() -> None:
    assert CHECKED_IN.read_text("utf-8") == json_schema_text(), "./dev golden writes it again"


def test_json_schema_is_valid(whole: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(whole)


@pytest.mark.parametrize("path", sorted((ROOT / "schemas").glob("*.yaml")), ids=lambda p: p.name)
def test_examples_are_valid_for_editors(path: Path, validator: Any) -> None:
    validator.validate(_read(path))


def test_starter_is_valid_for_editors(validator: Any) -> None:
    validator.validate(_read(ROOT / "templates" / "init" / "stats.yaml"))


@pytest.mark.parametrize("name", sorted(all_strategies()))
def test_strategies_and_tunables_are_in_the_json_schema(name: str, validator: Any) -> None:
    sync: dict[str, Any] = {"strategy": name, **dict(all_strategies()[name].settings())}
    schema = {"ctrgen": 1, "module": "ep", "sync": sync}
    assert validator.is_valid(schema)
    assert validator.is_valid({**schema, "sync": name})
    assert not validator.is_valid({**schema, "sync": {**sync, "nonsense": 1}})
    assert not validator.is_valid({**schema, "sync": name + "x"})


def _models(model: type[Model]) -> set[type[Model]]:
    found = {model}
    for child in model.__subclasses__():
        found |= _models(child)
    return found


def test_every_field_has_a_description() -> None:
    models = _models(Model)
    assert {Schema, Fragment} <= models
    for model in models:
        assert model.__doc__
        for name, entry in (
            model.model_json_schema(schema_generator=Described).get("properties", {}).items()
        ):
            assert entry.get("description", "").endswith((".", ")")), f"{model.__name__}.{name}"


def test_json_schema_keeps_the_descriptions(whole: dict[str, Any]) -> None:
    text = json.dumps(whole)
    for name, field in Schema.model_fields.items():
        description = " ".join((field.description or "").split())
        assert json.dumps(description)[1:-1] in text, name

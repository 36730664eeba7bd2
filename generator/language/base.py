# SPDX-License-Identifier: BSD-3-Clause
"""What all models of the schema language share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _nothing(value: Any) -> Any:
    return {} if value is None else value


def _no_list(value: Any) -> Any:
    return [] if value is None else value


def shape(value: Any) -> str | None:
    """The tag of a value in a union: what it looks like in a file."""
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, BaseModel):
        return "mapping"
    shapes: dict[type, str] = {str: "text", int: "number", dict: "mapping", list: "list"}
    return shapes.get(type(value))


Empty = BeforeValidator(_nothing)
"""A key with nothing behind it counts as an empty mapping, as while editing."""

EmptyList = BeforeValidator(_no_list)
"""A key with nothing behind it counts as an empty list."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Metadata of a type, for findings: what a value should be, and an example that is valid.

    The example also stands in for a wrong value, so that the rest of a schema can be judged.
    """

    text: str = ""
    example: str | None = None


class Model(BaseModel):
    """What all parts of the language share: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


def optional(description: str) -> Any:
    """A key that may be left out: its value is then None."""
    return Field(default=None, description=description)


def mapping(description: str) -> Any:
    """A key that may be left out: its value is then an empty mapping."""
    return Field(default_factory=dict, description=description)


def sequence(description: str) -> Any:
    """A key that may be left out: its value is then an empty list."""
    return Field(default_factory=list, description=description)

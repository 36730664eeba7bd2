# SPDX-License-Identifier: BSD-3-Clause
"""What all models of the schema language share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

T = TypeVar("T")

ByName = Annotated[dict[str, T], BeforeValidator(lambda value: {} if value is None else value)]
"""A mapping by name. A key with nothing behind it counts as empty, as while editing."""

EmptyList = BeforeValidator(lambda value: [] if value is None else value)
"""Metadata of a list: a key with nothing behind it counts as empty."""


def shape(value: Any) -> str | None:
    """The tag of a value in a union: what it looks like in a file."""
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, BaseModel):
        return "mapping"
    shapes: dict[type, str] = {str: "text", int: "number", dict: "mapping", list: "list"}
    return shapes.get(type(value))


@dataclass(frozen=True, slots=True)
class Expected:
    """Metadata of a type, for findings: what a value should be, and an example that is valid.

    The example also stands in for a wrong value, so that the rest of a schema can be judged.
    """

    text: str = ""
    example: str | None = None


class Model(BaseModel):
    """A part of the language; keys are described where they are declared, or in lines below."""

    model_config = ConfigDict(defer_build=True, extra="forbid", strict=True)


def optional(description: str) -> Any:
    """A key that may be left out: its value is then None."""
    return Field(default=None, description=description)


def mapping(description: str | None = None) -> Any:
    """A key that may be left out: its value is then an empty mapping."""
    return Field(default_factory=dict, description=description)

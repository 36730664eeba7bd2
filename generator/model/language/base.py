# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all models of the schema language."""

import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Tag

T = TypeVar("T")

ByName = Annotated[dict[str, T], BeforeValidator(lambda value: {} if value is None else value)]
"""A mapping by name. A key without a value counts as empty, as while editing."""

EmptyList = BeforeValidator(lambda value: [] if value is None else value)
"""Metadata of a list: a key without a value counts as empty."""


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


Path = tuple[str | int, ...]


class Element(NamedTuple):
    """A key or entry of the language. `type` is None for one that the language does not have.

    `model` has this key, None for an entry of a mapping or list; `optional` says that the key
    may be left out.
    """

    path: Path
    type: Any
    metadata: tuple[Any, ...] = ()
    model: type[BaseModel] | None = None
    optional: bool = False

    @property
    def expected(self) -> Expected:
        """The expected form of a value, if its type implies more than its name."""
        return next((m for m in reversed(self.metadata) if isinstance(m, Expected)), Expected())

    @property
    def keys(self) -> list[str]:
        """The keys below it, if they are fixed."""
        return list(self.type.model_fields) if _is_model(self.type) else []

    def stand_in(self) -> Any:
        """Something harmless of the right type."""
        if self.expected.example is not None:
            return self.expected.example
        if _is_model(self.type):
            fields = self.type.model_fields.items()
            return {key: _below(self, key).stand_in() for key, f in fields if f.is_required()}
        if get_origin(self.type) is Literal:
            return get_args(self.type)[0]
        if _is_union(self.type):
            return Element((), *_bare(get_args(self.type)[0])).stand_in()
        empty = {bool: False, int: 1, str: "x", dict: {}, list: []}
        return empty[get_origin(self.type) or self.type]


def walk(top: type[BaseModel], location: Sequence[str | int]) -> list[Element]:
    """The elements from the top of a file to where pydantic says that an error is.

    `location` is that of the error; the tags of unions in it are no part of the paths.
    """
    elements = [Element((), top)]
    for step in location:
        here = elements[-1]
        member = _member(here.type, step)
        if member is None:
            elements.append(_below(here, step))
        else:
            bare, metadata = _bare(member)
            elements[-1] = here._replace(type=bare, metadata=(*here.metadata, *metadata))
    return elements


def _below(here: Element, step: str | int) -> Element:
    path = (*here.path, step)
    if _is_model(here.type):
        field = here.type.model_fields.get(step)
        if field is None:
            return Element(path, None, model=here.type)
        bare, metadata = _bare(field.annotation)
        metadata = (*metadata, *field.metadata)
        return Element(path, bare, metadata, here.type, not field.is_required())
    if get_origin(here.type) in (dict, list):
        return Element(path, *_bare(get_args(here.type)[-1]))
    return Element(path, None)


def _member(union: Any, tag: str | int) -> Any:
    """The member of a union that has a tag; None when there is no such union."""
    for member in get_args(union) if _is_union(union) else ():
        if get_origin(member) is Annotated and Tag(str(tag)) in member.__metadata__:
            return member
    return None


def _bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without `Annotated` and without `| None`, and the metadata that it had."""
    if get_origin(annotation) is Annotated:
        bare, metadata = _bare(annotation.__origin__)
        return bare, (*metadata, *annotation.__metadata__)
    if _is_union(annotation):
        members = [member for member in get_args(annotation) if member is not types.NoneType]
        if len(members) == 1:
            return _bare(members[0])
    return annotation, ()


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)

# SPDX-License-Identifier: BSD-3-Clause
"""Where the parts of a module were written: what findings of later stages point at."""

from dataclasses import dataclass, field
from typing import Any

from ...findings.diagnostics import Span
from ...model import ir
from ..raw import Path
from .validate import Part


@dataclass(slots=True)
class Place:
    """Where something was written: a path in one of the files."""

    part: Part
    path: Path

    def key(self, *more: str | int) -> Span:
        """The span of the key at this place, or at a path below it."""
        return self.part.raw.key_span(self.path + more)

    def value(self, *more: str | int) -> Span:
        """The span of the value at this place, or at a path below it."""
        return self.part.raw.value_span(self.path + more)

    def has(self, *more: str | int) -> bool:
        """Whether the user wrote something at a path below this place."""
        return self.part.raw.has(self.path + more)

    def at(self, *more: str | int) -> Span:
        """The span of the value at a path below this place; of this key, if nothing is there."""
        return self.value(*more) if self.has(*more) else self.key()

    def entry(self) -> Any:
        """The model of the item at this place."""
        _, scope, group, name = self.path
        return getattr(self.part.model.scopes[str(scope)], str(group))[name]

    def broken(self, *more: str | int) -> bool:
        """Whether something at or below this place was wrong and has been reported."""
        return self.path + more in self.part.broken


@dataclass(slots=True)
class Resolution:
    """A module, and where each part of it was written. `places` is keyed by `("scope", name)`,
    `("item", scope, name)` and `("update", name)`; all the places of `global` are in `globals`."""

    module: ir.Module
    top: Part
    places: dict[tuple[str, ...], Place]
    globals: list[Place] = field(default_factory=list)
    incomplete: bool = False
    """Whether files of the schema are missing because they could not be read."""
    outputs: frozenset[str] = frozenset()
    """Outputs that the schema or the caller asks for by name."""
    listed: dict[object, list[tuple[Any, ...]]] = field(default_factory=dict)
    """Subjects of rules, by the function that lists them, computed once for all rules."""

    def place(self, *key: str) -> Place:
        """The place of a part of the module; KeyError when there is none."""
        return self.places[key]

    def setting(self, scope: ir.Scope, key: str) -> Span:
        """Where the value of a key is, of a scope or of the module that it comes from."""
        place = self.places["scope", scope.name]
        if scope.name == ir.GLOBAL:
            place = self.places.get(("setting", key), place)
        return place.value(key) if place.has(key) else self.top.raw.value_span((key,))

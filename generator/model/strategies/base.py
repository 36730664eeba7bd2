# SPDX-License-Identifier: BSD-3-Clause
"""Shared by all parts of a strategy.yaml: strict types, and conditions on tunables."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Tag,
    ValidationInfo,
)

Value = int | str
"""The value of a tunable."""


def brought(raw: Any) -> dict[str, dict[str, Any]]:
    """What a folder brings itself, by name, which the rest of its strategy.yaml may refer to: the
    context of its validation."""
    given = raw if isinstance(raw, dict) else {}
    keys = ("tunables", "primitives")
    return {key: given[key] if isinstance(given.get(key), dict) else {} for key in keys}


def _existing(name: str, info: ValidationInfo) -> str:
    if info.context is not None and name not in info.context["tunables"]:
        raise ValueError(f"no tunable '{name}'")
    return name


def as_tuple(value: Any) -> Any:
    """A list, or the one entry that stands for it, as the type of a field wants it."""
    return tuple(value) if isinstance(value, list) else (value,)


TunableName = Annotated[str, AfterValidator(_existing)]
"""Names one of the strategy's tunables, which are the context of the validation."""


class Entry(BaseModel):
    """A part of a strategy.yaml: unknown keys and wrong types are errors."""

    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True, strict=True)


class Conditional(Entry):
    """A condition on tunables: true if each of them has one of the values."""

    when: dict[TunableName, Annotated[tuple[Value, ...], BeforeValidator(as_tuple)]] = {}
    """Tunables, each with one value or a list of values."""

    def applies(self, tunables: Mapping[str, Value]) -> bool:
        """Whether each of these tunables has one of the values."""
        return all(tunables[name] in values for name, values in self.when.items())


Fact = Annotated[
    Annotated[bool, Tag("(flag)")] | Annotated[Conditional, Tag("(condition)")],
    Discriminator(lambda value: "(flag)" if isinstance(value, bool) else "(condition)"),
]
"""True, false, or a condition on tunables."""


def applies(fact: Fact, tunables: Mapping[str, Value]) -> bool:
    """Whether a fact is so with these tunables."""
    return fact if isinstance(fact, bool) else fact.applies(tunables)

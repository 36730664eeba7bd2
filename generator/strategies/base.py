# SPDX-License-Identifier: BSD-3-Clause
"""What all parts of a strategy.yaml share: strict types, and conditions on tunables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Value = int | str | bool
"""The value of a tunable."""


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else (value,)


class Entry(BaseModel):
    """A part of a strategy.yaml: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    def named_tunables(self) -> Mapping[str, tuple[Value, ...]]:
        """The tunables that this part names, with the values that it names of each."""
        return {}

    def parts(self, path: str = "") -> Iterator[tuple[str, Entry]]:
        """This part and all that it holds, each with its path in the file."""
        yield path, self
        for key, value in self:
            where = f"{path}.{key}" if path else key
            entries = value.items() if isinstance(value, dict) else enumerate((value,))
            entries = enumerate(value) if isinstance(value, tuple) else entries
            for name, entry in entries:
                if isinstance(entry, Entry):
                    yield from entry.parts(where if entry is value else f"{where}.{name}")


class Conditional(Entry):
    """What depends on tunables: it is so if each of them has one of the values."""

    when: dict[str, Annotated[tuple[Value, ...], BeforeValidator(_as_tuple)]] = Field(
        default={}, description="Tunables, each with one value or a list of values."
    )

    def named_tunables(self) -> Mapping[str, tuple[Value, ...]]:
        return self.when

    def applies(self, tunables: Mapping[str, Value]) -> bool:
        """Whether it is so with these tunables."""
        return all(tunables[name] in values for name, values in self.when.items())


Fact = bool | Conditional
"""What is so, or is not, or depends on tunables."""


def applies(fact: Fact, tunables: Mapping[str, Value]) -> bool:
    """Whether a fact is so with these tunables."""
    return fact if isinstance(fact, bool) else fact.applies(tunables)

# SPDX-License-Identifier: BSD-3-Clause
"""Finds the synchronization strategies: one folder each under templates/c/sync/.

A folder holds `strategy.yaml`, which the models here describe, and `sync.j2`
(docs/adding-a-strategy.md). Nothing else in ctrgen knows a strategy by name.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, Field, PrivateAttr, ValidationError, model_validator

from .base import Conditional, Entry, Fact, TunableName, Value
from .costs import Cost
from .promises import Promises

if TYPE_CHECKING:
    from importlib.abc import Traversable

Line = Annotated[str, AfterValidator(lambda text: " ".join(text.split()))]
"""Text of one line, however it is folded in the file."""
Names = Annotated[tuple[str, ...], Field(strict=False)]


class StrategyError(Exception):
    """A strategy folder that does not hold what it must: `path: key: what`, a line for each."""


class Bytes(Conditional):
    """A fixed number of bytes, and more for each unit of a tunable, always or with some values of
    tunables."""

    bytes: int = Field(default=0, ge=0)
    """A fixed number."""
    per: TunableName | None = None
    """A tunable, of which each unit takes more."""
    each: int = Field(default=0, ge=0)
    """How many more that is."""

    def count(self, tunables: Mapping[str, Value]) -> int:
        """The number with these tunables."""
        if not self.applies(tunables):
            return 0
        return self.bytes + (self.each * int(tunables[self.per]) if self.per else 0)


class Fair(Conditional):
    """Tunables with which waiters get a lock in the order in which they came, whether they run or
    not."""

    slower: int = Field(ge=2)
    """How many times as long an update took as with the default, with twice as many threads as
    cores."""


class Layout(Entry):
    """Bytes that the strategy itself needs. If they do not match what the C compiler makes, the
    generated `CTR_STATIC_ASSERT` fails."""

    offsets: bool = False
    """An offset for every counter, in a cold half of the instance."""
    header: Bytes = Field(default_factory=Bytes)
    """The members that `instance_members` adds at the head of the instance."""
    element: Bytes = Field(default_factory=Bytes)
    """The members that `element_members` adds at the head of each element."""
    lcore: Bytes = Field(default_factory=Bytes)
    """Additional memory for each lcore, outside of the instances."""
    module: Bytes = Field(default_factory=Bytes)
    """The strategy's variables in the source file: `struct ctr_slots` is 1088."""


class Tunable(Entry):
    """A choice of `values`, or a number from `minimum` to `maximum`. Macros read the value
    as `d.opt.NAME`."""

    description: Line
    """What it is for."""
    default: Value
    """Its value when a schema does not set it."""
    values: Names = ()
    """The values of a choice."""
    minimum: int | None = None
    """Least value of a number."""
    maximum: int | None = None
    """Greatest value of a number."""
    at_most: TunableName | None = None
    """Another tunable that this one must not exceed."""
    holds: Literal["update", "record"] | None = None
    """What it must hold: `update` the operations of the largest update, `record` the units of 16
    bytes of its largest record."""

    @model_validator(mode="after")
    def _default_is_allowed(self) -> Tunable:
        if expected := self.expected(self.default):
            raise ValueError(f"default must be {expected}")
        return self

    def expected(self, value: Any) -> str:
        """What `value` should have been, or nothing when it is fine."""
        if self.values:
            return "" if value in self.values else f"one of {', '.join(self.values)}"
        if isinstance(self.default, bool):
            return "" if isinstance(value, bool) else "true or false"
        if isinstance(self.default, str):
            return "" if isinstance(value, str) else "text"
        if isinstance(value, bool) or not isinstance(value, int):
            return "a whole number"
        if self.minimum is not None and value < self.minimum:
            return f"at least {self.minimum}"
        if self.maximum is not None and value > self.maximum:
            return f"at most {self.maximum}"
        return ""


class Strategy(Entry):
    """A synchronization strategy as its folder describes it."""

    summary: str
    """One sentence, shown wherever strategies are listed."""
    promises: Promises
    """What users may rely on; every key, once."""
    storage: tuple[Literal["static", "dynamic", "embedded"], ...] = Field(strict=False)
    """Which storage a scope under it may have."""
    cycles: int | None = None
    """Cycles of one counter update; the first published figure where there are any. Without
    either, `requires: {update_cycles: ..}` refuses the strategy."""
    published: dict[str, dict[int, int]] = Field(default={})
    """Published cycles, which `ctrgen plan` is compared with: by the name of one of its machines,
    and by lcores."""
    published_with: dict[TunableName, Value] = Field(default={})
    """Tunables of the published figures that are not the defaults."""
    published_cost: Cost | None = None
    """What an update did when the published figures were measured, if it was something else."""
    may_fail: Fact = False
    """Whether a read may give up: `guard` sets `rc` to -EAGAIN."""
    element_transactions: Fact = False
    """Whether each element of a bulk call needs an `enter` and `leave` of its own; else one may
    span 32 elements."""
    fair: Annotated[tuple[Fair, ...], Field(strict=False)] = ()
    """Locks that stall when there are more threads than cores; `check` warns of them."""
    symbols: Names = ()
    """C names that it declares, without their prefix."""
    instance_members: Names = ()
    """Names of the members that `instance_members` adds."""
    element_members: Names = ()
    """Names of the members that `element_members` adds."""
    layout: Layout = Field(default_factory=Layout)
    """Bytes that the strategy itself needs."""
    cost: Cost | None = None
    """What an update does, for `ctrgen plan`; without it the cost is unknown."""
    tunables: dict[str, Tunable] = Field(default={})
    """Tunables by name."""

    _name: str = PrivateAttr(default="")

    @model_validator(mode="before")
    @classmethod
    def _cycles_as_published(cls, data: Any) -> Any:
        match data:
            case {"published": dict(machines)}:
                figures = next(iter(machines.values()), None)
                if isinstance(figures, dict) and figures:
                    return {"cycles": next(iter(figures.values())), **data}
        return data

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self._name

    @property
    def per_lcore(self) -> bool:
        """Whether there is an instance for each lcore."""
        return self.promises.instances == "lcores"

    def promised(self, tunables: Mapping[str, Value] | None = None) -> Promises:
        """What users may rely on with these tunables, else with the defaults."""
        return self.promises.under(dict(self.settings(tunables)))

    def stalls(self, tunables: Mapping[str, Value]) -> Fair | None:
        """The fair lock that it has with these tunables, all of which have a value."""
        return next((fair for fair in self.fair if fair.applies(tunables)), None)

    def settings(self, chosen: Mapping[str, Value] | None = None) -> tuple[tuple[str, Value], ...]:
        """The value of every tunable, sorted by name: as chosen, else the default."""
        values = {name: tunable.default for name, tunable in self.tunables.items()}
        return tuple(sorted({**values, **(chosen or {})}.items()))


MESSAGES = {"missing": "missing", "extra_forbidden": "unknown key"}


def _problem(path: object, error: Any) -> str:
    """One finding of pydantic as `path: key: what`."""
    steps = (str(step) for step in error["loc"])
    key = ".".join(step for step in steps if not step.startswith(("(", "[")))  # of pydantic
    what = MESSAGES.get(error["type"], error["msg"]).removeprefix("Value error, ")
    return f"{path}: {key}: {what}" if key else f"{path}: {what}"


def _load(folder: Traversable) -> Strategy:
    path = folder / "strategy.yaml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        raw = yaml.load(path.read_text("utf-8"), loader)
        tunables = raw.get("tunables") if isinstance(raw, dict) else None
        strategy = Strategy.model_validate(raw, context=tunables or {})
    except ValidationError as e:
        problems = e.errors(include_url=False)
        raise StrategyError("\n".join(_problem(path, problem) for problem in problems)) from e
    except (OSError, ValueError, yaml.YAMLError) as e:
        raise StrategyError(f"{path}: {e}") from e
    strategy._name = folder.name
    return strategy


@functools.cache
def all_strategies() -> dict[str, Strategy]:
    """Every installed strategy by name, sorted. Raises StrategyError for a broken folder."""
    root = resources.files("ctrgen.templates") / "c" / "sync"
    folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.name)
    return {f.name: _load(f) for f in folders if (f / "strategy.yaml").is_file()}

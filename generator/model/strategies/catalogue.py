# SPDX-License-Identifier: BSD-3-Clause
"""Finds the synchronization strategies, one folder each under templates/c/sync/: `strategy.yaml`,
described by the models here, and `update.j2` (docs/design.md). Nothing else in ctrgen
knows a strategy by name."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any, Literal

import yaml
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from .base import Entry, Fact, TunableName, Value, applies, as_tuple, brought
from .costs import Cost, Primitive
from .promises import Promises, rank
from .shape import Shape, Storage, Tier

if TYPE_CHECKING:
    from importlib.abc import Traversable

Line = Annotated[str, AfterValidator(lambda text: " ".join(text.split()))]
"""Text of one line, however it is folded in the file."""
Names = Annotated[tuple[str, ...], Field(strict=False)]


class StrategyError(Exception):
    """A strategy folder that does not hold what it must: `path: key: what`, a line for each."""


class Tunable(Entry):
    """A choice of `values`, or a number from `minimum` to `maximum`. Macros read the value
    as `d.opt.NAME`."""

    description: Line
    """Its purpose."""
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
    holds: Literal["record", "records"] | None = None
    """What it must hold: the units of 16 bytes of the largest `record` of an update, or two such
    `records`."""

    @model_validator(mode="after")
    def _default_is_allowed(self) -> Tunable:
        if expected := self.expected(self.default):
            raise ValueError(f"default must be {expected}")
        return self

    def expected(self, value: Any) -> str:
        """The expected form of `value`, or nothing if it is valid."""
        if self.values:
            return "" if value in self.values else f"one of {', '.join(self.values)}"
        if isinstance(value, bool) or not isinstance(value, int):
            return "a whole number"
        if self.minimum is not None and value < self.minimum:
            return f"at least {self.minimum}"
        if self.maximum is not None and value > self.maximum:
            return f"at most {self.maximum}"
        return ""


class Visible(Entry):
    """A number of calls of `P_burst_end()`: the product of a factor and a tunable."""

    times: int = Field(ge=1)
    """The factor."""
    of: TunableName
    """The tunable."""


class Strategy(Entry):
    """A synchronization strategy as its folder describes it."""

    summary: str
    """One sentence, shown wherever strategies are listed."""
    promises: Promises
    """Promises; every key, once."""
    storage: tuple[Storage, ...] = Field(default=("static", "dynamic"), strict=False)
    """Which storage a scope under it may have."""
    cycles: int | None = None
    """Cycles of one counter update on a server with 4 lcores, published or measured. Without them
    `requires: {update_cycles: ..}` refuses the strategy."""
    may_fail: Fact = False
    """Whether a read may give up: `load` sets `*rc` to -EAGAIN."""
    tries: TunableName | None = None
    """The tunable for how often a reader tries an instance that is being updated."""
    element_transactions: Fact = False
    """Whether each element of a bulk call needs an `enter` and `leave` of its own; else one may
    span 32 elements."""
    loses: Fact = False
    """Whether there is a function `D_lost()`, the number of updates that were lost."""
    reads_hold: Fact = False
    """Whether a read section has the lock that updates take from its beginning to its end."""
    outlined: Literal["", "whole", "rest"] = ""
    """What its updates hand to their out-of-line variant (`others`) where an lcore comes to a cold
    path: the whole of an update, or the rest of it, from an operation on whose number is `from`."""
    include: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    """The headers of the runtime with what its updates call; one declares its operations."""
    records: Literal["", "counts", "all"] = ""
    """Which updates it buffers as records (model/records.py): those that change counters, or all;
    never those that set a value."""
    own: str = ""
    """The symbol to which `own` of struct ctr_domain points: the data of its operations."""
    symbols: Names = ()
    """C names that it declares, without their prefix."""
    visible: Visible | None = None
    """After how many calls of `P_burst_end()` readers see a count, at the latest; without it when
    the update returns."""
    polls: bool = False
    """Whether there is work for `P_poll()`, which a control thread calls (`poll` in the schema)."""
    kernel: Literal["", "cpus", "sequence", "one"] = ""
    """The instances that it has in the kernel (output `xdp`): one a CPU, also under a sequence
    counter, or one for all that adds change atomically; without it, it is not for the kernel."""
    shape: Shape = Field(default_factory=Shape)
    """Where a count lives, and the bytes that the strategy itself needs."""
    cost: Cost | None = None
    """Costs of an update for `ctrgen plan`; without it they are unknown."""
    primitives: dict[str, Primitive] = Field(default={})
    """Primitives of `cost` in addition to those of the [cost model](benchmark.md#primitives)."""
    tunables: dict[str, Tunable] = Field(default={})
    """Tunables by name."""

    _name: str = PrivateAttr(default="")
    _operations: bool = PrivateAttr(default=False)

    @model_validator(mode="after")
    def _shape_is_possible(self) -> Strategy:
        if problem := self.shape.problem(self.per_lcore):
            raise ValueError(f"shape.{problem}")
        return self

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self._name

    @property
    def operations(self) -> bool:
        """Whether it has operations of its own in C: `NAME.c` in its folder."""
        return self._operations

    @property
    def per_lcore(self) -> bool:
        """Whether there is an instance for each lcore."""
        return self.promises.instances == "lcores"

    @property
    def own_object(self) -> bool:
        """Whether counters are only ever in objects of the application, under its own lock."""
        return self.storage == ("embedded",)

    @property
    def main(self) -> Tier:
        """The tier of its instances."""
        tier = self.shape.lcores if self.per_lcore else self.shape.shared
        return tier or Tier()

    @property
    def by_cpu(self) -> bool:
        """Whether the copies are by CPU, whatever thread updates."""
        return self.per_lcore and self.main.cpus is not None

    @property
    def own_copies(self) -> bool:
        """Whether each lcore has an instance that no other lcore writes."""
        return self.per_lcore and not self.by_cpu

    @property
    def sums(self) -> bool:
        """Whether counters have a word in the common part in addition to those of the lcores."""
        return self.per_lcore and self.shape.shared is not None

    @property
    def held(self) -> Tier | None:
        """The tier of each lcore's delta cache before the shared instance."""
        return None if self.per_lcore else self.shape.lcores

    @property
    def slots(self) -> bool:
        """Whether each lcore has buffers before the shared instance."""
        return not self.per_lcore and bool(self.shape.lcores or self.shape.memory.lcore)

    @property
    def lcore_values(self) -> bool:
        """Whether an lcore's part of a count is a value of its own: it has all of it."""
        return self.per_lcore and not self.sums and self.main.cpus is None

    @property
    def consistent(self) -> bool:
        """Whether the counters of one read belong together."""
        return rank("consistency", self.promises.consistency) == 0

    @property
    def holds_back(self) -> bool:
        """Whether readers see a count later than its update returns."""
        return rank("propagation", self.promises.propagation) > 0

    def promised(self, tunables: Mapping[str, Value] | None = None) -> Promises:
        """Promises with these tunables, else with the defaults."""
        return self.promises.under(dict(self.settings(tunables)))

    def visible_after(self, tunables: Mapping[str, Value] | None = None) -> int:
        """How many calls of `P_burst_end()` that is with these tunables, else with the defaults."""
        settings = dict(self.settings(tunables))
        return self.visible.times * int(settings[self.visible.of]) if self.visible else 0

    def delays(self, tunables: Mapping[str, Value] | None = None) -> str:
        """What an update may have to wait for while a reader runs, one of DELAYS: with these
        tunables, else with the defaults."""
        if applies(self.reads_hold, dict(self.settings(tunables))):
            return "snapshot"
        return "instance" if rank("reader", self.promises.reader) > 0 else "never"

    def delayed(self, tunables: Mapping[str, Value] | None = None) -> str:
        """What a reader does because of updates, likewise: `never` anything, a few `tries`, or it
        `waits` while an update has its lock."""
        if applies(self.may_fail, dict(self.settings(tunables))):
            return "tries"
        return "never" if self.delays(tunables) == "never" else "waits"

    def settings(self, chosen: Mapping[str, Value] | None = None) -> tuple[tuple[str, Value], ...]:
        """The value of every tunable, sorted by name: as chosen, else the default."""
        values = {name: tunable.default for name, tunable in self.tunables.items()}
        return tuple(sorted({**values, **(chosen or {})}.items()))


DELAYS = {
    "never": "an update never waits for a reader",
    "instance": "an update may wait while a reader copies one instance",
    "snapshot": "an update may wait for a whole snapshot",
}
"""How a running reader may delay an update, the best first: the update waits for the copy of no
instance, of one, or of all. The effect of a preempted reader is the promise `reader`."""

MESSAGES = {"missing": "missing", "extra_forbidden": "unknown key"}


def _problem(path: object, error: Any) -> str:
    """One finding of pydantic as `path: key: what`."""
    steps = (str(step) for step in error["loc"])
    key = ".".join(step for step in steps if not step.startswith(("(", "[")))  # of pydantic
    what = MESSAGES.get(error["type"], error["msg"]).removeprefix("Value error, ")
    return f"{path}: {key}: {what}" if key else f"{path}: {what}"


def _load(folder: Traversable) -> Strategy:
    path = folder / "strategy.yaml"
    try:
        raw = yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        strategy = Strategy.model_validate(raw, context=brought(raw))
        strategy._operations = (folder / f"{folder.name}.c").is_file()
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


def usual() -> str:
    """The strategy that others are compared with, as applications have it without ctrgen: one
    instance, exact, of which updates never wait and counters are read at once, one by one."""
    rows = ((name, strategy.promises) for name, strategy in all_strategies().items())
    alike = {"exact": True, "instances": "one", "waits": "never", "consistency": "counter"}
    alike["propagation"] = "store"
    return next(name for name, row in rows if alike.items() <= row.model_dump().items())

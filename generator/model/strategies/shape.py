# SPDX-License-Identifier: BSD-3-Clause
"""Where a count lives under a strategy: its tiers, and how counters lie in each of them.

A tier is a place that has words for counters: `shared`, of which the module has one copy, and
`lcores`, of which every lcore has one. A count is the sum of its words in all copies of both.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from .base import Conditional, Entry, TunableName, Value, as_tuple

Storage = Literal["static", "dynamic", "embedded"]

SLOTS = 3200
"""Bytes of `struct ctr_slots`."""


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


class Words(Conditional):
    """The width of the word of a counter of 64 bits, where that is not 64."""

    bits: Literal[16, 32]
    """Its bits. A word wraps at them, so there must be a `shared` tier that takes over what a
    counter has before it does."""


class Tier(Entry):
    """A place for counters. If its sizes do not match what the C compiler makes, the generated
    `CTR_STATIC_ASSERT` fails."""

    header: Bytes = Field(default_factory=Bytes)
    """The members that `members` adds at the head of each copy."""
    element: Bytes = Field(default_factory=Bytes)
    """The members that `members` adds at the head of each element; `struct ctr_cache_entry` where
    the tier has a few `elements`."""
    words: Annotated[tuple[Words, ...], Field(strict=False)] = ()
    """Widths of words: the first that applies; else a word is as wide as its counter."""
    elements: TunableName | None = None
    """Of `lcores` in addition to `shared`: the tunable for how many elements of a scope an lcore
    caches at a time; else there is one for every instance. Readers do not see them."""
    locked: bool = False
    """Of `lcores`: whether threads without an lcore id, which share a copy, exclude each other with
    a lock."""
    cpus: TunableName | None = None
    """Of `lcores`: copies are by CPU instead of by lcore; the tunable for how many there are at
    most, 0 for any number."""

    def bits(self, tunables: Mapping[str, Value]) -> int:
        """Bits of the words of counters of 64 bits; 0: 64."""
        return next((words.bits for words in self.words if words.applies(tunables)), 0)


class Memory(Entry):
    """Bytes outside of the tiers: one entry, or a list that is summed up."""

    lcore: Annotated[tuple[Bytes, ...], BeforeValidator(as_tuple)] = ()
    """Memory of each lcore."""
    module: Annotated[tuple[Bytes, ...], BeforeValidator(as_tuple)] = ()
    """The strategy's variables in the source file, without `struct ctr_slots`."""

    def count(self, tunables: Mapping[str, Value]) -> tuple[int, int]:
        """Bytes of each lcore, and of the module, with these tunables."""
        lcore, module = (
            sum(part.count(tunables) for part in parts) for parts in (self.lcore, self.module)
        )
        return lcore, module


class Shape(Entry):
    """Where a count lives. A strategy with `instances: one` has the tier `shared`, one with
    `instances: lcores` the tier `lcores`; the other one only if it is named here."""

    shared: Tier | None = None
    """One copy for the module. In addition to `lcores`: a word of every counter in the common
    part, into which lcores drain their counts."""
    lcores: Tier | None = None
    """A copy for each lcore, and one for all other threads; or for each CPU, whatever thread, and
    one besides."""
    memory: Memory = Field(default_factory=Memory)
    """Bytes outside of the tiers."""

    def outside(self, tunables: Mapping[str, Value], slots: bool) -> tuple[int, int]:
        """Bytes outside of the tiers: of each lcore, which may have `slots`, and of the module."""
        lcore, module = self.memory.count(tunables)
        return lcore, module + SLOTS * slots

    def problem(self, per_lcore: bool) -> str:
        """The defect of the shape with that many instances, or nothing."""
        shared, lcores = self.shared, self.lcores or Tier()
        if per_lcore and lcores.elements:
            return "lcores.elements: for `instances: one`"
        if not per_lcore and self.lcores and (not lcores.elements or lcores.words):
            return "lcores: with `instances: one` it has `elements`, like those of `shared`"
        if lcores.words and shared is None:
            return "lcores.words: there is no `shared` tier to take over"
        if shared and (shared.words or shared.elements or shared.cpus):
            return "shared: words as wide as counters, for all elements, in one copy"
        return ""

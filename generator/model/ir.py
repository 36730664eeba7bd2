# SPDX-License-Identifier: BSD-3-Clause
"""The intermediate representation: a checked, ordered schema with every default filled in.
Sequences are tuples in schema order, so that equal schemas give equal output."""

from __future__ import annotations

import dataclasses
import enum
import functools
import graphlib
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ..findings.diagnostics import NOWHERE, Span
from .histogram import Histogram as Histogram
from .keys import KeyPart as KeyPart
from .kinds import DERIVED
from .kinds import Derivation as Derivation
from .kinds import Kind as Kind
from .kinds import Source as Source
from .limits import Limit as Limit
from .published import DEFINITIONS as DEFINITIONS
from .published import ComplianceModule as ComplianceModule
from .published import Convention as Convention
from .published import Definition as Definition
from .published import Group as Group
from .published import Identity as Identity
from .published import IndexObject as IndexObject
from .published import ItemSnmp as ItemSnmp
from .published import Label as Label
from .published import Refinement as Refinement
from .published import Revision as Revision
from .published import ScopeSnmp as ScopeSnmp
from .published import Snmp as Snmp
from .types import TYPES, Type
from .updates import Argument as Argument
from .updates import Condition as Condition
from .updates import Notification as Notification
from .updates import NotificationSnmp as NotificationSnmp
from .updates import Operation as Operation
from .updates import Update as Update

Made = TypeVar("Made")

GLOBAL, HEALTH = "global", "_module"
"""Names of the scopes that have exactly one instance and take no index: that of a schema, and that
in which a module reports of itself (`health`)."""

NAMELESS = (GLOBAL, HEALTH)
"""Scopes whose items are called by the module's name and their own."""

MAX_INSTANCES = 2**32 - 1
"""Largest number of instances of a scope: indexes are `uint32_t`."""


class Storage(str, enum.Enum):
    """Where the instances of a scope live."""

    STATIC = "static"
    DYNAMIC = "dynamic"
    EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class Level:
    """One index of a scope: 0 to `maximum` - 1. `scope` is the scope whose own index it is, `name`
    that scope's name, or `drop_reason` for one of several dimensions; `dimension` is what readers
    call it. `labels` name its values, `texts` are shown instead. `symbol` is a constant of C,
    defined in `header`, that is the maximum on the port for DPDK."""

    name: str
    maximum: int
    scope: str
    dimension: str
    labels: tuple[str, ...] = ()
    symbol: str = ""
    header: str = ""
    texts: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        """Displayed texts of the values; empty if the index is a plain number."""
        return self.texts or self.labels

    @property
    def named(self) -> tuple[Label, ...]:
        """Its labels, with the indexes that they are."""
        texts = self.texts or itertools.repeat("")
        return tuple(map(Label, self.labels, itertools.count(), texts))


@dataclass(frozen=True, slots=True)
class Item:
    """A counter, gauge, peak or state of one scope.

    `type` is `uint32` or `uint64` for counters, gauges and peaks, for states one of `types.STATES`.
    `width` is in bits. `minimum` and `maximum` bound a gauge or a state that is a number; `length`
    is the largest number of octets of a string; `labels` are those of an enum. `renamed_from` is a
    former name, `histogram` what a counter is part of, `limit` what it shows; or empty. A counter
    that is `limited` changes in updates alone. A peak has the greatest value, or with `least` the
    least one: of the gauge `of`, or of what is observed. `source` is where the value comes from:
    `statistic` is what the device calls it, `derivation` how it is computed. `display` is what
    people read, `metric` the name in Prometheus; empty without."""

    name: str
    kind: Kind
    type: str
    width: int
    unit: str
    description: str
    scope: str
    span: Span
    minimum: int | None = None
    maximum: int | None = None
    labels: tuple[Label, ...] = ()
    length: int = 0
    renamed_from: str = ""
    snmp: ItemSnmp | None = None
    histogram: str = ""
    of: str = ""
    least: bool = False
    source: Source = Source.STORED
    statistic: str = ""
    derivation: Derivation | None = None
    display: str = ""
    metric: str = ""
    limit: str = ""
    limited: bool = False

    @property
    def stored(self) -> bool:
        """Whether the module keeps it. All else is in no update, and may be unavailable when it is
        read."""
        return self.source is Source.STORED

    @property
    def reported(self) -> bool:
        """Whether a device or the application reports it."""
        return self.source in (Source.DEVICE, Source.CALLBACK)

    @property
    def group(self) -> str:
        """The key of a scope that has it in the schema."""
        return DERIVED if self.derivation else self.kind.plural

    @property
    def observed(self) -> bool:
        """Whether updates and calls observe values in it, rather than in the gauge it is of."""
        return self.kind.observes and not self.of

    @property
    def keeps(self) -> str:
        """The retained one of the observed values, as C calls it: `highest`; else empty."""
        return self.kind.keeps[self.least]

    @property
    def bounded(self) -> bool:
        """Whether a read gives a bound for what is beyond it."""
        written = (self.minimum, self.maximum) != (None, None)
        return self.kind.bounded or (not self.kind.numeric and written)

    @property
    def value_type(self) -> Type:
        """The row of its type in the table of types."""
        return TYPES[self.type]

    @property
    def octets(self) -> int:
        """Octets of a wide value, the terminator of a string included."""
        return self.value_type.octets or self.length + 1

    @property
    def range(self) -> tuple[int, int]:
        """Least and greatest value, by its bounds or else by its kind and type."""
        kind = Kind.GAUGE if self.of else self.kind
        low, high = kind.range(self.value_type)
        return (
            low if self.minimum is None else self.minimum,
            high if self.maximum is None else self.maximum,
        )


@dataclass(frozen=True, slots=True)
class Sync:
    """A synchronization strategy with every tunable filled in, sorted by name."""

    strategy: str
    tunables: tuple[tuple[str, int | str | bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Requires:
    """What the application needs; `None` means it does not say. `memory` is in bytes, with
    `lcores` in use, `update_cycles` in core clock cycles."""

    exact: bool | None = None
    consistency: str | None = None
    reader: str | None = None
    reader_delay: str | None = None
    billing: str | None = None  # "any" or "exact"
    realtime: bool | None = None
    propagation_ns: int | None = None
    update_cycles: int | None = None
    memory: int | None = None
    lcores: int = 8


@dataclass(frozen=True)
class Scope:
    """A set of items that exists once (`global`) or per instance. `levels` holds its indexes,
    outermost first, those of its parents included. `reset_lcores`: a reset applies to values of one
    lcore, too. `key` identifies instances instead of their own index."""

    name: str
    description: str
    items: tuple[Item, ...]
    levels: tuple[Level, ...]
    storage: Storage
    sync: Sync
    reset: bool
    requires: Requires
    span: Span
    sync_span: Span
    renamed_from: str = ""
    snmp: ScopeSnmp = dataclasses.field(default_factory=ScopeSnmp)
    reset_lcores: bool = False
    histograms: tuple[Histogram, ...] = ()
    limits: tuple[Limit, ...] = ()
    key: tuple[KeyPart, ...] = ()

    @functools.cached_property
    def path(self) -> tuple[str, ...]:
        """The name of each index, outermost first."""
        return tuple(level.name for level in self.levels)

    @functools.cached_property
    def maxima(self) -> tuple[int, ...]:
        """The cardinality of each index."""
        return tuple(level.maximum for level in self.levels)

    @functools.cached_property
    def own(self) -> tuple[Level, ...]:
        """The indexes that its parents do not have: one, or one for each labelled dimension."""
        return tuple(level for level in self.levels if level.scope == self.name)

    @property
    def labelled(self) -> bool:
        """Whether its own indexes have names for their values."""
        return any(level.labels for level in self.own)

    @property
    def instances(self) -> int:
        """Largest number of instances: the product of the cardinalities on the path."""
        return math.prod(self.maxima)

    def countable(self, *, labels: bool = False) -> bool:
        """Whether one index tells its instances in a parent apart: a number, or one of `labels`."""
        own = self.own
        return [level.name for level in own] == [self.name] and (labels or not own[0].labels)

    @functools.cached_property
    def _marked(self) -> frozenset[str]:
        return frozenset(item.of for item in self.items if item.of)

    def marks(self, item: Item) -> tuple[Item, ...]:
        """The peaks of a gauge."""
        if item.name not in self._marked:
            return ()
        return tuple(peak for peak in self.items if peak.of == item.name)

    @functools.cached_property
    def stored(self) -> tuple[Item, ...]:
        """The items that the module keeps."""
        return tuple(item for item in self.items if item.stored)

    @functools.cached_property
    def sourced(self) -> tuple[Item, ...]:
        """The external items, whose source is queried when they are read."""
        return tuple(item for item in self.items if not item.stored)

    @functools.cached_property
    def derived(self) -> tuple[Item, ...]:
        """The derived items, each after its operands."""
        named = {item.name: item for item in self.items if item.derivation}
        graph = {
            name: [other for other in item.derivation.operands if other in named]
            for name, item in named.items()
            if item.derivation
        }
        return tuple(named[name] for name in graphlib.TopologicalSorter(graph).static_order())

    def is_once(self, item: Item) -> bool:
        """Whether the module has one copy of an item, which is changed by itself: what observes,
        gauges with peaks or a limit, what is wider than a word, accounts of limits."""
        alone = item.value_type.wide or item.kind.observes or item.name in self._marked
        return alone or (bool(item.limit or item.limited) and not item.kind.accumulates)

    @functools.cached_property
    def _item_by_name(self) -> dict[str, Item]:
        return {item.name: item for item in self.items}

    @functools.cached_property
    def entries(self) -> tuple[str, ...]:
        """The names of its items as the schema has them: a histogram is one."""
        return tuple(dict.fromkeys(i.histogram or i.limit or i.name for i in self.items))


@dataclass(frozen=True)
class Module:
    """A whole schema. `source` is its path as shown in generated text. `requires` is what the
    module as a whole needs; scopes have inherited it. `views` are in schema order, without `raw`
    and `default`. `outputs` are the backends that it asks for, none for the default ones.
    `scrape_interval` is in seconds. `parents` are scopes without items, which only give an index to
    others and are not in `scopes`. `maps`: the kernel counts, in maps (backends/xdp)."""

    name: str
    description: str
    scopes: tuple[Scope, ...]
    updates: tuple[Update, ...]
    bounds: str  # "assert" or "drop"
    poll: str  # "thread" or "application"
    source: str
    sources: tuple[str, ...]
    span: Span
    snmp: Snmp = dataclasses.field(default_factory=Snmp)
    requires: Requires = Requires()
    views: tuple[str, ...] = ()
    views_span: Span = NOWHERE
    outputs: tuple[str, ...] = ()
    scrape_interval: int = 60
    parents: tuple[Scope, ...] = ()
    notifications: tuple[Notification, ...] = ()
    maps: bool = False

    def __hash__(self) -> int:
        """A number that takes no look at every item: caches of views ask for it often."""
        return hash((self.name, self.source))

    def once(self, key: str, make: Callable[[Module], Made]) -> Made:
        """What is worked out once of this very module. A cache by equality would compare modules
        item by item."""
        if key not in self._made:
            self._made[key] = make(self)
        made: Made = self._made[key]
        return made

    def scope(self, name: str) -> Scope:
        """The scope of that name, with items or without; KeyError when there is none."""
        return self._scope_by_name[name]

    def holder(self, scope: Scope) -> Scope | None:
        """The innermost dynamic scope that instances of a scope are inside of, and end with."""
        outer = (self._scope_by_name.get(level.scope) for level in reversed(scope.levels))
        dynamic = (s for s in outer if s and s.storage is Storage.DYNAMIC and s.items)
        return next((s for s in dynamic if s.name != scope.name), None)

    @functools.cached_property
    def holders(self) -> frozenset[str]:
        """The names of the dynamic scopes that are innermost around others."""
        return frozenset(holder.name for holder in map(self.holder, self.scopes) if holder)

    @functools.cached_property
    def every_scope(self) -> tuple[Scope, ...]:
        """The scopes with items, after those that only have an index."""
        return (*self.parents, *self.scopes)

    @functools.cached_property
    def _made(self) -> dict[str, Any]:
        return {}

    @functools.cached_property
    def scope_names(self) -> frozenset[str]:
        """The names of all scopes."""
        return frozenset(self._scope_by_name)

    @functools.cached_property
    def _scope_by_name(self) -> dict[str, Scope]:
        return {scope.name: scope for scope in self.every_scope}

    def resized(self, name: str, count: int) -> Module:
        """The same with `count` instances of a level, in every scope that has it on its path."""

        def resize(scope: Scope) -> Scope:
            levels = (
                dataclasses.replace(lv, maximum=count, symbol="") if lv.name == name else lv
                for lv in scope.levels
            )
            return dataclasses.replace(scope, levels=tuple(levels))

        scopes, parents = (tuple(map(resize, part)) for part in (self.scopes, self.parents))
        return dataclasses.replace(self, scopes=scopes, parents=parents)

    def item(self, scope: str, name: str) -> Item:
        """One item of one scope; KeyError when there is none."""
        return self.scope(scope)._item_by_name[name]

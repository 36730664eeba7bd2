# SPDX-License-Identifier: BSD-3-Clause
"""The schema language: every key, its type, its default and what it means.

The reference documentation and the JSON Schema for editors are generated from
these models, so a description here is what the user reads. The models check
shapes only; meaning is checked by `ctrgen.frontends.rules` once everything is resolved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag

from ..ir import MAX_INSTANCES
from ..types import PARAMETERS
from .base import ByName, EmptyList, Expected, Model, mapping, optional, shape
from .items import Dimensions, Duration, Items, Key
from .notifications import Notification, Seconds
from .snmp import IndexField, Qualified, ScopeSnmp, Snmp

DEFAULT_STRATEGY = "per_core"

SIZE = r"^[0-9]{1,12}(B|KiB|MiB|GiB|TiB)$"
SYMBOL = r"^[A-Za-z_][A-Za-z0-9_]{0,62}$"
HEADER = r"^[A-Za-z0-9_][A-Za-z0-9_+-]*([./][A-Za-z0-9_+-]+)*\.h$"
Size = Annotated[str, Field(pattern=SIZE), Expected(example="64MiB")]


if TYPE_CHECKING:
    ParameterType = str
else:  # the names are those of the table of types
    ParameterType = Annotated[Literal[PARAMETERS], Expected(example="uint8")]

Reset = Annotated[
    Annotated[bool, Tag("flag")] | Annotated[Literal["per_lcore"], Tag("text")],
    Discriminator(shape),
    Expected("true, false or per_lcore"),
]

Amount = Annotated[
    Annotated[int, Tag("number")] | Annotated[str, Tag("text")] | Annotated[bool, Tag("flag")],
    Discriminator(shape),
    Expected("a number or the name of a parameter"),
]


OUTPUTS = Expected("a list of backends, such as [c, meson]")


class SyncChoice(Model):
    """A synchronization strategy with values for its tunables."""

    model_config = ConfigDict(extra="allow")

    strategy: Annotated[str, Expected(example=DEFAULT_STRATEGY)]
    """Name of the strategy."""


SyncField = Annotated[
    Annotated[str, Tag("text")] | Annotated[SyncChoice, Tag("mapping")],
    Discriminator(shape),
    Expected("the name of a strategy, or a mapping of `strategy` and its tunables"),
]


class Requires(Model):
    """What the application needs. The build fails, naming the strategies that would fit, when
    the chosen strategy cannot give it."""

    exact: bool | None = optional("No count may be lost, however many threads update.")
    consistency: Literal["none", "counter", "update"] | None = None
    """What one read must agree on: nothing, each counter by itself, or all the counters that
    one update changes."""
    reader: Literal["any", "preemptible"] | None = None
    """`preemptible`: an interrupted reader must not block a writer. `any`: no requirement; in a
    scope, this overrides the module's."""
    reader_delay: Literal["any", "never", "instance"] | None = None
    """What an update may have to wait for while a reader runs. `never`: nothing; `instance`: one
    instance that it copies, but not a whole snapshot; `any`: no requirement; in a scope, this
    overrides the module's."""
    billing: Literal["any", "exact"] | None = None
    """`exact`: the final count of every instance is needed exactly once, so neither updates nor
    resets may lose counts. Dynamic scopes also need threads that report quiescence once a burst;
    see below. `any`: no requirement; in a scope, this overrides the module's."""
    realtime: bool | None = None
    """No update of an lcore may wait without limit for a preempted thread: refuses locks that
    spin, unless the holder inherits the priority of the waiting thread."""
    propagation: Duration | None = optional(
        "How long a count may stay unseen by readers, such as `1ms` (units: ns, us, ms, s, min, h)."
    )
    update_cycles: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Core clock cycles that the update of one counter may take."""
    memory: Size | None = None
    """Memory that the statistics may take, such as `64MiB` (units: B, KiB, MiB, GiB, TiB); in a
    scope, what that scope alone may take."""
    lcores: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Number of lcores that `memory` is for. The default is 8."""


class Symbolic(Model):
    """A number of instances that is a C constant with DPDK, and a number without."""

    symbol: Annotated[str, Field(pattern=SYMBOL), Expected(example="RTE_MAX_ETHPORTS")]
    """Name of the constant, such as `RTE_MAX_ETHPORTS`: how many instances there are on the port
    for DPDK."""
    value: Annotated[int, Field(ge=1, le=MAX_INSTANCES)]
    """How many there are on other ports, and what `ctrgen plan` and the MIB go by."""
    header: Annotated[str, Field(pattern=HEADER), Expected(example="rte_config.h")] = "rte_config.h"
    """Header that defines the constant, such as `rte_ethdev.h`."""


def _count(value: Any) -> str:
    return "mapping" if shape(value) == "mapping" else "number"


Count = Annotated[
    Annotated[int, Field(ge=1, le=MAX_INSTANCES), Tag("number")]
    | Annotated[Symbolic, Tag("mapping")],
    Discriminator(_count),
]


class _Scope(Model):
    """Keys of a scope before its items."""

    description: str | None = None
    """One sentence on the scope. The default is made from its name."""
    max: Count | None = None
    """Largest number of instances; an index is 0..max-1. Every scope but `global`, embedded ones
    and those with `labels` needs it. A constant of DPDK is written
    `{symbol: RTE_MAX_ETHPORTS, value: 32}`."""
    labels: Dimensions | None = None
    """Names of the instances, instead of `max`: a list such as `[vlan, ttl, acl]`, numbered from
    0. Or several dimensions, each with its list: `{reason: [vlan, ttl], direction: [in, out]}`;
    then there is an instance for each combination, and an index for each dimension. A mapping of
    names to texts, `{http_1: HTTP/1.1, http_2: HTTP/2}`, has texts that people read instead of the
    names. Add new labels at the end."""
    parent: str | None = None
    """The scope this one is inside of: every instance of the parent then has `max` instances of
    this scope, and an index is a tuple, outermost first."""
    storage: Literal["static", "dynamic", "embedded"] = "static"
    """Where instances live: `static` is an array of `max`, `dynamic` allocates for what has
    been created, `embedded` is a struct to put into the application's own object."""
    sync: SyncField | None = optional("Strategy of this scope. The default is that of the module.")
    reset: Reset | None = optional("Whether counters can be reset. The default is the module's.")
    requires: Requires | None = optional("What this scope needs; each key overrides the module's.")
    index: IndexField | None = None
    """Index objects of the table in the MIB when they are not its own, such as
    `IF-MIB::ifIndex`; those of the parent come before them."""
    key: Annotated[Key, EmptyList] = Field(default_factory=list)
    """What operators know an instance by, such as an IMSI, or an address and a port: its parts, in
    their order in the index. The application sets the key of each instance, and rows without a
    key are not shown."""
    augments: Qualified | None = None
    """Row of another table whose rows this one extends, such as `IF-MIB::ifEntry`."""
    renamed_from: str | None = optional("Former name of the scope: the OIDs of its table stay.")
    snmp: ScopeSnmp | None = optional("How the scope appears in the MIB and to managers.")
    use: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Sets whose items the scope has, before its own: names of `sets`, in any file."""
    order: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Order of the items in C structs and in the MIB, by name, where it is not the order they
    are written in; items that it does not name come last."""


class Scope(Items, _Scope):
    """A set of items that exists once (`global`) or once per instance of something."""


class _Set(Model):
    """The key of a set before its items."""

    description: str | None = optional("What the items are about.")


class ItemSet(Items, _Set):
    """Items that several scopes have: a scope takes them by `use`."""


class NumberDefaults(Model):
    """Keys of the counters or gauges of a file that do not have them."""

    unit: str | None = optional("What is counted or measured.")
    width: Literal[32, 64] | None = optional("Bits of the number.")


class ScopeDefaults(Model):
    """Defaults for keys of the scopes of a file, except `global`."""

    sync: SyncField | None = optional("Strategy of the scope.")
    reset: Reset | None = optional("Whether counters can be reset.")
    storage: Literal["static", "dynamic"] | None = optional("Where instances live.")


class Defaults(Model):
    """What the scopes and items of a file have that do not say otherwise."""

    counters: NumberDefaults | None = optional("Keys of counters.")
    gauges: NumberDefaults | None = optional("Keys of gauges.")
    scopes: ScopeDefaults | None = optional("Keys of scopes.")


MAX_WEIGHT = 10**6
"""Largest weight of an update."""


class Update(Model):
    """One call that changes several items as one transaction."""

    description: str | None = None
    """One sentence on the event. The default is made from the name."""
    weight: Annotated[int, Field(ge=1, le=MAX_WEIGHT)] = 1
    """How often it happens, compared with the other updates: for packets that come in bursts of 32,
    what counts a packet has 32, what counts a burst 1. `ctrgen bench` calls it that often."""
    args: ByName[ParameterType] = mapping("Parameters of the call: types by name.")
    add: ByName[Amount] = mapping()
    """What is added to counters and gauges: `scope.item: number or parameter`. In a scope with
    labels also `scope.item[label]`: then the update has no parameter for that index. Several
    instances are a list, `scope[0..3].item`, or have names, `scope[name].item`."""
    sub: ByName[Amount] = mapping("What is subtracted from gauges.")
    set: ByName[Amount] = mapping()
    """What gauges and states are set to; also true, false or the label of an enum."""
    observe: ByName[Amount] = mapping()
    """What is observed by histograms and peaks: `scope.histogram: parameter`."""


class Prometheus(Model):
    """What the rules and the dashboard of the output `prometheus` depend on."""

    scrape_interval: Seconds = "1min"
    """Longest time between two scrapes, as Prometheus is configured; its own default is a minute.
    Rates of alerts, records and panels are over at least four of them."""


class Fragment(Model):
    """A file that is included by another one and adds scopes and updates to its module."""

    ctrgen: Literal[1] = Field(default=1, description="Version of the schema language.")
    description: str | None = optional("What this part of the schema is about.")
    include: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Files with more scopes and updates, relative to this file."""
    defaults: Defaults | None = optional("What the scopes and items of this file have.")
    sets: ByName[ItemSet] = mapping()
    """Sets of items by name: what several scopes count, written once."""
    outputs: Annotated[list[str], Field(min_length=1), OUTPUTS] | None = None
    """Backends that `ctrgen build` runs, such as `[c, meson]`, instead of the default ones;
    `--only` wins over it. `ctrgen backends` lists them. What the schema says goes before what a
    file says that it includes, such as one that all schemas of a project include."""
    scopes: ByName[Scope] = mapping()
    """Scopes by name. `global` exists once; every file may add items to it."""
    updates: ByName[Update] = mapping("Updates by name.")
    notifications: ByName[Notification] = mapping("Notifications by name.")


class Schema(Fragment):
    """A module of statistics: everything that one generated header declares."""

    ctrgen: Literal[1] = Field(description="Version of the schema language.")
    module: Annotated[str, Expected(example="module")]
    """Short lower-case name: the prefix of C names (`ep` gives `ep_stats_...`) and of the MIB
    (`EP-STATS-MIB`)."""
    description: str | None = None
    """One sentence on the module. The default is made from its name."""
    sync: SyncField = DEFAULT_STRATEGY
    """How updates and reads are synchronized: the name of a strategy, or a mapping of
    `strategy` and its tunables. This one field is the whole switch."""
    reset: Reset = True
    """Whether counters can be reset. After a reset, the values of one lcore (`_lcore_`) are still
    since the start; `per_lcore` is `true`, and takes memory to make them since the reset too."""
    views: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Names of consumers that each reset for themselves, such as `[cli, billing]`: a reset in one
    view does not show in the others."""
    bounds: Literal["drop", "assert"] = "drop"
    """What the fast path does with an index out of range: `drop` does nothing and counts it in
    `P_drops()`, for two instructions an index; `assert` checks in debug builds alone."""
    poll: Literal["thread", "application"] = "thread"
    """What drains the rings of a strategy that has any. `thread`: a control thread of the library,
    one for all modules, which `P_init()` starts and `P_fini()` stops. `application`: no thread; the
    application calls `P_poll()`. Under other strategies neither has an effect."""
    snapshots: Literal["reader"] = "reader"
    """Who copies the counters for a snapshot: the thread that asks for it. (0.2 had `owner`, too;
    docs/upgrading.md.)"""
    requires: Requires | None = optional("What the application needs from the strategy.")
    prometheus: Prometheus | None = optional("How Prometheus scrapes the applications.")
    snmp: Snmp | None = None
    """The MIB module: its place in the tree of OIDs, its history. With this key the module is
    published: names, types and OIDs stay as they are, in a lock file next to the schema.
    Without it the module is a draft, and nothing is fixed."""

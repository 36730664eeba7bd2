# SPDX-License-Identifier: BSD-3-Clause
"""The schema language: every key, its type, its default and what it means.

The reference documentation and the JSON Schema for editors are generated from
these models, so a description here is what the user reads. The models check
shapes only; meaning is checked by `ctrgen.frontends.rules` once everything is resolved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag

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


Version = Annotated[Literal[1], BeforeValidator(lambda value: shape(value) == "number" and value)]
"""Version of the language; `true` and 1.0, which are equal to 1, are none."""

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
    """What the application needs. The build fails, naming strategies that fit, if the chosen
    strategy does not meet it."""

    exact: bool | None = optional("No count may be lost, however many threads update.")
    consistency: Literal["none", "counter", "update"] | None = None
    """What must be consistent in a read: nothing, each counter, or all counters that an update
    changes."""
    reader: Literal["any", "preemptible"] | None = None
    """`preemptible`: a preempted reader must not block a writer. `any`: no requirement; in a
    scope, this overrides the module's."""
    reader_delay: Literal["any", "never", "instance"] | None = None
    """How long an update may wait for a running reader. `never`: not at all; `instance`: while it
    copies one instance, but not a whole snapshot; `any`: no requirement; in a scope, this overrides
    the module's."""
    billing: Literal["any", "exact"] | None = None
    """`exact`: the final count of every instance is delivered exactly once, so neither updates nor
    resets may lose counts. Dynamic scopes also need lcores that report a quiescent state once per
    burst; see below. `any`: no requirement; in a scope, this overrides the module's."""
    realtime: bool | None = None
    """No update of an lcore may wait without limit for a preempted thread: rules out spinning
    locks, unless the holder inherits the priority of the waiting thread."""
    propagation: Duration | None = optional(
        "Time until readers see a count, at most, such as `1ms` (units: ns, us, ms, s, min, h)."
    )
    update_cycles: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Core clock cycles that the update of one counter may take."""
    memory: Size | None = None
    """Memory that the statistics may take, such as `64MiB` (units: B, KiB, MiB, GiB, TiB); in a
    scope, memory for that scope."""
    lcores: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Number of lcores that `memory` is for. The default is 8."""


class Symbolic(Model):
    """A number of instances that is a C constant on DPDK, and a number elsewhere."""

    symbol: Annotated[str, Field(pattern=SYMBOL), Expected(example="RTE_MAX_ETHPORTS")]
    """Name of the constant, such as `RTE_MAX_ETHPORTS`: the number of instances on DPDK."""
    value: Annotated[int, Field(ge=1, le=MAX_INSTANCES)]
    """Number of instances on POSIX, for `ctrgen plan` and in the MIB."""
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
    """Maximum number of instances; an index is 0..max-1. Required, except for `global`, embedded
    scopes and scopes with `labels`. A constant of DPDK is written
    `{symbol: RTE_MAX_ETHPORTS, value: 32}`."""
    labels: Dimensions | None = None
    """Names of the instances, instead of `max`: a list such as `[vlan, ttl, acl]`, numbered from
    0. Or several dimensions, each with a list: `{reason: [vlan, ttl], direction: [in, out]}`;
    then there is an instance per combination, and an index per dimension. A mapping
    `{http_1: HTTP/1.1, http_2: HTTP/2}` has names with texts for display. Add new labels at the
    end."""
    parent: str | None = None
    """The outer scope: every instance of the parent has `max` instances of this scope, and an
    index is a tuple, outermost first."""
    storage: Literal["static", "dynamic", "embedded"] = "static"
    """Where instances are stored: `static` is an array of `max`, `dynamic` allocates created
    instances, `embedded` is a struct in the application's own object."""
    sync: SyncField | None = optional("Strategy of this scope. The default is that of the module.")
    reset: Reset | None = optional("Whether counters can be reset. The default is the module's.")
    requires: Requires | None = optional("What this scope needs; each key overrides the module's.")
    index: IndexField | None = None
    """Index objects of the table in the MIB from other modules, such as `IF-MIB::ifIndex`; those
    of the parent precede them."""
    key: Annotated[Key, EmptyList] = Field(default_factory=list)
    """What identifies an instance to operators, such as an IMSI, or an address and a port: parts,
    in their order in the index. The application sets the key of each instance; rows without a key
    are not shown."""
    augments: Qualified | None = None
    """Row of another table whose rows this one extends, such as `IF-MIB::ifEntry`."""
    renamed_from: str | None = optional("Former name of the scope: the OIDs of its table stay.")
    snmp: ScopeSnmp | None = optional("How the scope appears in the MIB and to managers.")
    use: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Names of `sets`, in any file, whose items precede those of the scope."""
    order: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Order of the items in C structs and in the MIB, by name, if it differs from the order in
    the schema; other items come last."""


class Scope(Items, _Scope):
    """A set of items that exists once (`global`) or per instance."""


class _Set(Model):
    """The key of a set before its items."""

    description: str | None = optional("One sentence on the items.")


class ItemSet(Items, _Set):
    """Items for several scopes, which name the set in `use`."""


class NumberDefaults(Model):
    """Defaults for the counters or gauges of a file."""

    unit: str | None = optional("What is counted or measured.")
    width: Literal[32, 64] | None = optional("Bits of the number.")


class ScopeDefaults(Model):
    """Defaults for keys of the scopes of a file, except `global`."""

    sync: SyncField | None = optional("Strategy of the scope.")
    reset: Reset | None = optional("Whether counters can be reset.")
    storage: Literal["static", "dynamic"] | None = optional("Where instances live.")


class Defaults(Model):
    """Defaults for the scopes and items of a file."""

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
    """How often it happens, relative to other updates: with bursts of 32 packets, an update per
    packet has 32, an update per burst 1. `ctrgen bench` calls it that often."""
    args: ByName[ParameterType] = mapping("Parameters of the call: types by name.")
    add: ByName[Amount] = mapping()
    """Amounts added to counters and gauges: `scope.item: number or parameter`. In a scope with
    labels also `scope.item[label]`: then the update has no parameter for that index. Several
    instances are a list, `scope[0..3].item`, or have names, `scope[name].item`."""
    sub: ByName[Amount] = mapping("Amounts subtracted from gauges.")
    set: ByName[Amount] = mapping()
    """New values of gauges and states; also true, false or the label of an enum."""
    observe: ByName[Amount] = mapping()
    """Values observed by histograms and peaks: `scope.histogram: parameter`."""


class Prometheus(Model):
    """Settings for the rules and the dashboard of the output `prometheus`."""

    scrape_interval: Seconds = "1min"
    """Maximum time between two scrapes, as configured in Prometheus (whose default is a minute).
    Rates of alerts, records and panels cover at least four intervals."""


class Fragment(Model):
    """An included file, which adds scopes and updates to the module."""

    ctrgen: Version = Field(default=1, description="Version of the schema language.")
    description: str | None = optional("One sentence on this part of the schema.")
    include: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Files with more scopes and updates, relative to this file."""
    defaults: Defaults | None = optional("Defaults for the scopes and items of this file.")
    sets: ByName[ItemSet] = mapping()
    """Sets of items by name, for use in several scopes."""
    outputs: Annotated[list[str], Field(min_length=1), OUTPUTS] | None = None
    """Backends that `ctrgen build` runs, such as `[c, meson]`, instead of the default ones;
    `--only` overrides it. `ctrgen backends` lists them. A schema overrides the files that it
    includes."""
    scopes: ByName[Scope] = mapping()
    """Scopes by name. `global` exists once; every file may add items to it."""
    updates: ByName[Update] = mapping("Updates by name.")
    notifications: ByName[Notification] = mapping("Notifications by name.")


class Schema(Fragment):
    """A module of statistics: everything that one generated header declares."""

    ctrgen: Version = Field(description="Version of the schema language.")
    module: Annotated[str, Expected(example="module")]
    """Short lower-case name: the prefix of C names (`ep` gives `ep_stats_...`) and of the MIB
    (`EP-STATS-MIB`)."""
    description: str | None = None
    """One sentence on the module. The default is made from its name."""
    sync: SyncField = DEFAULT_STRATEGY
    """Synchronization of updates and reads: the name of a strategy, or a mapping of
    `strategy` and its tunables."""
    reset: Reset = True
    """Whether counters can be reset. After a reset, values of one lcore (`_lcore_`) still count
    from the start; with `per_lcore`, which takes memory, they count from the reset."""
    views: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Names of consumers that reset independently, such as `[cli, billing]`: a reset in one view
    does not change the others."""
    bounds: Literal["drop", "assert"] = "drop"
    """What an update does with an index out of range: `drop` changes nothing and counts it in
    `P_drops()`, for two instructions per index; `assert` checks only in debug builds."""
    poll: Literal["thread", "application"] = "thread"
    """What drains the rings of `delta_ring`. `thread`: a control thread of the library, one for all
    modules, which `P_init()` starts and `P_fini()` stops. `application`: the application calls
    `P_poll()`. No effect under other strategies."""
    snapshots: Literal["reader"] = "reader"
    """The thread that copies the counters for a snapshot: the reader. (0.2 also had `owner`;
    docs/upgrading.md.)"""
    requires: Requires | None = optional("What the application needs from the strategy.")
    prometheus: Prometheus | None = optional("How Prometheus scrapes the applications.")
    snmp: Snmp | None = None
    """The MIB module: OID, organization, revisions. With this key the module is published: a lock
    file next to the schema fixes names, types and OIDs. Without it the module is a draft."""

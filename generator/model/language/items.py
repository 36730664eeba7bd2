# SPDX-License-Identifier: BSD-3-Clause
"""The part of the schema language about what a scope counts: its items, kind by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import Discriminator, Field, Tag, WithJsonSchema

from ..keys import TYPE_NAMES
from ..kinds import LIMIT, Kind
from ..types import INT32, STATES
from .base import ByName, Expected, Model, mapping, optional, shape
from .snmp import ItemSnmp, Oid

METRIC = r"^[a-zA-Z_][a-zA-Z0-9_]{0,126}$"
"""Name of a metric in Prometheus. Colons are for its rules."""

MAX_SHOWN = 64
"""Most characters of a text that people see instead of a name."""

Text = Annotated[
    str, WithJsonSchema({"type": "string", "maxLength": MAX_SHOWN, "pattern": r"^\S(.*\S)?$"})
]
"""Such a text; the rule `shown-text` says what is wrong with one."""

LabelValue = Annotated[int, Field(ge=INT32[0], le=INT32[1])]
MetricName = Annotated[str, Field(pattern=METRIC), Expected(example="http_requests")]


class ValueLabel(Model):
    """A label of an enum with a number and a text."""

    value: LabelValue
    """The number of the label."""
    text: Text
    """The displayed text."""


EnumLabel = Annotated[
    Annotated[LabelValue, Tag("number")]
    | Annotated[Text, Tag("text")]
    | Annotated[ValueLabel, Tag("mapping")],
    Discriminator(shape),
    Expected("a number, a text, or a mapping of `value` and `text`"),
]
Labels = Annotated[
    Annotated[dict[str, EnumLabel], Tag("mapping")] | Annotated[list[str], Tag("list")],
    Discriminator(shape),
    Expected("a list of names, or a mapping of names to numbers or texts"),
]
"""The labels of an enum."""


def _dimensions(value: Any) -> str | None:
    """The tag of labels of a scope: texts by name, or several dimensions."""
    texts = isinstance(value, dict) and any(isinstance(entry, str) for entry in value.values())
    return "texts" if texts else shape(value)


Names = Annotated[
    Annotated[list[str], Tag("list")] | Annotated[dict[str, Text], Tag("mapping")],
    Discriminator(shape),
    Expected("a list of names, or a mapping of names to texts"),
]
Dimensions = Annotated[
    Annotated[list[str], Tag("list")]
    | Annotated[dict[str, Text], Tag("texts")]
    | Annotated[dict[str, Names], Tag("mapping")],
    Discriminator(_dimensions),
    Expected("a list of names, a mapping of names to texts, or of dimensions to those"),
]
"""The labels of a scope."""


class ItemPrometheus(Model):
    """The name of an item in Prometheus."""

    name: MetricName
    """Name of the metric, such as `http_requests`, instead of module, scope and item; the suffix
    of its type (`_total`, `_info`) is added if missing."""


class Displayed(Model):
    """Keys of all kinds of items about display names."""

    display: Text | None = None
    """Display name in titles of dashboards and monitoring systems and in `ctrgen top`. Names in C,
    SNMP, metrics and requests do not change."""
    prometheus: ItemPrometheus | None = optional("Name of the item in Prometheus.")


class Item(Displayed):
    """Keys of all kinds of items about names."""

    renamed_from: str | None = optional("Former name of the item: it keeps its OID.")
    snmp: ItemSnmp | None = optional("How the item appears in the MIB, for imported modules.")


MAX_PARTS = 8
"""Most parts of a key."""

MAX_OCTETS = 112
"""Most octets of a part: an OID has at most 128 numbers (RFC 2578, 3.5)."""

if TYPE_CHECKING:
    KeyTypeName = str
else:  # the names are those of the table of types
    KeyTypeName = Annotated[Literal[TYPE_NAMES], Expected(example="uint32")]


class KeyPart(Model):
    """A part of the key with which managers and `P_SCOPE_key_find()` identify an instance."""

    name: str
    """Name of the part: a member of the struct of the key, and an index object in the MIB."""
    type: KeyTypeName
    """Type of the part. `ip_address` is an IPv4 or an IPv6 address, `string` is text of up to
    `length` octets, `octets` is exactly `length` octets, `enum` is one of `labels`, `int32` is not
    negative."""
    description: str = Field(description="One sentence on the part.")
    length: Annotated[int, Field(ge=1, le=MAX_OCTETS)] | None = None
    """Maximum octets of a string, without its terminating zero; number of octets of `octets`."""
    fixed: bool = False
    """Whether a string always has `length` octets: then its length is not in the index."""
    renamed_from: str | None = optional("Former name of the part: it keeps its object.")
    labels: Labels | None = None
    """Names of the values of an enum, as for a state."""


Key = Annotated[list[KeyPart], Field(max_length=MAX_PARTS), Expected("a list of parts")]


MAX_STRING = 255
"""Most octets of a string state, as for SNMP's DisplayString."""

MAX_BOUNDS = 64
"""Most bounds of a histogram: each is a comparison, and a counter."""

DURATION = r"^[0-9]{1,9}(ns|us|ms|s|min|h)$"
STATISTIC = r"^([ -Z\^-z|~\[\]]|\{[A-Za-z_][A-Za-z0-9_]*\}){1,63}$"
"""Name of a statistic of a device, with indexes in braces."""

Duration = Annotated[str, Field(pattern=DURATION), Expected(example="1ms")]
Statistic = Annotated[str, Field(pattern=STATISTIC), Expected(example="rx_q{queue}_packets")]

if TYPE_CHECKING:
    StateType = str
else:  # the names are those of the table of types
    StateType = Annotated[Literal[STATES], Expected(example="uint32")]


class Counter(Item):
    """A number that only ever grows, and wraps around at its width."""

    unit: str
    """Unit: a plain word such as `packets`, or a UCUM unit such as `By`. Required here or in the
    `defaults` of the file."""
    description: str = Field(description="One sentence on what is counted, and when.")
    width: Literal[32, 64] = Field(default=64, description="Bits of the counter.")
    source: Literal["device", "callback"] | None = None
    """External source of the value: `device`, a DPDK port; `callback`, a function of the
    application. The item may then be unavailable."""
    statistic: Statistic | None = None
    """Name in the device, with `source: device`: `imissed` or another field of
    `rte_eth_stats`, `q_ipackets[{queue}]`, or an extended statistic, such as
    `rx_q{queue}_packets`. `{queue}` is the index of that name."""


class Gauge(Item):
    """A number that goes up and down, never below zero."""

    unit: str
    """Unit: a plain word such as `sessions`, or a UCUM unit such as `s`. Required here or in the
    `defaults` of the file."""
    description: str = Field(description="One sentence on what is measured.")
    width: Literal[32, 64] = Field(default=64, description="Bits of the gauge.")
    min: Annotated[int, Field(ge=0, le=LIMIT)] | None = optional("Smallest value it can have.")
    max: Annotated[int, Field(ge=0, le=LIMIT)] | None = optional("Largest value it can have.")
    source: Literal["device", "callback"] | None = None
    """External source of the value, as for a counter."""
    statistic: Statistic | None = optional("Name in the device, with `source: device`.")


class Peak(Item):
    """The greatest or least value since the last reset, of observed values or of a gauge (a
    high-water or low-water mark)."""

    of: str | None = None
    """A gauge of the scope, whose values it follows. Without it, updates and calls observe."""
    keep: Literal["maximum", "minimum"] = Field(
        default="maximum", description="Whether it is the greatest or the least value."
    )
    unit: str | None = None
    """Unit: a UCUM unit such as `By`, or a plain word. With `of`, that of the gauge."""
    description: str = Field(description="One sentence on what is measured, and when.")
    width: Literal[32, 64] | None = None
    """Bits of the value, which is truncated. The default is 64, or the gauge's with `of`."""


BucketBound = Annotated[int, Field(ge=0, le=LIMIT)]
Bounds = Annotated[
    list[BucketBound],
    Field(min_length=1, max_length=MAX_BOUNDS),
    Expected("a list of bounds, such as [64, 128, 256]"),
]
Power = Annotated[int, Field(ge=1, le=2**62)]


class Log2(Model):
    """Bounds that double: `{min: 64, max: 1024}` is 64, 128, 256, 512, 1024."""

    min: Power
    """The least bound, a power of two."""
    max: Power
    """The greatest bound, a power of two."""


class HistogramSnmp(Model):
    """How a histogram appears in the MIB, for imported modules."""

    oids: Annotated[list[Oid], Field(min_length=1)]
    """OIDs of its objects: of each bucket, then of the sum."""


class Histogram(Displayed):
    """The number of values in each range (bucket), and the sum of all values."""

    unit: str
    """Unit: a UCUM unit such as `By` or `ns`, or a plain word."""
    description: str = Field(description="One sentence on what is measured, and when.")
    bounds: Bounds | None = None
    """The greatest value of each bucket, ascending, such as `[64, 128, 256]`: values up to 64,
    65 to 128, 129 to 256; one more bucket takes greater values."""
    log2: Log2 | None = optional("Bounds that double, instead of `bounds`: found faster.")
    renamed_from: str | None = optional("Former name: the OIDs do not change.")
    snmp: HistogramSnmp | None = optional("How it appears in the MIB, for imported modules.")


class Ratio(Model):
    """One item divided by another."""

    of: str
    """The item that is divided."""
    to: str
    """The divisor; if it is 0 the ratio is not available."""
    scale: Annotated[int, Field(ge=1, le=10**9)] = 1
    """Factor of the quotient before it is truncated: 1000 gives thousandths."""


Operands = Annotated[
    list[str],
    Field(min_length=2, max_length=64),
    Expected("a list of two items of the scope or more, such as [rx, tx]"),
]


class Derived(Item):
    """A number computed from other items of the instance, in the same read. It is not available
    if one of these is not."""

    sum: Operands | None = None
    """The items to add. A sum of 64-bit counters is a counter; other derived items are gauges."""
    difference: Operands | None = None
    """The first item minus all others; 0 if negative."""
    ratio: Ratio | None = optional("One item divided by another, times `scale`.")
    rate: str | None = None
    """A counter: its rate per second between two reads of the instance that are at least a
    `window` apart. Not available before the second read."""
    window: Duration | None = None
    """Time between two reads that give a rate, such as `10s`. The default is `1s`."""
    unit: str | None = None
    """Unit: a UCUM unit such as `By`, or a plain word. The default is the unit of the operands,
    for a rate per second (`packets/s`), for a ratio `1`."""
    description: str = Field(description="One sentence on its meaning.")


StateBound = Annotated[int, Field(ge=INT32[0], le=2**32 - 1)]


class State(Item):
    """The value that the application set last."""

    type: StateType
    """Type of the value. `timeticks` is hundredths of a second; `timestamp` is the time of the
    last event; `ipv4` is in network byte order; `string` is bounded by `length`; `enum` is one of
    `labels`."""
    description: str = Field(description="One sentence on the state.")
    unit: str = Field(default="", description="Unit of a numeric state, if it has one.")
    labels: Labels | None = None
    """Names of the values of an enum: a list, numbered from 1, or a mapping of names to numbers,
    to texts for display (`http_2: HTTP/2`), or to both (`{value: 2, text: HTTP/2}`). A label
    without a number gets the next number."""
    length: Annotated[int, Field(ge=1, le=MAX_STRING)] | None = None
    """Maximum octets of a string, without its terminating zero."""
    min: StateBound | None = optional("Smallest value of an int32 or uint32.")
    max: StateBound | None = optional("Largest value of an int32 or uint32.")


LimitOf = Annotated[
    Annotated[str, Tag("text")] | Annotated[list[str], Field(min_length=1), Tag("list")],
    Discriminator(shape),
    Expected("a counter or gauge of the scope, or a list of counters such as [up, down]"),
]


class Limit(Model):
    """A quota, which stops updates when its grant is used up, or a threshold, which is reported
    once when it is crossed. Its items are `NAME_remaining`, `NAME_state` and, for a quota,
    `NAME_refused`."""

    of: LimitOf
    """The limited counter of the scope, or several: then their sum. Or a gauge."""
    at: Literal["stop", "report"] = "stop"
    """Action at the limit. `stop`: `P_update_X_try()` returns false and only counts in
    `NAME_refused`. `report`: `P_SCOPE_crossed()` reports it."""
    description: str = Field(description="One sentence on what it limits.")
    renamed_from: str | None = optional("Former name: the OIDs of its items do not change.")


class Items(Model):
    """Items of a scope or a set, by kind."""

    counters: ByName[Counter] = mapping("Counters by name.")
    gauges: ByName[Gauge] = mapping("Gauges by name.")
    peaks: ByName[Peak] = mapping("Peaks by name.")
    states: ByName[State] = mapping("States by name.")
    histograms: ByName[Histogram] = mapping("Histograms by name.")
    derived: ByName[Derived] = mapping("Items derived from others, by name.")
    limits: ByName[Limit] = mapping("Limits on counters, by name.")


MODELS = {kind: get_args(Items.model_fields[kind.plural].annotation)[1] for kind in Kind}
"""Model of the items of each kind."""

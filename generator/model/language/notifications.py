# SPDX-License-Identifier: BSD-3-Clause
"""The part of the schema language about notifications."""

from typing import Annotated

from pydantic import Discriminator, Field, Tag

from .base import EmptyList, Expected, Model, optional, shape
from .snmp import Descriptor, Oid

SECONDS = r"^[1-9][0-9]{0,4}(s|min|h)$"
Seconds = Annotated[str, Field(pattern=SECONDS), Expected(example="1s")]

MAX_COUNT = 16
"""Most notifications of an instance in the window of `at_most`: the time of each is kept."""

Threshold = Annotated[int, Field(ge=-(2**31), le=2**63 - 1)]

Becomes = Annotated[
    Annotated[str, Tag("text")]
    | Annotated[bool, Tag("flag")]
    | Annotated[list[str], Field(min_length=1), Tag("list")],
    Discriminator(shape),
    Expected("a label, a list of labels, true or false"),
]


class RateLimit(Model):
    """Rate limit of an instance's notifications: at most `count` in any window of length `within`.
    A deferred notification is sent later if its condition still holds."""

    count: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1
    """Maximum number."""
    within: Seconds
    """Length of the window, such as `60s` or `5min`."""


class NotificationSnmp(Model):
    """How a notification appears in the MIB, for imported modules."""

    name: Descriptor | None = optional("Its name.")
    oid: Oid | None = optional("Its OID; the last number but one is 0.")
    cleared_name: Descriptor | None = optional("Name of what is sent when it has cleared.")
    cleared_oid: Oid | None = optional("OID of what is sent when it has cleared.")


class Notification(Model):
    """A notification to managers, per instance of a scope: an item passed a threshold, or
    a state took a value. Its condition is one of `rises_above`, `falls_below`, `becomes`."""

    description: str
    """One sentence on the event."""
    of: Annotated[str, Expected(example="session.pkts")]
    """The watched item, as `scope.item`: the rate of a counter (per second), the value of a gauge,
    of a peak or of a numeric state, or the label of an enum."""
    rises_above: Threshold | None = None
    """Raised when the value (of a counter, the amount per second) is greater."""
    falls_below: Threshold | None = None
    """Raised when the value (of a counter, the amount per second) is less."""
    becomes: Becomes | None = None
    """Raised when the state has this label, or one of several; for a bool `true` or `false`.
    Clears when the state has another value."""
    clears_below: Threshold | None = None
    """With `rises_above`: clears when the value is less. By default it clears when the value is
    no longer greater than the threshold."""
    clears_above: Threshold | None = None
    """With `falls_below`: clears when the value is greater. By default it clears when the value is
    no longer less than the threshold."""
    lasts: Seconds | None = None
    """How long the condition must hold without a break before it is raised, such as `10s`."""
    every: Seconds = "1s"
    """Time between two evaluations; shorter changes are not seen. The rate of a counter covers the
    same time."""
    at_most: RateLimit | None = optional("Rate limit per instance, `{count: 1, within: 60s}`.")
    carries: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """Further items of the scope whose values are sent with that of the watched item."""
    cleared: bool = False
    """Whether a second notification is sent when it has cleared."""
    renamed_from: str | None = optional("Former name: the OIDs do not change.")
    snmp: NotificationSnmp | None = optional("How it appears in the MIB, for imported modules.")

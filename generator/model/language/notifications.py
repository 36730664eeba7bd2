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
    """How often an instance may raise a notification: at most `count` times in any window of
    length `within`. A deferred notification is sent later if its condition still holds."""

    count: Annotated[int, Field(ge=1, le=MAX_COUNT)] = 1
    """How many times."""
    within: Seconds
    """Length of time, such as `60s` or `5min`."""


class NotificationSnmp(Model):
    """How a notification appears in the MIB, for imported modules."""

    name: Descriptor | None = optional("Its name.")
    oid: Oid | None = optional("Its OID; the last number but one is 0.")
    cleared_name: Descriptor | None = optional("Name of what is sent when it has cleared.")
    cleared_oid: Oid | None = optional("OID of what is sent when it has cleared.")


class Notification(Model):
    """A notification to managers, for each instance of a scope: an item has passed a threshold, or
    a state has taken a value. Its condition is one of `rises_above`, `falls_below`, `becomes`."""

    description: str
    """One sentence on what has happened."""
    of: Annotated[str, Expected(example="session.pkts")]
    """What is watched, as `scope.item`: the rate of a counter (per second), the value of a gauge,
    of a peak or of a numeric state, or the label of an enum."""
    rises_above: Threshold | None = None
    """It is raised when the value is greater: of a counter, the amount per second."""
    falls_below: Threshold | None = None
    """It is raised when the value is less: of a counter, the amount per second."""
    becomes: Becomes | None = None
    """It is raised when the state has this label, or one of several; of a bool `true` or `false`.
    It clears when the state has another one."""
    clears_below: Threshold | None = None
    """With `rises_above`: it clears when the value is less. The default is the threshold itself:
    it clears when the value is no longer greater."""
    clears_above: Threshold | None = None
    """With `falls_below`: it clears when the value is greater. The default is the threshold
    itself: it clears when the value is no longer less."""
    lasts: Seconds | None = None
    """How long it must hold, without a break, before it is raised, such as `10s`."""
    every: Seconds = "1s"
    """Time between two evaluations; shorter changes are not seen. It is also the
    time over which the rate of a counter is taken."""
    at_most: RateLimit | None = optional("Rate limit for each instance, `{count: 1, within: 60s}`.")
    carries: Annotated[list[str], EmptyList] = Field(default_factory=list)
    """More items of the scope whose values are sent with that of the item that is watched."""
    cleared: bool = False
    """Whether a notification of its own is sent when it has cleared."""
    renamed_from: str | None = optional("Former name: the OIDs stay what they were.")
    snmp: NotificationSnmp | None = optional("How it appears in the MIB, for imported modules.")

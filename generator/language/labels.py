# SPDX-License-Identifier: BSD-3-Clause
"""Names of values, and the texts and names that outputs show instead of those of the schema."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, WithJsonSchema

from ..model.types import INT32
from .base import Expected, Model, optional, shape

METRIC = r"^[a-zA-Z_][a-zA-Z0-9_]{0,126}$"
"""Name of a metric in Prometheus. Colons are for its rules."""

MAX_SHOWN = 64
"""Most characters of a text that people see instead of a name."""

Text = Annotated[
    str,
    WithJsonSchema({"type": "string", "maxLength": MAX_SHOWN, "pattern": r"^\S(.*\S)?$"}),
]
"""Such a text; the rule `shown-text` says what is wrong with one."""

LabelValue = Annotated[int, Field(ge=INT32[0], le=INT32[1])]
MetricName = Annotated[str, Field(pattern=METRIC), Expected(example="http_requests")]


class ValueLabel(Model):
    """A label of an enum with a number and a text."""

    value: LabelValue
    """The number of the label."""
    text: Text
    """What people read instead of its name."""


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
    """What an item is called in Prometheus."""

    name: MetricName
    """Name of the metric instead of the one made of module, scope and item, such as
    `http_requests`; what tells its type (`_total`, `_info`) is added where it is missing."""


class Displayed(Model):
    """Keys of all kinds of items about what people see instead of the name in the schema."""

    display: Text | None = None
    """What people read instead of the name, in titles of dashboards and monitoring systems and in
    `ctrgen top`. Names in C, SNMP, metrics and requests stay."""
    prometheus: ItemPrometheus | None = optional("What the item is called in Prometheus.")

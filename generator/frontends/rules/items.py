# SPDX-License-Identifier: BSD-3-Clause
"""Rules about counters, gauges, states and histograms, and about free text."""

import itertools
import re
from collections.abc import Callable, Iterator
from functools import partial

from ...findings.diagnostics import Span
from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.language import items as language
from ...model.language import shapes
from ...model.naming.c import INVISIBLE
from ...model.types import KEYS
from ..resolve.place import Place, Resolution
from .registry import repeated, rule_of_each


@rule_of_each
def histogram_rule(r: Resolution) -> Iterator[tuple[ir.Histogram, Place, language.Histogram]]:
    for scope in r.module.scopes:
        for histogram in scope.histograms:
            place = r.place("item", scope.name, histogram.name)
            if not place.broken():
                yield histogram, place, place.entry()


@histogram_rule("A histogram has `bounds`, or `log2` for bounds that double.")
def histogram_shape(histogram: ir.Histogram, place: Place, entry: language.Histogram) -> Findings:
    if entry.bounds is None and entry.log2 is None:
        message = f"histogram '{histogram.name}' has no bounds"
        hint = "add `bounds: [64, 512, 1518]` or `log2: {min: 64, max: 4096}`"
        yield Finding(place.key(), message, hint)
    elif entry.bounds is not None and entry.log2 is not None:
        message = f"histogram '{histogram.name}' has both `bounds` and `log2`"
        yield Finding(place.key("log2"), message, "keep one of the two")
    if not histogram.description:
        message = f"the description of histogram '{histogram.name}' is empty"
        hint = "one sentence for the operator who reads it"
        yield Finding(place.value("description"), message, hint)


@histogram_rule("The bounds of a histogram ascend.")
def histogram_bounds(histogram: ir.Histogram, place: Place, entry: language.Histogram) -> Findings:
    bounds = entry.bounds or []
    for number, (before, bound) in enumerate(itertools.pairwise(bounds), 1):
        if bound <= before:
            message = f"bound {bound} of histogram '{histogram.name}' is not above {before}"
            yield Finding(place.value("bounds", number), message, "list them in ascending order")


@histogram_rule("Bounds under `log2` are powers of two, the least one first.")
def histogram_powers(histogram: ir.Histogram, place: Place, entry: language.Histogram) -> Findings:
    if entry.log2 is None:
        return
    for key, bound in (("min", entry.log2.min), ("max", entry.log2.max)):
        if bound.bit_count() != 1:
            below = 1 << (bound.bit_length() - 1)
            message = f"'{key}' of histogram '{histogram.name}' is not a power of two"
            yield Finding(place.value("log2", key), message, f"such as {below} or {2 * below}")
    if entry.log2.min > entry.log2.max:
        message = f"the least bound of histogram '{histogram.name}' is above its greatest"
        yield Finding(place.value("log2", "min"), message, "swap them")


@histogram_rule("A histogram from a MIB has an OID for each of its objects.")
def histogram_oids(histogram: ir.Histogram, place: Place, entry: language.Histogram) -> Findings:
    if entry.snmp is not None and len(entry.snmp.oids) != len(histogram.parts):
        message = f"histogram '{histogram.name}' has {len(histogram.parts)} objects, "
        message += f"not {len(entry.snmp.oids)}"
        hint = "one for each bucket, the last of which is above all bounds, and one for the sum"
        yield Finding(place.value("snmp", "oids"), message, hint)


_UNIT = re.compile(rf"{shapes.UNIT}\Z")


def _items(r: Resolution) -> Iterator[tuple[ir.Item, Place]]:
    for scope in r.module.scopes:
        sums = {histogram.sum for histogram in scope.histograms}  # stand for all of one
        for item in scope.items:
            if not item.limit and (not item.histogram or item.name in sums):
                yield item, r.place("item", scope.name, item.name)


def _called(item: ir.Item) -> str:
    if item.histogram:
        return f"histogram '{item.histogram}'"
    return f"{item.kind.value} '{item.name}'"


@rule_of_each
def text_rule(r: Resolution) -> Iterator[tuple[str, str, Callable[[], Span]]]:
    """Every description as written: what it describes, the text, what tells where it is."""
    for part in {id(p.part): p.part for p in r.places.values()}.values():
        raw, model = part.raw, part.model
        if model.description:
            yield "the module", model.description, partial(raw.value_span, ("description",))
        for name, scope in model.scopes.items():
            if scope.description:
                span = partial(raw.value_span, ("scopes", name, "description"))
                yield f"scope '{name}'", scope.description, span
    for keyed in r.module.every_scope:
        for number, of_key in enumerate(keyed.key):
            place = r.place("scope", keyed.name)
            where = partial(place.value, "key", number, "description")
            yield f"part '{of_key.name}'", of_key.description, where
    for item, place in _items(r):
        yield _called(item), place.entry().description, partial(place.value, "description")
    for limit in (limit for scope in r.module.scopes for limit in scope.limits):
        place = r.place("item", limit.scope, limit.name)
        yield f"limit '{limit.name}'", limit.description, partial(place.value, "description")
    for update in r.module.updates:
        place = r.place("update", update.name)
        description = place.part.model.updates[update.name].description
        if description:
            yield f"update '{update.name}'", description, partial(place.value, "description")
    for notification in r.module.notifications:
        place = r.place("notification", notification.name)
        if not place.broken("description"):
            where = partial(place.value, "description")
            yield f"notification '{notification.name}'", notification.description, where


item_rule = rule_of_each(_items)


@item_rule("Descriptions and units are not empty.")
def empty_text(item: ir.Item, place: Place) -> Findings:
    what = _called(item)
    if not item.description and not place.broken("description"):
        hint = "one sentence for the operator who reads it"
        yield Finding(place.value("description"), f"the description of {what} is empty", hint)
    if not item.unit and item.kind.numeric and place.has("unit") and not place.broken("unit"):
        hint = "a number without a dimension has the unit 1"
        yield Finding(place.value("unit"), f"the unit of {what} is empty", hint)


@text_rule("Text has no control or direction characters, which would disguise it.")
def invisible_text(what: str, text: str, span: Callable[[], Span]) -> Findings:
    match = INVISIBLE.search(text.replace("\n", " ").replace("\t", " "))
    if match:
        message = f"the description of {what} has the invisible character U+{ord(match[0]):04X}"
        yield Finding(span(), message, "remove it")


@text_rule("A description has at most 1,000 characters.")
def long_text(what: str, text: str, span: Callable[[], Span]) -> Findings:
    if len(text) > shapes.MAX_TEXT:
        message = (
            f"the description of {what} has {len(text)} characters, more than {shapes.MAX_TEXT}"
        )
        yield Finding(span(), message, "shorten it")


@item_rule("A unit is one plain word or UCUM unit of at most 32 characters.")
def bad_unit(item: ir.Item, place: Place) -> Findings:
    if item.unit and (len(item.unit) > shapes.MAX_UNIT or not _UNIT.match(item.unit)):
        message = f"the unit of '{item.histogram or item.name}' is not one plain word or UCUM unit"
        yield Finding(place.value("unit"), message, "such as packets, By, ms, {session}/s or 1")


@item_rule("The bounds of a gauge or a state are in order and fit its width.")
def gauge_bounds(item: ir.Item, place: Place) -> Findings:
    if not item.bounded:
        return
    low, high, what = item.minimum, item.maximum, f"{item.kind.value} '{item.name}'"
    if not item.kind.numeric and item.type not in ("int32", "uint32"):
        key = "max" if low is None else "min"
        message = f"'{key}' is for states of type int32 and uint32, '{item.name}' is {item.type}"
        yield Finding(place.key(key), message, f"remove `{key}`")
        return
    if low is not None and high is not None and low > high:
        message = f"the minimum {low} of {what} is above its maximum {high}"
        yield Finding(place.value("min"), message, "swap them")
    least, most = item.value_type.low, item.value_type.high
    for key, bound in (("min", low), ("max", high)):
        if bound is not None and not least <= bound <= most:
            message = f"'{key}' of {what} does not fit {item.width} bits"
            hint = "use `width: 64`" if item.kind.numeric else f"{item.type} is {least} to {most}"
            yield Finding(place.value(key), message, hint)


@item_rule(
    "A state has the keys of its type: labels for an enum, length for a string, and no others."
)
def state_shape(item: ir.Item, place: Place) -> Findings:
    if item.kind.numeric or place.broken():
        return
    for key, owner in KEYS.items():
        written = place.has(key)
        if item.type == owner.name and not written:
            message = f"state '{item.name}' of type {item.type} has no '{key}'"
            yield Finding(place.key(), message, f"add {owner.example}")
        elif item.type != owner.name and written:
            message = f"'{key}' is for states of type {owner.name}, "
            message += f"'{item.name}' is {item.type}"
            yield Finding(place.key(key), message, f"remove `{key}`")


@item_rule("An enum has labels, which differ in name and value.")
def enum_labels(item: ir.Item, place: Place) -> Findings:
    if not item.value_type.labelled or not place.has("labels") or place.broken():
        return
    if not item.labels:
        yield Finding(place.value("labels"), f"enum '{item.name}' has no labels", "add one")
    mapping, numbered = isinstance(place.entry().labels, dict), [*enumerate(item.labels)]
    for (number, label), _ in repeated(numbered, lambda pair: pair[1].name):
        message = f"enum '{item.name}' has the label '{label.name}' twice"
        yield Finding(place.value("labels", number), message, "remove one of the two")
    for (number, label), (_, other) in repeated(numbered, lambda pair: pair[1].value):
        if label.name != other.name:
            message = f"labels '{other.name}' and '{label.name}' both have the value {label.value}"
            where = place.value("labels", label.name if mapping else number)
            yield Finding(where, message, "give each label a different value")

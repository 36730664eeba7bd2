# SPDX-License-Identifier: BSD-3-Clause
"""Rules about what people see instead of names: texts of labels and items, names of metrics."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ...findings.diagnostics import Span
from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.language.items import MAX_SHOWN, ValueLabel
from ...model.naming.c import INVISIBLE
from ..resolve.levels import label_path
from ..resolve.place import Place, Resolution
from .registry import repeated, rule_of_each

_OWN = "ctrgen_"
"""Prefix of the exporter's own metrics."""

_VARIABLE = re.compile(r"[${}]")
"""Signs that begin a variable in titles of Grafana or LibreNMS."""

Set = tuple[str, Sequence[ir.Label], Place, tuple[str | int, ...]]
"""Labels that are seen side by side: whose they are, and where they are written."""


@rule_of_each
def set_rule(r: Resolution) -> Iterator[Set]:
    """The labels of each index, part of a key, and enum."""
    for scope in r.module.every_scope:
        place = r.place("scope", scope.name)
        for level in scope.own:
            if level.texts:
                yield f"'{level.dimension}'", level.named, place, label_path(level)
        for number, part in enumerate(scope.key):
            yield f"part '{part.name}'", part.labels, place, ("key", number, "labels")
        for item in (item for item in scope.items if item.labels):
            where = r.place("item", scope.name, item.name)
            yield f"enum '{item.name}'", item.labels, where, ("labels",)


def _at(label: ir.Label, place: Place, path: tuple[str | int, ...]) -> Span:
    whole = (*path, label.name, "text")
    return place.value(*(whole if place.has(*whole) else whole[:-1]))


def _written(labels: object) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The labels with texts as they are written: name, text, and place of that."""
    for name, entry in labels.items() if isinstance(labels, dict) else ():
        if isinstance(entry, str):
            yield name, entry, (name,)
        elif isinstance(entry, ValueLabel):
            yield name, entry.text, (name, "text")
        for label, text, path in _written(entry):
            yield label, text, (name, *path)


@rule_of_each
def text_rule(r: Resolution) -> Iterator[tuple[str, str, Callable[[], Span]]]:
    """Every text: what it is of, the text, what tells where it is."""
    for scope in r.module.every_scope:
        place = r.place("scope", scope.name)
        model = place.part.model.scopes[scope.name]
        holders: list[tuple[Place, tuple[str | int, ...], object]] = [
            (place, ("labels",), model.labels),
            *((place, ("key", n, "labels"), part.labels) for n, part in enumerate(model.key)),
        ]
        for name in scope.entries:
            where = r.place("item", scope.name, name)
            entry = vars(where.entry())
            if labels := entry.get("labels"):
                holders.append((where, ("labels",), labels))
            if (display := entry.get("display")) is not None:
                yield f"'{name}'", display, partial(where.value, "display")
        for where, path, labels in holders:
            for label, text, more in _written(labels):
                yield f"label '{label}'", text, partial(where.value, *path, *more)


@rule_of_each
def entry_rule(r: Resolution) -> Iterator[tuple[ir.Item | ir.Histogram, Place]]:
    for scope in r.module.scopes:
        items: list[ir.Item | ir.Histogram] = [i for i in scope.items if not i.histogram]
        for entry in (*items, *scope.histograms):
            yield entry, r.place("item", scope.name, entry.name)


@text_rule("A text that people see is one line of 1 to 64 characters.")
def shown_text(what: str, text: str, span: Callable[[], Span]) -> Findings:
    if not text.strip():
        yield Finding(span(), f"the text of {what} is empty", "remove it: people see the name then")
    elif invisible := INVISIBLE.search(text):
        message = f"the text of {what} contains the invisible character U+{ord(invisible[0]):04X}"
        yield Finding(span(), message, "remove it")
    elif text != text.strip():
        yield Finding(span(), f"the text of {what} begins or ends with a blank", "remove it")
    elif len(text) > MAX_SHOWN:
        message = f"the text of {what} has {len(text)} characters, more than {MAX_SHOWN}"
        yield Finding(span(), message, "shorten it; the description can say more")


@entry_rule("A title holds no sign that begins a variable in Grafana or LibreNMS.")
def title_variable(entry: ir.Item | ir.Histogram, place: Place) -> Findings:
    if sign := _VARIABLE.search(entry.display):
        message = f"the text of '{entry.name}' holds a '{sign[0]}'"
        hint = "remove it: in titles of Grafana or LibreNMS it belongs to a variable"
        yield Finding(place.value("display"), message, hint)


@set_rule("No two labels that are seen side by side look the same.")
def same_text(
    whose: str, labels: Sequence[ir.Label], place: Place, path: tuple[str | int, ...]
) -> Findings:
    for label, other in repeated(labels, lambda label: label.shown):
        if label.name != other.name:
            message = f"labels '{other.name}' and '{label.name}' of {whose} are both shown as "
            hint = "give each a text of its own: it distinguishes their series"
            yield Finding(_at(label, place, path), f"{message}'{label.shown}'", hint)


@entry_rule("A name in Prometheus is not one that the exporter has for itself.")
def metric_name(entry: ir.Item | ir.Histogram, place: Place) -> Findings:
    if entry.metric.startswith(_OWN):
        message = f"'{entry.metric}' cannot be the name of a metric: '{_OWN}' is reserved"
        yield Finding(place.value("prometheus", "name"), message, "give it another name")

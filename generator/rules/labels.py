# SPDX-License-Identifier: BSD-3-Clause
"""Rules about scopes whose instances have names: labelled dimensions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..findings.diagnostics import Severity
from ..findings.rules import Finding
from ..language import habits
from ..language.shapes import MAX_LABELS
from ..model import ir
from ..model.naming import c
from ..resolve.levels import label_path
from ..resolve.place import Place
from .registry import repeated
from .scopes import scope_rule

_NUMBERED = re.compile(r"\b0 ?(?:[=:]|(?:is|means|for) )")


@scope_rule("A scope has either `max` or `labels`, and with `labels` all its instances exist.")
def labelled_shape(scope: ir.Scope, place: Place) -> Iterator[Finding]:
    if not place.has("labels") or scope.name == ir.GLOBAL or place.broken("storage"):
        return
    if scope.storage is ir.Storage.DYNAMIC:
        message = f"scope '{scope.name}' has labels: its instances always exist"
        yield Finding(place.value("storage"), message, "remove `storage`")
    elif scope.storage is ir.Storage.STATIC and place.has("max"):
        message = f"scope '{scope.name}' has both 'max' and 'labels'"
        most = habits.shown(place.part.raw.data["scopes"][scope.name]["max"])
        hint = f"remove `max` if the labels are all; if each of {most} has them, add a scope "
        hint += f"`NAME: {{max: {most}}}` and write `parent: NAME` instead of `max`"
        yield Finding(place.key("max"), message, hint)


@scope_rule("A labelled dimension has 1 to 1024 labels, each once.")
def index_labels(scope: ir.Scope, place: Place) -> Iterator[Finding]:
    if not place.has("labels") or place.broken("labels") or scope.name == ir.GLOBAL:
        return
    labels = place.part.model.scopes[scope.name].labels
    if not labels:
        yield Finding(place.value("labels"), f"scope '{scope.name}' has no labels", "add some")
    for level in scope.own if labels else ():
        path = label_path(level)
        if isinstance(labels, dict) and not level.labels:
            message = f"dimension '{level.dimension}' of scope '{scope.name}' has no labels"
            yield Finding(place.value(*path), message, "add some, or remove it")
        if len(level.labels) > MAX_LABELS:
            message = f"'{level.dimension}' has {len(level.labels)} labels, more than {MAX_LABELS}"
            yield Finding(place.value(*path), message, "use `max:` for what is numbered")
        for (number, label), _ in repeated(enumerate(level.labels), lambda pair: pair[1]):
            message = f"'{level.dimension}' has the label '{label}' twice"
            yield Finding(place.value(*path, number), message, "remove one of the two")


@scope_rule("The indexes of a scope have names that readers can tell apart.")
def colliding_index(scope: ir.Scope, place: Place) -> Iterator[Finding]:
    for level, other in repeated(scope.levels, lambda level: c.fold(level.dimension)):
        if level.scope != scope.name or level.scope == other.scope == level.name:
            continue  # said of a parent, or a scope that is its own parent
        span = scope.span if level.name == scope.name else place.key("labels", level.dimension)
        message = f"index '{level.dimension}' of scope '{scope.name}' is called like "
        message += f"'{other.dimension}' of scope '{other.scope}'"
        yield Finding(span, message, "rename one of the two: readers tell indexes by name")


@scope_rule(
    "A description does not say which number is which: they are from 0 in C, from 1 in the MIB.",
    Severity.NOTE,
)
def index_meaning(scope: ir.Scope, place: Place) -> Iterator[Finding]:
    numbered = scope.own and not scope.labelled and not scope.key and not scope.snmp.index
    if numbered and _NUMBERED.search(scope.description) and not place.broken("description"):
        message = f"the description of '{scope.name}' has numbers from 0, those of the MIB are "
        message += "from 1"
        hint = "use `labels:` instead of `max:`, or say it of the rows: `snmp: {row: ...}`"
        yield Finding(place.value("description"), message, hint)

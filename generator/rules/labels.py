# SPDX-License-Identifier: BSD-3-Clause
"""Rules about scopes whose instances have names: labelled dimensions."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings.diagnostics import Span
from ..findings.rules import Finding
from ..model import ir
from ..model.naming import c
from ..resolve.place import Place, Resolution
from .registry import repeated, rule
from .scopes import scope_rule

MAX_LABELS = 1024
"""Most labels of a dimension: more are numbers, not names."""


def _dimension(scope: ir.Scope, level: ir.Level) -> tuple[str, ...]:
    """The path of the labels of an index below its scope."""
    return ("labels",) if level.name == scope.name else ("labels", level.dimension)


@scope_rule("A scope has either `max` or `labels`, and with `labels` all its instances exist.")
def labelled_shape(scope: ir.Scope, place: Place) -> Iterator[Finding]:
    if not place.has("labels") or scope.name == ir.GLOBAL or place.broken("storage"):
        return
    if scope.storage is ir.Storage.DYNAMIC:
        message = f"scope '{scope.name}' has labels: its instances always exist"
        yield Finding(place.value("storage"), message, "remove `storage`")
    elif scope.storage is ir.Storage.STATIC and place.has("max"):
        message = f"scope '{scope.name}' has both 'max' and 'labels'"
        hint = "remove `max`: there are as many instances as labels"
        yield Finding(place.key("max"), message, hint)


@scope_rule("A labelled dimension has 1 to 1024 labels, each once.")
def index_labels(scope: ir.Scope, place: Place) -> Iterator[Finding]:
    if not place.has("labels") or place.broken("labels") or scope.name == ir.GLOBAL:
        return
    labels = place.part.model.scopes[scope.name].labels
    if not labels:
        yield Finding(place.value("labels"), f"scope '{scope.name}' has no labels", "add some")
    for level in scope.own if labels else ():
        path = _dimension(scope, level)
        if isinstance(labels, dict) and not level.labels:
            message = f"dimension '{level.dimension}' of scope '{scope.name}' has no labels"
            yield Finding(place.value(*path), message, "add some, or remove it")
        if len(level.labels) > MAX_LABELS:
            message = f"'{level.dimension}' has {len(level.labels)} labels, more than {MAX_LABELS}"
            yield Finding(place.value(*path), message, "use `max:` for what is numbered")
        for (number, label), _ in repeated(enumerate(level.labels), lambda pair: pair[1]):
            message = f"'{level.dimension}' has the label '{label}' twice"
            yield Finding(place.value(*path, number), message, "remove one of the two")


@rule("Each index of a scope has another name, for C and for readers.")
def colliding_index(r: Resolution) -> Iterator[Finding]:
    levels = [level for scope in r.module.scopes for level in scope.own]
    levels.sort(key=lambda level: level.name != level.scope)  # those named after scopes first
    for level, other in repeated(levels, lambda level: c.fold(level.name)):
        if level.name != level.scope:
            span = r.place("scope", level.scope).key("labels", level.dimension)
            yield _alike(level, "scope" if other.name == other.scope else "index", other.name, span)
    for scope in r.module.scopes:
        for level, other in repeated(scope.levels, lambda level: c.fold(level.dimension)):
            if scope.name in (level.scope, other.scope) and c.fold(level.name) != c.fold(other.name):
                where = level if level.scope == scope.name else other
                if where.name == where.scope:
                    span = scope.span
                else:
                    span = r.place("scope", scope.name).key("labels", where.dimension)
                yield _alike(level, "index", other.name, span)


def _alike(level: ir.Level, kind: str, other: str, span: Span) -> Finding:
    message = f"index '{level.dimension}' of scope '{level.scope}' gets the same name as {kind} "
    return Finding(span, f"{message}'{other}'", "rename one of the two")

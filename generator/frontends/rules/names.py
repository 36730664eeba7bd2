# SPDX-License-Identifier: BSD-3-Clause
"""Rules about names in C, C++, SMI and Prometheus."""

import re
from collections.abc import Iterator
from operator import attrgetter

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.language.shapes import MAX_NAME, MODULE
from ...model.naming import c, symbols
from ...model.naming.names import Use
from ...model.naming.prometheus import metrics
from ..resolve.levels import label_key, label_path
from ..resolve.place import Resolution
from .registry import repeated, rule, rule_of_each

_MODULE = re.compile(rf"{MODULE}\Z")


@rule_of_each
def name_rule(r: Resolution) -> Iterator[tuple[str, str, Span]]:
    """Every name of a schema but the module's: what it names, the name, where it is."""
    for scope in r.module.every_scope:
        if scope.name != ir.GLOBAL:
            yield "scope", scope.name, scope.span
        for level in scope.own if scope.labelled else ():
            if level.name != scope.name:
                place = r.place("scope", scope.name)
                yield "dimension", level.dimension, place.key("labels", level.dimension)
            for number, name in enumerate(level.labels):
                yield "label", name, _index_label_span(r, level, number)
        place = r.place("scope", scope.name)
        for number, part in enumerate(scope.key):
            yield "part", part.name, place.value("key", number, "name")
            for label in part.labels:
                yield "label", label.name, place.value("key", number, "labels")
        for histogram in scope.histograms:
            yield "histogram", histogram.name, histogram.span
            longest = max(histogram.parts, key=len)
            if len(longest) > MAX_NAME >= len(histogram.name):
                yield "bucket", longest, histogram.span
        for limit in scope.limits:
            yield "limit", limit.name, limit.span
            longest = max(limit.parts, key=len)
            if len(longest) > MAX_NAME >= len(limit.name):
                yield "item", longest, limit.span
        for item in (i for i in scope.items if not (i.histogram or i.limit)):
            yield item.kind.value, item.name, item.span
            for number, label in enumerate(item.labels):
                yield "label", label.name, _label_span(r, item, label.name, number)
    for number, view in enumerate(r.module.views):
        if ("views", number) not in r.top.broken:
            yield "view", view, r.top.raw.value_span(("views", number))
    for update in r.module.updates:
        yield "update", update.name, update.span
        place = r.place("update", update.name)
        for argument in update.arguments:
            yield "parameter", argument.name, place.key("args", argument.name)
        for op in {op.role: op for op in update.operations if op.role}.values():
            yield "parameter", op.role, op.span
    for notification in r.module.notifications:
        yield "notification", notification.name, notification.span


def _index_label_span(r: Resolution, level: ir.Level, number: int) -> Span:
    return r.place("scope", level.scope).key(*label_path(level), label_key(level, number))


def _label_span(r: Resolution, item: ir.Item, label: str, number: int) -> Span:
    place = r.place("item", item.scope, item.name)
    labels = place.entry().labels
    return place.key("labels", label if isinstance(labels, dict) else number)


_ENDINGS = ("label", "dimension", "view")
"""Kinds whose names only end longer names."""


def _such_as(name: str) -> str:
    """A name that can be used, as the end of a hint; nothing where none comes to mind."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    usable = name.isascii() and c.IDENTIFIER.match(plain) and not c.reserved(plain)
    usable = usable and len(plain) <= MAX_NAME
    return f", such as {plain}" if usable else ""


def _short(name: str) -> str:
    return name if len(name) <= 80 else f"{name[:80]}..."


def _refused(name: str, kind: str) -> str:
    """The message for a name that things of this kind cannot have."""
    article = "an" if kind[0] in "aeiou" else "a"
    return f"'{_short(name)}' cannot be the name of {article} {kind}"


@rule("A module name is short, lower case, and starts with a letter.")
def module_name(r: Resolution) -> Findings:
    name = r.module.name
    if ("module",) in r.top.broken:
        return
    if not _MODULE.match(name):
        hint = "lower-case letters, digits and _, starting with a letter" + _such_as(name)
        yield Finding(r.module.span, _refused(name, "module"), hint)
    elif c.reserved(name) or name in ("rte", "ctr"):
        why = c.reserved(name) or "reserved: its names would look like those of DPDK or the runtime"
        yield Finding(r.module.span, f"{_refused(name, 'module')}: it is {why}")
    elif name.endswith("_"):
        yield Finding(r.module.span, f"the module name '{name}' ends with an underscore")
    elif len(name) > 31:
        yield Finding(r.module.span, f"the module name has {len(name)} characters, more than 31")


@name_rule("Names are C identifiers of at most 63 characters that start with a letter.")
def invalid_name(kind: str, name: str, span: Span) -> Findings:
    if not c.IDENTIFIER.match(name):
        if kind in _ENDINGS or not c.reserved(name):  # else reported as reserved
            hint = "letters, digits and _, starting with a letter" + _such_as(name)
            yield Finding(span, _refused(name, kind), hint)
    elif len(name) > MAX_NAME:
        message = f"the name of this {kind} has {len(name)} characters, more than {MAX_NAME}"
        yield Finding(span, message, "shorten it; the description can say more")


@name_rule(
    "Names are not keywords of C11 or C++17, macros, or reserved for compiler, DPDK or runtime."
)
def reserved_name(kind: str, name: str, span: Span) -> Findings:
    why = "" if kind in _ENDINGS else c.reserved(name)
    if why:
        word = name.lower().removeprefix("rte_").strip("_")
        longer = f"{word}_{'count' if kind == 'counter' else kind}"
        hint = "rename it" + (_such_as(word) or _such_as(longer))
        yield Finding(span, f"{_refused(name, kind)}: it is {why}", hint)


@rule("A constant of C that is a number of instances is none of ctrgen's names, and no keyword.")
def constant_name(r: Resolution) -> Findings:
    own = symbols.prefix(r.module.name).upper() + "_"
    for scope in r.module.every_scope:
        for level in scope.own:
            if level.symbol.startswith(own) or level.symbol in c.REASONS:
                span = r.place("scope", scope.name).value("max", "symbol")
                message = f"'{level.symbol}' cannot be a number of instances"
                yield Finding(span, message, "name a constant of DPDK, such as RTE_MAX_ETHPORTS")


@rule("No parameter of an update has the name of an index that the update takes.")
def parameter_name(r: Resolution) -> Findings:
    for update in r.module.updates:
        for argument in update.arguments:
            if argument.name in update.indexes:
                span = r.place("update", update.name).key("args", argument.name)
                message = f"parameter '{argument.name}' is also the index of a scope"
                hint = f"the update takes '{argument.name}' as an index; rename the parameter"
                yield Finding(span, message, hint)


@rule("Names differ by more than case and underscores: SMI and Prometheus names drop those.")
def colliding_name(r: Resolution) -> Findings:
    scopes = {scope.name: scope for scope in r.module.every_scope}
    for scope, other in repeated(r.module.every_scope, lambda scope: c.fold(scope.name)):
        yield _same("scope", scope.name, other.name, scope.span)
        del scopes[scope.name]  # its items would all be repeated
    items = [item for scope in scopes.values() for item in scope.items]
    for item, twin in repeated(items, _metric):
        names = item.name, twin.name
        if item.scope != twin.scope:
            names = f"{item.scope}.{item.name}", f"{twin.scope}.{twin.name}"
        yield _same(item.kind.value, *names, item.span)
    for item in items:
        labels = enumerate(item.labels)
        for (number, label), (_, first) in repeated(labels, lambda pair: c.fold(pair[1].name)):
            if label.name != first.name:
                span = _label_span(r, item, label.name, number)
                yield _same("label", label.name, first.name, span)
    for level in (level for scope in scopes.values() for level in scope.own):
        numbered = enumerate(level.labels)
        for (number, name), (_, twin_name) in repeated(numbered, lambda pair: c.fold(pair[1])):
            if name != twin_name:
                yield _same("label", name, twin_name, _index_label_span(r, level, number))
    for update, earlier in repeated(r.module.updates, lambda update: c.fold(update.name)):
        yield _same("update", update.name, earlier.name, update.span)
    for notification, first_notification in repeated(
        r.module.notifications, lambda notification: c.fold(notification.name)
    ):
        yield _same("notification", notification.name, first_notification.name, notification.span)


def _metric(item: ir.Item) -> str:
    return ("" if item.scope == ir.GLOBAL else c.fold(item.scope)) + c.fold(item.name)


def _same(kind: str, name: str, other: str, span: Span) -> Finding:
    message = f"{kind} '{_short(name)}' gets the same name as '{_short(other)}' in MIBs and metrics"
    return Finding(span, message, "names must differ by more than case and underscores")


@rule(
    "No two items give series of the same name in Prometheus.", Severity.WARNING, after_errors=False
)
def series_name(r: Resolution) -> Findings:
    reported: set[tuple[str, str]] = set()
    for found in metrics(r.module):
        item, other = found.item, found.beside
        name = item.histogram or item.name
        if other is None or (item.scope, name) in reported:
            continue
        reported.add((item.scope, name))
        at = f"{other.span.path}:{other.span.line}:{other.span.column}"
        message = f"'{item.scope}.{name}' gets a series of the same name as "
        message += f"'{other.scope}.{other.histogram or other.name}' ({at}): its metric is "
        hint = "rename one of them: a metric is its name, and those of its _total, _created, "
        hint += "_bucket, _count, _sum or _info"
        yield Finding(item.span, f"{message}'{found.metric.family}'", hint)


@rule("No two names in a schema give the same C name; other C names are renamed.")
def generated_name(r: Resolution) -> Findings:
    named = [symbol for symbol in symbols.symbols(r.module) if symbol.use is Use.NAMED]
    reported: set[tuple[str, Span]] = set()
    for alone in ("", "enum"):  # an enum may be called like a function
        alike = [symbol for symbol in named if symbol.tag in (alone, "struct")]
        for symbol, other in repeated(alike, attrgetter("name")):
            if other.owner != symbol.owner and (other.owner, symbol.span) not in reported:
                reported.add((other.owner, symbol.span))
                message = f"{symbol.owner} generates the C name '{_short(symbol.name)}', "
                message += f"which {other.owner} also generates"
                yield Finding(symbol.span, message, f"rename {symbol.owner}, or {other.owner}")

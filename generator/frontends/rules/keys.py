# SPDX-License-Identifier: BSD-3-Clause
"""Rules about keys and labels: what instances are known by."""

from collections.abc import Iterator

from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.language.scalars import flow
from ...model.language.shapes import MAX_LABELS
from ...model.naming import c
from ...publish import keys
from ..resolve.levels import label_path
from ..resolve.place import Place, Resolution
from .registry import repeated, rule, rule_of_each
from .scopes import scope_rule

MOST_ARCS = 128
"""Most numbers of an OID (RFC 2578, 3.5)."""

_INSTEAD = ("labels", "index", "augments")
"""Keys of a scope that say what its rows are indexed by, as its key does."""

_OF_TYPES = {"length": ("string", "octets"), "labels": ("enum",), "fixed": ("string",)}
"""Keys of a part that go with some types only."""

_EXAMPLES = {"length": "`length: 15`", "labels": "`labels: {data: 1, voice: 2}`"}


def _keyed(r: Resolution) -> Iterator[tuple[ir.Scope, Place]]:
    for scope in r.module.every_scope:
        if scope.key:
            yield scope, r.place("scope", scope.name)


@rule_of_each
def part_rule(r: Resolution) -> Iterator[tuple[ir.Scope, ir.KeyPart, int, Place]]:
    for scope, place in _keyed(r):
        for number, part in enumerate(scope.key):
            if not place.broken("key", number):
                yield scope, part, number, place


@scope_rule("Instances that have keys are in a table that has no other index.")
def key_shape(scope: ir.Scope, place: Place) -> Findings:
    if not scope.key:
        return
    if scope.name == ir.GLOBAL or scope.storage is ir.Storage.EMBEDDED:
        message = f"instances of embedded scope '{scope.name}' are in no table, and take no 'key'"
        if scope.name == ir.GLOBAL:
            message = "'global' exists once, and takes no 'key'"
        yield Finding(place.key("key"), message, "remove `key`")
        return
    for key in _INSTEAD:
        if place.has(key):
            message = f"scope '{scope.name}' has both 'key' and '{key}'"
            yield Finding(place.key(key), message, "remove one of the two: each is an index")


@part_rule("A part of a key has the keys of its type: a length, labels, or neither.")
def key_part(scope: ir.Scope, part: ir.KeyPart, number: int, place: Place) -> Findings:
    for key, owners in _OF_TYPES.items():
        written = place.has("key", number, key)
        if part.type in owners and not written and key in _EXAMPLES:
            message = f"part '{part.name}' of type {part.type} has no '{key}'"
            yield Finding(part.span, message, f"add {_EXAMPLES[key]}")
        elif part.type not in owners and written:
            message = f"'{key}' is for parts of type {' or '.join(owners)}, "
            message += f"'{part.name}' is {part.type}"
            yield Finding(place.key("key", number, key), message, f"remove `{key}`")
    if not part.description:
        message = f"the description of part '{part.name}' is empty"
        span = place.value("key", number, "description")
        yield Finding(span, message, "one sentence for the operator who reads it")


@part_rule("The labels of a part of a key are there, differ, and are not negative.")
def key_labels(scope: ir.Scope, part: ir.KeyPart, number: int, place: Place) -> Findings:
    if part.type != "enum" or not place.has("key", number, "labels"):
        return
    where = place.value("key", number, "labels")
    if not part.labels:
        yield Finding(where, f"part '{part.name}' has no labels", "add one")
    for label, other in repeated(part.labels, lambda label: c.fold(label.name)):
        message = f"part '{part.name}' has the labels '{other.name}' and '{label.name}', "
        yield Finding(where, message + "which are equal in a MIB", "rename one of the two")
    for label, other in repeated(part.labels, lambda label: label.value):
        message = f"labels '{other.name}' and '{label.name}' both have the value {label.value}"
        yield Finding(where, message, "give each label a value of its own")
    for label in part.labels:
        if label.value < 0:
            message = f"label '{label.name}' has the value {label.value}: OIDs have no such number"
            yield Finding(where, message, "number labels from 1")


@rule("Parts of a key and items of its scope have different names.")
def key_name(r: Resolution) -> Findings:
    for scope, _ in _keyed(r):
        for part, other in repeated(scope.key, lambda part: c.fold(part.name)):
            message = f"the key of '{scope.name}' has the parts '{other.name}' and '{part.name}', "
            yield Finding(part.span, message + "which are equal in a MIB", "rename one")
        items = {c.fold(item.name): item.name for item in scope.items}
        for part in scope.key:
            if item := items.get(c.fold(part.name)):
                message = f"part '{part.name}' of the key of '{scope.name}' is named as '{item}'"
                hint = "rename one, or remove the item: the key is in the index of every row"
                yield Finding(part.span, message, hint)


@rule("Only the last part of an index can be IMPLIED, a string of any length.")
def key_implied(r: Resolution) -> Findings:
    outer = {level.scope: s for s in r.module.scopes for level in s.levels[: -len(s.own)]}
    for scope, place in _keyed(r):
        if not scope.snmp.implied:
            continue
        last, where = scope.key[-1], place.key("snmp", "implied")
        if not last.value_type.text or last.fixed:
            message = f"part '{last.name}' of the key of '{scope.name}' has no variable length"
            yield Finding(where, message, "remove `implied`: the index has no length of this part")
        elif scope.name in outer:
            message = f"'{scope.name}' is not last in the index of '{outer[scope.name].name}', "
            message += "which is inside it"
            yield Finding(where, message, "remove `implied`")


@rule("The OIDs of rows have at most 128 numbers (RFC 2578, 3.5).")
def key_length(r: Resolution) -> Findings:
    root = r.module.snmp.oid.count(".") + 1
    for scope in r.module.scopes:
        if scope.storage is ir.Storage.EMBEDDED:
            continue
        outer = map(r.module.scope, (level.scope for level in scope.levels))
        keyed = [step for step in outer if step.key]
        own = keys.arcs(r.module, scope)
        above = (scope.snmp.oid.count(".") + 3) if scope.snmp.oid else root + 4
        if keyed and own + above > MOST_ARCS:
            message = f"an OID of '{scope.name}' could have {own + above} numbers, more than "
            message += f"{MOST_ARCS}: {own} of them are its index"
            yield Finding(keyed[-1].key[0].span, message, "shorten the `length` of strings in keys")


@scope_rule("A scope has either `max` or `labels`, and with `labels` all its instances exist.")
def labelled_shape(scope: ir.Scope, place: Place) -> Findings:
    if not place.has("labels") or scope.name == ir.GLOBAL or place.broken("storage"):
        return
    if scope.storage is ir.Storage.DYNAMIC:
        message = f"scope '{scope.name}' has labels: its instances always exist"
        yield Finding(place.value("storage"), message, "remove `storage`")
    elif scope.storage is ir.Storage.STATIC and place.has("max"):
        message = f"scope '{scope.name}' has both 'max' and 'labels'"
        most = flow(place.part.raw.data["scopes"][scope.name]["max"], str)
        hint = f"remove `max` if the labels are all; if each of {most} has them, add a scope "
        hint += f"`NAME: {{max: {most}}}` and write `parent: NAME` instead of `max`"
        yield Finding(place.key("max"), message, hint)


@scope_rule("A labelled dimension has 1 to 1024 labels, each once.")
def index_labels(scope: ir.Scope, place: Place) -> Findings:
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


@scope_rule("The indexes of a scope have names that readers can distinguish.")
def colliding_index(scope: ir.Scope, place: Place) -> Findings:
    for level, other in repeated(scope.levels, lambda level: c.fold(level.dimension)):
        if level.scope != scope.name or level.scope == other.scope == level.name:
            continue  # reported for a parent, or a scope that is its own parent
        span = scope.span if level.name == scope.name else place.key("labels", level.dimension)
        message = f"index '{level.dimension}' of scope '{scope.name}' has the name of "
        message += f"'{other.dimension}' of scope '{other.scope}'"
        yield Finding(span, message, "rename one of the two: readers identify indexes by name")

# SPDX-License-Identifier: BSD-3-Clause
"""Rules about updates: what may be done to which item, and with how wide a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..findings.diagnostics import Severity, Span
from ..findings.rules import Finding
from ..model import ir
from ..resolve.place import Place, Resolution
from .registry import rule

BITS = {"bool": 1, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "int32": 32}
"""Bits of the types of parameters."""

WIDE = ("ipv6", "mac", "string")
"""States that do not fit a register; only their setters take them."""

MAX_PARAMETERS = 60
"""Most parameters of one update; C compilers must accept 127, some of which are indexes."""


class _Operation(NamedTuple):
    op: ir.Operation
    item: ir.Item
    argument: ir.Argument | None
    place: Place

    @property
    def span(self) -> Span:
        """Where the amount is."""
        return self.place.value(self.op.verb, f"{self.op.scope}.{self.op.item}")


def _operations(r: Resolution) -> Iterator[_Operation]:
    """Every operation of every update."""
    items = {(i.scope, i.name): i for scope in r.module.scopes for i in scope.items}
    for update in r.module.updates:
        place = r.place("update", update.name)
        arguments = {argument.name: argument for argument in update.arguments}
        for op in update.operations:
            argument = arguments.get(op.argument or "")
            yield _Operation(op, items[op.scope, op.item], argument, place)


@rule("counter-set", Severity.ERROR, "A counter is only added to: readers rely on it growing.")
def counter_set(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item = entry.op, entry.item
        if item.kind is ir.Kind.COUNTER and op.verb != "add":
            verb = "set" if op.verb == "set" else "subtracted from"
            message = f"'{op.scope}.{op.item}' is a counter and cannot be {verb}"
            yield Finding(op.span, message, "add to it, or make it a gauge")


@rule("state-add", Severity.ERROR, "A state is set, not added to: it is not a number of things.")
def state_add(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item = entry.op, entry.item
        if item.kind is ir.Kind.STATE and op.verb != "set":
            message = f"'{op.scope}.{op.item}' is a state and can only be set"
            yield Finding(op.span, message, "move it to `set:`, or make it a gauge")


@rule("wide-set", Severity.ERROR, "An update sets no state that is wider than a number.")
def wide_set(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item = entry.op, entry.item
        if item.type in WIDE and op.verb == "set":
            message = f"'{op.scope}.{op.item}' of type {item.type} cannot be set by an update"
            yield Finding(op.span, message, "call its setter")


def _limits(item: ir.Item) -> tuple[int, int]:
    if item.type == "bool":
        return 0, 1
    if item.type == "int32":
        return -(2**31), 2**31 - 1
    if item.kind is ir.Kind.GAUGE and item.width == 64:
        return 0, 2**63 - 1
    return 0, 2**item.width - 1


@rule("width-overflow", Severity.ERROR, "An amount fits the item that it changes.")
def width_overflow(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item, argument = entry.op, entry.item, entry.argument
        if item.type in WIDE:
            continue
        low, high = _limits(item)
        if op.constant is not None and item.type != "enum" and not low <= op.constant <= high:
            if op.constant < 0 and op.verb != "set":
                continue  # negative-amount
            message = f"{op.constant} does not fit '{op.scope}.{op.item}' ({low} to {high})"
            yield Finding(entry.span, message)
        elif argument is not None and item.type not in ("bool", "enum"):
            bits = 31 if item.type == "int32" and argument.type != "int32" else item.width
            if BITS[argument.type] > bits:
                message = f"parameter '{argument.name}' ({argument.type}) is wider than "
                message += f"'{op.scope}.{op.item}' ({item.type})"
                hint = "use a narrower parameter"
                if item.kind is not ir.Kind.STATE:
                    hint += " or `width: 64`"
                yield Finding(entry.span, message, hint)


@rule("negative-amount", Severity.ERROR, "What is added or subtracted is not negative.")
def negative_amount(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item, argument = entry.op, entry.item, entry.argument
        if op.verb != "set" and op.constant is not None and op.constant < 0:
            hint = "use `sub:`" if item.kind is ir.Kind.GAUGE and op.verb == "add" else ""
            yield Finding(entry.span, f"cannot {op.verb} the negative number {op.constant}", hint)
        elif argument is not None and argument.type == "int32" and item.type != "int32":
            if item.type in WIDE or item.type in ("bool", "enum"):
                continue  # argument-kind
            message = f"parameter '{argument.name}' can be negative, '{op.scope}.{op.item}' cannot"
            yield Finding(entry.span, message, "use an unsigned type")


@rule("zero-amount", Severity.WARNING, "Adding or subtracting zero does nothing.")
def zero_amount(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op = entry.op
        if op.verb != "set" and op.constant == 0:
            yield Finding(entry.span, f"'{op.scope}.{op.item}' is not changed by 0", "remove it")


@rule("argument-kind", Severity.ERROR, "A bool or enum state is set to a value that it can have.")
def argument_kind(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item, argument = entry.op, entry.item, entry.argument
        target = f"'{op.scope}.{op.item}'"
        if op.verb != "set":
            continue
        if item.type == "bool" and argument is not None and argument.type != "bool":
            message = f"{target} is a bool, parameter '{argument.name}' is {argument.type}"
            yield Finding(entry.span, message, "use a parameter of type bool")
        elif item.type == "enum" and argument is not None and argument.type == "bool":
            message = f"{target} is an enum, parameter '{argument.name}' is bool"
            yield Finding(entry.span, message, "use a parameter of type int32")
        elif item.type == "enum" and argument is not None and argument.type == "uint64":
            message = f"{target} is an enum, parameter '{argument.name}' is wider than one"
            yield Finding(entry.span, message, "use a parameter of type int32")
        elif item.labels and op.constant not in (None, *(label.value for label in item.labels)):
            names = ", ".join(label.name for label in item.labels[:10])
            yield Finding(
                entry.span, f"{target} has no label for {op.constant}", f"labels: {names}"
            )


@rule("gauge-range", Severity.ERROR, "A gauge is set to a value within its bounds.")
def gauge_range(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item = entry.op, entry.item
        if item.kind is not ir.Kind.GAUGE or op.verb != "set" or op.constant is None:
            continue
        low, high = item.minimum or 0, item.maximum
        if op.constant < low or (high is not None and op.constant > high):
            bounds = f"at least {low}" if high is None else f"from {low} to {high}"
            yield Finding(
                entry.span, f"gauge '{op.scope}.{op.item}' is {bounds}, not {op.constant}"
            )


@rule(
    "duplicate-operation",
    Severity.ERROR,
    "An update does one thing to an item: the order of several would matter.",
)
def duplicate_operation(r: Resolution) -> Iterator[Finding]:
    for update in r.module.updates:
        seen: dict[tuple[str, str], ir.Operation] = {}
        for op in update.operations:
            other = seen.setdefault((op.scope, op.item), op)
            if other is not op:
                message = f"update '{update.name}' already has '{other.verb}' for "
                message += f"'{op.scope}.{op.item}' in line {other.span.line}"
                yield Finding(op.span, message, "keep one of the two")


@rule("empty-update", Severity.ERROR, "An update changes something.")
def empty_update(r: Resolution) -> Iterator[Finding]:
    for update in r.module.updates:
        place = r.place("update", update.name)
        model = place.part.model.updates[update.name]
        if not (model.add or model.sub or model.set) and not place.broken():
            hint = "list what it does under `add:`, `sub:` or `set:`"
            yield Finding(update.span, f"update '{update.name}' changes nothing", hint)


@rule("unused-argument", Severity.WARNING, "A parameter of an update is used by it.")
def unused_argument(r: Resolution) -> Iterator[Finding]:
    for update in r.module.updates:
        place = r.place("update", update.name)
        model = place.part.model.updates[update.name]
        if place.broken():
            continue
        used = {amount for group in (model.add, model.sub, model.set) for amount in group.values()}
        for argument in update.arguments:
            if argument.name not in used:
                message = f"update '{update.name}' does not use its parameter '{argument.name}'"
                yield Finding(place.key("args", argument.name), message, "remove it")


@rule("shadowed-label", Severity.ERROR, "A value of an enum is not also the name of a parameter.")
def shadowed_label(r: Resolution) -> Iterator[Finding]:
    for entry in _operations(r):
        op, item = entry.op, entry.item
        if op.verb == "set" and op.argument in {label.name for label in item.labels}:
            message = f"'{op.argument}' is both a parameter and a label of '{op.scope}.{op.item}'"
            yield Finding(entry.span, message, "rename the parameter")


@rule("many-parameters", Severity.ERROR, "An update has at most 60 parameters.")
def many_parameters(r: Resolution) -> Iterator[Finding]:
    for update in r.module.updates:
        if len(update.arguments) > MAX_PARAMETERS:
            message = f"update '{update.name}' has {len(update.arguments)} parameters"
            yield Finding(update.span, message, f"at most {MAX_PARAMETERS}")

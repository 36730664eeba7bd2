# SPDX-License-Identifier: BSD-3-Clause
"""Rules about updates: what may be done to which item, and with how wide a number."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.kinds import OBSERVE, VERBS
from ..resolve.place import Place, Resolution
from .registry import repeated, rule, rule_of_each

MAX_PARAMETERS = 60
"""Most parameters of one update; C compilers must accept 127, some of which are indexes."""

MAX_LIST = 16
"""Most instances of one scope that a call of an update changes."""

_IN_BRACKETS = re.compile(r"\[(\w+)\]")


class Operation(NamedTuple):
    """An operation on one item. `argument` is None if the amount is a constant."""

    verb: str
    constant: int | None
    argument: ir.Argument | None
    item: ir.Item
    target: str  # 'scope.item' as it is written, in quotes
    key: Span  # where the target is written
    place: Place  # of the update
    under: str  # the key of the update that has the target
    written: str

    @property
    def amount(self) -> Span:
        """Where the amount is written."""
        return self.place.value(self.under, self.written)


@rule_of_each
def operation_rule(r: Resolution) -> Iterator[tuple[Operation]]:
    items = {(i.scope, i.name): i for scope in r.module.scopes for i in scope.items}
    for update in r.module.updates:
        place = r.place("update", update.name)
        arguments = {argument.name: argument for argument in update.arguments}
        for op in update.operations:
            item = items[op.scope, op.item]
            if op.observed:  # the sum of the histogram takes the same argument
                continue
            key = OBSERVE if item.histogram or op.verb == OBSERVE else op.verb
            yield (Operation(
                op.verb, op.constant, arguments.get(op.argument or ""), item,
                f"'{op.target}'", op.span, place, key, op.target,
            ),)  # fmt: skip


update_rule = rule_of_each(lambda r: ((u, r.place("update", u.name)) for u in r.module.updates))


@operation_rule("A counter is only added to: readers rely on it growing.")
def counter_set(op: Operation) -> Findings:
    if op.item.kind is ir.Kind.COUNTER and op.verb not in op.item.kind.updates:
        message = f"{op.target} is a counter and cannot be {VERBS[op.verb]}"
        yield Finding(op.key, message, "add to it, or make it a gauge")


@operation_rule("A state is set, not added to: it is not a number of things.")
def state_add(op: Operation) -> Findings:
    if op.item.kind is ir.Kind.STATE and op.verb not in op.item.kind.updates:
        message = f"{op.target} is a state and can only be set"
        yield Finding(op.key, message, "move it to `set:`, or make it a gauge")


@operation_rule("An update sets no state that is wider than a number.")
def wide_set(op: Operation) -> Findings:
    if op.item.value_type.wide and op.verb == "set":
        message = f"{op.target} of type {op.item.type} cannot be set by an update"
        yield Finding(op.key, message, "call its setter")


@operation_rule("An amount fits the item that it changes.")
def width_overflow(op: Operation) -> Findings:
    item, value_type = op.item, op.item.value_type
    if value_type.wide or value_type.labelled:
        return
    low, high = item.kind.range(value_type)
    if op.constant is not None:
        negative = op.constant < 0 and op.verb != "set"  # a negative-amount
        if not negative and not low <= op.constant <= high:
            yield Finding(op.amount, f"{op.constant} does not fit {op.target} ({low} to {high})")
        return
    argument = op.argument
    if argument is not None and item.type != "bool" and argument.value_type.high > value_type.high:
        message = f"parameter '{argument.name}' ({argument.type}) is wider than "
        message += f"{op.target} ({item.type})"
        wider = " or `width: 64`" if item.kind.numeric else ""
        yield Finding(op.amount, message, f"use a narrower parameter{wider}")


@operation_rule("What is added or subtracted is not negative.")
def negative_amount(op: Operation) -> Findings:
    item, value_type = op.item, op.item.value_type
    if op.verb != "set" and op.constant is not None and op.constant < 0:
        hint = "use `sub:`" if op.verb == "add" and "sub" in item.kind.updates else ""
        yield Finding(op.amount, f"cannot {op.verb} the negative number {op.constant}", hint)
        return
    other = value_type.signed or value_type.wide or item.type == "bool"  # an argument-kind
    if op.argument is not None and op.argument.value_type.signed and not other:
        message = f"parameter '{op.argument.name}' can be negative, {op.target} cannot"
        yield Finding(op.amount, message, "use an unsigned type")


@operation_rule("Adding or subtracting zero does nothing.", Severity.WARNING)
def zero_amount(op: Operation) -> Findings:
    if op.verb != "set" and op.constant == 0:
        yield Finding(op.amount, f"{op.target} is not changed by 0", "remove it")


@operation_rule("A bool or enum state is set to a value that it can have.")
def argument_kind(op: Operation) -> Findings:
    argument, labels = op.argument, op.item.labels
    if op.verb != "set":
        return
    if op.item.type == "bool" and argument is not None and argument.type != "bool":
        message = f"{op.target} is a bool, parameter '{argument.name}' is {argument.type}"
        yield Finding(op.amount, message, "use a parameter of type bool")
    elif op.item.value_type.labelled and argument is not None:
        unfit = {"bool": "bool", "uint64": "wider than one"}.get(argument.type)
        if unfit:
            message = f"{op.target} is an enum, parameter '{argument.name}' is {unfit}"
            yield Finding(op.amount, message, "use a parameter of type int32")
    elif labels and op.constant not in [label.value for label in labels]:
        names = ", ".join(label.name for label in labels[:10])
        yield Finding(op.amount, f"{op.target} has no label for {op.constant}", f"labels: {names}")


@operation_rule("A gauge or a state is set to a value within its bounds.")
def gauge_range(op: Operation) -> Findings:
    if not op.item.bounded or op.verb != "set" or op.constant is None:
        return
    (low, most), high = op.item.range, op.item.maximum
    if op.constant < low or (high is not None and op.constant > most):
        bounds = f"at least {low}" if high is None else f"from {low} to {high}"
        what = op.item.kind.value
        yield Finding(op.amount, f"{what} {op.target} is {bounds}, not {op.constant}")


@update_rule("An update does one thing to an item: the order of several would matter.")
def duplicate_operation(update: ir.Update, place: Place) -> Findings:
    for op, other in repeated(
        update.operations, lambda op: (op.scope, op.item, op.labels, op.role)
    ):
        message = f"update '{update.name}' already has '{other.verb}' for "
        message += f"'{op.target}' in line {other.span.line}"
        yield Finding(op.span, message, "keep one of the two")


@update_rule("An update changes one instance of a scope, a list of them, or some that it names.")
def other_instance(update: ir.Update, place: Place) -> Findings:
    first: dict[str, ir.Operation] = {}
    for op in update.operations:
        other = first.setdefault(op.scope, op)
        if (op.labels, op.most, not op.role) != (other.labels, other.most, not other.role):
            message = (
                f"'{other.target}' and '{op.target}' are not the same instance of '{op.scope}'"
            )
            hint = "make them two updates, and call both"
            if not (op.labels or other.labels):
                hint = "write the same brackets behind the scope, or names in both"
            yield Finding(op.span, message, hint)


@rule("Several instances that an update changes are of a scope whose storage is the module's.")
def several_embedded(r: Resolution) -> Findings:
    for update, op in _several(r):
        if r.module.scope(op.scope).storage is ir.Storage.EMBEDDED:
            message = f"'{op.target}': instances of '{op.scope}' are objects of the application"
            yield Finding(op.span, message, f"call '{update.name}' for each object")


@rule("A list has 1 to 16 instances, and no other scope of the update is inside it.")
def list_length(r: Resolution) -> Findings:
    for update, op in _several(r):
        if op.most > MAX_LIST:
            message = f"'{op.target}' is a list of up to {op.most} instances"
            hint = (
                f"write `[0..{MAX_LIST - 1}]` or less, and call the update for each part of a list"
            )
            yield Finding(op.span, message, hint)
        inner = (s for s in update.scopes if s != op.scope and op.scope in r.module.scope(s).path)
        if op.most and (inside := next(inner, None)):
            message = f"'{inside}' is inside '{op.scope}', of which '{op.target}' is a list"
            yield Finding(op.span, message, f"change '{inside}' by an update of its own")


@rule("A name for one of several instances is no index, nor a name in another scope.")
def instance_name(r: Resolution) -> Findings:
    levels = {level.name for scope in r.module.every_scope for level in scope.levels}
    for update, op in _several(r):
        owner = update.roles.get(op.role, op.scope)
        if op.role in levels or owner != op.scope:
            whose = "the index of a scope" if op.role in levels else f"an instance of '{owner}'"
            message = f"'{op.role}' in '{op.target}' is also {whose}"
            yield Finding(op.span, message, "name it otherwise: it is a parameter of the function")


def _several(r: Resolution) -> Iterator[tuple[ir.Update, ir.Operation]]:
    """The first operations on a list, or on a named instance, of each update."""
    for update in r.module.updates:
        several = [op for op in reversed(update.operations) if op.most or op.role]
        for op in {(op.scope, op.role): op for op in several}.values():
            yield update, op


@update_rule("An update changes something.")
def empty_update(update: ir.Update, place: Place) -> Findings:
    model = place.part.model.updates[update.name]
    if not any(getattr(model, verb) for verb in (*VERBS, OBSERVE)) and not place.broken():
        hint = "list what it does under `add:`, `sub:`, `set:` or `observe:`"
        yield Finding(update.span, f"update '{update.name}' changes nothing", hint)


@update_rule("A parameter of an update is used by it.", Severity.WARNING)
def unused_argument(update: ir.Update, place: Place) -> Findings:
    model = place.part.model.updates[update.name]
    if place.broken():
        return
    pairs = [pair for verb in (*VERBS, OBSERVE) for pair in getattr(model, verb).items()]
    used = {amount for _, amount in pairs}
    used |= {word for target, _ in pairs for word in _IN_BRACKETS.findall(target)}  # reported there
    for argument in update.arguments:
        if argument.name not in used:
            message = f"update '{update.name}' does not use its parameter '{argument.name}'"
            yield Finding(place.key("args", argument.name), message, "remove it")


@operation_rule("A value of an enum is not also the name of a parameter.")
def shadowed_label(op: Operation) -> Findings:
    name = op.argument.name if op.argument is not None else ""
    if op.verb == "set" and name in {label.name for label in op.item.labels}:
        message = f"'{name}' is both a parameter and a label of {op.target}"
        yield Finding(op.amount, message, "rename the parameter")


@update_rule("An update has at most 60 parameters.")
def many_parameters(update: ir.Update, place: Place) -> Findings:
    if len(update.arguments) > MAX_PARAMETERS:
        message = f"update '{update.name}' has {len(update.arguments)} parameters"
        yield Finding(update.span, message, f"at most {MAX_PARAMETERS}")

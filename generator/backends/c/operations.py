# SPDX-License-Identifier: BSD-3-Clause
"""Operations of updates on words, their parameters, and which of them belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...model import ir, records
from ...model.kinds import OBSERVE
from .items import CounterView, ItemView, ScopeView

SIZES = {"bool": 1, "uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8, "int32_t": 4}
"""Bytes of the C types of parameters that are passed by value."""

C_TYPES = {type_.removesuffix("_t"): type_ for type_ in SIZES}
"""C types of the arguments of updates."""


def literal(value: int, bits: int) -> str:
    """An integer constant of C that converts to an unsigned word without a warning."""
    if value < 0:
        return f"(uint{bits}_t)({value})"
    if value >= 2**32:
        return f"UINT64_C({value})"
    return f"{value}u" if value >= 2**31 else str(value)


class OpView:
    """One operation: `verb` applied to the word of `item` with `value`.

    `operands` are the parameters that `value` is made of. It is one of `many` where a bulk call
    does it for each of its elements, in one transaction.
    """

    def __init__(
        self,
        verb: str,
        item: ItemView | CounterView,
        value: str,
        operands: tuple[str, ...] = (),
        many: bool = False,
    ) -> None:
        self.verb, self.item, self.value, self.operands = verb, item, value, operands
        self.place, self.bits = item.place, item.bits  # the lvalue of the word, and its width
        self.counts = item.accumulates
        # Whether it is of one call: several of them are no sum.
        self.single = item.number != "" or verb == OBSERVE
        # Whether it is the same word of the instance in every call.
        self.one_word = item.scope.single and not self.single
        # Whether an add in memory is as fast as a load, an add and a store behind a lock, too: one
        # of many there, or one of the two of an observation (docs/decisions.md, 30).
        self.in_memory = many or self.single or item.in_histogram

    def of_many(self) -> OpView:
        """The same for each element of a bulk call."""
        return OpView(self.verb, self.item, self.value, self.operands, many=True)

    def place_in(self, instance: str) -> str:
        """The lvalue of the same word in another copy of a domain's instance."""
        return self.item.within(self.item.scope.element_in(instance))


class Parameter(NamedTuple):
    """A parameter: its C type and name, and what a single call passes for it; a list of at most
    `most` if that is not 0."""

    type: str
    name: str
    call: str
    most: int = 0

    @property
    def sizes(self) -> list[int]:
        """Bytes of its values, which a record holds one behind the other."""
        return [SIZES["uint32_t"]] * self.most or [SIZES[self.type]]

    @property
    def declaration(self) -> str:
        return f"{self.type}{'' if self.type.endswith('*') else ' '}{self.name}"

    @property
    def array(self) -> str:
        """The declaration of an array of such values, which a bulk call takes."""
        element = f"{self.type}const" if self.type.endswith("*") else f"const {self.type}"
        return f"{element} *{self.name}_v"

    def summed_up(self) -> Parameter:
        """Its sum; `call` is what one call adds to it, as unsigned."""
        cast = "(uint64_t)" if self.type == C_TYPES["int32"] else ""
        return Parameter("uint64_t", self.name, f"{cast}{self.name}")


def declared(parameters: Iterable[Parameter]) -> str:
    """The text of a parameter list; empty without parameters."""
    return ", ".join(p.declaration for p in parameters)


class Record(NamedTuple):
    """A deferred call of function `call` (model/records.py).

    `number` identifies the kind of record, `members` are the parameters in the order of struct
    `name`.
    """

    number: int
    name: str
    call: str
    members: tuple[Parameter, ...]

    @property
    def size(self) -> int:
        """Bytes of the struct."""
        return records.size(size for p in self.members for size in p.sizes)


def operands(ops: Iterable[OpView]) -> set[str]:
    """The parameters that operations use, the indexes of their scopes included."""
    scopes = {id(op.item.scope): op.item.scope for op in ops}
    names = {name for op in ops for name in op.operands}
    return names.union(*(scope.operands for scope in scopes.values()))


class Form(NamedTuple):
    """How a function has the values of an update: those of one call, or of several summed up.
    How many calls it stands for; the sum and the last value of an argument."""

    calls: str
    total: str = "{}"
    last: str = "{}"


CALL = Form("1")
RUN = Form("n", "{}", "{}_last")
BULK = Form("total", "total_{}", "last_{}")


def operation(
    op: ir.Operation, item: ItemView, arguments: Mapping[str, tuple[str, str]], form: Form
) -> OpView:
    """An operation of an update; `arguments` are (type in the schema, C name) by name."""
    if op.observed:
        _, c_name = arguments[op.observed]
        bucket = item.scope.histogram(item.ir.histogram).bucket(c_name)
        return OpView(op.verb, bucket, "1", (c_name,))
    if op.argument is not None:
        type_, c_name = arguments[op.argument]
        name = (form.last if op.verb == "set" else form.total).format(c_name)
        value = _converted(op.verb, type_, name, item.bits, form)
        return OpView(op.verb, item, value, (name,))
    assert op.constant is not None
    if op.verb == "set" or form is CALL:
        return OpView(op.verb, item, literal(op.constant, item.bits))
    total = form.calls if op.constant == 1 else f"{form.calls} * {literal(op.constant, 64)}"
    if item.bits == 32:
        total = f"(uint32_t){total}" if op.constant == 1 else f"(uint32_t)({total})"
    return OpView(op.verb, item, total, (form.calls,))


def _converted(verb: str, type_: str, name: str, bits: int, form: Form) -> str:
    """The value of an argument as the word of an item takes it."""
    if verb == "set" and type_ == "bool":
        return f"{name} ? 1u : 0u"
    if verb != "set" and form is not CALL:
        return f"(uint32_t){name}" if bits == 32 else name
    return f"(uint{bits}_t){name}" if type_ == "int32" else name


def parts(ops: Iterable[Any], apart: bool = False) -> list[tuple[ScopeView | None, list[Any]]]:
    """Operations by what they are done for: those of the call, without a scope; for each instance
    of a list those on its scope. With `apart` those on each scope or named instance."""
    found: dict[int, tuple[ScopeView | None, list[Any]]] = {}
    for op in ops:
        scope = op.item.scope if op.item.scope.listing or apart else None
        found.setdefault(id(scope), (scope, []))[1].append(op)
    return sorted(found.values(), key=lambda part: part[0] is not None)


def together(ops: Iterable[OpView], most: int) -> list[tuple[OpView, ...]]:
    """Operations in the same order, at most so many neighbours together whose words have 64 bits;
    others alone."""
    result: list[tuple[OpView, ...]] = []
    for op in ops:
        if op.bits == 64 and result and len(result[-1]) < most and result[-1][0].bits == 64:
            result[-1] += (op,)
        else:
            result.append((op,))
    return result

# SPDX-License-Identifier: BSD-3-Clause
"""Operations on words and what holds them together: the parts of an update."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ...model import ir
from .views import DomainView, ItemView, ScopeView

C_TYPES = {
    "bool": "bool",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "int32": "int32_t",
}
"""C types of the arguments of updates."""


def literal(value: int, bits: int) -> str:
    """An integer constant of C that converts to an unsigned word without a warning."""
    if value < 0:
        return f"(uint{bits}_t)({value})"
    if value >= 2**32:
        return f"UINT64_C({value})"
    return f"{value}u" if value >= 2**31 else str(value)


@dataclass(frozen=True)
class OpView:
    """One operation: `verb` applied to the word at `place` with `value`."""

    verb: str
    item: ItemView
    place: str
    value: str

    @property
    def bits(self) -> int:
        return self.item.bits


@dataclass(frozen=True)
class Transaction:
    """The operations of one call under one domain.

    `scopes` are the touched scopes in order. `params` and `args` are those of
    a function that holds just this transaction. `foreign_call` are the lines
    that hand the call to the out-of-line variant for threads without an lcore
    id, `foreign_params` its parameters.
    """

    domain: DomainView
    name: str
    ops: tuple[OpView, ...]
    scopes: tuple[ScopeView, ...]
    params: str = ""
    args: str = ""
    foreign_call: tuple[str, ...] = ()
    foreign_params: str = ""
    calls: str = "1"  # how many calls of the update it stands for

    @property
    def foreign(self) -> str:
        """Name of the out-of-line variant."""
        return f"{self.name}_foreign"

    @property
    def single(self) -> bool:
        """Whether this is an accessor of one item, which has no out-of-line variant."""
        return not self.foreign_call

    @property
    def sets(self) -> bool:
        """Whether any operation stores a value rather than adding."""
        return any(op.verb == "set" for op in self.ops)

    @property
    def needs_self(self) -> bool:
        """Whether any element is in the instance rather than in an object of the caller."""
        return any(not scope.embedded for scope in self.scopes)

    @functools.cached_property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """Every index of the touched scopes with the macro that bounds it."""
        return tuple(dict.fromkeys(limit for scope in self.scopes for limit in scope.limits))

    @functools.cached_property
    def found(self) -> tuple[ScopeView, ...]:
        """Scopes whose element is looked up before the transaction begins."""
        return tuple(scope for scope in self.scopes if scope.dynamic)

    @functools.cached_property
    def elements(self) -> tuple[tuple[ScopeView, str], ...]:
        """Each touched scope with the lvalue of its element."""
        return tuple((scope, element(scope)) for scope in self.scopes)


def element(scope: ScopeView) -> str:
    """The lvalue of an instance's data, given `self` (static) or a found pointer."""
    if scope.embedded:
        return f"(*{scope.name})"
    if scope.dynamic:
        return f"(*{scope.name}_data)"
    return f"self->{scope.name}{scope.subscript}"


def place(item: ItemView) -> str:
    """The lvalue of an item's word."""
    scope = item.scope
    if item.part == "common":
        if scope.dynamic:
            return f"{scope.name}_common->{item.name}"
        return f"{scope.module}_common.{scope.name}{scope.subscript}.{item.name}"
    if scope.embedded:
        return f"{scope.name}->{item.name}"
    if scope.dynamic:
        return f"{scope.name}_data->{item.name}"
    return f"self->{scope.name}{scope.subscript}.{item.name}"


class Parameter(NamedTuple):
    """A parameter: its C declaration, its name, and what a single call passes for it."""

    declaration: str
    name: str
    one: str


def names(ops: Iterable[OpView]) -> set[str]:
    """Every word that some operations mention, the indexes of their scopes included."""
    text = " ".join(f"{op.place} {op.value} {op.item.scope.args}" for op in ops)
    return set(re.findall(r"\w+", text))


@dataclass(frozen=True)
class Form:
    """How the values of an update are named: in the call itself, or summed up."""

    count: str | None  # how many calls are summed up; None for a single call
    total: str = "{}"  # the sum of an argument
    last: str = "{}"  # the last value of an argument


ONE = Form(None)
RUN = Form("n", "{}", "{}_last")
BULK = Form("total", "total_{}", "last_{}")


def _argument(op: ir.Operation, types: dict[str, str], item: ItemView, form: Form) -> str:
    assert op.argument is not None
    kind = types[op.argument]
    name = (form.last if op.verb == "set" else form.total).format(op.argument)
    if op.verb == "set" and kind == "bool":
        return f"{name} ? 1u : 0u"
    if op.verb != "set" and form.count:
        return f"(uint32_t){name}" if item.bits == 32 else name
    return f"(uint{item.bits}_t){name}" if kind == "int32" else name


def value(op: ir.Operation, types: dict[str, str], item: ItemView, form: Form) -> str:
    """The C expression of an operation's operand; `types` are those of the arguments."""
    if op.constant is None:
        return _argument(op, types, item, form)
    if op.verb == "set" or form.count is None:
        return literal(op.constant, item.bits)
    total = form.count if op.constant == 1 else f"{form.count} * {literal(op.constant, 64)}"
    if item.bits == 32:
        return f"(uint32_t){total}" if op.constant == 1 else f"(uint32_t)({total})"
    return total


def single(domain: DomainView, item: ItemView, verb: str, value: str) -> Transaction:
    """The transaction of an accessor of one item."""
    op = OpView(verb, item, place(item), value)
    return Transaction(domain, item.fn(verb), (op,), (item.scope,))

# SPDX-License-Identifier: BSD-3-Clause
"""Operations on words and what holds them together: the parts of an update."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...model import ir, records
from ...model.kinds import OBSERVE
from ...model.naming.symbols import Names
from .items import CounterView, ItemView
from .scopes import ScopeView
from .views import DomainView

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


class OpView(NamedTuple):
    """One operation: `verb` applied to the word of `item` with `value`.

    `operands` are the parameters that `value` is made of. It is one of `many` where a bulk call
    does it for each of its elements, in one transaction.
    """

    verb: str
    item: ItemView | CounterView
    value: str
    operands: tuple[str, ...] = ()
    many: bool = False

    @property
    def place(self) -> str:
        """The lvalue of the word."""
        return self.item.place

    def place_in(self, instance: str) -> str:
        """The lvalue of the same word in another copy of a domain's instance."""
        return self.item.within(self.item.scope.element_in(instance))

    @property
    def bits(self) -> int:
        return self.item.bits

    @property
    def marks(self) -> tuple[ItemView, ...]:
        """The peaks of a gauge. A sum may be its least value: the first one, or modulo 2^64."""
        return self.item.marks

    @property
    def single(self) -> bool:
        """Whether it is of one call: several of them are no sum."""
        return self.item.number != "" or self.verb == OBSERVE

    @property
    def in_memory(self) -> bool:
        """Whether an add in memory is as fast as a load, an add and a store behind a lock, too: one
        of many there, or one of the two of an observation (docs/adr/0030-adds-behind-a-lock.md)."""
        return self.many or self.single or self.item.in_histogram

    @property
    def one_word(self) -> bool:
        """Whether it is the same word of the instance in every call."""
        return self.item.scope.single and not self.single

    @property
    def counts(self) -> bool:
        """Whether the item is a counter, which only accumulates."""
        return self.item.accumulates


class Parameter(NamedTuple):
    """A parameter: its C type and name, and what a single call passes for it."""

    type: str
    name: str
    call: str

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
    """A call as a strategy holds it back (model/records.py): one of function `call`.

    `number` tells it from other records, `members` are the parameters in the order in which
    struct `name` has them.
    """

    number: int
    name: str
    call: str
    members: tuple[Parameter, ...]

    @property
    def size(self) -> int:
        """Bytes of the struct."""
        return records.size(SIZES[p.type] for p in self.members)


class Transaction:
    """The operations of one call under one domain.

    `scopes` are the touched scopes in order, `parameters` those of a function that holds just
    this transaction. The out-of-line variant takes `outer` parameters, of which the call passes
    `passed`; an accessor of one item has none, and no `sym`. `calls` is how many calls of the
    update it stands for; `loop`: the lines that do the elements of a bulk call one by one.
    `record` is what may be held back instead; None for one that sets a value, and for an accessor.
    `ready`: that the module is initialised is known already.
    """

    def __init__(
        self,
        domain: DomainView,
        ops: Sequence[OpView],
        scopes: Sequence[ScopeView],
        sym: Names | None = None,
        parameters: Sequence[Parameter] = (),
        loop: tuple[str, ...] = (),
        outer: Sequence[Parameter] = (),
        calls: str = "1",
        record: Record | None = None,
        ready: bool = False,
        passed: str = "",
    ) -> None:
        self.domain, self.ops, self.scopes, self.sym = domain, tuple(ops), tuple(scopes), sym
        self.loop, self.calls, self.record, self.passed = loop, calls, record, passed
        self.params = declared(parameters)
        self.args = ", ".join(p.name for p in parameters)
        self.is_accessor = sym is None
        self.sets = any(op.verb == "set" for op in ops)
        self.counting = tuple(op for op in ops if op.counts)
        # Scopes whose element is looked up before the transaction begins.
        self.dynamic_scopes = tuple(scope for scope in scopes if scope.dynamic)
        # Every index parameter with the macro that bounds it.
        self.limits = tuple(dict.fromkeys(limit for scope in scopes for limit in scope.unsure))
        # Any element is in the instance rather than in an object of the caller.
        self.needs_self = any(not scope.embedded for scope in scopes)
        # Whether the module is initialised is to be asked: no dynamic instance exists before.
        self.asks_ready = self.needs_self and not ready and not self.dynamic_scopes
        used = operands(ops)
        self.unused = [p.name for p in parameters if p.name not in used]
        outlined = domain.layout.strategy.outlined
        first = [Parameter("unsigned int", "from", "")] if outlined == "rest" else []
        self.non_lcore_params = declared([*first, *outer])
        # The lines that hand it to its out-of-line variant; none of an accessor.
        self.non_lcore_call = loop or ((self.outlined(),) if sym else ())
        # An lcore may leave it to that: nothing comes behind it.
        self.may_go = bool(outlined) and sym is not None and not loop
        # What is done instead while the module is not initialised: elements find that out.
        self.early_lines = loop or (f"{domain.module.note_late}({calls});",)

    def outlined(self, first: int = 0) -> str:
        """The call of the out-of-line variant; the operations before `first` are done."""
        rest = f"{first}, " if self.domain.layout.strategy.outlined == "rest" else ""
        return f"{self.sym.non_lcore}({rest}{self.passed});" if self.sym else ""

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """What is done instead on a thread without an lcore id."""
        if self.non_lcore_call:
            return self.non_lcore_call
        op, scope = self.ops[0], self.scopes[0]
        place = f"{op.value}, &{scope.sym.table}, member, {'sum_member' if scope.sums else '0'}"
        if scope.is_global:
            return (f"ctr_update_elsewhere_global{op.bits}({place});",)
        return (f"ctr_update_elsewhere{op.bits}({scope.flat}, {place});",)

    @property
    def bare(self) -> bool:
        """Whether the machine code of a run of one is as good: it is no record, and behind a lock
        an add of a constant is shorter."""
        answers = self.domain.sync.answers
        locked = answers("enter") and answers("apply")
        return self.record is None and not answers("apply_all") and not locked

    @property
    def idle(self) -> list[str]:
        """The members of its record that no operation on counters needs."""
        used = operands(self.counting).union(*(scope.indexes for scope in self.dynamic_scopes))
        used |= {self.calls} if self.dynamic_scopes else set()
        return [p.name for p in self.record.members if p.name not in used] if self.record else []

    @property
    def sums_up(self) -> bool:
        """Whether what several calls for the same instances count is a sum."""
        return self.record is not None and not any(op.single for op in self.counting)

    @property
    def keys(self) -> tuple[Parameter, ...]:
        """The members of its record that say which instances it is about."""
        indexes = {index for scope in self.scopes for index in scope.indexes}
        return tuple(p for p in self.record.members if p.name in indexes) if self.record else ()

    @property
    def asked_for(self) -> list[ScopeView]:
        """Scopes of which it is not the same instance in every call, and which it counts in."""
        scopes = {op.item.scope.name: op.item.scope for op in self.counting}
        return [scope for scope in scopes.values() if not scope.single]


def operands(ops: Iterable[OpView]) -> set[str]:
    """The parameters that operations use, the indexes of their scopes included."""
    scopes = {op.item.scope.name: op.item.scope for op in ops}
    names = {name for op in ops for name in op.operands}
    return names.union(*(scope.indexes for scope in scopes.values()))


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


def accessor(
    domain: DomainView, item: ItemView | CounterView, verb: str, value: str
) -> Transaction:
    """The transaction of an accessor of one item."""
    return Transaction(domain, [OpView(verb, item, value)], [item.scope])

# SPDX-License-Identifier: BSD-3-Clause
"""Operations on words and what holds them together: the parts of an update."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...model import ir, records
from ...model.kinds import OBSERVE
from ...model.lazy import cached_property
from ...model.naming.symbols import Names
from .items import BucketView, CounterView, ItemView, ScopeView
from .views import DomainView

SIZES = {"bool": 1, "uint8_t": 1, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8, "int32_t": 4}
"""Bytes of the C types of parameters that are passed by value."""

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
        return self.item.marks if isinstance(self.item, ItemView) else ()

    @property
    def single(self) -> bool:
        """Whether it is of one call: several of them are no sum."""
        return isinstance(self.item, BucketView) or self.verb == OBSERVE

    @property
    def in_memory(self) -> bool:
        """Whether an add in memory is as fast as a load, an add and a store behind a lock, too: one
        of many there, or one of the two of an observation (docs/decisions.md, 30)."""
        part = isinstance(self.item, ItemView) and bool(self.item.ir.histogram)
        return self.many or self.single or part

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


def summed_up(argument: Parameter) -> Parameter:
    """The sum of an argument; `call` is what one call adds to it, as unsigned."""
    cast = "(uint64_t)" if argument.type == C_TYPES["int32"] else ""
    return Parameter("uint64_t", argument.name, f"{cast}{argument.name}")


def parameter(type_: str, name: str) -> Parameter:
    """A parameter that all forms of an update have alike."""
    return Parameter(type_, name, name)


def declared(parameters: Iterable[Parameter]) -> str:
    """The text of a parameter list; empty without parameters."""
    return ", ".join(p.declaration for p in parameters)


@dataclass(frozen=True)
class Record:
    """A call as a strategy holds it back (model/records.py): one of function `call`.

    `number` tells it from other records, `members` are the parameters in the order in which
    struct `name` has them.
    """

    number: int
    name: str
    call: str
    members: tuple[Parameter, ...]

    @classmethod
    def of(cls, number: int, name: str, call: str, parameters: Iterable[Parameter]) -> Record:
        """The record of a call with these parameters."""
        return cls(number, name, call, tuple(sorted(parameters, key=lambda p: SIZES[p.type])))

    @property
    def size(self) -> int:
        """Bytes of the struct."""
        return records.size(SIZES[p.type] for p in self.members)


@dataclass(frozen=True)
class Transaction:
    """The operations of one call under one domain.

    `scopes` are the touched scopes in order, `parameters` those of a function that holds just
    this transaction. The out-of-line variant takes `non_lcore_parameters`; an accessor of one item
    has none. `calls` is how many calls of the update it stands for; `bulk`: it is that of a bulk
    call, whose elements `loop` does one by one.
    `record` is what may be held back instead; None for one that sets a value, and for an accessor.
    `ready`: that the module is initialised is known already. `passed`: what the call passes to its
    out-of-line variant.
    """

    domain: DomainView
    ops: tuple[OpView, ...]
    scopes: tuple[ScopeView, ...]
    sym: Names | None = None
    parameters: tuple[Parameter, ...] = ()
    loop: tuple[str, ...] = ()
    non_lcore_parameters: tuple[Parameter, ...] = ()
    calls: str = "1"
    record: Record | None = None
    bulk: bool = False
    ready: bool = False
    passed: str = ""

    def outlined(self, first: int = 0) -> str:
        """The call of the out-of-line variant; the operations before `first` are done."""
        rest = f"{first}, " if self.domain.layout.strategy.outlined == "rest" else ""
        return f"{self.sym.non_lcore}({rest}{self.passed});" if self.sym else ""

    @property
    def non_lcore_call(self) -> tuple[str, ...]:
        """The lines that hand it to its out-of-line variant; none of an accessor."""
        return self.loop or ((self.outlined(),) if self.sym else ())

    @property
    def may_go(self) -> bool:
        """Whether an lcore may leave it to its out-of-line variant: nothing comes behind it."""
        return bool(self.domain.layout.strategy.outlined) and not self.is_accessor and not self.bulk

    @property
    def early_lines(self) -> tuple[str, ...]:
        """What is done instead before the module is initialised, and after it has ended; the
        elements of a bulk call find that out themselves."""
        if self.bulk:
            return self.non_lcore_call
        return (f"{self.domain.module.note_late}({self.calls});",)

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
    def asks_ready(self) -> bool:
        """Whether that is to be asked: no dynamic instance exists then, and what is in the
        application's objects counts."""
        return self.needs_self and not self.ready and not self.dynamic_scopes

    @property
    def unused(self) -> list[str]:
        """The parameters that no operation uses."""
        used = operands(self.ops)
        return [p.name for p in self.parameters if p.name not in used]

    @property
    def params(self) -> str:
        return declared(self.parameters)

    @property
    def args(self) -> str:
        return ", ".join(p.name for p in self.parameters)

    @property
    def non_lcore_params(self) -> str:
        first = (
            (parameter("unsigned int", "from"),)
            if self.domain.layout.strategy.outlined == "rest"
            else ()
        )
        return declared((*first, *self.non_lcore_parameters))

    @property
    def is_accessor(self) -> bool:
        """Whether this is an accessor of one item, which has no out-of-line variant."""
        return self.sym is None

    @property
    def sets(self) -> bool:
        """Whether any operation stores a value rather than adding."""
        return any(op.verb == "set" for op in self.ops)

    @property
    def needs_self(self) -> bool:
        """Whether any element is in the instance rather than in an object of the caller."""
        return any(not scope.embedded for scope in self.scopes)

    @property
    def bare(self) -> bool:
        """Whether it is its operations one by one, with nothing around them."""
        around = map(self.domain.sync.answers, ("enter", "leave", "apply_all"))
        return not any(around) and not any(scope.sums for scope in self.scopes)

    @property
    def direct(self) -> bool:
        """Whether it changes one word that the module has once, and looks for nothing before."""
        op, scope = self.ops[0], self.scopes[0]
        checked = scope.mortal or bool(scope.limits)
        if checked or op.marks or not isinstance(op.item, ItemView):
            return False
        return op.item.part == "common" and not op.item.ir.kind.observes

    @cached_property
    def counting(self) -> tuple[OpView, ...]:
        """The operations on counters."""
        return tuple(op for op in self.ops if op.counts)

    @cached_property
    def idle(self) -> tuple[Parameter, ...]:
        """The members of its record that no operation on counters needs."""
        used = operands(self.counting).union(*(scope.indexes for scope in self.dynamic_scopes))
        used |= {self.calls} if self.dynamic_scopes else set()
        return tuple(p for p in self.record.members if p.name not in used) if self.record else ()

    @cached_property
    def sums_up(self) -> bool:
        """Whether what several calls for the same instances count is a sum."""
        return self.record is not None and not any(op.single for op in self.counting)

    @cached_property
    def keys(self) -> tuple[Parameter, ...]:
        """The members of its record that say which instances it is about."""
        indexes = {index for scope in self.scopes for index in scope.indexes}
        return tuple(p for p in self.record.members if p.name in indexes) if self.record else ()

    @cached_property
    def asked_for(self) -> tuple[ScopeView, ...]:
        """Scopes of which it is not the same instance in every call, and which it counts in."""
        scopes = {op.item.scope.name: op.item.scope for op in self.counting}
        return tuple(scope for scope in scopes.values() if not scope.single)

    @cached_property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """Every index parameter of the touched scopes with the macro that bounds it."""
        return tuple(dict.fromkeys(limit for scope in self.scopes for limit in scope.unsure))

    @cached_property
    def dynamic_scopes(self) -> tuple[ScopeView, ...]:
        """Scopes whose element is looked up before the transaction begins."""
        return tuple(scope for scope in self.scopes if scope.dynamic)


class Operations:
    """The operations of an update in one form: `all` in schema order, of these `commons`, those on
    the module's common part, and the others `by_domain`, by the suffix of its names. `used` are
    the parameters that each of these use, the indexes of their scopes included."""

    def __init__(self, ops: list[OpView], domains: Mapping[str, DomainView]) -> None:
        self.all = ops
        self.commons: list[OpView] = []
        self.by_domain: dict[str, list[OpView]] = {}
        for op in ops:
            if op.item.part == "common":
                self.commons.append(op)
            else:
                suffix = domains[op.item.scope.name].suffix
                self.by_domain.setdefault(suffix, []).append(op)
        self.used = {suffix: operands(part) for suffix, part in self.by_domain.items()}

    def uses(self) -> set[str]:
        """The parameters that any of them uses."""
        return operands(self.commons).union(*self.used.values())


def operands(ops: Iterable[OpView]) -> set[str]:
    """The parameters that operations use, the indexes of their scopes included."""
    scopes = {op.item.scope.name: op.item.scope for op in ops}
    names = {name for op in ops for name in op.operands}
    return names.union(*(scope.indexes for scope in scopes.values()))


@dataclass(frozen=True)
class Form:
    """How a function has the values of an update: those of one call, or of several summed up."""

    calls: str  # how many calls it stands for
    total: str = "{}"  # the sum of an argument
    last: str = "{}"  # the last value of an argument


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
    return Transaction(domain, (OpView(verb, item, value),), (item.scope,))

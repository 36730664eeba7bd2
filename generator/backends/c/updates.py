# SPDX-License-Identifier: BSD-3-Clause
"""Updates as transactions: what a call does to which words, under which strategy.

One update gives three texts: the call itself (`one`), the application of a run
of equal calls, summed up by a batch (`run`), and a bulk call. Each is cut into
one transaction per domain; what lives in the module's common part is changed
with single atomic operations beside them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from ...model import ir
from .transactions import (
    BULK,
    C_TYPES,
    ONE,
    RUN,
    Form,
    OpView,
    Parameter,
    Transaction,
    names,
    place,
    value,
)
from .views import ModuleView, ScopeView


class UpdateView:
    """One update with its three forms."""

    def __init__(self, module: ModuleView, update: ir.Update) -> None:
        self.ir = update
        self.name = update.name
        self.module = module
        self.prefix = module.prefix
        self.fn = f"{module.prefix}_update_{update.name}"
        self.types = {argument.name: argument.type for argument in update.arguments}
        by_name = {scope.name: scope for scope in module.scopes}
        self.scopes = tuple(by_name[name] for name in update.scopes)
        self.indexed = tuple(scope for scope in self.scopes if not scope.is_global)

    @functools.cached_property
    def indexes(self) -> tuple[tuple[str, str], ...]:
        """Index parameters as (C declaration, name)."""
        embedded = {scope.name: scope for scope in self.indexed if scope.embedded}
        return tuple(
            (embedded[name].params if name in embedded else f"uint32_t {name}", name)
            for name in self.ir.indexes
        )

    @functools.cached_property
    def arguments(self) -> tuple[tuple[str, str], ...]:
        """Arguments as (C type, name)."""
        return tuple((C_TYPES[a.type], a.name) for a in self.ir.arguments)

    @functools.cached_property
    def params(self) -> str:
        own = [f"{kind} {name}" for kind, name in self.arguments]
        return ", ".join([declaration for declaration, _ in self.indexes] + own)

    @functools.cached_property
    def args(self) -> str:
        return ", ".join([name for _, name in self.indexes] + [name for _, name in self.arguments])

    @functools.cached_property
    def bulk_params(self) -> str:
        """Arrays in place of values, then their length."""
        texts = [
            f"{declaration}const *{name}_v"
            if declaration.startswith("struct")
            else f"const uint32_t *{name}_v"
            for declaration, name in ((d.removesuffix(n), n) for d, n in self.indexes)
        ]
        texts += [f"const {kind} *{name}_v" for kind, name in self.arguments]
        return ", ".join([*texts, "unsigned int n"])

    @functools.cached_property
    def summed(self) -> tuple[str, ...]:
        """Arguments that are added somewhere: a run holds their sums."""
        used = dict.fromkeys(
            op.argument for op in self.ir.operations if op.argument and op.verb != "set"
        )
        return tuple(name for name in used if name)

    @functools.cached_property
    def last(self) -> tuple[tuple[str, str], ...]:
        """Arguments that are stored somewhere, as (C type, name): a run holds the last."""
        used = dict.fromkeys(
            op.argument for op in self.ir.operations if op.argument and op.verb == "set"
        )
        return tuple((C_TYPES[self.types[name]], name) for name in used if name)

    @functools.cached_property
    def one_parameters(self) -> list[Parameter]:
        """Parameters of a single call: indexes, then arguments."""
        found = [Parameter(declaration, name, name) for declaration, name in self.indexes]
        return found + [Parameter(f"{kind} {name}", name, name) for kind, name in self.arguments]

    @functools.cached_property
    def run_parameters(self) -> list[Parameter]:
        """Parameters of the run form: indexes, number of calls, sums, last values."""
        found = [Parameter(declaration, name, name) for declaration, name in self.indexes]
        found.append(Parameter("uint64_t n", "n", "1"))
        for name in self.summed:
            one = f"(uint64_t){name}" if self.types[name] == "int32" else name
            found.append(Parameter(f"uint64_t {name}", name, one))
        return found + [
            Parameter(f"{kind} {name}_last", f"{name}_last", name) for kind, name in self.last
        ]

    @functools.cached_property
    def run_params(self) -> str:
        return ", ".join(p.declaration for p in self.run_parameters)

    def idle(self, form: Form) -> list[str]:
        """Parameters of the form that nothing uses."""
        parameters = self.one_parameters if form is ONE else self.run_parameters
        used = names(self.ops(form))
        return [p.name for p in parameters if p.name not in used]

    @property
    def idle_one(self) -> list[str]:
        return self.idle(ONE)

    @property
    def idle_run(self) -> list[str]:
        return self.idle(RUN)

    def ops(self, form: Form) -> list[OpView]:
        """All operations, in schema order."""
        found = []
        by_name = {scope.name: scope for scope in self.scopes}
        for op in self.ir.operations:
            item = by_name[op.scope].by_name[op.item]
            found.append(OpView(op.verb, item, place(item), value(op, self.types, item, form)))
        return found

    def transactions(self, form: Form) -> tuple[Transaction, ...]:
        """The operations on instances, one transaction for each domain."""
        by_domain = self._by_domain(form)
        parts = self._by_domain(RUN)
        parameters = self.one_parameters if form is ONE else self.run_parameters
        result = []
        for domain in self.module.domains:
            ops = by_domain.get(domain.prefix, [])
            if not ops:
                continue
            suffix = "" if len(by_domain) == 1 else domain.prefix.removeprefix(self.prefix)
            scopes = {op.item.scope.name for op in ops}
            # A run that finds no instance drops its n calls.
            dropped = {"n"} if any(op.item.scope.dynamic for op in ops) else set()
            own = [p for p in parameters if p.name in names(ops) | dropped]
            used = names(parts[domain.prefix]) | dropped
            foreign = [p for p in self.run_parameters if p.name in used]
            name = f"{self.prefix}_{self.name}{suffix}"
            result.append(
                Transaction(
                    domain,
                    name,
                    tuple(ops),
                    tuple(scope for scope in self.scopes if scope.name in scopes),
                    ", ".join(p.declaration for p in own),
                    ", ".join(p.name for p in own),
                    self._foreign_call(f"{name}_foreign", foreign, form),
                    ", ".join(p.declaration for p in foreign),
                    "n" if form is RUN else "1",
                )
            )
        return tuple(result)

    def _by_domain(self, form: Form) -> dict[str, list[OpView]]:
        found: dict[str, list[OpView]] = {}
        for op in self.ops(form):
            if op.item.part == "data":
                domain = self.module.domain_by_scope[op.item.scope.name]
                found.setdefault(domain.prefix, []).append(op)
        return found

    def _foreign_call(self, name: str, parameters: list[Parameter], form: Form) -> tuple[str, ...]:
        if form is BULK:
            return ("for (i = 0; i < n; i++)", f"\t{self.fn}({self.args_v});")
        passed = ", ".join(p.one if form is ONE else p.name for p in parameters)
        return (f"{name}({passed});",)

    @functools.cached_property
    def one(self) -> tuple[Transaction, ...]:
        """The transactions of a single call."""
        return self.transactions(ONE)

    @functools.cached_property
    def run(self) -> tuple[Transaction, ...]:
        """The transactions of a run of `n` equal calls."""
        return self.transactions(RUN)

    @functools.cached_property
    def block(self) -> Transaction | None:
        """The transaction of a block of a bulk call: operations of global items summed up.

        None when a bulk call has to be a loop of single calls: several
        strategies, or one that synchronizes element by element.
        """
        if len(self.one) != 1 or self.one[0].domain.element_transactions:
            return None
        return self.transactions(BULK)[0]

    def commons(self, form: Form) -> list[OpView]:
        """Operations on the module's common part."""
        return [op for op in self.ops(form) if op.item.part == "common"]

    @functools.cached_property
    def common_one(self) -> list[OpView]:
        return self.commons(ONE)

    @functools.cached_property
    def common_run(self) -> list[OpView]:
        return self.commons(RUN)

    @functools.cached_property
    def common_bulk(self) -> list[OpView]:
        return self.commons(BULK)

    @functools.cached_property
    def limits(self) -> tuple[tuple[str, str], ...]:
        """Every index with the macro that bounds it."""
        return tuple(dict.fromkeys(limit for scope in self.indexed for limit in scope.limits))

    @functools.cached_property
    def common_found(self) -> tuple[ScopeView, ...]:
        """Dynamic scopes whose common part the update writes."""
        written = {op.item.scope.name for op in self.common_one}
        return tuple(scope for scope in self.scopes if scope.dynamic and scope.name in written)

    @functools.cached_property
    def checked(self) -> tuple[ScopeView, ...]:
        """Dynamic scopes to ask for first, lest a call that is dropped is applied in part.

        A transaction looks up its own scopes before it changes anything, so
        only what changes beside or before it needs this.
        """
        if not self.common_one and len(self.one) < 2:
            return ()
        return tuple(s for s in self.scopes if s.dynamic and s not in self.common_found)

    @functools.cached_property
    def may_drop(self) -> bool:
        """Whether a call may be dropped, for an index or for what does not exist."""
        return bool(self.module.drop and self.limits) or any(s.dynamic for s in self.scopes)

    def _is_once(self, is_global: bool, verb: str) -> bool:
        """Whether a bulk call may do an operation once for all of its elements.

        A value is not set for elements that are all dropped.
        """
        return is_global and (verb != "set" or not self.may_drop)

    def each(self, ops: list[OpView]) -> list[OpView]:
        """Of some operations, those that a bulk call does for every element."""
        return [op for op in ops if not self._is_once(op.item.scope.is_global, op.verb)]

    def once(self, ops: list[OpView]) -> list[OpView]:
        """Of some operations, those that a bulk call does once."""
        return [op for op in ops if self._is_once(op.item.scope.is_global, op.verb)]

    def _used(self, once: bool, stored: bool) -> tuple[str, ...]:
        """Arguments that operations done once (or for every element) store (or add)."""
        used = dict.fromkeys(
            op.argument
            for op in self.ir.operations
            if op.argument
            and self._is_once(op.scope == ir.GLOBAL, op.verb) == once
            and (op.verb == "set") == stored
        )
        return tuple(name for name in used if name)

    @functools.cached_property
    def counts_once(self) -> bool:
        """Whether a bulk call has to count its elements."""
        return any(
            op.scope == ir.GLOBAL and op.constant is not None and op.verb != "set"
            for op in self.ir.operations
        )

    @functools.cached_property
    def summed_once(self) -> tuple[str, ...]:
        """Arguments that a bulk call sums up."""
        return self._used(once=True, stored=False)

    @functools.cached_property
    def last_once(self) -> tuple[tuple[str, str], ...]:
        """Arguments of which a bulk call keeps the last, as (C type, name)."""
        return tuple((C_TYPES[self.types[n]], n) for n in self._used(once=True, stored=True))

    @functools.cached_property
    def arguments_each(self) -> tuple[tuple[str, str], ...]:
        """Arguments that a bulk call uses element by element, as (C type, name)."""
        names = {*self._used(once=False, stored=False), *self._used(once=False, stored=True)}
        return tuple((kind, name) for kind, name in self.arguments if name in names)

    @property
    def args_v(self) -> str:
        """Arguments of a single call for element `i` of a bulk call."""
        names = [name for _, name in self.indexes] + [name for _, name in self.arguments]
        return ", ".join(f"{name}_v[i]" for name in names)

    @property
    def batch_args(self) -> str:
        """Arguments of the run form from the run that a batch holds."""
        names = [name for _, name in self.indexes] + ["n", *self.summed]
        names += [f"{name}_last" for _, name in self.last]
        return ", ".join(f"b->{self.name}.{name}" for name in names)

    @property
    def unread(self) -> list[str]:
        """Arguments that no operation uses; the schema is warned about them."""
        used = {op.argument for op in self.ir.operations}
        return [name for _, name in self.arguments if name not in used]

    @property
    def held(self) -> bool:
        """Whether a batch may hold the update back.

        Not when it changes an object of the application's: that may be
        unlocked or gone by the time the batch moves on.
        """
        return not any(scope.embedded for scope in self.scopes)

    def clashes(self, updates: Iterable[UpdateView]) -> list[UpdateView]:
        """Other updates with an item in common that one of the two sets: their order matters."""
        mine = {(op.scope, op.item): op.verb for op in self.ir.operations}
        return [
            other
            for other in updates
            if other is not self
            and other.held
            and any(
                "set" in (op.verb, mine.get((op.scope, op.item), op.verb))
                for op in other.ir.operations
                if (op.scope, op.item) in mine
            )
        ]

    @property
    def named(self) -> str:
        """The items the update touches, for its comment."""
        return ", ".join(dict.fromkeys(f"{op.scope}.{op.item}" for op in self.ir.operations))

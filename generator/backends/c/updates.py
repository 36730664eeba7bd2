# SPDX-License-Identifier: BSD-3-Clause
"""Updates as transactions: what a call does to which words, under which strategy.

One update gives three texts: the call itself, the application of a run of equal calls, summed up
by a batch, and a bulk call. Each is cut into one transaction per domain; what lives in the
module's common part is changed with single atomic operations beside them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

from ...model import ir
from ...model.lazy import cached_property
from ...model.naming.symbols import Names
from .calls import UpdateCall
from .items import ItemView, ScopeView
from .transactions import (
    BULK,
    CALL,
    RUN,
    Form,
    Operations,
    OpView,
    Parameter,
    Record,
    Transaction,
    declared,
    operation,
    summed_up,
)
from .views import ModuleView, module_view


@dataclass(frozen=True)
class Body:
    """What a function of an update does: one transaction for each domain, and beside them
    operations on the module's common part. It stands for `calls` calls of the update.

    `unused` are the parameters that no operation uses; the schema is warned about them.
    """

    params: str
    transactions: tuple[Transaction, ...]
    commons: list[OpView]
    unused: list[str]
    calls: str
    early_lines: tuple[str, ...]


class UpdateView(UpdateCall):
    """One update with its three forms."""

    def __init__(self, module: ModuleView, update: ir.Update, number: int = 0) -> None:
        super().__init__(module, update, number)
        self._operations: dict[Form, Operations] = {}
        self._parts: dict[str, Names] = {}

    def _part_names(self, suffix: str) -> Names:
        """Those of a part; all forms of the update have the same."""
        if suffix not in self._parts:
            self._parts[suffix] = self._names(suffix, part=True)
        return self._parts[suffix]

    def _body(self, form: Form) -> Body:
        ops, parameters = self.operations(form), self._parameters(form)
        needed = ops.uses()
        unused = [p.name for p in parameters if p.name not in needed]
        transactions = self.transactions(form)
        early = (f"{self.module.sym.note_late}({form.calls});",)
        return Body(declared(parameters), transactions, ops.commons, unused, form.calls, early)

    @cached_property
    def call(self) -> Body:
        """A single call."""
        return self._body(CALL)

    @cached_property
    def run(self) -> Body:
        """A run of `n` equal calls; of observations, which do not sum up, a single call."""
        return self.call if self.observes else self._body(RUN)

    @cached_property
    def is_run(self) -> bool:
        """Whether a call is a run of one: the machine code is the same."""
        return not self.observes and all(tx.bare for tx in self.call.transactions)

    @property
    def run_args(self) -> str:
        """Arguments of the run form for a single call."""
        return ", ".join(p.call for p in self.run_parameters)

    @property
    def unused(self) -> list[str]:
        """Parameters of a call that its run does not have."""
        passed = {p.name for p in (*self.indexes, *self._arguments(stored=False))}
        passed.update(p.name for p in self._arguments(stored=True))
        return [p.name for p in self.call_parameters if p.name not in passed]

    @cached_property
    def block(self) -> Body | None:
        """A block of a bulk call: operations of global items summed up.

        None when a bulk call has to be a loop of single calls: several
        strategies, or one that synchronizes element by element.
        """
        transactions = self.call.transactions
        if len(transactions) != 1 or transactions[0].domain.element_transactions:
            return None
        return self._body(BULK)

    def _parameters(self, form: Form) -> tuple[Parameter, ...]:
        return self.run_parameters if form is RUN else self.call_parameters

    def operations(self, form: Form) -> Operations:
        """The operations in one form; several parts of the output have the same."""
        if form not in self._operations:
            pairs = zip(self.ir.operations, self.items, strict=True)
            ops = [operation(op, item, self.by_argument, form) for op, item in pairs]
            self._operations[form] = Operations(ops, self.module.domain_by_scope)
        return self._operations[form]

    @cached_property
    def items(self) -> tuple[ItemView, ...]:
        """The item of each operation."""
        scopes = {scope.name: scope for scope in self.scopes}
        return tuple(scopes[op.scope].by_name[op.item] for op in self.ir.operations)

    def transactions(self, form: Form) -> tuple[Transaction, ...]:
        """The operations on instances, one transaction for each domain."""
        operations, runs = self.operations(form), self.operations(CALL if self.observes else RUN)
        beside = bool(runs.commons) or len(runs.by_domain) > 1
        result = []
        for domain in self.module.domains:
            ops = operations.by_domain.get(domain.suffix)
            if not ops:
                continue
            sym = self._part_names(domain.suffix if len(operations.by_domain) > 1 else "")
            names = {op.item.scope.name for op in ops}
            scopes = tuple(scope for scope in self.scopes if scope.name in names)
            # A run that finds no instance, or no room, drops its n calls.
            used, calls = operations.used[domain.suffix], set() if self.observes else {RUN.calls}
            may_drop = domain.may_drop or any(scope.dynamic for scope in scopes)
            run_needed = runs.used[domain.suffix] | calls
            run_parameters = tuple(p for p in self.run_parameters if p.name in run_needed)
            parameters = tuple(p for p in self._parameters(form) if p.name in used | calls)
            recorded = [p for p in parameters if may_drop or p.name in used]
            result.append(
                Transaction(
                    domain,
                    tuple(ops),
                    scopes,
                    sym,
                    parameters,
                    self._loop if form is BULK else (),
                    run_parameters,
                    RUN.calls if form is RUN else CALL.calls,
                    self._record(form, ops, recorded, sym),
                    form is BULK,
                    not self.block_asks_ready if form is BULK else beside,
                    ", ".join(p.call if form is CALL else p.name for p in run_parameters),
                )
            )
        return tuple(result)

    def _record(
        self,
        form: Form,
        ops: list[OpView],
        parameters: Iterable[Parameter],
        sym: Names,
    ) -> Record | None:
        """What may be held back of a call, or of a run of calls."""
        kind = self.module.domain_by_scope[ops[0].item.scope.name].layout.strategy.records
        counts = kind == "all" or (kind == "counts" and any(op.counts for op in ops))
        if form is BULK or not counts or any(op.verb == "set" for op in ops):
            return None
        number = 2 * self.number + (form is RUN)
        if form is RUN:
            return Record.of(number, sym.run_record, self.sym.run, parameters)
        return Record.of(number, sym.record, self.sym.update, parameters)

    @property
    def _loop(self) -> tuple[str, ...]:
        """The lines that do the elements of a bulk call one by one."""
        return ("for (size_t i = 0; i < n; i++)", f"\t{self.sym.update}({self.bulk_args});")

    @cached_property
    def dynamic_commons(self) -> tuple[ScopeView, ...]:
        """Dynamic scopes whose common part the update writes."""
        written = {op.item.scope.name for op in self.call.commons}
        return tuple(scope for scope in self.scopes if scope.dynamic and scope.name in written)

    @cached_property
    def beside(self) -> bool:
        """Whether a call changes anything before or beside one transaction."""
        return bool(self.call.commons) or len(self.call.transactions) > 1

    @cached_property
    def asks_ready(self) -> bool:
        """Whether a call asks first whether the module is initialised (Transaction.asks_ready)."""
        return self.beside and self.block_asks_ready

    @cached_property
    def block_asks_ready(self) -> bool:
        """Whether a block of a bulk call does, unless its strategy finds that out."""
        dynamic = any(scope.dynamic for scope in self.scopes)
        return not dynamic and not all(scope.embedded for scope in self.scopes)

    @cached_property
    def checked(self) -> tuple[ScopeView, ...]:
        """Dynamic scopes to ask for first, lest a call that is dropped is applied in part.

        A transaction looks up its own scopes before it changes anything, so
        only what changes beside or before it needs this.
        """
        if not self.beside:
            return ()
        return tuple(s for s in self.scopes if s.dynamic and s not in self.dynamic_commons)

    def each(self, ops: list[OpView]) -> list[OpView]:
        """Of some operations, those that a bulk call does for every element."""
        return [op._replace(many=True) for op in ops if not self._is_summed(op)]

    def once(self, ops: list[OpView]) -> list[OpView]:
        """Of some operations, those that a bulk call does once."""
        return [op for op in ops if self._is_summed(op)]

    def _is_summed(self, op: OpView) -> bool:
        return self._is_once(op.item.scope.name, op.verb) and not op.single

    @cached_property
    def counts_once(self) -> bool:
        """Whether a bulk call has to count its elements."""
        return any(
            op.scope in self._single
            and op.constant is not None
            and not op.single
            and op.verb != "set"
            for op in self.ir.operations
        )

    @cached_property
    def summed_once(self) -> tuple[Parameter, ...]:
        """Arguments that a bulk call sums up."""
        return tuple(map(summed_up, self._arguments(stored=False, once=True)))

    @property
    def totals(self) -> list[str]:
        """The variables in which a bulk call has its number of elements and sums."""
        sums = [BULK.total.format(p.name) for p in self.summed_once]
        return [BULK.calls] * self.counts_once + sums

    @cached_property
    def last_once(self) -> tuple[Parameter, ...]:
        """Arguments of which a bulk call keeps the last."""
        return self._arguments(stored=True, once=True)

    @cached_property
    def arguments_each(self) -> tuple[Parameter, ...]:
        """Arguments that a bulk call uses element by element."""
        each = {*self._arguments(stored=False, once=False)}
        each.update(self._arguments(stored=True, once=False))
        return tuple(p for p in self.arguments if p in each)

    @property
    def deferrable(self) -> bool:
        """Whether a batch may hold it back: an object of the application's may be unlocked or gone
        by the time the batch moves on, and observations do not sum up."""
        return not self.observes and not any(scope.embedded for scope in self.scopes)

    @property
    def items_text(self) -> str:
        """The items the update touches, for its comment."""
        return ", ".join(dict.fromkeys(op.target for op in self.ir.operations))


@functools.lru_cache(maxsize=1)
def update_views(module: ir.Module) -> tuple[UpdateView, ...]:
    """The views of a module's updates; several backends ask for the same."""
    view = module_view(module)
    return tuple(UpdateView(view, update, n) for n, update in enumerate(module.updates))

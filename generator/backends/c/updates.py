# SPDX-License-Identifier: BSD-3-Clause
"""Updates as transactions: what a call does to which words, under which strategy.

One update gives three texts: the call itself, the application of a run of equal calls, summed up
by a batch, and a bulk call. Each is cut into one transaction per domain; items in the
module's common part are changed with single atomic operations.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from functools import cached_property

from ...model import ir
from ...model.naming import symbols
from ...model.naming.symbols import Names
from . import parameters
from .items import HistogramView, ScopeView
from .limits import taken
from .operations import (
    BULK,
    C_TYPES,
    CALL,
    RUN,
    Form,
    OpView,
    Parameter,
    Record,
    declared,
    operands,
    operation,
)
from .scopes import Listing
from .transactions import Transaction
from .views import DomainView, ModuleView, module_view


class Body:
    """An update in one form, `given` with parameters: operations `ops` in schema order, of these
    `commons`, those on the module's common part, and the others in `parts` by strategy, each a
    transaction. It represents `calls` calls of the update."""

    def __init__(self, update: UpdateView, form: Form, given: tuple[Parameter, ...]) -> None:
        self.update, self.given, self.calls = update, given, form.calls
        self.run, self.bulk = form is RUN, form is BULK
        self.params = declared(given)
        of = update.module.domain_by_scope
        self.ops = [
            operation(op, item, update.by_argument, form)
            for op, item in zip(update.ir.operations, update.items, strict=True)
            if item.accumulates or not item.ir.limited or op.verb != "add"  # else its limit does it
        ]
        self.commons = [op for op in self.ops if op.item.part == "common"]
        data = [(of[op.item.scope.name], op) for op in self.ops if op.item.part != "common"]
        touched = (d for d in update.module.domains if any(domain is d for domain, _ in data))
        self.parts = {d: [op for domain, op in data if domain is d] for d in touched}
        # Parameters that no operation uses; the schema is warned about them.
        used = operands(self.ops)
        self.unused = [p.name for p in given if p.name not in used]

    @cached_property
    def transactions(self) -> tuple[Part, ...]:
        """One for each strategy that it touches."""
        return tuple(Part(self, domain, ops) for domain, ops in self.parts.items())


class Part(Transaction):
    """The operations of an update, in one form, under one domain.

    `params` and `args` are those of a function that holds just this; `non_lcore_params` those of
    its out-of-line variant.
    """

    is_accessor = False

    def __init__(self, body: Body, domain: DomainView, ops: Sequence[OpView]) -> None:
        update, touched = body.update, {id(op.item.scope) for op in ops}
        scopes = tuple(scope for scope in update.scopes if id(scope) in touched)
        super().__init__(domain, ops, scopes)
        suffix = domain.suffix if len(body.parts) > 1 else ""
        self.sym = update.observed or symbols.of_part(update.module.ir, update.ir, suffix)
        self.locked = tuple(dict.fromkeys(update.together.get(s.name, s) for s in scopes))
        # What else finds out that the module is not initialised.
        ready = not update.block_asks_ready if body.bulk else update.beside
        self.asks_ready = self.asks_ready and not ready
        if body.run:
            self.calls = RUN.calls
        if body.bulk:
            call = f"\t{update.sym.update}({update.bulk_args});"
            self.loop = ("for (size_t i = 0; i < n; i++)", call)
        # A run that finds no instance, or no room, drops its n calls.
        used, calls = operands(ops), set() if update.observes else {RUN.calls}
        parameters = [p for p in body.given if p.name in used | calls]
        self.params = declared(parameters)
        self.args = ", ".join(p.name for p in parameters)
        self.unused = [p.name for p in parameters if p.name not in used]
        # The out-of-line variant is that of a run.
        runs = operands(update.run.parts[domain]) | calls
        outer = [p for p in update.run_parameters if p.name in runs]
        self.passed = ", ".join(p.name if body.run else p.call for p in outer)
        outlined = domain.layout.strategy.outlined
        first = [Parameter("int", "from", "")] if outlined == "rest" else []
        self.non_lcore_params = declared([*first, *outer])
        self.non_lcore_call = self.loop or (self.outlined(),)
        # An lcore may leave it to that: nothing comes behind it, and what is done already is known.
        self.may_go = bool(outlined) and not (self.loop or self.several)
        may_drop = bool(self.dynamic_scopes)
        self._note_record(body, [p for p in parameters if may_drop or p.name in used])

    def _note_record(self, body: Body, given: Sequence[Parameter]) -> None:
        """Find the record of it, if it may be deferred, and the members that operations on counters
        need, or a look at the instances before these."""
        kind, update = self.domain.layout.strategy.records, body.update
        counts = kind == "all" or (kind == "counts" and self.counting)
        if counts and not (body.bulk or self.sets):
            names = (self.sym.record, update.sym.update)
            if body.run:
                names = (self.sym.run_record, update.sym.run)
            members = tuple(sorted(given, key=lambda p: p.sizes[0]))
            self.record = Record(2 * update.number + body.run, *names, members)
        members = self.record.members if self.record else ()
        # Scopes of which it is not the same instance in every call, and which it counts in.
        counted = {id(op.item.scope): op.item.scope for op in self.counting}
        self.asked_for = [scope for scope in counted.values() if not scope.single]
        asked = {name for scope in self.asked_for for name in scope.operands}
        self.keys = tuple(p for p in members if p.name in asked)
        needed = operands(self.counting).union(*(scope.operands for scope in self.dynamic_scopes))
        needed |= {self.calls} if self.dynamic_scopes else set()
        self.needed = tuple(p for p in members if p.name in needed)

    def outlined(self, first: int = -1) -> str:
        """The call of the out-of-line variant: the operations before `first` are done, and the word
        of that one has overflowed; -1: nothing is done."""
        rest = [str(first)] if self.domain.layout.strategy.outlined == "rest" else []
        return f"{self.sym.non_lcore}({', '.join(filter(None, [*rest, self.passed]))});"

    @property
    def bare(self) -> bool:
        """Whether the machine code of a run of one is as good: it is no record, and behind a lock
        an add of a constant is shorter."""
        answers = self.domain.sync.answers
        locked = answers("enter") and answers("apply")
        return self.record is None and not answers("apply_all") and not locked


class UpdateView:
    """One update with its three forms, and how they are called.

    `indexes` are the index parameters, and pointers to objects of the application's; `arguments`
    those of the schema. `summed` and `last`: arguments that are added or stored somewhere, of
    which a run holds the sum or the last value. What a bulk call does once for all elements has
    `_once` in its name.
    """

    def __init__(
        self, module: ModuleView, update: ir.Update, number: int = 0, sym: Names | None = None
    ) -> None:
        self.ir, self.number, self.name, self.module = update, number, update.name, module
        self.observed = sym  # names of the observation of a histogram, which is no update
        self.sym = sym or symbols.of_update(module.ir, update)
        self.observes = any(op.single for op in update.operations)
        self.roles: dict[str, list[str]] = {}  # by scope, the names of instances
        for role, scope in update.roles.items():
            self.roles.setdefault(scope, []).append(role)
        self._name_instances()
        touched = [(name, role) for name in update.scopes for role in self.roles.get(name, [""])]
        self.by_scope = {key: self._scope(module.by_name[key[0]], key[1]) for key in touched}
        self.scopes = tuple(self.by_scope.values())
        indexed = [scope for scope in self.scopes if not scope.is_global]
        self.prefetched = [scope for scope in indexed if scope.worth_a_prefetch and scope.unsure]
        # Every index parameter with the macro that bounds it.
        self.limits = tuple(dict.fromkeys(limit for scope in indexed for limit in scope.unsure))
        # Whether a call may be dropped, for an index or for a missing instance.
        dynamic = any(scope.dynamic for scope in self.scopes)
        self.may_drop = bool(module.drop and self.limits) or dynamic
        # Whether a batch may hold it back: an object of the application's may be unlocked or gone
        # by the time the batch moves on, and observations do not sum up.
        own = any(scope.embedded for scope in self.scopes)
        self.deferrable = not self.observes and not own
        # Whether a bulk call checks that the module is initialised, unless its strategy does.
        self.block_asks_ready = not dynamic and not all(s.embedded for s in self.scopes)
        self.items = [self.by_scope[o.scope, o.role].by_name[o.item] for o in update.operations]
        self._name_parameters()
        # What a call counts towards limits, quotas apart; parameters that this does not need.
        self.taken = taken(module.limits, update.operations, self.items, self.by_argument)
        self.quotas = tuple(one for one in self.taken if one.limit.ir.stops)
        # The quota that alone decides, by an index of its own: a share of that is the common case.
        (first, *more) = self.taken or (None,)
        alone = first and not (more or dynamic or first.scope.listing or first.limit.gauge)
        self.sole = first if alone and self.quotas else None
        needed = {index for index, _ in self.limits}.union(*(one.used for one in self.taken))
        self.untaken = [p.name for p in self.call_parameters if p.name not in needed]
        # The items that it touches, for its comment.
        self.items_text = ", ".join(dict.fromkeys(op.target for op in update.operations))
        self.call = Body(self, CALL, self.call_parameters)
        # A run of `n` equal calls; of observations, which do not sum up, a single call.
        self.run = self.call if self.observes else Body(self, RUN, self.run_parameters)
        self._look_outside()

    def _look_outside(self) -> None:
        """Work out what a call does before and next to its transactions."""
        dynamic = [scope for scope in self.scopes if scope.dynamic]
        written = {id(op.item.scope) for op in self.call.commons}
        # Dynamic scopes whose common part it writes.
        self.dynamic_commons = [scope for scope in dynamic if id(scope) in written]
        # Whether it changes anything outside of one transaction.
        self.beside = bool(self.call.commons) or len(self.call.parts) != 1
        # Whether it first checks that the module is initialised (Transaction.asks_ready).
        self.asks_ready = self.beside and self.block_asks_ready
        # Dynamic scopes to look up first, so that a dropped call is not applied in part: a
        # transaction looks up only its own scopes before it changes anything.
        self.checked = [s for s in dynamic if self.beside and id(s) not in written]

    def _name_instances(self) -> None:
        """Choose the C names of named instances and of lists; no argument is called like these."""
        module = self.module
        loops = (f"{module.indexes[scope]}_each" for scope in self.roles)
        taken = module.taken.union(*map(parameters.variables, loops))
        self.role_names = parameters.assign(self.ir.roles, taken, module.prefix, "_index")
        self._taken = taken.union(*map(parameters.variables, self.role_names.values()))
        self.listings: dict[str, Listing] = {}  # by scope
        for scope, most in self.ir.lists.items():
            name, num, at = (f"{module.indexes[scope]}_{end}" for end in ("list", "num", "at"))
            self.listings[scope] = Listing(name, num, at, most)
        self.together: dict[str, ScopeView] = {}  # named instances as a list
        for scope in self.roles:
            stem = module.indexes[scope]
            names = tuple(self.role_names[role] for role in self.roles[scope])
            named = Listing(f"{stem}_list", str(len(names)), f"{stem}_at", len(names), names)
            self.together[scope] = module.by_name[scope].at({}, f"{stem}_each", named)

    def _scope(self, scope: ScopeView, role: str) -> ScopeView:
        """A scope, with the labels that the update fixes as indexes; an instance's name; a list."""
        fixed = self.ir.fixed.get(scope.name, {})
        levels = [level for level in scope.levels if level.ir.name in fixed]
        constants = {level.ir.name: level.constants[fixed[level.ir.name]] for level in levels}
        return scope.at(constants, self.role_names.get(role, ""), self.listings.get(scope.name))

    def _name_parameters(self) -> None:
        update, module = self.ir, self.module
        types = {s.name: f"struct {s.sym.embedded} *" for s in self.scopes if s.embedded}
        indexes: list[Parameter] = []
        for index in update.indexes:
            if listing := self.listings.get(index):
                name, num = listing.list, listing.num
                indexes.append(Parameter("const uint32_t *", name, name, listing.most))
                indexes.append(Parameter("uint32_t", num, num))
            else:
                name = self.role_names.get(index) or module.indexes[index]
                indexes.append(Parameter(types.get(index, "uint32_t"), name, name))
        self.indexes = tuple(indexes)
        names = [argument.name for argument in update.arguments]
        c_names = parameters.assign(names, self._taken, module.prefix, "_arg")
        self.by_argument = {a.name: (a.type, c_names[a.name]) for a in update.arguments}
        named = [(C_TYPES[type_], name) for type_, name in self.by_argument.values()]
        self.arguments = tuple(Parameter(type_, name, name) for type_, name in named)
        self.call_parameters = self.indexes + self.arguments
        self.args = ", ".join(p.name for p in self.call_parameters)
        self.bulk_params = ", ".join([*(p.array for p in self.call_parameters), "unsigned int n"])
        self.bulk_args = ", ".join(f"{p.name}_v[i]" for p in self.call_parameters)
        self._name_runs()

    def _name_runs(self) -> None:
        """Name what a function takes that stands for several calls."""
        by_name = dict(zip(self.by_argument, self.arguments, strict=True))
        ops = [(op.observed or op.argument, op.verb == "set") for op in self.ir.operations]
        added = dict.fromkeys(by_name[name] for name, sets in ops if name and not sets)
        stored = dict.fromkeys(by_name[name] for name, sets in ops if name and sets)
        self.summed = tuple(p.summed_up() for p in added)
        self.last = tuple(Parameter(p.type, RUN.last.format(p.name), p.name) for p in stored)
        calls = Parameter("uint64_t", RUN.calls, "1")
        self.run_parameters = (*self.indexes, calls, *self.summed, *self.last)
        if self.observes:
            self.run_parameters = self.call_parameters
        self.run_args = ", ".join(p.call for p in self.run_parameters)
        self.batch_args = ", ".join(f"b->{self.name}.{p.name}" for p in self.run_parameters)
        # The parameters of a run as members of a struct, and the assignment that empties it.
        rows = itertools.groupby(self.run_parameters, lambda p: p.type)
        self.run_members = " ".join(f"{of} {', '.join(p.name for p in row)};" for of, row in rows)
        counted = [*(p.name for p in self.summed), RUN.calls]
        self.emptied = "".join(f"b->{self.name}.{name} = " for name in counted) + "0"
        # Parameters of a call that its run does not have.
        passed = {p.name for p in (*self.indexes, *added, *stored)}
        self.unused = [p.name for p in self.call_parameters if p.name not in passed]

    @cached_property
    def is_run(self) -> bool:
        """Whether a call is a run of one: the machine code is the same."""
        return not self.observes and all(tx.bare for tx in self.call.transactions)

    @cached_property
    def block(self) -> Body | None:
        """A block of a bulk call: operations of global items summed up.

        None when a bulk call has to be a loop of single calls: several
        strategies, or one that synchronizes element by element.
        """
        transactions = self.call.transactions
        if self.taken or len(transactions) != 1 or transactions[0].domain.element_transactions:
            return None
        block = Body(self, BULK, self.call_parameters)
        # What it sums up, or does for every element.
        once, each = operands(self.once(block.ops)), operands(self.each(self.call.ops))
        self.counts_once = BULK.calls in once
        summed = [p for p in self.arguments if BULK.total.format(p.name) in once]
        self.summed_once = [p.summed_up() for p in summed]
        self.last_once = [p for p in self.arguments if BULK.last.format(p.name) in once]
        self.arguments_each = tuple(p for p in self.arguments if p.name in each)
        totals = [BULK.total.format(p.name) for p in summed]
        self.totals = [BULK.calls] * self.counts_once + totals
        return block

    def each(self, ops: Sequence[OpView]) -> list[OpView]:
        """Of some operations, those that a bulk call does for every element."""
        return [op.of_many() for op in ops if not self._is_once(op)]

    def once(self, ops: Sequence[OpView]) -> list[OpView]:
        """Of some operations, those that a bulk call does once."""
        return [op for op in ops if self._is_once(op)]

    def _is_once(self, op: OpView) -> bool:
        """Whether a bulk call may do an operation once for all of its elements: on the same word in
        every call; a value is not set for elements that are all dropped."""
        return op.one_word and (op.verb != "set" or not self.may_drop)


class ObserveView(UpdateView):
    """The observation of one value by one histogram, made like an update."""

    def __init__(self, module: ModuleView, histogram: HistogramView, number: int) -> None:
        self.histogram = histogram
        of = histogram.ir
        name = f"{of.scope}.{of.name}"
        bucket = ir.Operation("add", of.scope, of.buckets[0], 1, None, of.span, (), name, "sample")
        total = ir.Operation("add", of.scope, of.sum, None, "sample", of.span, (), name)
        argument = (ir.Argument("sample", "uint64"),)
        path = histogram.scope.ir.path
        update = ir.Update(of.name, "", argument, (total, bucket), (of.scope,), path, of.span)
        super().__init__(module, update, number, histogram.sym)


@functools.lru_cache(maxsize=1)
def update_views(module: ir.Module) -> tuple[UpdateView, ...]:
    """The views of a module's updates, cached for several backends."""
    view = module_view(module)
    return tuple(UpdateView(view, update, n) for n, update in enumerate(module.updates))


@functools.lru_cache(maxsize=1)
def observe_views(module: ir.Module) -> tuple[ObserveView, ...]:
    """The observations of a module's histograms, numbered behind its updates."""
    view, first = module_view(module), len(module.updates)
    histograms = [histogram for scope in view.scopes for histogram in scope.histograms]
    return tuple(ObserveView(view, h, n) for n, h in enumerate(histograms, first))

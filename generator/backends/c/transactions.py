# SPDX-License-Identifier: BSD-3-Clause
"""Transactions: the operations of an update that one strategy applies together."""

from collections.abc import Sequence

from ...model.naming.symbols import Names
from .items import CounterView, ItemView, ScopeView
from .operations import CALL, OpView, Parameter, Record, declared, operands
from .views import DomainView


class Transaction:
    """The operations of one call under one domain.

    `scopes` are the touched scopes in order, `parameters` those of a function that holds just
    this transaction. The out-of-line variant takes `outer` parameters; an accessor of one item has
    none, and no `sym`. `calls` is how many calls of the
    update it stands for; `loop`: the lines that do the elements of a bulk call one by one.
    `locked` are the scopes as locks of instances are taken, those that are named as a list.
    `record` is the record of a deferred call; None for one that sets a value, and for an accessor.
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
        locked: Sequence[ScopeView] = (),
    ) -> None:
        self.locked = locked or scopes
        self.domain, self.ops, self.scopes, self.sym = domain, tuple(ops), tuple(scopes), sym
        self.loop, self.calls, self.record = loop, calls, record
        self.passed = ", ".join(p.call if calls == CALL.calls else p.name for p in outer)
        self.params = declared(parameters)
        self.args = ", ".join(p.name for p in parameters)
        self.is_accessor = sym is None
        self.sets = any(op.verb == "set" for op in ops)
        self.counting = tuple(op for op in ops if op.counts)
        # Scopes whose element is looked up before the transaction begins.
        self.dynamic_scopes = tuple(scope for scope in scopes if scope.dynamic)
        self.looked_up = tuple(scope for scope in self.dynamic_scopes if not scope.listing)
        # Every index parameter with the macro that bounds it.
        self.limits = tuple(dict.fromkeys(limit for scope in scopes for limit in scope.unsure))
        # Any element is in the instance rather than in an object of the caller.
        self.needs_self = any(not scope.embedded for scope in scopes)
        # Check that the module is initialised: no dynamic instance exists before.
        self.asks_ready = self.needs_self and not ready and not self.dynamic_scopes
        used = operands(ops)
        self.unused = [p.name for p in parameters if p.name not in used]
        outlined = domain.layout.strategy.outlined
        first = [Parameter("int", "from", "")] if outlined == "rest" else []
        self.non_lcore_params = declared([*first, *outer])
        # The lines that hand it to its out-of-line variant; none of an accessor.
        self.non_lcore_call = loop or ((self.outlined(),) if sym else ())
        # It may change several instances of a scope, or one twice.
        once = {scope.name for scope in scopes if not scope.listing}
        self.several = len(once) < len(scopes)
        # An lcore may leave it to that: nothing comes behind it, and what is done already is known.
        self.may_go = bool(outlined) and sym is not None and not (loop or self.several)
        # What is done instead while the module is not initialised: elements find that out.
        self.early_lines = loop or (f"{domain.module.note_late}({calls});",)
        self._note_record(record)

    def _note_record(self, record: Record | None) -> None:
        """The members of its record that operations on counters need, or a look at the instances
        before these."""
        members = record.members if record else ()
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
        rest = f"{first}, " if self.domain.layout.strategy.outlined == "rest" else ""
        return f"{self.sym.non_lcore}({rest}{self.passed});" if self.sym else ""

    @property
    def bare(self) -> bool:
        """Whether the machine code of a run of one is as good: it is no record, and behind a lock
        an add of a constant is shorter."""
        answers = self.domain.sync.answers
        locked = answers("enter") and answers("apply")
        return self.record is None and not answers("apply_all") and not locked


def accessor(
    domain: DomainView, item: ItemView | CounterView, verb: str, value: str
) -> Transaction:
    """The transaction of an accessor of one item."""
    return Transaction(domain, [OpView(verb, item, value)], [item.scope])

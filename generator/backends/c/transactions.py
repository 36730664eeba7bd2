# SPDX-License-Identifier: BSD-3-Clause
"""Transactions: the operations of a call that one strategy applies together."""

from collections.abc import Sequence

from .items import CounterView, ItemView, ScopeView
from .operations import CALL, OpView, Record
from .views import DomainView


class Transaction:
    """Operations under one domain, on some `scopes`: those of an accessor of one item, or of an
    update (updates.py).

    `locked` are the scopes as locks of instances are taken, those that are named as a list. `calls`
    is how many calls it stands for; `loop`: the lines that do the elements of a bulk call one by
    one. `record` is the record of a deferred call; None for one that sets a value.
    """

    calls, is_accessor, may_go = CALL.calls, True, False
    loop: tuple[str, ...] = ()
    record: Record | None = None

    def __init__(
        self, domain: DomainView, ops: Sequence[OpView], scopes: Sequence[ScopeView]
    ) -> None:
        self.domain, self.ops, self.scopes, self.locked = domain, tuple(ops), scopes, scopes
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
        self.asks_ready = self.needs_self and not self.dynamic_scopes
        # It may change several instances of a scope, or one twice.
        self.several = len({scope.name for scope in scopes if not scope.listing}) < len(scopes)

    @property
    def early_lines(self) -> tuple[str, ...]:
        """What is done instead while the module is not initialised: elements find that out."""
        return self.loop or (f"{self.domain.module.note_late}({self.calls});",)


def accessor(
    domain: DomainView, item: ItemView | CounterView, verb: str, value: str
) -> Transaction:
    """The transaction of an accessor of one item."""
    return Transaction(domain, [OpView(verb, item, value)], (item.scope,))

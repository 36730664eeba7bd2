# SPDX-License-Identifier: BSD-3-Clause
"""Views of limits: their names, where shares and accounts are, what a call counts towards them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...model import ir
from ...model.naming import symbols
from .items import ItemView, ScopeView
from .operations import CALL, OpView, Parameter, operands, operation


class Lender(NamedTuple):
    """Where an lcore has its shares: the struct, the function that returns it, its slots. It is the
    lcore's instance if there is one (`own`)."""

    own: bool
    struct: str
    find: str
    slots: str


class LimitView:
    """A limit of a scope. `number` is its place in the scope, `queue` that among all under its
    strategy: of the list of what an lcore is asked to return."""

    def __init__(
        self, module: ir.Module, limit: ir.Limit, scope: ScopeView, lender: Lender, queue: int
    ) -> None:
        self.ir, self.scope, self.name, self.queue = limit, scope, limit.name, queue
        self.lender = lender
        self.number = scope.ir.limits.index(limit)
        self.sym = symbols.of_limit(module, limit)
        narrow = any(scope.by_name[name].ir.width == 32 for name in limit.of)
        self.most = "UINT32_MAX" if narrow else "CTR_LIMIT_MOST"
        self.size = f"[{scope.chunks}]" if scope.dynamic else scope.dimensions

    @property
    def refused(self) -> ItemView:
        """The counter of refused updates, of a quota."""
        return self.scope.by_name[self.ir.refused]

    def place(self, scope: ScopeView, shares: str = "self") -> str:
        """The lvalue of the share of an instance, given those of an lcore; of a dynamic one that is
        not in the lcore's instance, its chunk."""
        if self.lender.own:
            return scope.by_name[self.ir.remaining].within(scope.element_in(shares))
        index = f"[({scope.flat}) / {scope.layout.chunk}]" if scope.dynamic else scope.subscript
        return f"{shares}->{scope.name}.{self.name}{index}"


class Taken(NamedTuple):
    """What a call counts towards a limit: the instance, as its scope has it in the update, and the
    amount as an expression of 64 bits, of a list of each; `used` are the parameters in both."""

    limit: LimitView
    scope: ScopeView
    amount: str
    used: set[str]

    @property
    def args(self) -> str:
        """Arguments of the function that takes it."""
        return f"{self.scope.args_lead}{self.amount}"


def taken(
    limits: Sequence[LimitView],
    operations: Sequence[ir.Operation],
    items: Sequence[ItemView],
    arguments: Mapping[str, tuple[str, str]],
) -> tuple[Taken, ...]:
    """What a call of an update counts towards limits, of each instance that has a name of its own;
    `items` are those of its operations."""
    found = []
    for limit in limits:
        counted: dict[str, list[OpView]] = {}
        for op, item in zip(operations, items, strict=True):
            if op.scope == limit.ir.scope and op.item in limit.ir.of:
                counted.setdefault(op.role, []).append(operation(op, item, arguments, CALL))
        for ops in counted.values():
            total = ops[0].value
            for other in ops[1:]:
                total = f"ctr_limit_sum({total}, {other.value})"
            found.append(Taken(limit, ops[0].item.scope, total, operands(ops)))
    return tuple(found)


def untaken(
    parameters: Sequence[Parameter], bounds: Sequence[tuple[str, str]], every: Sequence[Taken]
) -> list[str]:
    """The parameters of a call that neither checks of indexes nor limits need."""
    used = {index for index, _ in bounds}.union(*(one.used for one in every))
    return [p.name for p in parameters if p.name not in used]


def of_domain(
    module: ir.Module, scopes: Sequence[ScopeView], own: bool, sym: symbols.Names
) -> tuple[LimitView, ...]:
    """All limits of the scopes under one strategy, in their order; each scope gets its own."""
    names = ("instance", "self", "slots") if own else ("shares", "own_shares", "share_slots")
    pairs = [(limit, scope) for scope in scopes for limit in scope.ir.limits]
    if not pairs:
        return ()
    lender = Lender(own, *(sym[name] for name in names))
    found = [LimitView(module, *pair, lender, n) for n, pair in enumerate(pairs)]
    for scope in scopes:
        scope.acts = tuple(limit for limit in found if limit.scope is scope)
    return tuple(found)

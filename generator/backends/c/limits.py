# SPDX-License-Identifier: BSD-3-Clause
"""Views of limits: their names, where shares and accounts are, what a call counts towards them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...model import ir
from ...model.naming import symbols
from .items import ItemView, ScopeView
from .operations import CALL, OpView, operands, operation


class LimitView:
    """A limit of a scope. `number` is its place in the scope. An lcore has its shares in its own
    instance if there is one (`own`); `names` are those of the domain."""

    def __init__(
        self, module: ir.Module, limit: ir.Limit, scope: ScopeView, own: bool, names: symbols.Names
    ) -> None:
        self.ir, self.scope, self.name, self.own = limit, scope, limit.name, own
        # The struct that shares are in, the function that returns it, its slots.
        keys = ("instance", "self", "slots") if own else ("shares", "own_shares", "share_slots")
        self.struct, self.find, self.slots = (names[key] for key in keys)
        self.number = scope.ir.limits.index(limit)
        self.sym = symbols.of_limit(module, limit)
        self.of = [scope.by_name[name] for name in limit.of]
        self.narrow = any(item.ir.width == 32 for item in self.of)
        self.most = "UINT32_MAX" if self.narrow else "CTR_LIMIT_MOST"
        self.gauge = self.of[0] if limit.gauge else None
        if self.gauge:
            self.most = f"UINT64_C({self.gauge.ir.range[1]})"
        self.size = f"[{scope.chunks}]" if scope.dynamic else scope.dimensions
        self.refused = scope.by_name.get(limit.refused)  # the counter of updates, of a quota

    def place(self, scope: ScopeView) -> str:
        """The lvalue of the share of an instance, given those of an lcore; of a dynamic one that is
        not in the lcore's instance, its chunk."""
        if self.own:
            return scope.by_name[self.ir.remaining].within(scope.element_address)
        index = f"[({scope.flat}) / {scope.layout.chunk}]" if scope.dynamic else scope.subscript
        return f"self->{scope.name}.{self.name}{index}"


class Taken(NamedTuple):
    """What a call counts towards a limit: the instance, as its scope has it in the update, and the
    amount as an expression of 64 bits, of a list of each; `args` of the function that takes it;
    `used` are the parameters in these."""

    limit: LimitView
    scope: ScopeView
    amount: str
    args: str
    used: set[str]


def taken(
    limits: Sequence[LimitView],
    operations: Sequence[ir.Operation],
    items: Sequence[ItemView],
    arguments: Mapping[str, tuple[str, str]],
) -> tuple[Taken, ...]:
    """What a call of an update counts towards limits, of each instance that has a name of its own;
    `items` are those of its operations. Gauges last: what another quota refuses was never there."""
    found = []
    for limit in limits:
        counted: dict[str, list[OpView]] = {}
        for op, item in zip(operations, items, strict=True):
            if op.scope == limit.ir.scope and op.item in limit.ir.of and op.verb == "add":
                counted.setdefault(op.role, []).append(operation(op, item, arguments, CALL))
        for ops in counted.values():
            scope, total = ops[0].item.scope, ops[0].value
            for other in ops[1:]:
                total = f"ctr_limit_sum({total}, {other.value})"
            found.append(Taken(limit, scope, total, f"{scope.args_lead}{total}", operands(ops)))
    return tuple(sorted(found, key=lambda one: one.limit.ir.gauge))

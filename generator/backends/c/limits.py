# SPDX-License-Identifier: BSD-3-Clause
"""Views of limits: their names, where shares and accounts are, what a call counts towards them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...model import ir
from ...model.naming import symbols
from .items import ItemView, ScopeView


class LimitView:
    """A limit of a scope. `number` is its place in the scope, `queue` that among all of the module:
    of the list of what an lcore is asked to return."""

    def __init__(self, module: ir.Module, limit: ir.Limit, scope: ScopeView, queue: int) -> None:
        self.ir, self.scope, self.name, self.queue = limit, scope, limit.name, queue
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
        """The lvalue of the share of an instance, given those of an lcore; of a dynamic one, its
        chunk."""
        index = f"[({scope.flat}) / {scope.layout.chunk}]" if scope.dynamic else scope.subscript
        return f"{shares}->{scope.name}.{self.name}{index}"


class Taken(NamedTuple):
    """What a call counts towards a limit: the instance, as its scope has it in the update, and the
    amount as an expression of 64 bits; `used` are the parameters in both."""

    limit: LimitView
    scope: ScopeView
    amount: str
    used: set[str]

    @property
    def args(self) -> str:
        """Arguments of the function that takes it."""
        return f"{self.scope.args_lead}{self.amount}"


def amount(values: Sequence[str]) -> str:
    """The sum of what operations add."""
    total = values[0]
    for value in values[1:]:
        total = f"ctr_limit_sum({total}, {value})"
    return total


def of_module(module: ir.Module, scopes: Sequence[ScopeView]) -> tuple[LimitView, ...]:
    """All limits of a module, in its order."""
    pairs = [(limit, scope) for scope in scopes for limit in scope.ir.limits]
    return tuple(LimitView(module, limit, scope, n) for n, (limit, scope) in enumerate(pairs))

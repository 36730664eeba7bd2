# SPDX-License-Identifier: BSD-3-Clause
"""The indexes of scopes: numbers up to `max`, or labelled dimensions."""

from __future__ import annotations

from ..language import schema
from ..model import ir


def own(name: str, scope: schema.Scope) -> tuple[ir.Level, ...]:
    """The indexes of a scope that its parents do not have.

    A list of labels is called after the scope, as any index is. Several dimensions have names of
    their own, which need not differ from those in other scopes: the scope's is in front of them.
    """
    if not scope.labels:
        most = 0 if scope.storage == "embedded" else scope.max or 1
        if isinstance(most, schema.Symbolic):
            level = ir.Level(name, most.value, name, name, symbol=most.symbol, header=most.header)
            return (level,)
        return (ir.Level(name, most, name, name),)
    if isinstance(scope.labels, list):
        return (ir.Level(name, len(scope.labels), name, name, tuple(scope.labels)),)
    return tuple(
        ir.Level(f"{name}_{dimension}", max(1, len(labels)), name, dimension, tuple(labels))
        for dimension, labels in scope.labels.items()
    )

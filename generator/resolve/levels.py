# SPDX-License-Identifier: BSD-3-Clause
"""The indexes of scopes: numbers up to `max`, or labelled dimensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    if isinstance(scope.labels, dict):
        dimensions = {key: one for key, one in scope.labels.items() if not isinstance(one, str)}
        if dimensions:
            return tuple(
                _level(f"{name}_{dimension}", name, dimension, labels)
                for dimension, labels in dimensions.items()
            )
    return (_level(name, name, name, scope.labels),)


def _level(
    name: str, scope: str, dimension: str, labels: Mapping[str, object] | Sequence[str]
) -> ir.Level:
    """An index with labels, which are a list of names or texts by name."""
    texts = tuple(map(str, labels.values())) if isinstance(labels, Mapping) else ()
    return ir.Level(name, max(1, len(labels)), scope, dimension, tuple(labels), texts=texts)


def label_path(level: ir.Level) -> tuple[str, ...]:
    """The path of the labels of an index below its scope."""
    return ("labels",) if level.name == level.scope else ("labels", level.dimension)


def label_key(level: ir.Level, number: int) -> str | int:
    """What follows for a label: its name in a mapping, else its number."""
    return level.labels[number] if level.texts else number

# SPDX-License-Identifier: BSD-3-Clause
"""Which operations of updates belong together: on words that a shape groups, or on one word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .items import CounterView

if TYPE_CHECKING:
    from .transactions import OpView


class Word(NamedTuple):
    """A word that is the same in every call, one of several: its number, an operation on it."""

    number: int
    op: OpView


def words(ops: Iterable[OpView]) -> dict[str, Word]:
    """The words that are the same in every call, by their lvalues."""
    found: dict[str, Word] = {}
    for op in ops:
        if op.one_word:
            found.setdefault(op.place, Word(len(found), op))
    return found


def together(ops: Iterable[OpView], most: int) -> list[tuple[OpView, ...]]:
    """Operations in the same order, at most so many neighbours together whose words have 64 bits;
    others alone."""
    result: list[tuple[OpView, ...]] = []
    for op in ops:
        if op.bits == 64 and result and len(result[-1]) < most and result[-1][0].bits == 64:
            result[-1] += (op,)
        else:
            result.append((op,))
    return result


def grouped(ops: Iterable[OpView]) -> list[tuple[OpView, ...]]:
    """Operations in the same order, those together whose words are a group; others alone.

    A group is one only if it begins where the shape says: its words may lie otherwise, in a scope
    that the shape leaves alone, or behind the words of another update.
    """
    left, result = list(ops), []
    while left:
        group = _group_at(left)
        result.append(tuple(group))
        del left[: len(group)]
    return result


def _group_at(ops: Sequence[OpView]) -> Sequence[OpView]:
    """The group that the first operations are, or the first alone."""
    scope = ops[0].item.scope
    rule, data = scope.layout.group, scope.layout.data
    if rule is None or len(ops) < rule.words or data is None or data.align < rule.align:
        return ops[:1]
    group = ops[: rule.words]
    offsets = {field.name: field.offset for field in data.fields if field.size == 8}
    if any(isinstance(op.item, CounterView) or not op.counts or op.verb != "add" for op in group):
        return ops[:1]
    places = [offsets.get(op.item.name, 1) for op in group if op.item.scope is scope]
    first = places[0]
    wanted = [first + 8 * n for n in range(rule.words)]
    return group if first % rule.align == 0 and places == wanted else ops[:1]

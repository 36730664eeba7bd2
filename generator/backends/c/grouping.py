# SPDX-License-Identifier: BSD-3-Clause
"""Which operations of updates belong together: on words that a shape groups, or on one word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from .items import CounterView, ItemView


class Operation(Protocol):
    """An operation, as far as that depends on it."""

    @property
    def verb(self) -> str:
        """What it does to its word."""

    @property
    def item(self) -> ItemView | CounterView:
        """What the word is of."""

    @property
    def bits(self) -> int:
        """Width of the word."""

    @property
    def place(self) -> str:
        """The lvalue of the word."""

    @property
    def one_word(self) -> bool:
        """Whether it is the same word of the instance in every call."""


class Word(NamedTuple):
    """A word that is the same in every call, one of several: its number, an operation on it."""

    number: int
    op: Operation


def words(ops: Iterable[Operation]) -> dict[str, Word]:
    """The words that are the same in every call, by their lvalues."""
    found: dict[str, Word] = {}
    for op in ops:
        if op.one_word:
            found.setdefault(op.place, Word(len(found), op))
    return found


def together(ops: Iterable[Operation], most: int) -> list[tuple[Operation, ...]]:
    """Operations in the same order, at most so many neighbours together whose words have 64 bits;
    others alone."""
    result: list[tuple[Operation, ...]] = []
    for op in ops:
        if op.bits == 64 and result and len(result[-1]) < most and result[-1][0].bits == 64:
            result[-1] += (op,)
        else:
            result.append((op,))
    return result


def grouped(ops: Iterable[Operation]) -> list[tuple[Operation, ...]]:
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


def _group_at(ops: Sequence[Operation]) -> Sequence[Operation]:
    """The group that the first operations are, or the first alone."""
    rule = ops[0].item.scope.layout.group
    if rule is None or len(ops) < rule.words:
        return ops[:1]
    group = ops[: rule.words]
    scope, places = group[0].item.scope, [_offset(op) for op in group]
    first = places[0]
    if first is None or first % rule.align or scope.data is None or scope.data.align < rule.align:
        return ops[:1]
    wanted = [first + 8 * n for n in range(rule.words)]
    same = all(op.item.scope is scope and op.verb == "add" for op in group)
    return group if same and places == wanted else ops[:1]


def _offset(op: Operation) -> int | None:
    """Where a counter's word of 64 bits is in the element; None if it is none, or any."""
    item = op.item
    if isinstance(item, CounterView) or not item.accumulates or item.scope.data is None:
        return None
    fields = {field.name: field for field in item.scope.data.fields if field.size == 8}
    return fields[item.name].offset if item.name in fields else None

# SPDX-License-Identifier: BSD-3-Clause
"""The set of semantic rules, and decorators that add a function to it."""

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from ...findings.diagnostics import Severity
from ...findings.rules import Findings, RuleSet
from ..resolve.place import Resolution

SEMANTIC: RuleSet[Resolution] = RuleSet()
"""Every semantic rule."""

Part = TypeVar("Part")
Find = Callable[..., Findings]


def rule_of_each(
    parts: Callable[[Resolution], Iterable[tuple[Any, ...]]],
) -> Callable[..., Callable[[Find], Find]]:
    """A decorator for rules whose functions take one part of a module, such as an item.

    `parts` gives the arguments for each part; the decorator takes those of `RuleSet.rule`.
    """

    def part_rule(
        sentence: str, severity: Severity = Severity.ERROR, **more: Any
    ) -> Callable[[Find], Find]:
        def register(find: Find) -> Find:
            @SEMANTIC.rule(severity, sentence, **more)
            @functools.wraps(find)  # whose name gives the rule its id
            def find_all(r: Resolution) -> Findings:
                if parts not in r.listed:
                    r.listed[parts] = list(parts(r))
                for part in r.listed[parts]:
                    yield from find(*part)

            return find

        return register

    return part_rule


rule = rule_of_each(lambda r: [(r,)])


def repeated(parts: Iterable[Part], key: Callable[[Part], Hashable]) -> Iterator[tuple[Part, Part]]:
    """Parts whose key another one had before, each with the first that has it."""
    first: dict[Hashable, Part] = {}
    for part in parts:
        other = first.setdefault(key(part), part)
        if other is not part:
            yield part, other

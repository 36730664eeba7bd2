# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of the indexes of a scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model import ir
from ...model.lazy import cached_property
from ...model.naming import symbols
from ...model.naming.symbols import Names


@dataclass(frozen=True)
class LevelView:
    """One index: a number below a maximum, or one of its labels."""

    ir: ir.Level
    sym: Names
    constants: dict[str, str]  # of its labels, in the order of their values
    outer: str  # the scope that it is inside of; empty for none

    @cached_property
    def counted(self) -> str:
        """What there are `MAX` of, as comments say it."""
        if not self.ir.labels:
            return f"{self.ir.name} instances{f' of each {self.outer}' if self.outer else ''}"
        if self.ir.name == self.ir.scope:
            return f"labels of {self.ir.scope}"
        return f"labels of the {self.ir.dimension} of {self.ir.scope}"

    @property
    def fits(self) -> str:
        """A condition: the constant that is the maximum has the value that the schema says."""
        return f"{self.sym.MAX} == {self.ir.maximum}u"


class Indexed:
    """How C names an instance: its indexes, each with the macro that bounds it. Those in `fixed`
    are constants, the others parameters."""

    indexes: tuple[str, ...]
    limits: tuple[tuple[str, str], ...]
    fixed: frozenset[str]

    @cached_property
    def args(self) -> str:
        """Arguments that pass an instance on."""
        return ", ".join(self.indexes)

    @cached_property
    def subscript(self) -> str:
        """`[port][queue]` for an element of a static array."""
        return "".join(f"[{index}]" for index in self.indexes)

    @cached_property
    def bulk_args(self) -> str:
        """Arguments that pass on instance `i` of a bulk call."""
        return ", ".join(i if i in self.fixed else f"{i}_v[i]" for i in self.indexes)

    @cached_property
    def unsure(self) -> tuple[tuple[str, str], ...]:
        """The indexes to check, each with the macro that bounds it: those that are parameters."""
        return tuple(limit for limit in self.limits if limit[0] not in self.fixed)

    @cached_property
    def dimensions(self) -> str:
        """`[EP_STATS_PORT_MAX][EP_STATS_QUEUE_MAX]`."""
        return "".join(f"[{maximum}]" for _, maximum in self.limits)

    @cached_property
    def flat(self) -> str:
        """The indexes as one number: position in a table of all instances."""
        limits = self.limits
        if not limits:
            return "0"
        text = limits[0][0]
        for level, maximum in limits[1:]:
            text = (
                f"({text}) * {maximum} + {level}"
                if "*" in text
                else f"{text} * {maximum} + {level}"
            )
        return text

    def unflat(self, i: str) -> str:
        """The arguments for the instance at position `i` of a table of all instances."""
        parts = []
        rest = i
        for level, maximum in reversed(self.limits):
            last = level == self.limits[0][0]
            parts.append(rest if last else f"{rest} % {maximum}")
            rest = f"{rest} / {maximum}"
        return ", ".join(reversed(parts))


def level_views(module: ir.Module, scope: ir.Scope) -> tuple[LevelView, ...]:
    """The indexes of a scope that its parents do not have."""
    outer = [level.scope for level in scope.levels if level.scope != scope.name]
    return tuple(
        LevelView(
            level,
            symbols.of_level(module, scope, level),
            symbols.of_level_labels(module, level),
            outer[-1] if outer else "",
        )
        for level in scope.own
    )


def constants(module: ir.Module, scope: ir.Scope, labels: Mapping[str, str]) -> dict[str, str]:
    """The C constants of labels that fix indexes of a scope, by the names of its levels."""
    return {
        level.name: symbols.of_level_labels(module, level)[labels[level.name]]
        for level in scope.levels
        if level.name in labels
    }


def label_tables(module: ir.Module, scope: ir.Scope) -> tuple[str, ...]:
    """For each index of a scope the C table of its labels, `NULL` where it is just a number;
    nothing when no index has labels."""
    if not any(level.labels for level in scope.levels):
        return ()
    return tuple(
        symbols.of_level(module, module.scope(level.scope), level)["labels"]
        if level.labels
        else "NULL"
        for level in scope.levels
    )

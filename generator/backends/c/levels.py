# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of the indexes of a scope."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from ...model import ir
from ...model.naming import symbols
from ...model.naming.symbols import Names


@dataclass(frozen=True)
class LevelView:
    """One index: a number below a maximum, or one of its labels."""

    ir: ir.Level
    sym: Names
    constants: dict[str, str]  # of its labels, in the order of their values
    outer: str  # the scope that it is inside of; empty for none

    @functools.cached_property
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

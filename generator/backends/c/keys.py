# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of the keys of a scope's instances."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from ...model import ir
from ...model.naming import symbols
from ...model.naming.symbols import Names


@dataclass(frozen=True)
class KeyPartView:
    """A part of a key: a member of its struct."""

    ir: ir.KeyPart
    sym: Names
    constants: dict[str, str]  # of its labels, by name

    @functools.cached_property
    def type(self) -> str:
        """Its type in C, of each element of an array."""
        return self.ir.value_type.c or f"enum {self.sym.enum}"

    @property
    def subscript(self) -> str:
        """`[16]` behind the name of an array."""
        return f"[{self.ir.octets}]" if self.ir.octets else ""

    @property
    def meaning(self) -> str:
        """What the documentation says of it: its description, and what values it takes."""
        part = self.ir
        if part.value_type.text:
            most = "Always" if part.fixed else "Up to"
            return f"{part.description} {most} {part.length} octets, terminated."
        if part.type == "ipv4":
            return f"{part.description} In network byte order."
        return f"{part.description} Not negative." if part.type == "int32" else part.description


def part_views(module: ir.Module, scope: ir.Scope) -> tuple[KeyPartView, ...]:
    """The parts of the key of a scope's instances, none without a key."""
    return tuple(
        KeyPartView(
            part,
            symbols.of_key_part(module, scope, part),
            symbols.of_key_labels(module, scope, part),
        )
        for part in scope.key
    )


def tables(module: ir.Module, scope: ir.Scope) -> tuple[str, ...]:
    """For each index of a scope a pointer to the keys of that level, `NULL` where the index is all
    there is; nothing when no level has keys."""
    outer = [module.scope(level.scope) for level in scope.levels]
    if not any(scope.key for scope in outer):
        return ()
    return tuple(f"&{symbols.of_scope(module, s).keys}" if s.key else "NULL" for s in outer)

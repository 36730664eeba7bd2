# SPDX-License-Identifier: BSD-3-Clause
"""The index of a row that a scope augments, with which that of tables inside of it begins."""

from __future__ import annotations

from collections.abc import Callable

from ..model import ir
from . import standard

Name = Callable[[ir.Module, ir.Scope], str]
Index = Callable[[ir.Module, ir.Scope], list[ir.IndexObject]]


def index(module: ir.Module, scope: ir.Scope, row: Name, of: Index) -> list[ir.IndexObject]:
    """The index objects of the row that a scope augments; none where they are not known. `row`
    gives the name of a scope's own row, `of` the index objects of its table."""
    if name := standard.index_of(scope.snmp.augments):
        return [ir.IndexObject(name, module=standard.INDEXES[name])]
    wanted = scope.snmp.augments.removeprefix(f"{module.snmp.name}::")
    tables = (s for s in module.scopes if s.name != ir.GLOBAL and not s.snmp.augments)
    owner = next((s for s in tables if row(module, s) == wanted), None)
    return of(module, owner) if owner else []

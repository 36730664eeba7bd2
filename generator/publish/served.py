# SPDX-License-Identifier: BSD-3-Clause
"""How many rows of a scope the agent serves: the lock file records it, as managers rely on them."""

from collections.abc import Mapping

from ..model import ir
from .lock import Entry, Key, Lock
from .wanted import published_scopes

CAP = 10_000
"""Scopes with more instances are served only with `serve: true` or a cap in the schema."""

Rows = dict[str, int]
"""The most rows of each scope."""


def served_rows(scope: ir.Scope) -> int:
    """The most rows of a scope that the agent shows; 0: it does not serve the scope."""
    serve, cap = scope.snmp.serve, scope.snmp.cap
    if serve is False or (serve is None and not cap and scope.instances > CAP):
        return 0
    return min(cap or scope.instances, scope.instances)


def served(scope: ir.Scope) -> bool:
    """Whether the agent serves a scope: of large ones only where the schema declares it."""
    return served_rows(scope) > 0


def unserved(scope: ir.Scope, before: int) -> str:
    """Message if a scope serves fewer rows than `before` and fewer than it has instances; else
    empty."""
    rows = served_rows(scope)
    if rows >= min(before, scope.instances):
        return ""
    now = f"{rows or 'none'} of {scope.instances}"
    return f"up to {before} rows of scope '{scope.name}' were served, now {now}"


def recorded(
    module: ir.Module, old: Lock, former: Mapping[Key, Entry | None], draft: str
) -> tuple[Rows, Rows]:
    """Served rows of each scope, by its present name: in the older lock, and in that of this build.
    While there is a `draft` (its date), the rows of published tables are those of the older lock.

    `former` are the former entries of the parts of the module, None for new ones.
    """
    rows, before, now = dict(old.served), Rows(), Rows()
    for scope in published_scopes(module):
        table, name = former.get(Key(scope.name, role="table")), scope.name
        was = table.key.scope if table is not None else name
        if was in rows:
            before[name] = rows[was]
        if not draft:
            now[name] = served_rows(scope)
        elif table is not None and table.date != draft:
            now[name] = before.get(name, served_rows(scope))
    return before, now

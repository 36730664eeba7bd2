# SPDX-License-Identifier: BSD-3-Clause
"""How many rows of a scope the agent serves."""

from ..model import ir

CAP = 10_000
"""Scopes with more instances are served only with `serve: true` or a cap in the schema."""


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

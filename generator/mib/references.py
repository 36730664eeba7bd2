# SPDX-License-Identifier: BSD-3-Clause
"""What the REFERENCE clauses of a module say."""

from __future__ import annotations

from ..model import ir
from .lock import Key


def references(module: ir.Module) -> dict[Key, str]:
    """The documents that define things of a schema, by the keys of those things."""
    found: dict[Key, str] = {}
    for convention in module.snmp.types:
        found[Key(role="type", name=convention.name)] = convention.reference
    for scope in module.scopes:
        found[Key(scope.name, role="table")] = scope.snmp.reference
        for index in scope.snmp.index:
            found[Key(scope.name, role="index", name=index.name)] = index.reference
        for item in scope.items:
            if item.snmp is not None:
                found[Key(scope.name, item.name)] = item.snmp.reference
    return {key: text for key, text in found.items() if text}

# SPDX-License-Identifier: BSD-3-Clause
"""What the REFERENCE and DEFVAL clauses of a module say."""

from __future__ import annotations

from ..model import ir
from .definitions import ROLE
from .lock import Key


def references(module: ir.Module) -> tuple[dict[Key, str], dict[Key, str]]:
    """The documents that define things of a schema, and the default values of objects, by keys."""
    found: dict[Key, str] = {}
    defaults: dict[Key, str] = {}
    for convention in module.snmp.types:
        found[Key(role="type", name=convention.name)] = convention.reference
    for one in module.snmp.definitions:
        found[Key(role=ROLE, name=one.name)] = one.reference
    for scope in module.scopes:
        found[Key(scope.name, role="table")] = scope.snmp.reference
        for index in scope.snmp.index:
            key = Key(scope.name, role="index", name=index.name)
            found[key], defaults[key] = index.reference, index.default
        for item in scope.items:
            if item.snmp is not None:
                key = Key(scope.name, item.name)
                found[key], defaults[key] = item.snmp.reference, item.snmp.default
    return _said(found), _said(defaults)


def _said(texts: dict[Key, str]) -> dict[Key, str]:
    return {key: text for key, text in texts.items() if text}

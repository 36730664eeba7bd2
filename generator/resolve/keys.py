# SPDX-License-Identifier: BSD-3-Clause
"""The keys of scopes, every default filled in."""

from __future__ import annotations

from ..language import schema, units
from ..model import ir
from ..model.keys import KEY_TYPES
from .labels import labels
from .place import Place


def key(scope: schema.Scope, place: Place) -> tuple[ir.KeyPart, ...]:
    """The parts of the key of a scope's instances, none without a key."""
    implied = scope.snmp is not None and scope.snmp.implied
    last = len(scope.key) - 1
    parts = []
    for number, part in enumerate(scope.key):
        value_type = KEY_TYPES[part.type]
        parts.append(
            ir.KeyPart(
                name=part.name,
                type=part.type,
                description=units.text(part.description),
                length=(part.length or 1) if value_type.key == "length" else 0,
                fixed=part.fixed and value_type.text,
                implied=implied and number == last and value_type.text,
                labels=labels(part.labels or []) if value_type.key == "labels" else (),
                renamed_from=part.renamed_from or "",
                span=place.value("key", number),
            )
        )
    return tuple(parts)

# SPDX-License-Identifier: BSD-3-Clause
"""The indexes of scopes and their keys, and the labels of both."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...findings.diagnostics import Span
from ...model import ir
from ...model.keys import KEY_TYPES
from ...model.language import items as language
from ...model.language import schema, units
from .place import Place


def common(scope: str, name: str, entry: Any, span: Span) -> dict[str, Any]:
    """The fields that items and histograms have in common."""
    return {
        "name": name,
        "scope": scope,
        "span": span,
        "unit": units.text(entry.unit),
        "description": units.text(entry.description),
        "renamed_from": entry.renamed_from or "",
        "display": entry.display or "",
        "metric": entry.prometheus.name if entry.prometheus else "",
    }


def labels(written: dict[str, language.EnumLabel] | list[str]) -> tuple[ir.Label, ...]:
    """The labels of an enum; one without a number has that of its predecessor plus 1, from 1."""
    found: list[ir.Label] = []
    for name in written:
        entry = written[name] if isinstance(written, dict) else None
        value, text = found[-1].value + 1 if found else 1, ""
        if isinstance(entry, int):
            value = entry
        elif isinstance(entry, str):
            text = entry
        elif entry is not None:
            value, text = entry.value, entry.text
        found.append(ir.Label(name, value, text))
    return tuple(found)


def own(name: str, scope: schema.Scope) -> tuple[ir.Level, ...]:
    """The indexes of a scope that its parents do not have.

    A list of labels is called after the scope, as any index is. Several dimensions have names of
    their own, which need not differ from those in other scopes: the scope's precedes them.
    """
    if not scope.labels:
        most = 0 if scope.storage == "embedded" else scope.max or 1
        if isinstance(most, schema.Symbolic):
            level = ir.Level(name, most.value, name, name, symbol=most.symbol, header=most.header)
            return (level,)
        return (ir.Level(name, most, name, name),)
    if isinstance(scope.labels, dict):
        dimensions = {key: one for key, one in scope.labels.items() if not isinstance(one, str)}
        if dimensions:
            return tuple(
                _level(f"{name}_{dimension}", name, dimension, labels)
                for dimension, labels in dimensions.items()
            )
    return (_level(name, name, name, scope.labels),)


def _level(
    name: str, scope: str, dimension: str, labels: Mapping[str, object] | Sequence[str]
) -> ir.Level:
    """An index with labels, which are a list of names or texts by name."""
    texts = tuple(map(str, labels.values())) if isinstance(labels, Mapping) else ()
    return ir.Level(name, max(1, len(labels)), scope, dimension, tuple(labels), texts=texts)


def label_path(level: ir.Level) -> tuple[str, ...]:
    """The path of the labels of an index below its scope."""
    return ("labels",) if level.name == level.scope else ("labels", level.dimension)


def label_key(level: ir.Level, number: int) -> str | int:
    """What follows for a label: its name in a mapping, else its number."""
    return level.labels[number] if level.texts else number


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

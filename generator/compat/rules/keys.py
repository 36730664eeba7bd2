# SPDX-License-Identifier: BSD-3-Clause
"""The keys of scopes."""

from __future__ import annotations

from ...model import ir
from ..model import ADD_SCOPE, ERROR, changes
from ..pairs import Change, Changes, Comparison


@changes(
    ("key-changed", ERROR, "c-api c-abi oid semantics",
     "The parts of a key are members of its struct, and its values are in every OID of the table.",
     ADD_SCOPE),
    ("key-renamed", ERROR, "c-api c-abi prometheus",
     "The name of a part of a key is a member of its struct and a label in metrics; its object "
     "stays.", "Rename together with the users."),
)  # fmt: skip
def keys(c: Comparison) -> Changes:
    for old, new in c.scopes.pairs:
        if _same(old, new):
            for was, part in zip(old.key, new.key, strict=True):
                if was.name != part.name:
                    message = f"part '{was.name}' of the key of '{new.name}' is now '{part.name}'"
                    yield Change("key-renamed", part.span, new.name, message)
            continue
        message = f"scope '{new.name}' had {_shown(old)}, now has {_shown(new)}"
        yield Change("key-changed", c.scope_at(new, "key"), new.name, message)


def _same(old: ir.Scope, new: ir.Scope) -> bool:
    """Whether the keys are the same, but for labels that are new."""
    names = [part.name for part in old.key]
    pairs = list(zip(old.key, new.key, strict=False))
    return len(old.key) == len(new.key) and all(
        _shape(a) == _shape(b) and _labels(a) <= _labels(b) and a.name == _former(b, names)
        for a, b in pairs
    )


def _former(part: ir.KeyPart, names: list[str]) -> str:
    """What a part was called in a version with parts of these names."""
    return part.name if part.name in names else part.renamed_from


def _labels(part: ir.KeyPart) -> set[tuple[str, int]]:
    return {(label.name, label.value) for label in part.labels}


def _shape(part: ir.KeyPart) -> tuple[str, int, bool, bool]:
    return part.type, part.length, part.fixed, part.implied


def _shown(scope: ir.Scope) -> str:
    """The key of a scope in words."""
    return f"the key {', '.join(map(_part, scope.key))}" if scope.key else "no key"


def _part(part: ir.KeyPart) -> str:
    text = f"{part.name} {part.type}"
    if part.length:
        varies = part.value_type.text and not part.fixed
        text += f"({'1..' if varies else ''}{part.length})"
    if part.labels:
        text += " {" + ", ".join(f"{label.name}: {label.value}" for label in part.labels) + "}"
    return text + (" implied" if part.implied else "")

# SPDX-License-Identifier: BSD-3-Clause
"""Names for the rows of a table: the labels of its index, if that is an enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..raw import Node

MAX_ROWS = 64
"""Rows of a table that does not say how many it has."""


def name(scopes: Mapping[str, Any], wanted: Mapping[str, Sequence[str]]) -> None:
    """Give scopes `labels` in place of the `max` that they got, where no name in C is then twice.

    Annotations come first: a scope that has labels by them, or another `max`, keeps those.
    """
    used = set(taken(scopes))
    for scope, labels in wanted.items():
        found = scopes.get(scope)
        if not isinstance(found, dict) or "labels" in found or "storage" in found:
            continue
        names = [joined(scope, word) for word in (*labels, "index", "labels")]
        if found.get("max") == MAX_ROWS and len({*names}) == len(names) and not used & {*names}:
            used.update(names)
            keys = {("labels" if key == "max" else key): found[key] for key in found}
            found.clear()
            found.update(keys | {"labels": [*labels]})


def give_way(under: Node, over: Node) -> None:
    """Take labels away from scopes of which a schema says itself how many instances there are."""
    scopes = under.value["scopes"].value
    other = over.value.get("scopes")
    for name_, scope in (other.value if other and isinstance(other.value, dict) else {}).items():
        labels = scopes[name_].value.get("labels") if name_ in scopes else None
        said = scope.value if isinstance(scope.value, dict) else {}
        if labels and {*said} & {"max", "storage", "parent", "labels"}:
            keys = scopes[name_].value
            del keys["labels"]
            keys["max"] = Node(MAX_ROWS, labels.region)


def joined(*words: str) -> str:
    """A name in C, without the prefix of the module, in capitals."""
    return "_".join(word for word in words if word not in ("", "global")).upper()


def taken(scopes: Mapping[str, Any]) -> Iterator[str]:
    """The names in C of scopes and their items, without the prefix, in capitals."""
    for scope, keys in scopes.items():
        yield from (joined(scope), joined(scope, "max"))
        for items in keys.values() if isinstance(keys, dict) else ():
            for item, of_item in items.items() if isinstance(items, dict) else ():
                labels = of_item.get("labels") if isinstance(of_item, dict) else None
                for more in ("", *(labels if isinstance(labels, dict | list) else ())):
                    yield joined(scope, item, more)

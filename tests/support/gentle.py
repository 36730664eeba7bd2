# SPDX-License-Identifier: BSD-3-Clause
"""Schemas that somebody might write: small changes of a whole one that leave its shape as it is."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from tests.support.strategies import VARIANTS

Place = tuple[dict[Any, Any], Any]
"""A mapping, and one of its keys."""

VALUES: dict[str, list[Any]] = {
    "width": [32, 64],
    "max": [1, 3, 4096, {"symbol": "RTE_MAX_LCORE", "value": 5}],
    "min": [0, 1, 64],
    "storage": ["static", "dynamic", "embedded"],
    "sync": [*(variant.split(":")[0] for variant in VARIANTS), "caller"],
    "reset": [True, False, "per_lcore"],
    "bounds": ["drop", "assert", [0], [1, 2], [7, 2**63 - 1]],
    "log2": [{"min": 1, "max": 1}, {"min": 2, "max": 2**20}],
    "labels": [
        ["a"],
        ["in", "out"],
        {"in": "In"},
        {"way": ["up", "down"]},
        {"a": ["x"], "b": ["y", "z"]},
    ],
    "type": ["bool", "uint64", "timestamp", "int32", "timeticks", "ipv6", "mac"],
    "unit": ["By", "1", "%", "{frame}/s"],
    "length": [1, 8, 255],
    "parent": ["port", "slot", "why", "fault"],
    "use": [["traffic"], []],
    "draft": [True],
    "keep": ["minimum", "maximum"],
    "of": ["level", "held"],
    "size": ["uint8", "int32", "uint64"],
    "views": [["cli", "bill"]],
    "snapshots": ["reader", "owner"],
}
"""What may be there, by key."""
NAMES = [
    *("drop", "drops", "batch", "lock", "value", "index", "reset", "read", "view", "snapshot"),
    *("lcore", "next", "n", "self", "data", "sizes_sum", "sizes_to_64", "int", "errno"),
]
"""Names that somebody may give."""


def _places(node: object) -> Iterator[Place]:
    """Every key of every mapping."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield node, key
            yield from _places(value)


def _drop(data: Any, random_: random.Random) -> None:
    """Something is not there."""
    mapping, key = random_.choice([place for place in _places(data) if place[0] is not data])
    del mapping[key]


def _value(data: Any, random_: random.Random) -> None:
    """Something is another of its kind."""
    mapping, key = random_.choice([place for place in _places(data) if place[1] in VALUES])
    mapping[key] = random_.choice(VALUES[key])


def _key(data: Any, random_: random.Random) -> None:
    """A scope or the module says one thing more."""
    mapping = random_.choice([data, *data["scopes"].values()])
    key = random_.choice(["storage", "sync", "reset", "parent", "use", "max"])
    if mapping is data:
        key = random_.choice(["sync", "reset", "bounds", "views", "snapshots"])
    values = [v for v in VALUES[key] if isinstance(v, str)] if key == "bounds" else VALUES[key]
    mapping[key] = random_.choice(values)


def _copy(data: Any, random_: random.Random) -> None:
    """A scope, item, or operation is there once more, under another name."""
    scopes = data.get("scopes", {})
    kinds = ("counters", "gauges", "states", "histograms", "peaks")
    lists = [scope[kind] for scope in scopes.values() for kind in kinds if scope.get(kind)]
    source = random_.choice([scopes, *lists])
    target = scopes if source is scopes else random_.choice(lists)
    name = random_.choice(sorted(source))
    target[random_.choice(NAMES)] = copy.deepcopy(source[name])


def _rename(data: Any, random_: random.Random) -> Any:
    """A scope or an item has another name wherever it is used."""
    scopes = data["scopes"]
    names = [*scopes, *(n for s in scopes.values() for n in s.get("counters", {}))]
    old, new = random_.choice(names), random_.choice(NAMES)

    def walk(node: Any) -> Any:
        if isinstance(node, dict):
            return {walk(key): walk(value) for key, value in node.items()}
        if isinstance(node, list):
            return [walk(value) for value in node]
        if not isinstance(node, str) or " " in node:
            return node
        path, bracket, label = node.partition("[")
        return ".".join(new if word == old else word for word in path.split(".")) + bracket + label

    return walk(data)


def _operation(data: Any, random_: random.Random) -> None:
    """An update does one thing more, to any item."""
    scope = random_.choice(sorted(data["scopes"]))
    counters = data["scopes"][scope].get("counters", {})
    observed = data["scopes"][scope]
    observed = {**observed.get("histograms", {}), **observed.get("peaks", {})}
    update = random_.choice([u for u in data["updates"].values() if isinstance(u, dict)])
    amounts = [1, *update.get("args", {})]
    if observed and (random_.random() < 0.5 or not counters):
        name = random_.choice(sorted(observed))
        update.setdefault("observe", {})[f"{scope}.{name}"] = random_.choice(amounts)
    elif counters:
        name = random_.choice(sorted(counters))
        update.setdefault("add", {})[f"{scope}.{name}"] = random_.choice(amounts)


def with_views(text: str) -> str:
    """A schema with views, and without peaks, which views exclude."""
    data = yaml.safe_load(text) | {"views": ["cli", "billing"]}
    gone = [
        f"{name}.{peak}"
        for name, scope in data["scopes"].items()
        for peak in scope.pop("peaks", ())
    ]
    for update in data["updates"].values():
        for target in {*update.get("observe", {})} & {*gone}:
            del update["observe"][target]
    return _Plain.dump(data)


CHANGES: list[Callable[[Any, random.Random], Any]] = [
    *(_drop, _value, _value, _key, _copy, _copy, _rename, _operation)
]


def nudge(text: str, random_: random.Random) -> str:
    """A schema with one to four changes of what it says."""
    data = yaml.safe_load(_Plain.dump(yaml.safe_load(text)))  # without what anchors share
    for _ in range(random_.randint(1, 4)):
        try:
            data = random_.choice(CHANGES)(data, random_) or data
        except (IndexError, KeyError, AttributeError):
            continue  # what it would change is gone
    return _Plain.dump(data)


class _Plain(yaml.SafeDumper):
    """YAML without anchors."""

    @classmethod
    def dump(cls, data: Any) -> str:
        """The text of `data`."""
        return str(yaml.dump(data, Dumper=cls, sort_keys=False, allow_unicode=True))

    def ignore_aliases(self, data: Any) -> bool:
        return True

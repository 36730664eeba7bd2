# SPDX-License-Identifier: BSD-3-Clause
"""Finds the synchronization strategies: one folder each under templates/c/sync/.

A folder holds `strategy.yaml` (summary, promises, tunables) and `sync.j2` (its
answers to the strategy contract, see docs/adding-a-strategy.md). Nothing else
in ctrgen knows a strategy by name.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from . import costs

if TYPE_CHECKING:
    from importlib.abc import Traversable

CONSISTENCY = ("none", "counter", "update")
"""Levels of read consistency, each including the ones before it."""

PROMISES = {
    "exact": (True, False),
    "consistency": CONSISTENCY,
    "reader": ("preemptible", "stalls-lcore", "blocks-writers"),
    "writers": ("any", "lcores"),
    "reset": ("lossless", "lossy"),
    "propagation": ("store", "flush"),
    "instances": ("one", "lcores"),
}
"""Every promise a strategy must state, with the values it may take."""


class StrategyError(Exception):
    """A strategy folder that does not hold what it must; the message names the file."""


@dataclass(frozen=True, slots=True)
class Tunable:
    """One knob of a strategy: an integer range, or a choice of `values`.

    `at_most` names another tunable that this one must not exceed; `holds` is
    `update` when this one must be at least the operations of the largest update.
    """

    name: str
    description: str
    default: int | str | bool
    values: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    at_most: str | None = None
    holds: str | None = None


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy as its folder describes it.

    `cycles` is the published cost of one update, `cost` what the cost model goes by.
    `symbols` are the C names that it brings, without the prefix; `instance_members` and
    `element_members` what it adds to structs, beside scopes and items.
    """

    name: str
    summary: str
    promises: dict[str, Any]
    cycles: int | None
    storage: tuple[str, ...]
    layout: dict[str, Any]
    tunables: tuple[Tunable, ...] = field(default=())
    cost: costs.Cost | None = None
    symbols: tuple[str, ...] = ()
    instance_members: tuple[str, ...] = ()
    element_members: tuple[str, ...] = ()

    def tunable(self, name: str) -> Tunable | None:
        """The tunable of that name, or None."""
        return next((t for t in self.tunables if t.name == name), None)


def _tunable(name: str, raw: dict[str, Any]) -> Tunable:
    return Tunable(
        name=name,
        description=" ".join(raw["description"].split()),
        default=raw["default"],
        values=tuple(raw.get("values", ())),
        minimum=raw.get("minimum"),
        maximum=raw.get("maximum"),
        at_most=raw.get("at_most"),
        holds=raw.get("holds"),
    )


def _load(folder: Traversable) -> Strategy:
    path = folder / "strategy.yaml"
    try:
        raw = yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        promises = raw["promises"]
        for promise, values in PROMISES.items():
            if promises.get(promise) not in values:
                raise StrategyError(
                    f"{path}: promise '{promise}' must be one of "
                    f"{', '.join(str(value) for value in values)}"
                )
        unknown = sorted(set(promises) - set(PROMISES))
        if unknown:
            raise StrategyError(f"{path}: unknown promise '{unknown[0]}'")
        return Strategy(
            name=folder.name,
            summary=raw["summary"],
            promises=promises,
            cycles=raw.get("cycles"),
            storage=tuple(raw["storage"]),
            layout=raw.get("layout") or {},
            tunables=tuple(_tunable(k, v) for k, v in (raw.get("tunables") or {}).items()),
            cost=costs.parse(raw.get("cost")),
            symbols=tuple(raw.get("symbols") or ()),
            instance_members=tuple(raw.get("instance_members") or ()),
            element_members=tuple(raw.get("element_members") or ()),
        )
    except (OSError, ValueError, yaml.YAMLError, KeyError, TypeError, AttributeError) as e:
        raise StrategyError(f"{path}: {e}") from e


@functools.cache
def all_strategies() -> dict[str, Strategy]:
    """Every installed strategy by name, sorted. Raises StrategyError for a broken folder."""
    root = resources.files("ctrgen.templates") / "c" / "sync"
    folders = sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.name)
    return {f.name: _load(f) for f in folders if (f / "strategy.yaml").is_file()}

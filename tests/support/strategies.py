# SPDX-License-Identifier: BSD-3-Clause
"""The test matrix: every strategy, and every way its tunables change the code.

The strategies come from their folders, so that a new one is tested as it is; what more there is
to try of one is in its folder of tests.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import yaml

from ctrgen.model.language.schema import DEFAULT_STRATEGY
from ctrgen.model.strategies.base import Value, applies
from ctrgen.model.strategies.catalogue import Strategy, all_strategies
from tests.support.paths import ROOT

FOLDER = ROOT / "tests" / "strategies"
"""Below it is a folder for each strategy, with its own tests and `facts.yaml`."""


@dataclass(frozen=True)
class Facts:
    """What tests expect of one strategy: `facts.yaml` of its folder, each key if there is one."""

    variants: list[str] = field(default_factory=list)
    """Tunables that change the code."""
    bursts: list[str] = field(default_factory=list)
    """Tunables at their bounds, and next to them, on which it depends when readers see a count."""
    instructions: int | None = None
    """Those of an update of four counters, two of them of a session, up to the return."""
    barriers: Mapping[str, str] | None = None
    """Barriers and locked instructions of such an update, as code.letter() of tests.machine names
    them, by architecture."""
    fences: Mapping[str, int] = field(default_factory=dict)
    """Instructions more than in the pattern by hand, by architecture."""
    serves: list[str] = field(default_factory=list)
    """What other tests take it for: names that serving() is called with."""
    by_hand: bool = False
    """Whether benchmarks compare it with a simple form that people write by hand."""
    pointer: bool = False
    """Whether a thread has a pointer to its copy, or to what it buffers."""
    proofs: Mapping[str, list[list[str]]] = field(default_factory=dict)
    """More checks of a promise (tests.promises.proofs): a test of the folder, and C tests in it."""
    properties: Mapping[str, list[str]] = field(default_factory=dict)
    """Tests of the folder that check a property of tests.promises.runtime."""
    orders_unseen: list[str] = field(default_factory=list)
    """Orders of its C that no bug of a model relaxes: the file, a colon, and the line."""
    orders_elsewhere: list[str] = field(default_factory=list)
    """Files whose orders are relaxed in tests of their own."""


def _facts(name: str) -> Facts:
    path = FOLDER / name / "facts.yaml"
    return Facts(**(yaml.safe_load(path.read_text("utf-8")) or {})) if path.exists() else Facts()


FACTS = {name: _facts(name) for name in all_strategies()}


def fact(key: str) -> dict[str, Any]:
    """One fact of each strategy that has it."""
    found = {name: getattr(facts, key) for name, facts in FACTS.items()}
    return {name: value for name, value in found.items() if value is not None}


def tuned(key: str) -> list[str]:
    """Variants: each strategy with the tunables that are that fact of it."""
    return [f"{name}:{more}" for name, found in fact(key).items() for more in found]


MAX_LCORE = 128
"""CTR_MAX_LCORE of both ports, as they are tested."""

STRATEGIES = [name for name, s in all_strategies().items() if "static" in s.storage]
USUAL = DEFAULT_STRATEGY
"""For tests that any strategy serves."""

TUNED = tuned("variants")
VARIANTS = STRATEGIES + TUNED


def strategy_of(variant: str) -> Strategy:
    """The strategy of a variant."""
    return all_strategies()[variant.split(":")[0]]


def settings(variant: str) -> dict[str, Value]:
    """Its tunables, those that are not the default."""
    words = (word.split("=") for word in variant.partition(":")[2].split(",") if word)
    return {key: int(value) if value.isdigit() else value for key, value in words}


def promise(variant: str, what: str) -> object:
    """What the strategy of a variant promises."""
    return getattr(strategy_of(variant).promises, what)


def lcore_values(variant: str) -> bool:
    """Whether what one lcore has of a count is a value that can be read."""
    return strategy_of(variant).lcore_values


def by_cpu(variant: str) -> bool:
    """Whether the copies are by CPU."""
    return strategy_of(variant).by_cpu


def _cpus(variant: str) -> int:
    """The tunable of that name; 0 is the default of all strategies."""
    return int(settings(variant).get("cpus", 0))


def cpu_copies(variant: str) -> int:
    """How many copies there are by CPU on this machine, and the one besides."""
    count = os.sysconf("SC_NPROCESSORS_CONF")
    return min(count, _cpus(variant) or count, MAX_LCORE) + 1


def at_most(variant: str) -> str:
    """A variant with `cpus` as many as this machine has, if that is less."""
    count = _cpus(variant)
    return variant.replace(f"cpus={count}", f"cpus={min(count, cpu_copies(variant) - 1)}")


def copies(variant: str) -> dict[str, int]:
    """An option for programs: how many copies there are with one lcore in use, where no value of
    an lcore tells."""
    if by_cpu(variant):
        return {"COPIES": cpu_copies(variant)}
    alone = promise(variant, "instances") != "lcores" or lcore_values(variant)
    return {} if alone else {"COPIES": 2}


EXACT = [variant for variant in VARIANTS if promise(variant, "exact")]
LOSSY = [variant for variant in VARIANTS if not promise(variant, "exact")]
ALL_EXACT = [name for name in STRATEGIES if name in EXACT]
CONSISTENT = [variant for variant in VARIANTS if promise(variant, "consistency") == "update"]


def usually(names: list[str], usual: Collection[str]) -> list[Any]:
    """Cases of a test for each name; those that are not usual are deep."""
    deep = pytest.mark.deep
    return [pytest.param(name, marks=[] if name in usual else [deep]) for name in names]


def serving(what: str, **promises: object) -> str:
    """The strategy that serves tests of something, as its facts say; it promises this."""
    found = [name for name in STRATEGIES if what in FACTS[name].serves]
    assert len(found) == 1, f"facts.yaml: '{what}' is served by {found}"
    assert all(promise(found[0], key) == value for key, value in promises.items()), found
    return found[0]


SHARED = serving("shared", instances="one", consistency="counter", propagation="store")
LOCKING = serving("locking", instances="one", consistency="update", propagation="store")
BUFFERING = serving("buffering", consistency="update", propagation="flush")
UNLIKE = (USUAL, LOCKING, BUFFERING)
"""Strategies that have little in common, for what takes long."""
SEQUENCED = serving("sequenced", consistency="update", reader="preemptible")
OWN_LOCKS = serving("own-locks", reader="stalls-lcore")
DELTAS = serving("deltas", consistency="counter", propagation="flush")
DRAINED = serving("drained", propagation="drain")
BY_CPU = serving("by-cpu")
INEXACT = serving("inexact", exact=False)
NARROW = serving("narrow")
assert by_cpu(BY_CPU) and all_strategies()[NARROW].sums
"""What is particular about others, for tests that are about that."""

EMBEDDING = [name for name, s in all_strategies().items() if "embedded" in s.storage]
"""Strategies for the application's own structs."""


def _element_transactions(variant: str, tunables: Mapping[str, Value]) -> bool:
    of = strategy_of(variant)
    return applies(of.element_transactions, dict(of.settings(tunables)))


GRANULAR = [
    variant
    for variant in TUNED
    if _element_transactions(variant, settings(variant)) > _element_transactions(variant, {})
]
"""Variants with a transaction for each element of a bulk call, which is one by default."""


def fair(variant: str) -> bool:
    """Whether threads queue: with more threads than cores, each hand-over waits for one."""
    return "lock=ticket" in variant or "lock=mcs" in variant


def fewer(variant: str, count: int, by: int) -> int:
    """An iteration count, less for the locks that are slow on few cores."""
    return max(count // by, 1) if fair(variant) else count

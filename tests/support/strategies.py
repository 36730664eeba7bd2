# SPDX-License-Identifier: BSD-3-Clause
"""The test matrix: every strategy, and every way its tunables change the code.

The strategies come from their folders, so that a new one is tested as it is; here
is only what more there is to try of one.
"""

import os
from collections.abc import Collection
from typing import Any

import pytest

from ctrgen.model.language.schema import DEFAULT_STRATEGY
from ctrgen.model.strategies.catalogue import all_strategies

TUNED = {
    "per_core_seqcount": ["retries=1"],
    "shared_lock": [
        "lock=ticket",
        "lock=mcs",
        "lock=pi",
        "granularity=instance",
        "lock=mcs,granularity=instance",
        "lock=pi,granularity=instance",
    ],
    "shared_coalesced": ["entries=1", "entries=6,hints=1"],
    "per_cpu": ["cpus=1"],
    "per_core_narrow": ["words=u16,lcores=254"],
    "delta_ring": ["ring=19", "mode=mpmc", "mode=rts,ring=64", "mode=hts"],
    "shared_buffered": ["buffer=16,soft_threshold=16", "buffer=33,soft_threshold=0,hints=1"],
}

MAX_LCORE = 128
"""CTR_MAX_LCORE of both ports, as they are tested."""

STRATEGIES = [name for name, s in all_strategies().items() if "static" in s.storage]
USUAL = DEFAULT_STRATEGY
"""For tests that any strategy serves."""

VARIANTS = STRATEGIES + [f"{name}:{more}" for name in TUNED for more in TUNED[name]]


def promise(variant: str, what: str) -> object:
    """What the strategy of a variant promises."""
    return getattr(all_strategies()[variant.split(":")[0]].promises, what)


def lcore_values(variant: str) -> bool:
    """Whether what one lcore has of a count is a value that can be read."""
    return all_strategies()[variant.split(":")[0]].lcore_values


def by_cpu(variant: str) -> bool:
    """Whether the copies are by CPU."""
    return all_strategies()[variant.split(":")[0]].by_cpu


def _cpus(variant: str) -> int:
    """The tunable of that name; 0 is the default of all strategies."""
    tuned = dict(word.split("=") for word in variant.partition(":")[2].split(",") if word)
    return int(tuned.get("cpus", 0))


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
CONSISTENT = [variant for variant in VARIANTS if promise(variant, "consistency") == "update"]


def usually(names: list[str], usual: Collection[str]) -> list[Any]:
    """Cases of a test for each name; those that are not usual are deep."""
    deep = pytest.mark.deep
    return [pytest.param(name, marks=[] if name in usual else [deep]) for name in names]


def first(**promises: str) -> str:
    """The first strategy that promises this."""
    return next(s for s in STRATEGIES if all(promise(s, k) == promises[k] for k in promises))


SHARED = first(instances="one", consistency="counter", propagation="store")
UNLIKE = (
    USUAL,
    first(instances="one", consistency="update", propagation="store"),
    first(consistency="update", propagation="flush"),
)
"""Strategies that have little in common, for what takes long."""
LOCKING, BUFFERING = UNLIKE[1:]
SEQUENCED = first(consistency="update", reader="preemptible")
OWN_LOCKS = first(reader="stalls-lcore")
DELTAS = first(consistency="counter", propagation="flush")
DRAINED = first(propagation="drain")
BY_CPU = next(filter(by_cpu, STRATEGIES))
INEXACT = next(s for s in STRATEGIES if not promise(s, "exact"))
NARROW = next(s for s in STRATEGIES if all_strategies()[s].sums)
"""What is particular about others, for tests that are about that."""

EMBEDDING = [name for name, s in all_strategies().items() if "embedded" in s.storage]
"""Strategies for the application's own structs."""


def fair(variant: str) -> bool:
    """Whether threads queue: with more threads than cores, each hand-over waits for one."""
    return "lock=ticket" in variant or "lock=mcs" in variant


def fewer(variant: str, count: int, by: int) -> int:
    """An iteration count, less for the locks that are slow on few cores."""
    return max(count // by, 1) if fair(variant) else count

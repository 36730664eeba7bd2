# SPDX-License-Identifier: BSD-3-Clause
"""Made-up results of a benchmark that look like real ones, noise included."""

import random
from typing import Any

from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.tools.bench.result import Result
from tests.support.strategies import INEXACT, STRATEGIES, USUAL, promise

ADDS = 4
COSTS = {
    name: {1: 1.5, 2: cost / 2 if promise(name, "instances") == "one" else 1.5 + cost / 10}
    for name in STRATEGIES
    if (cost := all_strategies()[name].cycles)
}
COSTS[USUAL] = {1: 1.2, 2: 1.2}
"""Cycles per counter update by number of lcores; USUAL is the fastest."""


def _cost(strategy: str, at: dict[str, Any], key: str) -> float:
    """Cycles per packet beyond `none`."""
    own = COSTS[strategy][min(2, at["lcores"])]
    far = own * (1 + 0.15 * max(0, at["flows"].bit_length() - 15))
    costs = {"none": 0.0, "generated": far, "hand": far * 0.99, "free": own, "quota": 1.4 * own}
    return ADDS * costs[key]


def _point(
    strategy: str, rounds: int, ways: tuple[str, ...], rng: random.Random, **place: Any
) -> dict[str, Any]:
    at = {"lcores": 1, "cores": 1, "flows": 1024, "work": 0, **place}
    entries = []
    for number in range(rounds):
        drift = 1 + 0.02 * rng.gauss(0, 1)
        entry: dict[str, Any] = {"round": number}
        for key in ("none", "generated", *ways):
            cost = _cost(strategy, at, key)
            value = (3.0 + at["work"] + cost + (0.25 + 0.01 * cost) * rng.gauss(0, 1)) * drift
            entry[key] = round(max(0.0, value), 3)
        expected = ADDS * (100_000 + rng.randrange(100))
        losing = strategy == INEXACT and at["lcores"] > 1
        counted = int(expected * (1 - rng.uniform(0.15, 0.2))) if losing else expected
        passes = {"count": 10 * bool(at.get("reads")), "ms": 5.0 * bool(at.get("reads"))}
        entry |= {"expected": expected, "counted": counted, "ms": 10.0}
        entries.append(entry | {"reads": passes, "resets": {"count": 0, "ms": 0.0}})
    return {"strategy": strategy, "at": at, "rounds": entries}


def document(
    rounds: int = 12,
    strategies: tuple[str, ...] = tuple(COSTS),
    works: tuple[int, ...] = (0,),
    flows: tuple[int, ...] = (1024,),
    ways: tuple[str, ...] = ("hand",),
    more: tuple[dict[str, Any], ...] = (),
) -> dict[str, Any]:
    """A document as the driver writes it; `more` are further places."""
    rng = random.Random(1)
    places = [
        {"lcores": lcores, "cores": lcores, "flows": count, "work": work}
        for work in works
        for lcores in (1, 2)
        for count in flows
    ]
    return {
        "format": "ctrgen-bench", "version": 2, "made": "2026-01-31T12:00:00Z",
        "ctrgen": "0.1.0", "command": ["ctrgen", "bench", "ep.yaml"],
        "schema": {"file": "ep.yaml", "module": "ep", "sha256": "5f" * 32},
        "machine": {
            "cpu": "Example 9000 <8-core>", "arch": "x86_64", "cores": [0, 1], "online": 2,
            "threads_per_core": 1, "virtual": True, "kernel": "6.1.0", "memory_bytes": 8 << 30,
            "caches": [
                {"level": 1, "type": "Data", "bytes": 32768, "shared_by": 1},
                {"level": 3, "type": "Unified", "bytes": 32 << 20, "shared_by": 2},
            ],
            "tsc_hz": 2.6e9, "governor": None,
        },
        "build": {
            "compiler": "gcc 12.2.0", "cflags": ["-O3", "-march=native"], "dpdk": "22.11.7",
        },
        "workload": {
            "updates": ["packet"], "adds": ADDS,
            "memory": {name: memory(name) for name in strategies},
        },
        "strategies": list(strategies),
        "points": [
            _point(name, rounds, ways, rng, **place)
            for place in (*places, *more)
            for name in strategies
        ],
        "notes": ["No huge pages: ran without."], "complete": True,
    }  # fmt: skip


def memory(strategy: str) -> dict[str, int]:
    """Bytes by number of lcores."""
    size = 1024 * 64
    copies = {n: n + 1 if promise(strategy, "instances") == "lcores" else 1 for n in (1, 2, 8)}
    return {str(n): size * count + 128 for n, count in copies.items()}


def result(**recipe: Any) -> Result:
    """The same, read."""
    return Result.model_validate(document(**recipe))

# SPDX-License-Identifier: BSD-3-Clause
"""Made-up results of a benchmark that look like real ones, noise included.

Rounds drift in company (an AR(1) process), each program scatters by itself, a
few rounds are upset by a neighbour, and whole runs are off: the programs of a
run by a common factor, and each by one of its own.
"""

import random
from dataclasses import dataclass, field
from typing import Any

from ctrgen.tools.bench.result import Result

ADDS = 4
COSTS = {  # cycles per counter update by number of lcores
    "shared_unsync": {1: 1.0, 2: 14.0},
    "shared_lock": {1: 7.0, 2: 110.0},
    "shared_atomic": {1: 6.0, 2: 33.0},
    "shared_buffered": {1: 4.0, 2: 4.6},
    "per_core": {1: 1.2, 2: 1.2},
    "per_core_lock": {1: 6.5, 2: 6.5},
    "per_core_seqcount": {1: 1.9, 2: 1.9},
}
PATTERNS = {"shared_lock:lock=ticket": "shared_lock"}
"""Variants that cost what another strategy does."""


@dataclass
class Noise:
    """How far figures are off; shares are of the cost."""

    scatter: float = 0.25
    """Cycles per packet, standard deviation of one measurement."""
    share: float = 0.01
    """The same as a share of what is measured."""
    memory: float = 0.5
    """Lag-1 correlation of consecutive rounds."""
    upset: float = 0.03
    """Share of measurements that a neighbour upsets."""
    run: float = 0.02
    """How far a whole run is off."""
    program: float = 0.01
    """How far one program of a run is off."""


@dataclass
class Recipe:
    """What to make up."""

    seed: int = 1
    rounds: int = 12
    strategies: tuple[str, ...] = tuple(COSTS)
    works: tuple[int, ...] = (0,)
    flows: tuple[int, ...] = (1024,)
    overcommit: bool = False
    planted: float = 0.0
    """Cycles per packet added to the generated code."""
    baselines: tuple[str, ...] = ("hand", "floor", "atomic")
    noise: Noise = field(default_factory=Noise)


class _Walk:
    """An AR(1) process with a standard deviation of 1."""

    def __init__(self, rng: random.Random, memory: float) -> None:
        self.rng, self.memory = rng, memory
        self.state = rng.gauss(0, 1)

    def step(self) -> float:
        fresh = (1 - self.memory**2) ** 0.5
        self.state = self.memory * self.state + fresh * self.rng.gauss(0, 1)
        return self.state


class _Maker:
    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.rng = random.Random(recipe.seed)
        self.run = {several: self.rng.gauss(1, recipe.noise.run) for several in (False, True)}

    def cost(self, strategy: str, at: dict[str, Any], key: str) -> float:
        """Cycles per packet beyond `none`."""
        lcores = min(2, at["lcores"])
        own = COSTS[PATTERNS.get(strategy, strategy)][lcores]
        far = 1 + 0.15 * max(0, at["flows"].bit_length() - 15)
        costs = {
            "none": 0.0,
            "generated": own * far,
            "hand": own * far * 0.99,
            "floor": 1.0,
            "atomic": COSTS["shared_atomic"][lcores],
            "free": own,
            "quota": 1.4 * own,
        }
        extra = self.recipe.planted if key == "generated" else 0.0
        return ADDS * costs[key] + extra

    def point(self, strategy: str, **place: Any) -> dict[str, Any]:
        at = {"lcores": 1, "cores": 1, "flows": 1024, "work": 0, **place}
        noise, rng = self.recipe.noise, self.rng
        keys = ("none", "generated", *self.recipe.baselines)
        off = {key: self.run[at["lcores"] > 1] * rng.gauss(1, noise.program) for key in keys}
        walks = {key: _Walk(rng, noise.memory) for key in keys}
        common = _Walk(rng, noise.memory)
        rounds = []
        for number in range(self.recipe.rounds):
            drift = 1 + 0.02 * common.step()
            entry: dict[str, Any] = {"round": number}
            for key in keys:
                cost = self.cost(strategy, at, key) * off[key]
                level = 3.0 + at["work"] + cost
                spread = noise.scatter + noise.share * cost
                value = (level + spread * walks[key].step()) * drift
                if rng.random() < noise.upset:
                    value *= 1 + rng.random()
                entry[key] = round(max(0.0, value), 3)
            entry |= self.counts(strategy, at)
            rounds.append(entry)
        return {
            "strategy": strategy,
            "at": at,
            "rounds": rounds,
            "latency": self.latency(strategy, at),
            "hardware": None,
        }

    def counts(self, strategy: str, at: dict[str, Any]) -> dict[str, Any]:
        packets = [100_000 + self.rng.randrange(100) for _ in range(at["lcores"])]
        expected = ADDS * sum(packets)
        losing = strategy == "shared_unsync" and at["lcores"] > 1
        counted = int(expected * (1 - self.rng.uniform(0.15, 0.2))) if losing else expected
        return {"packets": packets, "expected": expected, "counted": counted}

    def latency(self, strategy: str, at: dict[str, Any]) -> dict[str, Any]:
        own = self.cost(strategy, at, "generated") + 30
        crowded = at["lcores"] > at["cores"] and "lock" in strategy
        longest = 9e6 if crowded else 4e4
        return {
            "generated": {
                "p50": round(own), "p99": round(own * 1.6),
                "p999": round(own * (400 if crowded else 4)), "max": longest, "samples": 1_000_000,
            },
            "none": {"p50": 28, "p99": 34, "p999": 60, "max": 3e4, "samples": 1_000_000},
        }  # fmt: skip

    def document(self) -> dict[str, Any]:
        recipe, points = self.recipe, []
        for work in recipe.works:
            for lcores in (1, 2):
                for flows in recipe.flows:
                    place = {"lcores": lcores, "cores": lcores, "flows": flows, "work": work}
                    points += [self.point(name, **place) for name in recipe.strategies]
        if recipe.overcommit:
            points += [self.point(name, lcores=8, cores=2) for name in recipe.strategies]
        lines = {name: 4.0 if "seqcount" in name else 3.0 for name in recipe.strategies}
        return {
            "format": "ctrgen-bench", "version": 1, "made": "2026-01-31T12:00:00Z",
            "ctrgen": "0.1.0", "command": ["ctrgen", "bench", "ep.yaml"],
            "schema": {"file": "ep.yaml", "module": "ep", "sha256": "5f" * 32},
            "machine": {
                "cpu": "Example 9000 <8-core>", "arch": "x86_64", "cores": [0, 1], "online": 2,
                "threads_per_core": 1, "virtual": True, "kernel": "6.1.0", "memory_bytes": 8 << 30,
                "caches": [
                    {"level": 1, "type": "Data", "bytes": 32768, "shared_by": 1},
                    {"level": 3, "type": "Unified", "bytes": 32 << 20, "shared_by": 2},
                ],
                "hugepages": 0, "tsc_hz": 2.6e9, "governor": None,
            },
            "build": {
                "compiler": "gcc 12.2.0", "cflags": ["-O3", "-march=native"], "dpdk": "22.11.7",
            },
            "workload": {
                "updates": ["packet"], "adds": ADDS, "lines": lines,
                "memory": {name: memory(name) for name in recipe.strategies},
            },
            "strategies": list(recipe.strategies),
            "floor": {
                "transfer": [{"a": 0, "b": 1, "cycles": [210.0, 214.5, 208.0]}],
                "timer": [28.0, 28.1, 28.0], "empty": [3.0, 3.1, 3.0],
            },
            "points": points,
            "notes": ["No huge pages: ran without."], "complete": True,
        }  # fmt: skip


def memory(strategy: str) -> dict[str, int]:
    """Bytes by number of lcores."""
    size = 1024 * 64
    copies = {n: n + 1 if strategy.startswith("per_core") else 1 for n in (1, 2, 8)}
    return {str(n): size * count + 128 for n, count in copies.items()}


def document(**recipe: Any) -> dict[str, Any]:
    """A document as the driver writes it."""
    return _Maker(Recipe(**recipe)).document()


def result(**recipe: Any) -> Result:
    """The same, read."""
    return Result.model_validate(document(**recipe))

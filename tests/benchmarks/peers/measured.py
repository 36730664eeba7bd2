# SPDX-License-Identifier: BSD-3-Clause
"""What the program prints, and what follows from it."""

import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

Key = tuple[str, int, int]
"""Pattern, threads, instances."""


@dataclass
class Reads:
    """What a reader saw of a pattern in all rounds, and what its owner's bursts took beside it."""

    reads: int = 0
    torn: int = 0
    middle: list[float] = field(default_factory=list)
    tail: list[float] = field(default_factory=list)


@dataclass
class Counts:
    """Packets that were counted, and what readers did not get of them or got twice, in all rounds;
    within one the two may make up for each other."""

    counted: int = 0
    missing: int = 0
    twice: int = 0

    def add(self, counted: int, seen: int) -> None:
        """Those of a round."""
        self.counted += counted
        self.missing += max(0, counted - seen)
        self.twice += max(0, seen - counted)

    @property
    def off(self) -> float:
        """The share of both."""
        return (self.missing + self.twice) / max(1, self.counted)


@dataclass
class Measured:
    """All that was measured, by pattern."""

    cost: dict[Key, list[float]] = field(default_factory=lambda: defaultdict(list))
    reads: dict[str, Reads] = field(default_factory=lambda: defaultdict(Reads))
    resets: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    counted: dict[tuple[str, int], Counts] = field(default_factory=lambda: defaultdict(Counts))
    octets: dict[str, tuple[int, int]] = field(default_factory=dict)

    def take(self, lines: Iterable[str]) -> None:
        """Add what a process printed. Raises ValueError for what is not understood."""
        for line in lines:
            kind, name, *rest = line.split()
            numbers = [float(word) for word in rest]
            if kind == "cost":
                threads, instances, cycles = numbers
                self.cost[name, int(threads), int(instances)].append(cycles)
            elif kind == "counted":
                threads, counted, seen = map(int, numbers)
                self.counted[name, threads].add(counted, seen)
            elif kind == "resets":
                counted, seen = map(int, numbers)
                self.resets[name].add(counted, seen)
            elif kind == "reads":
                one = self.reads[name]
                one.reads += int(numbers[0])
                one.torn += int(numbers[1])
                one.middle.append(numbers[2])
                one.tail.append(numbers[3])
            elif kind == "memory":
                self.octets[name] = (int(numbers[0]), int(numbers[1]))
            else:
                raise ValueError(f"not understood: {line!r}")

    @property
    def instances(self) -> list[int]:
        """The numbers of instances that were measured."""
        return sorted({instances for _, _, instances in self.cost})

    @property
    def threads(self) -> list[int]:
        """The numbers of threads."""
        return sorted({threads for _, threads, _ in self.cost})


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """Lower quartile, median, upper quartile."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high

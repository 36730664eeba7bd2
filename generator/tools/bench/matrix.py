# SPDX-License-Identifier: BSD-3-Clause
"""The measurement plan: places on the axes, duration and number of rounds."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from ...findings.usage import UsageError
from ...model.language.units import number, several, whole
from .result import At

MAX_LCORES = 126  # DPDK's usual RTE_MAX_LCORE of 128, less the main lcore and one to spare
UNBROKEN = 10**6  # reads a second that mean back-to-back reads
READ_FLOWS = 16384  # flows of which everything is read without a pause
READERS = ("snapshot", "instances", "walk")  # how everything is read
SCHEDULERS = ("none", "pipeline")  # how packets come to workers
Axes = dict[str, str]  # values on some of AXES, as text from the command line


@dataclass(frozen=True, slots=True)
class Effort:
    """Rounds, milliseconds of a measurement and of one of latencies, and seconds for all rounds."""

    rounds: int
    ms: float
    latency_ms: float
    seconds: float = math.inf


EFFORTS = {
    "quick": Effort(rounds=9, ms=9, latency_ms=50, seconds=34),
    "usual": Effort(rounds=9, ms=10, latency_ms=100, seconds=315),
    "full": Effort(rounds=61, ms=50, latency_ms=2000),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """The places to measure, and how. `latency` are those where single calls are timed."""

    places: tuple[At, ...]
    latency: frozenset[At]
    effort: Effort
    cores: list[int]
    notes: list[str]

    @property
    def flows(self) -> int:
        """The largest number of flows of any place."""
        return max(at.flows for at in self.places)


def _choice(text: str, axis: str, *choices: str) -> list[str]:
    words = [part.strip() for part in text.split(",")]
    for word in words:
        if word not in choices:
            raise UsageError(f"--{axis}: '{word}' is not one of {', '.join(choices)}")
    return words


def _distributions(text: str, axis: str) -> list[str]:
    words = [part.strip() for part in text.split(",")]
    for word in words:
        burst = re.fullmatch(r"bursts:([0-9]{1,9})", word)
        if word not in ("uniform", "zipf") and not (burst and 1 <= int(burst[1]) <= 4096):
            raise UsageError(f"--{axis}: '{word}' is not uniform, zipf or bursts:N (1 to 4096)")
    return words


AXES: dict[str, Callable[[str, str], Sequence[float | str]]] = {
    "lcores": partial(several, whole, least=1, most=MAX_LCORES),
    "flows": partial(several, whole, least=1, most=1 << 26),
    "distribution": _distributions,
    "affinity": lambda text, axis: _choice(text, axis, "none", "rare", "pinned"),
    "scheduler": lambda text, axis: _choice(text, axis, *SCHEDULERS),
    "api": lambda text, axis: _choice(text, axis, "single", "items", "batch", "bulk"),
    "work": partial(several, whole, least=0, most=10**6),
    "pressure": partial(several, whole, least=0, most=10**5),
    "reads": partial(several, number, least=0, most=10**6),
    "resets": partial(several, number, least=0, most=10**6),
    "reader": lambda text, axis: _choice(text, axis, *READERS),
}
"""Parsers of the values of each axis on the command line."""


def chosen(vary: Iterable[str], **texts: str) -> Axes:
    """The axes of `AXIS=LIST` texts, and those that have an option of their own. Raises
    UsageError for other texts."""
    axes = dict(texts)
    for text in vary:
        axis, _, values = text.partition("=")
        if axis not in AXES or axis in axes or not values:
            others = (name for name in AXES if name not in texts)
            hint = f"AXIS=LIST, each axis once, of {', '.join(others)}"
            raise UsageError(f"--vary: '{text}' is not another axis with values", hint)
        axes[axis] = values
    return axes


def _at(cores: int, values: dict[str, float | str]) -> At:
    """A place: flows in a pipeline have no affinity, and without reads there is no reader."""
    if values.get("scheduler", "none") != "none":
        values = {**values, "affinity": "none"}
    if values.get("reads"):
        values = {"reader": "snapshot", **values}
    else:
        values = {axis: value for axis, value in values.items() if axis != "reader"}
    return At.model_validate({**values, "cores": min(cores, int(values["lcores"]))})


def _around_usual(cores: int, full: bool) -> Iterable[dict[str, float | str]]:
    """What is varied, one thing at a time, around two workers in the tight loop."""
    busy: dict[str, float | str] = {"lcores": cores, "work": 0}
    flows = [1, 1024, 65536, 1 << 20, 1 << 22] if full else [1, 1024, 65536, 1 << 20]
    for count, work, api in itertools.product(flows, (1000, 0), ("single", "batch", "bulk")):
        yield {**busy, "work": work, "flows": count, "api": api}
    for reader in READERS:
        yield {**busy, "flows": READ_FLOWS, "reads": UNBROKEN, "reader": reader}
    yield {**busy, "flows": READ_FLOWS, "resets": UNBROKEN}
    if full:
        yield {**busy, "flows": 1 << 20, "reads": UNBROKEN}
    yield {**busy, "api": "items"}
    yield from ({**busy, "distribution": value} for value in ("zipf", "bursts:32"))
    yield {**busy, "affinity": "pinned"}
    yield {**busy, "work": 1000, "reads": 100, "resets": 10}
    yield {**busy, "work": 1000, "pressure": 4}
    if cores > 1:
        stages: dict[str, float | str] = {"lcores": 2, "scheduler": "pipeline"}
        yield from ({**stages, "work": value} for value in (1000, 0))
    if full:
        yield {**busy, "affinity": "rare"}
        yield from ({**busy, "work": value} for value in (300, 5000))
        yield {**busy, "work": 1000, "api": "batch", "distribution": "bursts:32"}


def _in_pairs(places: list[At]) -> tuple[list[At], list[str]]:
    """Without pipelines on an odd number of lcores, and a note. Raises UsageError without any."""
    left = [at for at in places if at.scheduler != "pipeline" or at.lcores % 2 == 0]
    why = "a pipeline has two stages: there is none on an odd number of lcores"
    if not left:
        raise UsageError(f"--vary scheduler: {why}", "give an even one, such as --lcores 2")
    return left, [why] if len(left) < len(places) else []


def plan(axes: Axes, size: str, cores: list[int], effort: Effort) -> Plan:
    """The places to measure: the axes that are given, combined, or those of `size` (quick, usual or
    full). Raises UsageError."""
    values = {
        axis: read(text, axis if axis in ("lcores", "flows") else f"vary {axis}")
        for axis, read in AXES.items()
        if (text := axes.get(axis))
    }
    restricted = bool(values)
    cores = cores[:MAX_LCORES]
    few = [1, 2] if size == "quick" else sorted({1, 2, len(cores)})
    values = {"lcores": few, "work": [1000, 0]} | values
    combined = itertools.product(*values.values())
    places = [_at(len(cores), dict(zip(values, each, strict=True))) for each in combined]
    places, notes = _in_pairs(places)
    latency = {max(places, key=lambda at: (at.lcores, -at.work))}
    if not restricted and size != "quick":
        places += [_at(len(cores), values) for values in _around_usual(len(cores), size == "full")]
        many = min(4 * len(cores), MAX_LCORES)
        places += [_at(len(cores), {"lcores": many, "work": n}) for n in (1000, 0)]
        latency.add(places[-1])
    latency |= {at for at in places if at.reads or at.resets}
    if len(cores) == 1:
        notes.append("one processor: two lcores take turns on it, so they do not contend")
    if not restricted and size != "quick" and len(cores) == 1:
        notes.append("one processor: no pipeline was measured, as its stages would take turns")
    return Plan(tuple(dict.fromkeys(places)), frozenset(latency), effort, cores, notes)

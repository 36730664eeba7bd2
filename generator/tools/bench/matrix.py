# SPDX-License-Identifier: BSD-3-Clause
"""The measurement plan: places on the axes, duration and number of rounds."""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from ...findings.usage import UsageError
from ...model.language.units import number, several, whole
from .result import At

MAX_LCORES = 126  # DPDK's usual RTE_MAX_LCORE of 128, less the main lcore and one to spare
UNBROKEN = 10**6  # reads a second that mean back-to-back reads
READ_FLOWS = 16384  # flows of which everything is read without a pause
APIS = ("single", "batch", "bulk")
Axes = dict[str, str]  # values on some of AXES, as text from the command line


@dataclass(frozen=True, slots=True)
class Effort:
    """Rounds, milliseconds of a measurement, and seconds for all rounds."""

    rounds: int
    ms: float
    seconds: float = math.inf


EFFORTS = {True: Effort(rounds=9, ms=9, seconds=34), False: Effort(rounds=9, ms=10, seconds=315)}
"""By whether a run is to be quick."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The places to measure, and how."""

    places: tuple[At, ...]
    effort: Effort
    cores: list[int]
    notes: list[str]

    @property
    def flows(self) -> int:
        """The largest number of flows of any place."""
        return max(at.flows for at in self.places)


def _apis(text: str, axis: str) -> list[str]:
    words = [part.strip() for part in text.split(",")]
    for word in words:
        if word not in APIS:
            raise UsageError(f"--{axis}: '{word}' is not one of {', '.join(APIS)}")
    return words


AXES: dict[str, Callable[[str, str], Sequence[float | str]]] = {
    "lcores": partial(several, whole, least=1, most=MAX_LCORES),
    "flows": partial(several, whole, least=1, most=1 << 26),
    "api": _apis,
    "work": partial(several, whole, least=0, most=10**6),
    "reads": partial(several, number, least=0, most=10**6),
    "resets": partial(several, number, least=0, most=10**6),
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


def _around_usual(cores: int) -> Iterable[dict[str, float | str]]:
    """Variations, one axis at a time, around workers in the tight loop."""
    busy: dict[str, float | str] = {"lcores": cores, "work": 0}
    flows = (1, 1024, 65536, 1 << 20)
    for count, work, api in itertools.product(flows, (1000, 0), APIS):
        yield {**busy, "work": work, "flows": count, "api": api}
    yield {**busy, "flows": READ_FLOWS, "reads": UNBROKEN}
    yield {**busy, "flows": READ_FLOWS, "resets": UNBROKEN}
    yield {**busy, "work": 1000, "reads": 100, "resets": 10}
    many = min(4 * cores, MAX_LCORES)
    for work in (1000, 0):
        yield {"lcores": many, "work": work}


def plan(axes: Axes, quick: bool, cores: list[int], effort: Effort) -> Plan:
    """The places to measure: the axes that are given, combined, or the usual ones, of which a
    `quick` run has few. Raises UsageError."""
    values = {
        axis: read(text, axis if axis in ("lcores", "flows") else f"vary {axis}")
        for axis, read in AXES.items()
        if (text := axes.get(axis))
    }
    restricted = bool(values)
    cores = cores[:MAX_LCORES]
    few = [1, 2] if quick else sorted({1, 2, len(cores)})
    values = {"lcores": few, "work": [1000, 0]} | values
    combined = [
        dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())
    ]
    if not restricted and not quick:
        combined += _around_usual(len(cores))
    places = [
        At.model_validate({**place, "cores": min(len(cores), int(place["lcores"]))})
        for place in combined
    ]
    notes = []
    if len(cores) == 1:
        notes.append("one processor: two lcores take turns on it, so they do not contend")
    return Plan(tuple(dict.fromkeys(places)), effort, cores, notes)

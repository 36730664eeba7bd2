# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench` beside tests/bench/independent.c, which has nothing of it: do they agree?

usage: python -m tests.benchmarks.independent [LIVES [SECONDS]]

Each place is measured by both in turns, LIVES (4) times with ROUNDS (6) each, all of which have
processes of their own; SECONDS (0.5) is how long the independent program measures a place in a
turn. Prints medians in core cycles for a counter update, over all that was measured, and leaves
them for published.py. x86-64 only.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctrgen.output.tables import grid
from ctrgen.tools.bench import figures
from ctrgen.tools.bench.result import Result, load
from tests.benchmarks.published import record
from tests.support.paths import EP
from tests.support.planted import PROJECT
from tests.support.process import succeed

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "bench" / "independent.c"
FLAGS = ("-std=gnu11", "-O3", "-march=native", "-falign-functions=64", "-falign-loops=64")
"""Those that `ctrgen bench` compiles with."""

LIVES = 4
ROUNDS = 6
SECONDS = 0.5
TOLERANCE = 0.15
"""Share by which the two may differ ..."""
RESOLVED = 0.3
"""... and the core cycles for an update that they always may."""

MANY = 1 << 20


@dataclass(frozen=True)
class Place:
    """What both measure; fields as the options of the two programs."""

    strategy: str
    flows: int = 1024
    work: int = 0
    api: str = "single"
    lcores: int = 1

    @property
    def name(self) -> str:
        """A name for tables and for published.py."""
        words = [self.strategy, f"{self.flows:,} flow{'s' * (self.flows > 1)}"]
        words += [f"work of {self.work}"] * bool(self.work) + [self.api] * (self.api != "single")
        return ", ".join([*words, *["2 lcores"] * (self.lcores > 1)])


@dataclass(frozen=True)
class Group:
    """What one run of `ctrgen bench` measures, and the places that count of it."""

    name: str
    options: tuple[str, ...]
    places: tuple[Place, ...]


GROUPS = (
    Group(
        "memory",
        ("--strategies", "per_core", "--lcores", "1", "--flows", f"1,{MANY}", "--vary=work=0,1000",
         "--vary=api=single,bulk"),
        (Place("per_core", 1), Place("per_core", MANY), Place("per_core", MANY, 1000),
         Place("per_core", MANY, 1000, "bulk")),
    ),
    Group(
        "waiting",
        ("--strategies", "per_core_seqcount,per_core_lock,shared_atomic,shared_lock",
         "--lcores", "1", "--flows", f"{MANY}", "--vary=work=1000"),
        (Place("per_core_seqcount", MANY, 1000), Place("per_core_lock", MANY, 1000),
         Place("shared_atomic", MANY, 1000), Place("shared_lock", MANY, 1000)),
    ),
    Group(
        "unshared",
        ("--strategies", "per_core,per_core_seqcount,per_core_lock,shared_atomic,shared_lock",
         "--lcores", "1", "--flows", "1024", "--vary=work=0"),
        (Place("per_core"), Place("per_core_seqcount"), Place("per_core_lock"),
         Place("shared_atomic"), Place("shared_lock")),
    ),
    Group(
        "contended",
        ("--strategies", "shared_atomic,shared_lock", "--lcores", "2", "--flows", "1024",
         "--vary=work=0"),
        (Place("shared_atomic", lcores=2), Place("shared_lock", lcores=2)),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A place, and what both say about it."""

    place: Place
    bench: float
    own: float

    @property
    def ratio(self) -> float:
        """What the benchmark says, divided by what the independent program says."""
        return self.bench / self.own

    @property
    def agree(self) -> bool:
        """Whether they say the same."""
        return abs(self.bench - self.own) <= max(TOLERANCE * abs(self.own), RESOLVED)


def built(folder: Path, source: str = "") -> Path:
    """The independent program, or one of another text."""
    path, file = folder / "independent", folder / "independent.c"
    file.write_text(source or SOURCE.read_text("utf-8"), "utf-8")
    succeed("cc", *FLAGS, "-Wall", "-Wextra", "-Werror", file, "-pthread", "-o", path)
    return path


def own(program: Path, place: Place, seconds: float, huge: bool = False) -> dict[str, Any]:
    """What the independent program says about a place."""
    words = (place.strategy, place.api, place.flows, place.work, place.lcores, 1000 * seconds)
    more = ("huge",) if huge else ()
    answer: dict[str, Any] = json.loads(succeed(program, *map(str, words), *more))
    return answer


def _series(result: Result, place: Place) -> list[float]:
    """The rounds of a place in a run of `ctrgen bench`."""
    (point,) = (
        p
        for p in result.points
        if p.strategy == place.strategy
        and (p.at.lcores, p.at.flows, p.at.work, p.at.api)
        == (place.lcores, place.flows, place.work, place.api)
    )
    return list(figures.series(point, result.workload.adds).values())


def measure(folder: Path, lives: int = LIVES, seconds: float = SECONDS) -> list[Row]:
    """All places, by both in turns."""
    program = built(folder)
    ours: dict[Place, list[float]] = {}
    theirs: dict[Place, list[float]] = {}
    for _ in range(lives):
        for group in GROUPS:
            out = folder / group.name
            PROJECT.succeed("bench", EP, *group.options, "--rounds", str(ROUNDS), "-o", out)
            result = load(str(out / "bench.json"))
            for place in group.places:
                theirs.setdefault(place, []).extend(_series(result, place))
                huge = bool(result.machine.hugepages)
                for _ in range(ROUNDS):
                    said = own(program, place, seconds / ROUNDS, huge)
                    ours.setdefault(place, []).append(said["cycles"])
    return [
        Row(place, statistics.median(theirs[place]), statistics.median(ours[place]))
        for group in GROUPS
        for place in group.places
    ]


def table(rows: Iterable[Row]) -> str:
    """The rows for people."""
    cells = [
        (row.place.name, f"{row.bench:.2f}", f"{row.own:.2f}", f"{row.ratio:.2f}",
         "" if row.agree else "DIFFERS")
        for row in rows
    ]  # fmt: skip
    head = ("cycles for an update", "ctrgen bench", "independent", "ratio", "")
    return grid(head, cells, (1, 2, 3))


def main() -> int:
    """Measure, print, record; 1 when the two differ somewhere."""
    lives = int(sys.argv[1]) if len(sys.argv) > 1 else LIVES
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder), lives, seconds)
    print(table(rows), end="")
    measured = {
        f"{who} {row.place.name}": value
        for row in rows
        for who, value in (("bench", row.bench), ("own", row.own), ("ratio", row.ratio))
    }
    record("independent", measured)
    return 0 if all(row.agree for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())

# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a result as a table: one line for each strategy at each place."""

from pathlib import Path

from ctrgen.tools.bench import figures
from ctrgen.tools.bench.result import At, Point, Result

AXES = tuple(At.model_fields)


def load(path: str | Path) -> Result:
    """The result in a bench.json."""
    return Result.model_validate_json(Path(path).read_text("utf-8"))


def head() -> list[str]:
    """The names of all columns."""
    names = ["strategy", *AXES, "rounds", "overhead", "overhead_q1", "overhead_q3"]
    return [*names, "overhead_hand", "ratio_hand", "lost_percent", "memory_bytes"]


def rows(result: Result) -> list[dict[str, str]]:
    """The cells of every line by column, as text; empty where not measured."""
    return [
        {name: _shown(cell) for name, cell in zip(head(), _line(result, point), strict=True)}
        for point in result.points
    ]


def _shown(cell: object) -> str:
    return "" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def memory(result: Result, strategy: str, lcores: int) -> int | None:
    """Bytes that a strategy takes with so many lcores, or with the next larger number measured."""
    sizes = result.workload.memory.get(strategy, {})
    return next((sizes[count] for count in sorted(sizes) if count >= lcores), None)


def _line(result: Result, point: Point) -> list[object]:
    adds = result.workload.adds
    cost, hand = figures.overhead(point, adds), figures.overhead(point, adds, "hand")
    line = [point.strategy, *(getattr(point.at, axis) for axis in AXES), len(point.rounds)]
    line += [getattr(cost, name, None) for name in ("median", "q1", "q3")]
    line += [getattr(hand, "median", None), figures.ratio(point, "hand"), figures.lost(point)]
    return [*line, memory(result, point.strategy, point.at.lcores)]

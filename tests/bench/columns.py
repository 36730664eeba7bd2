# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a result as a table: one line for each strategy at each place."""

import csv
import io

from ctrgen.tools.bench import figures
from ctrgen.tools.bench.result import At, Percentiles, Point, Result

AXES = tuple(At.model_fields)


def head() -> list[str]:
    """The names of all columns."""
    names = ["strategy", *AXES, "rounds", "overhead", "overhead_q1", "overhead_q3"]
    names += [f"overhead_{name}" for name in figures.BASELINES]
    names += ["ratio_hand", "ratio_floor", "lost_percent", "lines", "memory_bytes"]
    names += [f"latency_{name}" for name in Percentiles.model_fields]
    return names


def text(result: Result) -> str:
    """All figures, empty where not measured; lines end in a line feed."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head())
    for point in result.points:
        line = _line(result, point)
        writer.writerow([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in line])
    return stream.getvalue()


def memory(result: Result, strategy: str, lcores: int) -> int | None:
    """Bytes that a strategy takes with so many lcores, or with the next larger number measured."""
    sizes = result.workload.memory.get(strategy, {})
    return next((sizes[count] for count in sorted(sizes) if count >= lcores), None)


def _line(result: Result, point: Point) -> list[object]:
    adds, work = result.workload.adds, result.workload
    cost = figures.overhead(point, adds)
    line = [point.strategy, *(getattr(point.at, axis) for axis in AXES), len(point.rounds)]
    line += [getattr(cost, name, None) for name in ("median", "q1", "q3")]
    baselines = (figures.overhead(point, adds, name) for name in figures.BASELINES)
    line += [getattr(baseline, "median", None) for baseline in baselines]
    line += [getattr(figures.ratio(point, name), "value", None) for name in ("hand", "floor")]
    line += [figures.lost(point), work.lines.get(point.strategy)]
    line.append(memory(result, point.strategy, point.at.lcores))
    latency = (point.latency or {}).get("generated")
    line += [getattr(latency, name, None) for name in Percentiles.model_fields]
    return line

# SPDX-License-Identifier: BSD-3-Clause
"""How long a scrape takes among hostile sockets and files.

usage: python -m tests.benchmarks.hostile [ROUNDS]

An application of 50,000 series and the real `ctrgen export`, with each kind of
tests/live/test_hostile.py: a scrape while it is quiet, then the next one after the hostile ones
have come, while they are there, in turn. Medians of ROUNDS (7) of both and of their ratio, with its
quartiles. The exit code is 1 if the next scrape takes more than twice the time.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.live import ACCEPT, EACH, FEW
from tests.benchmarks.published import record
from tests.live import lab
from tests.live.test_hostile import HOSTILE
from tests.support.paths import EP


def scrape(exporter: lab.Exporter) -> float:
    """Seconds of a scrape, which has all series."""
    begin = time.perf_counter()
    text = exporter.get("/metrics", **ACCEPT)
    taken = time.perf_counter() - begin
    up = [line for line in text.splitlines() if line.startswith(b"ctrgen_application_")]
    assert text.count(b'_total{application="good"') >= FEW, up
    return taken


def measure(kind: str, exporter: lab.Exporter, folder: Path) -> tuple[float, float]:
    """Seconds of a quiet scrape, and of the next one among hostile ones."""
    before = {path.name for path in folder.iterdir()}
    scrape(exporter)
    quiet = scrape(exporter)
    with HOSTILE[kind](exporter, folder):
        among = scrape(exporter)
    for path in folder.iterdir():
        if path.name not in before:
            path.unlink()
    return quiet, among


def main() -> int:
    """Measure, print, and judge."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else 7
    found: dict[str, list[tuple[float, float]]] = {kind: [] for kind in HOSTILE}
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        folder, work = Path(name) / "run", Path(name) / "work"
        folder.mkdir()
        work.mkdir()
        schema = work / "ep.yaml"
        schema.write_text(
            EP.read_text("utf-8").replace("max: 1000", f"max: {FEW // EACH}"), "utf-8"
        )
        program = lab.build(work, "posix", schema)
        application = lab.Application(program, folder / "good.seg", publish=1000)
        exporter = lab.Exporter(folder, "--series", str(3 * FEW), timeout=8)
        try:
            for _ in range(rounds):
                for kind, taken in found.items():
                    taken.append(measure(kind, exporter, folder))
        finally:
            exporter.end()
            application.kill()
    figures: dict[str, float] = {}
    for kind, taken in found.items():
        quiet, among = (statistics.median(each) for each in zip(*taken, strict=True))
        low, ratio, high = statistics.quantiles([b / a for a, b in taken], n=4)
        figures |= {f"quiet {kind}": quiet, f"next {kind}": among, f"ratio {kind}": ratio}
        print(f"| {kind} | {quiet:.2g} s | {among:.2g} s | {ratio:.1f} ({low:.1f} to {high:.1f}) |")
    record("hostile", figures)
    return 1 if any(figures[f"ratio {kind}"] > 2.0 for kind in HOSTILE) else 0


if __name__ == "__main__":
    raise SystemExit(main())

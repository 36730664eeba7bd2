# SPDX-License-Identifier: BSD-3-Clause
"""What it costs to read running applications from outside.

usage: python -m tests.benchmarks.live [ROUNDS]

* Scrapes of 50,000 and of 500,000 series with the real `ctrgen export`, from the segment of an
  application that counts and publishes meanwhile, in turn: seconds at the client and of the
  processor, with gzip and without, memory of the exporter, the text in octets. In the same rounds,
  the same from the application itself (ctr_openmetrics.h): memory is what its first scrape adds.

Medians of ROUNDS (7). Takes two minutes. The exit code is 1 when a limit is not held.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.published import record
from tests.live import lab as live
from tests.support.cbuild import OPTIMISED, shared
from tests.support.paths import EP

FEW, MANY = 50_000, 500_000
EACH = 2
"""Counters of an instance."""
LIMITS = {
    f"{FEW:,} series, a scrape": (1.0, "s"),
    f"{FEW:,} series, memory": (200.0, "MB"),
    f"time a series, {MANY:,} against {FEW:,}": (1.5, ""),
    f"{MANY:,} series, in process, of a processor, not packed": (0.5, "s"),
    f"{MANY:,} series, in process, memory": (64.0, "MB"),
}
MB = 1_000_000
ACCEPT = {"Accept": live.OPENMETRICS}
PACKED = {"Accept-Encoding": "gzip"}


class Scraped:
    """An application of so many series, and its exporter."""

    def __init__(self, folder: Path, series: int) -> None:
        folder.mkdir()
        schema = folder / "ep.yaml"
        text = EP.read_text("utf-8").replace("max: 1000", f"max: {series // EACH}")
        schema.write_text(text, "utf-8")
        program = shared().program(live.build_of(schema, flags=OPTIMISED))
        more = ("--listen", "127.0.0.1:0", "--series", 3 * series)
        self.application = live.Application(program, folder / "b.seg", publish=1000, more=more)
        self.exporter = live.Exporter(self.application.path, "--series", str(3 * series))
        self.port = int(self.application.do("port"))
        pid = self.application.process.pid
        before = live.memory(pid, "VmRSS")
        text = live.fetched(self.port, "/metrics", **ACCEPT)
        assert text.count(b"_total{") >= series
        self.added = live.memory(pid, "VmRSS") - before
        self.name = f"{series:,} series"
        self.taken: dict[str, list[float]] = {}
        self.size = self.scrape()
        assert self.exporter.get("/metrics", **ACCEPT).count(b"_total{") >= series

    def scrape(self, **headers: str) -> int:
        """Scrape once; octets that came."""
        return len(self.exporter.get("/metrics", **ACCEPT, **headers))

    def measure(self) -> None:
        """Scrape in each way, and keep how long that took."""
        for way, headers in (("", PACKED), (", not packed", {})):
            before = self.exporter.processor()
            begin = time.perf_counter()
            self.scrape(**headers)
            self.taken.setdefault(f"{self.name}, a scrape{way}", []).append(
                time.perf_counter() - begin
            )
            spent = self.exporter.processor() - before
            self.taken.setdefault(f"{self.name}, of a processor{way}", []).append(spent)
            thread = self.application.server()
            before = live.processor(thread)
            begin = time.perf_counter()
            live.fetched(self.port, "/metrics", **ACCEPT, **headers)
            self.taken.setdefault(f"{self.name}, in process, a scrape{way}", []).append(
                time.perf_counter() - begin
            )
            spent = live.processor(thread) - before
            self.taken.setdefault(f"{self.name}, in process, of a processor{way}", []).append(spent)

    def figures(self) -> dict[str, float]:
        """Medians, memory, and the size of the text."""
        return {
            **{what: statistics.median(taken) for what, taken in self.taken.items()},
            f"{self.name}, memory": self.exporter.peak() / MB,
            f"{self.name}, in process, memory": self.added / MB,
            f"{self.name}, text": self.size / MB,
        }

    def end(self) -> None:
        """End both."""
        self.exporter.end()
        self.application.kill()


def scrapes(folder: Path, rounds: int) -> dict[str, float]:
    """Scrapes of few and of many series, in turn."""
    both = [Scraped(folder / str(series), series) for series in (FEW, MANY)]
    try:
        for _ in range(rounds):
            for one in both:
                one.measure()
        found = {name: value for one in both for name, value in one.figures().items()}
    finally:
        for one in both:
            one.end()
    spent = [found[f"{series:,} series, of a processor"] / series for series in (FEW, MANY)]
    found[f"time a series, {MANY:,} against {FEW:,}"] = spent[1] / spent[0]
    return found


def main() -> int:
    """Measure, print, and judge."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else 7
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        found |= scrapes(Path(name), rounds)
    units = {"memory": "MB", "text": "MB"}
    failed = False
    for name, value in found.items():
        limit, unit = LIMITS.get(name, (0.0, units.get(name.rpartition(", ")[2], "s")))
        failed |= bool(limit) and value > limit
        text = f" (at most {limit:g})" if limit else ""
        print(f"{name}: {value:.3g} {unit}{text}".replace(" )", ")"))
    record("live", found)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())

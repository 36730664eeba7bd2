# SPDX-License-Identifier: BSD-3-Clause
"""How long a scrape takes among hostile clients.

usage: python -m tests.benchmarks.hostile [ROUNDS]

A process that serves 80,000 series itself, in clear text and over TLS, with each kind of client of
tests/openmetrics/test_hostile.py: a scrape while it is quiet, then the next one after the hostile
ones have come, while they are there. Medians of ROUNDS (7) of both and of their ratio, with its
quartiles, and the memory that was most. The exit code is 1 if the next scrape takes more than
twice the time.
"""

import ssl
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.published import record
from tests.live import lab
from tests.openmetrics import test_hostile as clients
from tests.openmetrics.lab import serving
from tests.openmetrics.test_requests import certificate
from tests.support.cbuild import OPTIMISED, shared

Found = dict[str, list[tuple[float, float]]]


def process(rounds: int, tls: bool) -> Found:
    """A process that serves itself, among hostile clients."""
    way = ", TLS" if tls else ", plain"
    found: Found = {kind + way: [] for kind in clients.HOSTILE}
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        more: dict[str, object] = {"all": 1, "series": 1000000}
        if tls:
            more["certificate"], more["key"] = certificate(Path(name))
        with serving(clients.large(shared(), OPTIMISED), **more) as served:
            if tls:
                served.tls = ssl.create_default_context(cafile=str(more["certificate"]))
            for _ in range(rounds):
                for kind, come in clients.HOSTILE.items():
                    quiet = statistics.median(clients.scraped(served)[1] for _ in range(3))
                    with come(served):
                        found[kind + way].append((quiet, clients.scraped(served)[1]))
                    time.sleep(0.5)  # their connections are closed
            print(f"memory{way}: {lab.memory(served.app.process.pid, 'VmHWM') / 1e6:.0f} MB")
    return found


def main() -> int:
    """Measure, print, and judge."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else 7
    found = process(rounds, tls=False) | process(rounds, tls=True)
    figures: dict[str, float] = {}
    for kind, taken in found.items():
        quiet, among = (statistics.median(each) for each in zip(*taken, strict=True))
        low, ratio, high = statistics.quantiles([b / a for a, b in taken], n=4)
        figures |= {f"quiet {kind}": quiet, f"next {kind}": among, f"ratio {kind}": ratio}
        print(f"| {kind} | {quiet:.2g} s | {among:.2g} s | {ratio:.1f} ({low:.1f} to {high:.1f}) |")
    record("hostile", figures)
    return 1 if any(figures[f"ratio {kind}"] > 2.0 for kind in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())

# SPDX-License-Identifier: BSD-3-Clause
"""What a counter costs on its way: the exporter, a scrape, Prometheus, VictoriaMetrics.

usage: python -m tests.benchmarks.fleet [COUNTERS COUNTERS]

Two applications of so many counters (20,000 and 60,000), one after the other, each behind an
exporter that a Prometheus scrapes every ten seconds, 15 times. What a counter adds is the
difference of the two; CPU seconds are those of a process, so that others do not matter much. On
disk are 2,000 counters, a sample each 15 seconds for two hours, as blocks of Prometheus and in
VictoriaMetrics. Takes six minutes. Does nothing where there is no prometheus.
"""

import gzip
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.published import record
from tests.fleet import lab
from tests.support.planted import PROJECT
from tests.support.process import succeed
from tests.support.servers import Server, exporter, free_port

HERE = Path(__file__).resolve().parent
FEW, MANY = 20_000, 60_000
SCRAPES, INTERVAL = 15, 10
COUNTERS, SAMPLES, STEP = 2_000, 480, 15
SCHEMA = """\
ctrgen: 1
module: fleet
scopes:
  session:
    max: {}
    counters:
      pkts: {{unit: packets, description: Packets of the session.}}
      bytes: {{unit: bytes, description: Octets of the session.}}
"""
CONFIG = """\
global: {{scrape_interval: {interval}s, scrape_timeout: {interval}s}}
scrape_configs:
  - job_name: fleet
    metric_relabel_configs: [{{source_labels: [__name__], regex: .+_created, action: drop}}]
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


def build(folder: Path, counters: int) -> Path:
    """The application, with two counters for each of its sessions."""
    (folder / "fleet.yaml").write_text(SCHEMA.format(counters // 2), "utf-8")
    PROJECT.succeed("build", folder / "fleet.yaml", "-o", folder, "--only", "c")
    words = ("runtime", "--port", "posix", "--with", "segment", "--cflags", "--sources", "--libs")
    succeed(
        "gcc", "-std=gnu11", "-O2", "-pthread", f"-I{folder}", "-o", folder / "app",
        HERE / "fleet_main.c", folder / "fleet_stats.c", *PROJECT.succeed(*words).split(),
    )  # fmt: skip
    return folder / "app"


def cpu(pid: int) -> float:
    """CPU seconds of a process, all of its threads (proc(5): utime and stime)."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak(pid: int) -> int:
    """The most bytes of memory that a process ever had."""
    text = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(text.partition("VmHWM:")[2].split()[0]) * 1024


def scrapes(server: Server) -> int:
    """How often Prometheus has scraped."""
    return len(next(iter(lab.samples(server, "up").values()), []))


def scraped(folder: Path, source: Server) -> dict[str, float]:
    """A Prometheus that scrapes an exporter for a while: its memory, its CPU time a scrape."""
    config = CONFIG.format(interval=INTERVAL, port=source.port)
    (folder / "bench.yml").write_text(config, "utf-8")
    with lab.prometheus(folder, "bench.yml", free_port()) as server:
        began, at_first = {}, 0
        while (count := scrapes(server)) < SCRAPES:
            if count >= SCRAPES // 2 and not began:
                began = {one.process.pid: cpu(one.process.pid) for one in (server, source)}
                at_first = count
            time.sleep(1)
        spent = {pid: (cpu(pid) - before) / (count - at_first) for pid, before in began.items()}
        (up,) = lab.samples(server, "up").values()
        assert all(value == 1 for _, value in up), "a scrape took too long"
        return {
            "prometheus memory": resident(server.process.pid),
            "prometheus CPU": spent[server.process.pid],
            "exporter CPU": spent[source.process.pid],
        }


def measured(counters: int) -> dict[str, float]:
    """All that an application of so many counters costs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = subprocess.Popen(
            [build(folder, counters), folder / "app.seg"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert app.stdout is not None and app.stdout.readline() == b"0\n"
        try:
            more = ("--series", str(2 * counters))
            with exporter(folder, folder / "app.seg", more=more) as source:
                text = source.get("/metrics", "application/openmetrics-text; version=1.0.0")
                found = {"octets": len(text), "packed": len(gzip.compress(text, 1))}
                found |= scraped(folder, source)
                found["exporter memory"] = peak(source.process.pid)
        finally:
            app.communicate()
        return found


def written(folder: Path) -> Path:
    """Counters over two hours, as OpenMetrics with times; nine of ten grow, by different steps."""
    random.seed(15)
    begin = int(time.time()) // 7200 * 7200 - 3 * 7200
    path = folder / "history.txt"
    with path.open("w") as file:
        file.write("# TYPE fleet_session_pkts counter\n")
        for number in range(COUNTERS):
            value, pace = 0, random.randrange(1, 10**6)
            for at in range(begin, begin + SAMPLES * STEP, STEP):
                value += random.randrange(pace) if number % 10 else 0
                labels = f'application="edge",session="{number}"'
                file.write(f"fleet_session_pkts_total{{{labels}}} {value} {at}\n")
        file.write("# EOF\n")
    return path


def size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def stored() -> dict[str, float]:
    """Bytes on disk of a sample."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = written(folder)
        words = ("tsdb", "create-blocks-from", "openmetrics", path, folder / "blocks")
        succeed("promtool", *words)
        samples = COUNTERS * SAMPLES
        found = {"prometheus disk": size(folder / "blocks") / samples}
        if lab.VICTORIA is None:
            return found
        with lab.victoria(folder, free_port()) as server:
            lines = [line for line in path.read_text("utf-8").splitlines() if line[0] != "#"]
            texts = (line.rpartition(" ") for line in lines)
            body = "".join(f"{sample} {at}000\n" for sample, _, at in texts)
            server.post("/api/v1/import/prometheus", body.encode())
            server.get("/internal/force_flush")
            server.get("/internal/force_merge")
            time.sleep(10)
        found["victoria disk"] = size(folder / "victoria" / "data") / samples
        return found


def main() -> None:
    if lab.PROMETHEUS is None:
        print("no prometheus: ./dev setup")
        return
    few, many = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (FEW, MANY)
    low, high = measured(few), measured(many)
    added = {key: (high[key] - low[key]) / (many - few) for key in low}
    figures = {
        "octets of a counter": added["octets"],
        "octets of a counter packed": added["packed"],
        "microseconds of the exporter": added["exporter CPU"] * 1e6,
        "microseconds of prometheus": added["prometheus CPU"] * 1e6,
        "bytes in the exporter": added["exporter memory"],
        "bytes in prometheus": added["prometheus memory"],
        **{f"bytes on disk in {key.split()[0]}": value for key, value in stored().items()},
    }
    for name, value in figures.items():
        print(f"{name:<36} {value:10.2f}")
    if (few, many) == (FEW, MANY):
        record("fleet", figures)


if __name__ == "__main__":
    main()

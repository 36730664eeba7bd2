# SPDX-License-Identifier: BSD-3-Clause
"""The application of `./dev demo --live`, and the real exporter beside it."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from tests.support import process
from tests.support.cbuild import QUICK, Build, Workshop, key
from tests.support.dialogue import Dialogue
from tests.support.paths import EP, ROOT

APPS = ROOT / "schemas" / "apps"
PATIENCE = 120
"""Seconds after which something hangs."""
OPENMETRICS = "application/openmetrics-text; version=1.0.0"

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]
"""What was scraped: numbers by name and labels."""


def build_of(schema: Path, port: str = "posix", flags: tuple[str, ...] = QUICK) -> Build:
    """The program of ep.yaml, or of a schema like it."""
    ep, common = APPS / "ep", APPS / "common"
    own = (ep / "live.c", ep / f"live_{port}.c", common / "app.c", common / f"app_{port}.c")
    return Build(schema, sources=own, port=port, parts=("segment", "openmetrics"), flags=flags)


def program(workshop: Workshop, port: str, *changes: tuple[str, str]) -> Path:
    """The program of ep.yaml, or of that with texts replaced by others."""

    def make(path: Path) -> None:
        text = EP.read_text("utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, "utf-8")

    schema = workshop.once(f"ep-live-{key(*changes)}.yaml", make)
    return workshop.program(build_of(schema, port))


class Application(Dialogue):
    """A running program. `path` is that of its segment."""

    def __init__(
        self, program: Path, segment: Path, rate: int = 20000, dpdk: str = "", publish: int = 200,
        more: Sequence[object] = (),
    ) -> None:  # fmt: skip
        """On DPDK with `dpdk`, the prefix of its files. It publishes each so many milliseconds."""
        self.path = segment
        eal: list[str] = []
        if dpdk:
            cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
            eal = [
                "--no-huge", "--no-pci", "--no-shconf", "--log-level=error", "-m", "256",
                f"--file-prefix={dpdk}", f"--lcores=0@({cores})", "--vdev=net_ring0",
                f"--vdev=net_pcap0,rx_pcap={APPS / 'ep' / 'ep-loopback.pcap'}",
            ]  # fmt: skip
        words = [program, *eal, "--", "--segment", segment, "--rate", str(rate)]
        words += ["--publish", str(publish), *map(str, more)]
        super().__init__(*words, env={**os.environ, "RUNTIME_DIRECTORY": str(segment.parent)})
        assert self.answer() == "serving"

    def sent(self, line: str = "sent") -> int:
        """How many packets were sent."""
        return int(self.do(line).split()[0])

    def values(self) -> dict[str, Any]:
        """All that the C API says."""
        found: dict[str, Any] = json.loads(self.do("read"))
        return found

    def server(self) -> str:
        """Its thread that serves OpenMetrics, for `processor`."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        (found,) = (each for each in tasks if "ctr-openmetrics" in (each / "comm").read_text())
        return str(found.relative_to("/proc"))

    def end(self) -> int:
        text, _ = self.process.communicate(timeout=PATIENCE)
        assert "WRONG" not in text, text
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


class Exporter:
    """`ctrgen export` at some port; of all instances, unless not `every` is wanted."""

    def __init__(
        self, *words: str | Path, every: bool = True, timeout: float = PATIENCE, **env: str
    ) -> None:
        words = (*words, "--all") if every else words
        command = [sys.executable, "-m", "ctrgen", "export", "--listen", "127.0.0.1:0", *words]
        command += ["--timeout", timeout]
        self.process = subprocess.Popen(
            list(map(str, command)), stderr=subprocess.PIPE, text=True,
            env={**process.environment(), **env},
        )  # fmt: skip
        assert self.process.stderr is not None
        self.url = self.process.stderr.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.url
        self.port = int(self.url.rstrip("/").rpartition(":")[2])

    def get(self, path: str, **headers: str) -> bytes:
        """The whole body of a page."""
        return fetched(self.port, path, **headers)

    def scrape(self) -> Samples:
        """All that there is now, by a strict parser."""
        return parsed(self.get("/metrics", Accept=OPENMETRICS).decode())

    def memory(self) -> int:
        """Bytes of memory that it has now."""
        return memory(self.process.pid, "VmRSS")

    def peak(self) -> int:
        """Most bytes of memory that it has had."""
        return memory(self.process.pid, "VmHWM")

    def processor(self) -> float:
        """Seconds of a processor that it has had."""
        return processor(f"{self.process.pid}")

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


def memory(pid: int, name: str) -> int:
    """Bytes of a process: `VmRSS`, `VmHWM`."""
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024


def processor(task: str) -> float:
    """Seconds of a processor that a process or `PID/task/THREAD` has had."""
    words = Path(f"/proc/{task}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def fetched(port: int, path: str, **headers: str) -> bytes:
    """The whole body of a page of a server on loopback."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        assert response.status == 200
        return response.read()


def parsed(text: str) -> Samples:
    """Samples of an exposition; none comes twice."""
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            key = sample.name, tuple(sorted(sample.labels.items()))
            assert key not in found
            found[key] = sample.value
    return found


def expected(name: str, values: dict[str, Any]) -> Samples:
    """The samples of an application that has such values, without when things were created."""
    own = ("application", name)
    total = values["global"]
    found: Samples = {
        ("ep_total_pkts_total", (own,)): total["total_pkts"],
        ("ep_total_bytes_total", (own,)): total["total_bytes"],
        ("ep_sessions", (own,)): total["sessions"],
        ("ep_link_up", (own,)): total["link_up"],
        ("ep_late_updates_total", (own,)): 0,
    }
    for number, session in values["session"].items():
        labels = (own, ("session", number))
        found["ep_session_pkts_total", labels] = session["pkts"]
        found["ep_session_bytes_total", labels] = session["bytes"]
    return found


def of(name: str, samples: Samples) -> Samples:
    """The samples of an application's modules, without when things were created."""
    return {
        key: value
        for key, value in samples.items()
        if ("application", name) in key[1] and not key[0].startswith("ctrgen_")
        and not key[0].endswith("_created")
    }  # fmt: skip


def up(samples: Samples) -> dict[str, float]:
    """Whether applications could be read, by name."""
    return {
        dict(labels)["application"]: value
        for (name, labels), value in samples.items()
        if name == "ctrgen_application_up"
    }

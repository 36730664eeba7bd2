# SPDX-License-Identifier: BSD-3-Clause
"""Builds the example applications; for the tests of this folder."""

import os
import subprocess
from pathlib import Path

from tests.support import process
from tests.support.cbuild import QUICK, Build, shared
from tests.support.paths import APPS, example

CAPTURE = APPS / "ep" / "ep-loopback.pcap"
EAL = ["--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "--log-level=error", "-m", "256"]
WITHOUT_DPDK = {"PKG_CONFIG_LIBDIR": "/nonexistent", "PKG_CONFIG_PATH": ""}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command, its output as text; DPDK puts its own files where it runs."""
    env = {"RUNTIME_DIRECTORY": str(cwd)}
    return process.run(*command, cwd=cwd, env=env, timeout=120, merged=True)


def succeed(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed; what it prints."""
    env = {"RUNTIME_DIRECTORY": str(cwd)}
    return process.succeed(*command, cwd=cwd, env=env, timeout=120, merged=True)


def generate(app: str, work: Path, sync: str | None = None) -> Path:
    """Generate the statistics of an application, below `work`."""
    out = work / f"{app}-{sync or 'as-is'}"
    choice = ["--sync", sync] if sync else []
    succeed("ctrgen", "build", example(app), *choice, "-o", out, cwd=work)
    return out


def sources(app: str, port: str) -> list[Path]:
    """The source files of an application, the same for every strategy."""
    common = [APPS / "common" / "app.c", APPS / "common" / f"app_{port}.c"]
    return [APPS / app / "main.c", *([] if app == "ep" else common)]


def compile_app(app: str, port: str, out: Path) -> Path:
    """Compile an application with the statistics generated into `out`."""
    binary = out / f"{app}-{port}"
    made = Build(port=port, flags=QUICK)
    own = [*sources(app, port), out / f"{app}_stats.c"]
    shared().link(binary, made, own, [out, APPS / "common"])
    return binary


def ep_command(binary: Path) -> list[str | Path]:
    """The Example Protocol application on two queues that deliver the capture, then endlessly."""
    cores = ",".join(str(core) for core in sorted(os.sched_getaffinity(0)))
    queues = f"rx_pcap={CAPTURE.name},rx_pcap={CAPTURE.name}"
    return [
        binary,
        *EAL,
        f"--lcores=(0-2)@({cores})",
        f"--vdev=net_pcap0,{queues}",
        f"--vdev=net_pcap1,{queues},infinite_rx=1",
        "--",
        "--share",
        "--json=counted.json",
    ]

# SPDX-License-Identifier: BSD-3-Clause
"""Builds the example applications; for the tests of this folder."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
APPS = SCHEMAS / "apps"
CAPTURE = APPS / "ep" / "ep-loopback.pcap"
STRICT = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
EAL = ["--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "--log-level=error", "-m", "256"]
STRATEGIES = (
    "shared_unsync",
    "shared_atomic",
    "shared_lock",
    "shared_buffered",
    "per_core",
    "per_core_lock",
    "per_core_seqcount",
)
ENVIRONMENT = {
    **os.environ,
    "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))),
}
WITHOUT_DPDK = {**ENVIRONMENT, "PKG_CONFIG_LIBDIR": "/nonexistent", "PKG_CONFIG_PATH": ""}


@functools.cache
def has_dpdk() -> bool:
    """Whether applications can be compiled with DPDK here."""
    pkg_config = shutil.which("pkg-config")
    command = [str(pkg_config), "--exists", "libdpdk >= 22.11"]
    return bool(pkg_config) and subprocess.run(command).returncode == 0


needs_dpdk = pytest.mark.skipif(
    not has_dpdk(), reason="pkg-config finds no libdpdk 22.11 or later (libdpdk-dev)"
)
PORTS = (
    pytest.param("posix"),
    pytest.param("dpdk", marks=(pytest.mark.dpdk, needs_dpdk)),
)
COMPILERS = tuple(
    pytest.param(cc, marks=pytest.mark.skipif(not shutil.which(cc), reason=f"there is no {cc}"))
    for cc in ("gcc", "clang")
)


def run(*command: str | Path, cwd: Path, timeout: int = 120) -> subprocess.CompletedProcess[str]:
    """Run a command, its output as text."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**ENVIRONMENT, "RUNTIME_DIRECTORY": str(cwd)},  # where DPDK puts its own files
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
    )


def succeed(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed; what it prints."""
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, f"{' '.join(str(word) for word in command)}\n{done.stdout}"
    return done.stdout


@functools.cache
def flags(port: str, kind: str) -> tuple[str, ...]:
    """The compiler's words for the runtime: `kind` is --cflags, --sources or --libs."""
    return tuple(succeed("ctrgen", "runtime", "--port", port, kind, cwd=SCHEMAS).split())


def generate(app: str, work: Path, sync: str | None = None) -> Path:
    """Generate the statistics of an application, below `work`."""
    out = work / f"{app}-{sync or 'as-is'}"
    choice = ["--sync", sync] if sync else []
    succeed("ctrgen", "build", SCHEMAS / f"{app}.yaml", *choice, "-o", out, cwd=work)
    return out


def sources(app: str, port: str) -> list[Path]:
    """The source files of an application, the same for every strategy."""
    common = [APPS / "common" / "app.c", APPS / "common" / f"app_{port}.c"]
    return [APPS / app / "main.c", *([] if app == "ep" else common)]


def compile_app(app: str, port: str, out: Path, *extra: str, cc: str = "gcc") -> Path:
    """Compile an application with the statistics generated into `out`, `extra` flags first."""
    binary = out / f"{app}-{port}-{cc}"
    succeed(
        cc,
        *STRICT,
        *extra,
        f"-I{out}",
        f"-I{APPS / 'common'}",
        *flags(port, "--cflags"),
        *sources(app, port),
        out / f"{app}_stats.c",
        *flags(port, "--sources"),
        *flags(port, "--libs"),
        "-pthread",
        "-o",
        binary,
        cwd=out,
    )
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

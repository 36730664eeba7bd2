# SPDX-License-Identifier: BSD-3-Clause
"""Faults in the C of runtime/ and generated/, by clang-tidy and .clang-tidy.

`python -m tests.lint.c_faults` prints what clang-tidy finds and ends with 1. Parts
whose headers are not installed (DPDK, net-snmp) are left out, which is said.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from tests.support.paths import ROOT

SOURCES = ROOT / "runtime" / "src"
COMMON = ["-std=gnu11", f"-I{ROOT / 'runtime' / 'include'}"]
POSIX = [*COMMON, "-DCTR_PORT_POSIX=1"]
NEED_DPDK = ("dpdk", "bench", "metrics", "telemetry")
"""Folders whose files need DPDK."""


def dpdk() -> list[str]:
    """Flags of the DPDK port; empty without DPDK."""
    command = ["pkg-config", "--cflags", "libdpdk"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    flags = done.stdout.replace("-I", "-isystem ")
    return [*COMMON, "-DCTR_PORT_DPDK=1", "-DALLOW_EXPERIMENTAL_API", *shlex.split(flags)]


def jobs() -> Iterator[tuple[list[str], list[str]]]:
    """Files, with the flags that they are compiled with."""
    agent, of_dpdk = shutil.which("net-snmp-config"), dpdk()
    if not agent:
        print("c_faults: no net-snmp (libsnmp-dev), runtime/src/parts/agentx is left out")
    if not of_dpdk:
        print("c_faults: no DPDK (libdpdk-dev), what needs it is left out")
    for source in sorted(SOURCES.rglob("*.c")):
        flags = of_dpdk if source.parent.name in NEED_DPDK else POSIX
        if flags and (agent or source.parent.name != "agentx"):
            yield [str(source)], flags
    for source in (ROOT / "generated").glob("*/*_stats.c"):
        yield [str(source)], [*POSIX, f"-I{source.parent}"]


def check(job: tuple[list[str], list[str]]) -> str:
    """What clang-tidy says about files; empty when it finds nothing."""
    command = ["clang-tidy", "--quiet", *job[0], "--", *job[1]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main() -> int:
    """0 when nothing is found, 1 when something is, 2 without clang-tidy."""
    if shutil.which("clang-tidy") is None:
        print("c_faults: no clang-tidy (Debian: clang-tidy)", file=sys.stderr)
        return 2
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = [text for text in pool.map(check, list(jobs())) if text]
    print("".join(said), end="")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())

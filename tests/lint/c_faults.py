# SPDX-License-Identifier: BSD-3-Clause
"""Faults in the C of runtime/, of strategies and of generated/, by clang-tidy and .clang-tidy.

`python -m tests.lint.c_faults` prints what clang-tidy finds and ends with 1. Parts
whose headers are not installed (DPDK, net-snmp) are left out, which is said.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from tests.support.paths import ROOT

SOURCES = ROOT / "runtime" / "src"
OPERATIONS = (ROOT / "templates" / "c" / "sync").glob("*/*.c")
ON_DPDK = {"dpdk", "bench", "telemetry"}
"""Folders of what is compiled with DPDK."""
COMMON = ["-std=gnu11", f"-I{ROOT / 'runtime' / 'include'}"]
NODES = "10000"
"""States that the analyzer looks at in a function: with its default, four times as many, it finds
nothing more and takes four times as long."""
LESS = [
    f"--extra-arg={arg}" for arg in ("-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={NODES}")
]
POSIX = [*COMMON, "-DCTR_PORT_POSIX=1"]


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
    flags, snmp = dpdk(), shutil.which("net-snmp-config")
    if not flags:
        print("c_faults: no DPDK (libdpdk-dev), what needs it is left out")
    if not snmp:
        print("c_faults: no net-snmp (libsnmp-dev), the AgentX subagent is left out")
    for source in sorted([*SOURCES.rglob("*.c"), *OPERATIONS]):
        rooms = {*source.relative_to(ROOT).parts}
        if rooms & ON_DPDK:
            if flags:
                yield [str(source)], flags
        elif "segment" not in rooms and (snmp or "agentx" not in rooms):
            yield [str(source)], POSIX
    for source in (ROOT / "generated").glob("*/*_stats.c"):
        yield [str(source)], [*POSIX, f"-I{source.parent}"]


def check(job: tuple[list[str], list[str]]) -> str:
    """What clang-tidy says about files; empty when it finds nothing."""
    command = ["clang-tidy", "--quiet", *LESS, *job[0], "--", *job[1]]
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

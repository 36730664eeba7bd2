# SPDX-License-Identifier: BSD-3-Clause
"""The machine of a benchmark, as reported by Linux."""

import json
import os
import platform
import re
from pathlib import Path
from typing import Any

from .programs import run_command
from .result import Cache, Machine

_CPU = Path("/sys/devices/system/cpu")


def usable() -> list[int]:
    """The processors that this process may run on."""
    return sorted(os.sched_getaffinity(0))


def describe(cores: list[int], tsc_hz: float) -> Machine:
    """The machine; `cores` are the processors in use. Raises UsageError without lscpu."""
    facts = {one["field"].rstrip(":"): one["data"] for one in _lscpu()["lscpu"]}
    caches = _lscpu("--caches=LEVEL,TYPE,ONE-SIZE", "--bytes").get("caches", ())
    threads = facts.get("Thread(s) per core", "")
    governor = _CPU / f"cpu{cores[0]}" / "cpufreq" / "scaling_governor"
    return Machine(
        cpu=facts.get("Model name") or "?",
        arch=platform.machine(),
        cores=cores,
        online=os.cpu_count() or len(cores),
        threads_per_core=int(threads) if threads.isdigit() else 1,
        virtual="Hypervisor vendor" in facts,
        kernel=platform.release(),
        caches=[
            Cache(level=int(one["level"]), type=one["type"], bytes=int(one["one-size"]))
            for one in caches
        ],
        memory_bytes=_memory("MemTotal"),
        tsc_hz=tsc_hz,
        governor=_text(governor) or None,
    )


def _lscpu(*options: str) -> dict[str, Any]:
    """What lscpu prints about the processors."""
    found: dict[str, Any] = json.loads(run_command("env", "LC_ALL=C", "lscpu", "-J", *options))
    return found


def available() -> int:
    """Bytes of memory that can be had."""
    return _memory("MemAvailable")


def hugepages() -> dict[int, int]:
    """Numbers of free huge pages by size in bytes."""
    counts = {}
    for path in Path("/sys/kernel/mm/hugepages").glob("hugepages-*kB"):
        free = _text(path / "free_hugepages")
        if free.isdigit() and int(free):
            counts[int(path.name[len("hugepages-") : -len("kB")]) * 1024] = int(free)
    return counts


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _memory(name: str) -> int:
    match = re.search(rf"^{name}:\s*(\d+) kB", _text(Path("/proc/meminfo")), re.MULTILINE)
    return int(match[1]) * 1024 if match else 0

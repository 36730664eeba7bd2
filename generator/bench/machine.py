# SPDX-License-Identifier: BSD-3-Clause
"""What the machine is that a benchmark runs on, as Linux tells it."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from ..findings.usage import UsageError
from ..language.quantities import members
from .result import Cache, Machine

_CPU = Path("/sys/devices/system/cpu")
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}


def usable() -> list[int]:
    """The processors that this process may run on."""
    return sorted(os.sched_getaffinity(0))


def describe(cores: list[int], tsc_hz: float) -> Machine:
    """The machine; `cores` are the processors in use. What Linux does not tell stays empty."""
    info = _text(Path("/proc/cpuinfo"))
    siblings = _text(_CPU / f"cpu{cores[0]}" / "topology" / "thread_siblings_list")
    governor = _text(_CPU / f"cpu{cores[0]}" / "cpufreq" / "scaling_governor")
    return Machine(
        cpu=_field(info, "model name") or _field(info, "Model") or platform.processor() or "?",
        arch=platform.machine(),
        cores=cores,
        online=os.cpu_count() or len(cores),
        threads_per_core=max(1, len(_members(siblings))),
        virtual="hypervisor" in _field(info, "flags").split(),
        kernel=platform.release(),
        caches=_caches(cores[0]),
        memory_bytes=_memory("MemTotal"),
        hugepages=hugepages(),
        tsc_hz=tsc_hz,
        governor=governor or None,
    )


def available() -> int:
    """Bytes of memory that can be had."""
    return _memory("MemAvailable")


def hugepages() -> int:
    """Number of free huge pages, of any size."""
    root = Path("/sys/kernel/mm/hugepages")
    counts = [_text(path) for path in root.glob("*/free_hugepages")]
    return sum(int(text) for text in counts if text.isdigit())


def hugepage_bytes() -> int:
    """Bytes of free huge pages."""
    total = 0
    for path in Path("/sys/kernel/mm/hugepages").glob("hugepages-*kB"):
        free = _text(path / "free_hugepages")
        size = re.fullmatch(r"hugepages-(\d+)kB", path.name)
        if free.isdigit() and size:
            total += int(free) * int(size[1]) * 1024
    return total


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _field(info: str, name: str) -> str:
    match = re.search(rf"^{re.escape(name)}\s*:\s*(.*)$", info, re.MULTILINE)
    return match[1].strip() if match else ""


def _memory(name: str) -> int:
    match = re.search(rf"^{name}:\s*(\d+) kB", _text(Path("/proc/meminfo")), re.MULTILINE)
    return int(match[1]) * 1024 if match else 0


def _members(text: str) -> list[int]:
    """A list of processors as Linux writes it; nothing where it does not."""
    try:
        return members(text, "cores")
    except UsageError:
        return []


def _caches(core: int) -> list[Cache]:
    caches = []
    for index in sorted((_CPU / f"cpu{core}" / "cache").glob("index*")):
        size = re.fullmatch(r"(\d+)([KMG])", _text(index / "size"))
        level = _text(index / "level")
        if size is None or not level.isdigit():
            continue
        shared = len(_members(_text(index / "shared_cpu_list"))) or 1
        caches.append(
            Cache(
                level=int(level),
                type=_text(index / "type"),
                bytes=int(size[1]) * _UNITS[size[2]],
                shared_by=shared,
            )
        )
    return caches

# SPDX-License-Identifier: BSD-3-Clause
"""The machine of a benchmark, as reported by Linux."""

import os
import platform
import re
from pathlib import Path

from ...findings.usage import UsageError
from ...model.language.units import members
from .result import Cache, Machine

_CPU = Path("/sys/devices/system/cpu")
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}


def usable() -> list[int]:
    """The processors that this process may run on."""
    return sorted(os.sched_getaffinity(0))


def describe(cores: list[int], tsc_hz: float) -> Machine:
    """The machine; `cores` are the processors in use. Facts unknown to Linux stay empty."""
    info = _text(Path("/proc/cpuinfo"))
    first = _CPU / f"cpu{cores[0]}"
    siblings = _text(first / "topology" / "thread_siblings_list")
    return Machine(
        cpu=_field(info, "model name") or _field(info, "Model") or platform.processor() or "?",
        arch=platform.machine(),
        cores=cores,
        online=os.cpu_count() or len(cores),
        threads_per_core=max(1, len(_members(siblings))),
        virtual="hypervisor" in _field(info, "flags").split(),
        kernel=platform.release(),
        caches=_caches(first),
        memory_bytes=_memory("MemTotal"),
        tsc_hz=tsc_hz,
        governor=_text(first / "cpufreq" / "scaling_governor") or None,
    )


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


def _caches(core: Path) -> list[Cache]:
    caches = []
    for index in sorted((core / "cache").glob("index*")):
        size = re.fullmatch(r"(\d+)([KMG])", _text(index / "size"))
        level, kind = _text(index / "level"), _text(index / "type")
        if size and level.isdigit():
            octets = int(size[1]) * _UNITS[size[2]]
            shared = len(_members(_text(index / "shared_cpu_list"))) or 1
            caches.append(Cache(level=int(level), type=kind, bytes=octets, shared_by=shared))
    return caches

# SPDX-License-Identifier: BSD-3-Clause
"""The machine of a benchmark, as reported by Linux; the memory that the programs need of it, and
whether it is on huge pages."""

import os
import platform
import re
from collections.abc import Iterable
from pathlib import Path

from ...findings.usage import UsageError
from ...model import totals
from .result import Cache, Machine
from .variants import Variant

_CPU = Path("/sys/devices/system/cpu")
_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}
SPARE_MEGABYTES = 64  # of DPDK itself
PROGRAM_BYTES = 32 << 20  # of a program, without DPDK's allocations and statistics
PACKET_BYTES = 20  # of a packet, without its indexes (bench_traffic.c)
MOST = 0.9  # share of the free memory that a benchmark takes


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
        threads_per_core=_count(siblings),
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


def statistics(variant: Variant, workers: int) -> int:
    """Bytes of the statistics of one variant; the hand-written ones take as many."""
    return totals.footprint(variant.module, workers + 1)


def megabytes(variant: Variant, workers: int) -> int:
    """Megabytes that a program requests from DPDK: some of the statistics may be static."""
    return SPARE_MEGABYTES + workers + (2 * statistics(variant, workers) * 5 // 4 >> 20)


def check_memory(variants: list[Variant], workers: list[int], flows: Iterable[int]) -> None:
    """Raises UsageError if the programs, of these numbers of workers, exceed the free memory."""
    have = available() * MOST
    indexes = len({name for scope in variants[0].module.scopes for name in scope.path})
    packets = sum(min(max(1 << 14, 1 << (4 * n - 1).bit_length()), 1 << 22) for n in {*flows})
    fixed = PROGRAM_BYTES + packets * (PACKET_BYTES + 4 * indexes)
    need = sum(
        fixed + statistics(variant, n) + (megabytes(variant, n) << 20)
        for variant in variants
        for n in workers
    )
    if have and need > have:
        raise UsageError(
            f"{need / 2**30:.1f} GiB are needed for {len(variants)} strategies; "
            f"{have / MOST / 2**30:.1f} GiB are free",
            "measure fewer flows (--flows), lcores (--lcores) or strategies (--strategies)",
        )


def on_huge_pages(megabytes: Iterable[int]) -> bool:
    """Whether there are huge pages for all programs, each of which requests so much."""
    free = hugepages()
    page = max(free, default=2 << 20)
    need = sum(-(-(size << 20) // page) * page for size in megabytes)
    return sum(size * count for size, count in free.items()) >= need


def arguments(huge: bool, megabytes: int) -> list[str]:
    """EAL memory options of a program."""
    kind = ["--in-memory"] if huge else ["--no-huge", "--no-shconf"]
    return [*kind, "-m", str(megabytes)]


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


def _count(text: str) -> int:
    """How many processors there are in a list of Linux such as `0-3,8`; 1 without a list."""
    ranges = re.findall(r"(\d+)(?:-(\d+))?", text)
    return sum(int(last or first) - int(first) + 1 for first, last in ranges) or 1


def _caches(core: Path) -> list[Cache]:
    caches = []
    for index in sorted((core / "cache").glob("index*")):
        size = re.fullmatch(r"(\d+)([KMG])", _text(index / "size"))
        level, kind = _text(index / "level"), _text(index / "type")
        if size and level.isdigit():
            octets = int(size[1]) * _UNITS[size[2]]
            shared = _count(_text(index / "shared_cpu_list"))
            caches.append(Cache(level=int(level), type=kind, bytes=octets, shared_by=shared))
    return caches

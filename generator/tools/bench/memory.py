# SPDX-License-Identifier: BSD-3-Clause
"""The memory that the programs of a benchmark need, and its pages: huge ones or small ones.

What a program allocates is on huge pages that were set aside (hugetlbfs), or on none. Its own data,
where instances of static storage are, can only be on transparent ones, which the kernel gives.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ...backends import bench
from ...findings.usage import UsageError
from ...model import ir, totals
from ...model.strategies.catalogue import all_strategies
from . import machine
from .result import At
from .variants import Variant

SPARE_MEGABYTES = 64  # other than statistics: DPDK's own, and packets of the distributor
PROGRAM_BYTES = 32 << 20  # of a program, without DPDK's allocations and statistics
KEPT_PACKETS = 1 << 24  # packets that a program keeps for later runs (bench_traffic.c)
PRESSURE_BYTES = 64 << 20  # that a worker writes to (PRESSURE_LINES of bench_run.c)
MOST = 0.9  # share of the free memory that a benchmark takes


class Statistics(NamedTuple):
    """Bytes of statistics and of the hand-written ones: static data (`own`), and allocated."""

    own: int
    allocated: int


def statistics(variant: Variant, workers: int) -> Statistics:
    """Those of one variant; dynamic scopes are allocated, what exists once of others is not."""
    dynamic = [s.name for s in variant.module.scopes if s.storage is ir.Storage.DYNAMIC]
    every = totals.footprint(variant.module, workers + 1)
    least, more = (
        totals.footprint(variant.module, lcores, dict.fromkeys(dynamic, 0))
        for lcores in (workers + 1, workers + 2)
    )
    copies = (more - least) * (workers + 2)  # and the shard of non-lcore threads
    own = max(0, least - copies)
    per_lcore = all_strategies()[variant.label.partition(":")[0]].per_lcore
    kept = bench.memory(variant.module, variant.objects)
    return Statistics(own if per_lcore else 2 * own, 2 * (every - own + kept))


def megabytes(variant: Variant, workers: int) -> int:
    """Megabytes that a program requests from DPDK."""
    return SPARE_MEGABYTES + workers + (statistics(variant, workers).allocated * 5 // 4 >> 20)


def needed(variant: Variant, places: list[At], huge: bool = False) -> int:
    """Bytes that a program needs at these places, reserved huge pages excluded."""
    workers = max(at.lcores for at in places)
    snapshot = any(at.reads and at.reader == "snapshot" for at in places)
    return (
        PROGRAM_BYTES
        + (0 if huge else megabytes(variant, workers) << 20)
        + statistics(variant, workers).own
        + (_snapshot(variant) if snapshot else 0)
        + _packets(variant, places)
    )


def check(variants: list[Variant], groups: list[list[At]], flows: int, huge: bool = False) -> None:
    """Raises UsageError if the programs exceed the free memory; its hint lists those that fit."""
    have = machine.available() * MOST
    each = {v.label: sum(needed(v, places, huge) for places in groups) for v in variants}
    need = sum(each.values())
    if not have or need <= have:
        return
    fitting, room = [], have
    for label in sorted(each, key=lambda label: each[label]):
        room -= each[label]
        if room >= 0:
            fitting.append(label)
    hint = "measure fewer flows (--flows) or lcores (--lcores)"
    if fitting:
        hint += f"; or fewer strategies: {','.join(fitting)} would fit (--strategies)"
    raise UsageError(
        f"{flows:,} flows need {need / 2**30:.1f} GiB for {len(variants)} strategies; "
        f"{have / MOST / 2**30:.1f} GiB are free",
        hint,
    )


def _snapshot(variant: Variant) -> int:
    """Bytes of a snapshot: a value and a flag for each item, and room for padding."""
    return sum(
        scope.instances * sum(item.value_type.octets or 8 for item in scope.items) * 5 // 4
        for scope in variant.module.scopes
        if scope.storage is not ir.Storage.EMBEDDED
    )


def _packets(variant: Variant, places: list[At]) -> int:
    """Bytes outside of the statistics: packets, and the buffer for `pressure`."""
    each = 24 + 4 * len({name for scope in variant.module.scopes for name in scope.path})
    runs = {(at.lcores, at.flows, at.distribution, at.affinity) for at in places}
    packets = [  # as bench_traffic.c has it
        lcores * min(max(1 << 14, 1 << (4 * flows - 1).bit_length()), 1 << 22)
        for lcores, flows, _, _ in runs
    ]
    pressed = max((at.lcores for at in places if at.pressure), default=0)
    return each * min(sum(packets), max([*packets, KEPT_PACKETS])) + pressed * PRESSURE_BYTES


# ---- pages ----

CHOICES = ("auto", "on", "off")  # of `--huge`: `auto` is on where all programs fit
_WORDS = {"auto": "any", "on": "huge", "off": "small"}  # for bench_main.c

_HUGE = ("AnonHugePages", "ShmemPmdMapped", "FilePmdMapped")
_RESERVED = ("Private_Hugetlb", "Shared_Hugetlb")

Range = tuple[int, int]  # addresses from the first one to the one behind the last


def decide(asked: str, megabytes: Iterable[int]) -> bool:
    """Whether all programs, each of which needs so much, are on huge pages. Raises UsageError."""
    if asked not in CHOICES:
        raise UsageError(f"--huge: '{asked}' is not one of {', '.join(CHOICES)}")
    if asked == "off":
        return False
    free = machine.hugepages()
    page = max(free, default=2 << 20)
    need = sum(-(-(size << 20) // page) * page for size in megabytes)
    have = sum(size * count for size, count in free.items())
    if asked == "on" and have < need:
        raise UsageError(
            f"--huge on: {need >> 20:,} MiB of huge pages are needed, {have >> 20:,} MiB are free",
            f"set them aside (sysctl vm.nr_hugepages={need // page}), or measure fewer strategies",
        )
    return have >= need


def arguments(asked: str, huge: bool, megabytes: int) -> list[str]:
    """Arguments of a program: EAL memory options, and the page size of its static data."""
    kind = ["--in-memory"] if huge else ["--no-huge", "--no-shconf"]
    return [*kind, "-m", str(megabytes), "--", _WORDS[asked]]


def share(pid: int, ranges: Iterable[Range]) -> float | None:
    """The share of a process's memory in some ranges on huge pages; None where it is unknown."""
    try:
        text = Path(f"/proc/{pid}/smaps").read_text("utf-8", "replace")
    except OSError:
        return None
    return share_in(text, list(ranges))


def share_in(smaps: str, ranges: list[Range]) -> float | None:
    """The same by the text of /proc/PID/smaps (proc_pid_smaps(5))."""
    huge = every = 0
    inside = False
    for line in smaps.splitlines():
        if mapping := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line):
            low, high = int(mapping[1], 16), int(mapping[2], 16)
            inside = any(low < end and begin < high for begin, end in ranges)
        elif inside and (field := re.match(r"(\w+): +(\d+) kB", line)):
            name, size = field[1], int(field[2])
            every += size * (name == "Rss" or name in _RESERVED)
            huge += size * (name in _HUGE or name in _RESERVED)
    return min(1.0, huge / every) if every else None

# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the memory that is measured: huge ones or small ones, and which there were.

What a program allocates is on huge pages that were set aside (hugetlbfs), or on none. Its own data,
where instances of static storage are, can only be on transparent ones, which the kernel gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..findings.usage import UsageError
from . import machine

CHOICES = ("auto", "on", "off")
"""What `--huge` takes: `auto` is on where enough huge pages are free for all programs."""

_WORDS = {"auto": "any", "on": "huge", "off": "small"}
"""What a program is told about its own data (bench_main.c)."""

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
    """Arguments of a program: those of EAL about memory, and the word about its own data."""
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

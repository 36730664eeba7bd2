# SPDX-License-Identifier: BSD-3-Clause
"""The memory that the programs of a benchmark need, and whether it is on huge pages."""

from collections.abc import Iterable

from ...findings.usage import UsageError
from ...model import totals
from . import machine
from .variants import Variant

SPARE_MEGABYTES = 64  # of DPDK itself
PROGRAM_BYTES = 32 << 20  # of a program, without DPDK's allocations and statistics
PACKET_BYTES = 20  # of a packet, without its indexes (bench_traffic.c)
MOST = 0.9  # share of the free memory that a benchmark takes


def statistics(variant: Variant, workers: int) -> int:
    """Bytes of the statistics of one variant; the hand-written ones take as many."""
    return totals.footprint(variant.module, workers + 1)


def megabytes(variant: Variant, workers: int) -> int:
    """Megabytes that a program requests from DPDK: some of the statistics may be static."""
    return SPARE_MEGABYTES + workers + (2 * statistics(variant, workers) * 5 // 4 >> 20)


def check(variants: list[Variant], workers: list[int], flows: Iterable[int]) -> None:
    """Raises UsageError if the programs, of these numbers of workers, exceed the free memory."""
    have = machine.available() * MOST
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
    free = machine.hugepages()
    page = max(free, default=2 << 20)
    need = sum(-(-(size << 20) // page) * page for size in megabytes)
    return sum(size * count for size, count in free.items()) >= need


def arguments(huge: bool, megabytes: int) -> list[str]:
    """EAL memory options of a program."""
    kind = ["--in-memory"] if huge else ["--no-huge", "--no-shconf"]
    return [*kind, "-m", str(megabytes)]

# SPDX-License-Identifier: BSD-3-Clause
"""The programs of these tests: which sources they have, and which tests are in each."""

from __future__ import annotations

import re
from pathlib import Path

from ctrgen.model import layout
from ctrgen.pipeline.build import parse_sync
from ctrgen.pipeline.check import check
from tests.support.cbuild import HEAP_WRAP, OPTIMISED, Build
from tests.support.paths import EP
from tests.support.strategies import by_cpu as by_cpu_copies
from tests.support.strategies import cpu_copies, other_copies, promise

HERE = Path(__file__).parent
HARNESS = (HERE / "harness.c",)
HEAP = (*HARNESS, HERE / "heap.c")

DEBUG = (*OPTIMISED, "-DCTR_DEBUG")
"""Flags of a debug build."""

# Which file has which tests.
EP_SOURCES = {
    "conservation": ("conservation",),
    "resets": ("resets", "periods", "copies"),
    "consistency": ("consistency",),
    "threads": (
        "nested",
        "taken_away",
        "thread_churn",
        "thread_exit",
        "thread_limit",
        "thread_shares",
    ),
    "life": ("life", "snapshot", "read_sections", "own_buffer", "arguments", "allocations"),
    "descriptor": ("descriptor",),
    "reader": ("held_reader", "read_section", "visible"),
    "long": ("long",),
}
# Tests that only the program for DPDK has.
ON_DPDK = {"taken_away"}
# Tests in which threads update at the same time: a lossy strategy may fail them.
CONCURRENT = {
    "conservation",
    "resets",
    "periods",
    "copies",
    "thread_limit",
    "thread_shares",
    "growth",
    "wide_states",
}


def ep(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program with the tests of the reference schema, or with those beside `test` only."""
    names = [name for name, tests in EP_SOURCES.items() if test is None or test in tests]
    sources = tuple(HERE / f"{name}.c" for name in [*names, "ep"])
    return Build(EP, variant, sources, HEAP, port, link=HEAP_WRAP)


ZOO_SOURCES = {
    "zoo_values": ("gauge_latches", "counter_of_32_bits", "states", "sets_in_updates"),
    "zoo_scopes": ("nested", "several_strategies", "never_reset", "drops", "embedded_caller"),
    "zoo_dynamic": (
        "create_destroy",
        "recycled",
        "drops_of_missing",
        "memory",
        "creation_without_memory",
        "creation_fails",
        "creation_fails_below",
        "registration_without_memory",
        "snapshot_of_some",
        "occupancy",
        "reports_of_updates",
    ),
    "zoo_lives": ("one_life_in_a_read", "reset_of_what_went"),
    "zoo_stress": ("growth", "wide_states"),
}


def zoo(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program with one of everything that a schema can have."""
    names = [name for name, tests in ZOO_SOURCES.items() if test is None or test in tests]
    sources = tuple(HERE / f"{name}.c" for name in names)
    return Build(HERE / "schemas" / "zoo.yaml", variant, sources, HEAP, port, link=HEAP_WRAP)


def wrap(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program that takes counters over their wrap."""
    sources = (HERE / "wrap.c",)
    return Build(HERE / "schemas" / "wrap.yaml", variant, sources, HARNESS, port)


def torture(variant: str, port: str = "posix", test: str | None = None, *, bits: int = 4) -> Build:
    """The program about narrow words, of which so many bits are used."""
    flags = (*OPTIMISED, f"-DCTR_NARROW_RANGE(bits)={bits}")
    sources = (HERE / "narrow.c", HERE / "wrap.c")
    return Build(HERE / "schemas" / "wrap.yaml", variant, sources, HARNESS, port, flags=flags)


def by_cpu(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about instances by CPU."""
    return Build(EP, variant, (HERE / "cpu.c",), HARNESS, port)


def cut(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about updates that are cut, with all amounts."""
    return Build(HERE / "schemas" / "cut.yaml", variant, (HERE / "cut.c",), HARNESS, port)


def signalled(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about updates in signal handlers."""
    return Build(EP, variant, (HERE / "signals.c",), HARNESS, port)


def debugged(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The same in a debug build."""
    return signalled(variant, port).but(flags=DEBUG)


def misused(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program that does what debug builds abort on."""
    return Build(EP, variant, (HERE / "misuse.c",), HARNESS, port, flags=DEBUG)


def foreign(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about instances by CPU of threads without an lcore id."""
    return Build(EP, variant, (HERE / "foreign.c",), HARNESS, port)


def trio(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about write buffers."""
    sources = (HERE / "buffered.c",)
    return Build(HERE / "schemas" / "trio.yaml", variant, sources, HARNESS, port)


def coalesced(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about what lcores hold of some elements."""
    schema = HERE / "schemas" / "coalesced.yaml"
    return Build(schema, variant, (HERE / "coalesced.c",), HARNESS, port)


def ringed(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about rings of what lcores add."""
    schema = HERE / "schemas" / "coalesced.yaml"
    shared = re.search(r"mode=(?!spsc)", variant) is not None
    flags = (*OPTIMISED, f"-DSHARED={int(shared)}")
    return Build(schema, variant, (HERE / "ring.c",), HARNESS, port, flags=flags)


def largest(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about rings and an update with as many arguments as there may be."""
    schema = HERE / "schemas" / "wide.yaml"
    return Build(schema, variant, (HERE / "largest.c",), HARNESS, port)


def bursts(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about what the ends of bursts make visible."""
    return Build(HERE / "schemas" / "bursts.yaml", variant, (HERE / "bursts.c",), HARNESS, port)


def polled(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about the control thread of the library."""
    link = (*HEAP_WRAP, "-Wl,--wrap=ctr_port_control_start")
    return Build(EP, variant, (HERE / "poller.c",), HEAP, port, link=link)


def leaving(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about threads that leave beside a read section."""
    sources = (HERE / "leaving.c",)
    return Build(HERE / "schemas" / "leaving.yaml", variant, sources, HARNESS, port)


def lives(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about flows that come and go under traffic, and step by step."""
    sources = (HERE / "lives.c", HERE / "ends.c")
    return Build(HERE / "schemas" / "lives.yaml", variant, sources, HARNESS, port)


def inside(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about instances that end with the one that they are inside of."""
    return Build(HERE / "schemas" / "inside.yaml", variant, (HERE / "inside.c",), HARNESS, port)


def inside_debug(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The same in a debug build, which stops on misuse of indexes."""
    return inside(variant, port).but(flags=(*OPTIMISED, "-DCTR_DEBUG"))


def died(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about threads that end in the middle of an update."""
    under = "LOCK" if variant.startswith("per_core_lock") else "SEQUENCE"
    flags = (*OPTIMISED, f"-DOF_{under}")
    return Build(EP, variant, (HERE / "died.c",), HARNESS, port, flags=flags)


def sketched(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about lives and widths under strategies that are no part of ctrgen."""
    schema = HERE / "schemas" / "zoo.yaml"
    return Build(schema, variant, (HERE / "sketched.c",), HARNESS, port)


def few(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about few flows of a million."""
    schema = HERE / "schemas" / "many.yaml"
    return Build(schema, variant, (HERE / "few.c",), HEAP, port, link=HEAP_WRAP)


def natural(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about names that generated code would give its own things."""
    schema = HERE / "schemas" / "natural.yaml"
    return Build(schema, variant, (HERE / "natural.c",), HARNESS, port)


LABEL_TESTS = (
    "parents_without_items",
    "index_of_a_parent_without_items",
    "one_list",
    "two_dimensions",
    "no_such_label",
    "names",
    "fixed_labels",
)


def labels(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about indexes that have names."""
    return Build(HERE / "schemas" / "labels.yaml", variant, (HERE / "labels.c",), HARNESS, port)


KEY_TESTS = (
    "set_get_find",
    "no_such_value",
    "vanishes",
    "inside_of_another",
    "in_the_index",
    "as_text",
    "many",
    "without_memory",
    "forked",
    "setters_and_finders",
)


def keys(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about what instances are known by."""
    schema = HERE / "schemas" / "keys.yaml"
    return Build(schema, variant, (HERE / "keys.c",), HEAP, port, link=HEAP_WRAP)


HISTOGRAM_TESTS = ("powers", "one_by_one", "in_updates", "of_a_label", "described")


def histograms(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about histograms."""
    schema = HERE / "schemas" / "histograms.yaml"
    return Build(schema, variant, (HERE / "histograms.c",), HARNESS, port)


def viewed(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about histograms in a module with views."""
    return Build(HERE / "schemas" / "viewed.yaml", variant, (HERE / "viewed.c",), HARNESS, port)


PEAK_TESTS = (
    "observed",
    "of_gauges",
    "resets",
    "in_snapshots",
    "in_updates",
    "lives",
    "described",
)


def peaks(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about peaks."""
    return Build(HERE / "schemas" / "peaks.yaml", variant, (HERE / "peaks.c",), HARNESS, port)


SOURCE_TESTS = (
    "derived",
    "of_one_lcore",
    "arithmetic",
    "callbacks",
    "no_devices",
    "rates",
    "sessions",
    "snapshots",
    "described",
    "providers_come_and_go",
)


def sources(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about items that are not stored."""
    return Build(HERE / "schemas" / "sources.yaml", variant, (HERE / "sources.c",), HARNESS, port)


REPORTED_TESTS = (
    "cleared",
    "restarted",
    "wrapped",
    "unavailable",
    "replaced",
    "all_at_the_same_time",
    "another_instance",
    "never_reset",
    "without_memory",
    "beside_resets",
)


def reported(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about resets of what devices and the application count."""
    schema, link = HERE / "schemas" / "sources.yaml", (*HEAP_WRAP, "-Wl,--wrap=ctr_device_read")
    return Build(schema, variant, (HERE / "reported.c",), HEAP, port, link=link)


def parked(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about a writer that is stopped in the middle of an update."""
    sources = (HERE / "parked.c", HERE / "ep.c")
    return Build(EP, variant, sources, HARNESS, port, link=("-Wl,--wrap=ctr_yield",))


def slots(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about the memory of lcores."""
    sources = (HERE / "isolation.c",)
    return Build(HERE / "schemas" / "wrap.yaml", variant, sources, HARNESS, port)


def forking(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about children of fork()."""
    whole = variant.startswith(("shared_lock", "shared_buffered"))
    excludes = whole and "granularity=instance" not in variant
    flags = (*OPTIMISED, "-DEXCLUDES") if excludes else OPTIMISED
    link = ("-Wl,--wrap=ctr_alloc",) if port == "posix" else ()
    schema = HERE / "schemas" / "forking.yaml"
    return Build(schema, variant, (HERE / "fork.c",), HARNESS, port, flags=flags, link=link)


TRIM_SOURCES = {
    "trim": ("nobody_reports", "given_back", "taken_back", "in_line", "left_over"),
    "trim_reads": ("stopped_read",),
    "trim_churn": ("waves",),
}
TRIM_READS = ("read", "view_read", "lcore_read", "get", "lcore_get", "get_name", "set_name")
STOPPED = ("ctr_control_hold", "ctr_cell_get", "ctr_cell_set", "ctr_cell_set_text")


def trim(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about memory that is given back; that about stopped reads is one of its own."""
    names = [name for name, tests in TRIM_SOURCES.items() if test in tests] or ["trim"]
    wraps = STOPPED if names == ["trim_reads"] else ()
    link = (*HEAP_WRAP, *(f"-Wl,--wrap={name}" for name in wraps))
    sources = tuple(HERE / f"{name}.c" for name in names)
    return Build(HERE / "schemas" / "trim.yaml", variant, sources, HEAP, port, link=link)


def huge(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about huge pages."""
    schema = HERE / "schemas" / "many.yaml"
    return Build(schema, variant, (HERE / "trim_huge.c",), HARNESS, port)


def growth(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about tables that grow: page faults of lcores, and reads meanwhile."""
    schema = HERE / "schemas" / "many.yaml"
    sources = (HERE / "growth.c", HERE / "growth_reads.c")
    return Build(schema, variant, sources, HARNESS, port)


def trim_sizes(variant: str) -> dict[str, int]:
    """Options of that program: bytes of a piece of memory, as the layout has it, and what else
    depends on the strategy."""
    module = check(str(HERE / "schemas" / "trim.yaml"), parse_sync(variant)).module
    assert module is not None
    parts = {part: domain for domain in layout.domains(module) for part in domain.scopes}
    (scope,) = (part for part in parts if part.scope.name == "flow")
    alone = {} if parts[scope].strategy.per_lcore else {"COPIES": 1}
    if by_cpu_copies(variant):
        alone = {"COPIES": cpu_copies(variant)}
    others = {"OTHERS": other_copies(variant)}
    held = int(promise(variant, "propagation") == "flush")
    common = scope.common.size if scope.common else 0
    once = (scope.record_size + common) * scope.chunk + layout.LINK
    copy = sum(part.size for part in (scope.data, scope.offset) if part) * scope.chunk
    return {"ONCE": once, "COPY": copy, "HELD": held, **others, **alone}


SYMBOLIC_TESTS = ("last_instances", "trim_of_a_part_of_a_chunk")


def symbolic(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about numbers of instances that are constants of DPDK."""
    return Build(HERE / "schemas" / "symbolic.yaml", variant, (HERE / "symbolic.c",), HARNESS, port)


MOMENT_TESTS = ("sixty_four_bits", "touched", "described")


def moments(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about states of 64 bits."""
    return Build(HERE / "schemas" / "moments.yaml", variant, (HERE / "moments.c",), HARNESS, port)


VALUE_TESTS = ("found_by_name", "walked", "texts", "differences", "went_back")


def values(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about generic readers."""
    return Build(HERE / "schemas" / "values.yaml", variant, (HERE / "values.c",), HARNESS, port)


def amounts(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about amounts at the bounds of their types, and that in which all goes on at the
    same time."""
    sources = (HERE / "amounts.c", HERE / "stress.c")
    schema = HERE / "schemas" / "amounts.yaml"
    return Build(schema, variant, sources, HARNESS, port, flags=("-O2",))


LIMIT_TESTS = (
    "amounts",
    "arguments",
    "threshold",
    "two_quotas",
    "bulk_and_batch",
    "stops",
    "comes_back",
    "reports",
    "own_reports",
    "lives",
)


def limits(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about limits."""
    return Build(HERE / "schemas" / "limits.yaml", variant, (HERE / "limits.c",), HARNESS, port)

# SPDX-License-Identifier: BSD-3-Clause
"""The programs of these tests: which sources they have, and which tests are in each."""

import importlib
from collections.abc import Callable
from pathlib import Path

from ctrgen.model import layout
from ctrgen.pipeline.build import parse_sync
from ctrgen.pipeline.check import check
from tests.support import cbuild
from tests.support.cbuild import HEAP_WRAP, OPTIMISED, QUICK, Build
from tests.support.paths import EP
from tests.support.strategies import FOLDER, OWN_LOCKS, USUAL, cpu_copies, promise
from tests.support.strategies import by_cpu as by_cpu_copies

HERE = Path(__file__).parent
HARNESS = (HERE / "harness.c",)
HEAP = (*HARNESS, HERE / "heap.c")

DEBUG = (*OPTIMISED, "-DCTR_DEBUG")
"""Flags of a debug build."""
LIGHT = QUICK
"""Flags of programs that are about values, not what threads see."""


def c_tests(name: str, *others: str) -> tuple[str, ...]:
    """The tests in a C file but for `others`, which not everything runs."""
    return tuple(test for test in cbuild.c_tests(HERE / f"{name}.c") if test not in others)


EP_SOURCES = {
    name: c_tests(name) for name in ("resets", "consistency", "threads", "life", "reader")
}
"""Which file has which tests."""
# Tests that only the program for DPDK has.
ON_DPDK = {"taken_away", "thread_ends_registered"}
# Tests in which threads update at the same time: a lossy strategy may fail them.
CONCURRENT = {
    "resets",
    "epochs",
    "copies",
    "thread_limit",
    "thread_shares",
    "objects",
    "wide_states",
}


Program = Callable[..., Build]
"""Builds a program for a variant, a port ("posix" if none is given) and a test, or any test."""


def _in(first: Path, second: Path, name: str) -> Path:
    """A file of one of two folders."""
    return first / name if (first / name).exists() else second / name


def program(
    *sources: str,
    folder: Path = HERE,
    schema: str = "",
    plain: tuple[Path, ...] = HARNESS,
    flags: tuple[str, ...] = OPTIMISED,
    own_flags: Callable[[str], tuple[str, ...]] = lambda variant: (),
    wrap: tuple[str, ...] = (),
) -> Program:
    """A program of those `sources` that have the test, or all: under `schema` or the reference
    schema, with more flags. They are in a folder, or in this one. Calls of `wrap` are diverted,
    and those of heap.c."""
    files = tuple(_in(folder, HERE, f"{name}.c") for name in sources)
    described = _in(folder, HERE / "schemas", f"{schema}.yaml") if schema else EP

    def built(variant: str, port: str = "posix", test: str | None = None) -> Build:
        link = (*(HEAP_WRAP if plain == HEAP else ()), *(f"-Wl,--wrap={name}" for name in wrap))
        build = Build(
            described, variant, files, plain, port,
            flags=flags, own_flags=own_flags(variant), link=link,
        )  # fmt: skip
        return build.about(test) if test else build

    return built


ZOO_NAMES = ("zoo_values", "zoo_scopes", "zoo_dynamic", "zoo_stress")
ZOO_SOURCES = {name: c_tests(name) for name in ZOO_NAMES}

ep = program(*EP_SOURCES, plain=HEAP)
"""The tests of the reference schema, or those beside `test` only."""
zoo = program(*ZOO_SOURCES, schema="zoo", plain=HEAP, flags=LIGHT)
"""One of everything that a schema can have."""
wrap = program("wrap", schema="wrap", flags=LIGHT)
"""Counters over their wrap."""


def _died(variant: str) -> tuple[str, ...]:
    return (f"-DOF_{'LOCK' if variant.startswith(OWN_LOCKS) else 'SEQUENCE'}",)


signalled = program("signals")
"""Updates in signal handlers."""
debugged = program("signals", flags=DEBUG)
"""The same in a debug build."""
misused = program("misuse", flags=DEBUG)
"""What debug builds abort on."""
bursts = program("bursts", schema="bursts", flags=LIGHT)
"""What the ends of bursts make visible."""
leaving = program("leaving", schema="leaving")
"""Threads that leave beside a read section."""
lives = program("ends", schema="lives")
"""Flows that come and go, step by step."""
inside = program("inside", schema="inside", flags=LIGHT)
"""Instances that end with the one that they are inside of."""
inside_debug = program("inside", schema="inside", flags=DEBUG)
"""The same in a debug build, which stops on misuse of indexes."""
died = program("died", own_flags=_died)
"""Threads that end in the middle of an update."""
failing = program(
    "failures", plain=HEAP,
    flags=(*OPTIMISED, "-DMODULE=ep_stats", '-DHEADER="ep_stats.h"'),
)  # fmt: skip
"""Each allocation fails in turn."""
few = program("few", schema="many", plain=HEAP, flags=LIGHT)
"""Few flows of a million."""


def embedded(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program with objects of the application's own, under strategy `caller` or another."""
    return zoo(USUAL, port, test)


labels = program("labels", schema="labels", flags=LIGHT)
"""Indexes that have names."""
LIST_TESTS = c_tests("lists", "threads", "too_long", "too_great", "kept")
lists = program("lists", schema="lists", flags=LIGHT)
"""Updates of several instances."""
asserted = program("lists", schema="lists_asserted", flags=DEBUG)
"""The same in a debug build, which alone checks indexes."""
keys = program("keys", schema="keys", plain=HEAP, flags=LIGHT)
"""What instances are known by."""
HISTOGRAM_TESTS = c_tests("histograms", "together")
histograms = program("histograms", schema="histograms", flags=LIGHT)
"""Histograms."""
peaks = program("peaks", schema="peaks", flags=LIGHT)
"""Peaks."""
sources = program("sources", schema="sources", flags=LIGHT)
"""Items that are not stored."""
reported = program("reported", schema="sources", plain=HEAP, wrap=("ctr_device_read",), flags=LIGHT)
"""Resets of what devices and the application count."""
parked = program("parked", wrap=("ctr_yield",))
"""A writer that is stopped in the middle of an update."""
slots = program("isolation", schema="wrap")
"""The memory of lcores."""


def forking(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about children of fork()."""
    whole = promise(variant, "reader") == "blocks-writers"
    excludes = whole and "granularity=instance" not in variant
    own = ("-DEXCLUDES",) if excludes else ()
    link = ("-Wl,--wrap=ctr_alloc",) if port == "posix" else ()
    schema = HERE / "schemas" / "forking.yaml"
    return Build(schema, variant, (HERE / "fork.c",), HARNESS, port, own_flags=own, link=link)


TRIM_SOURCES = {name: c_tests(name, "other_reports") for name in ("trim", "trim_reads")}
TRIM_READS = ("read", "view_read", "lcore_read", "get", "lcore_get", "get_name", "set_name")
STOPPED = ("ctr_control_hold", "ctr_cell_get", "ctr_cell_set", "ctr_cell_set_text")


def trim(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about memory that is given back; that about stopped reads is one of its own."""
    names = [name for name, tests in TRIM_SOURCES.items() if test in tests] or ["trim"]
    wraps = STOPPED if names == ["trim_reads"] else ()
    link = (*HEAP_WRAP, *(f"-Wl,--wrap={name}" for name in wraps))
    sources = tuple(HERE / f"{name}.c" for name in names)
    return Build(HERE / "schemas" / "trim.yaml", variant, sources, HEAP, port, link=link)


huge = program("trim_huge", schema="many")
"""Huge pages."""
growth = program("growth", "growth_reads", schema="many")
"""Tables that grow: page faults of lcores, and reads meanwhile."""


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
    held = int(promise(variant, "propagation") == "flush")
    common = scope.common.size if scope.common else 0
    once = (scope.record_size + common) * scope.chunk + layout.LINK
    copy = sum(part.size for part in (scope.data, scope.offset) if part) * scope.chunk
    return {"ONCE": once, "COPY": copy, "HELD": held, **alone}


symbolic = program("symbolic", schema="symbolic", flags=LIGHT)
"""Numbers of instances that are constants of DPDK."""
moments = program("moments", schema="moments", flags=LIGHT)
"""States of 64 bits."""
values = program("values", schema="values", flags=LIGHT)
"""Generic readers."""
amounts = program("amounts", "stress", schema="amounts")
"""Amounts at the bounds of their types, and that in which all goes on at the same time."""
# Those of fork(), which EAL does not survive, are for the POSIX port.
LIMIT_TESTS = {"posix": c_tests("limits"), "dpdk": c_tests("limits", "forks_in_between", "forks")}
limits = program("limits", schema="limits", flags=LIGHT)
"""Quotas and thresholds."""
CEILING_TESTS = {"posix": c_tests("ceilings"), "dpdk": c_tests("ceilings", "forks")}
ceilings = program("ceilings", schema="ceilings", flags=LIGHT)
"""Limits of gauges."""


def named(name: str) -> Program:
    """A program of this module, or of a strategy: of `programs.py` in its folder of tests."""
    folders = (path.parent.name for path in FOLDER.glob("*/programs.py"))
    modules = (__name__, *(f"tests.strategies.{folder}.programs" for folder in folders))
    found = (getattr(importlib.import_module(module), name, None) for module in modules)
    return next(program for program in found if program)

# SPDX-License-Identifier: BSD-3-Clause
"""The test matrix: every strategy, and every way its tunables change the code.

The strategies come from their folders, so that a new one is tested as it is; here
is only what more there is to try of one.
"""

from __future__ import annotations

from pathlib import Path

from ctrgen.strategies.catalogue import all_strategies
from tests.support.cbuild import EP, HEAP_WRAP, Build

HERE = Path(__file__).parent
HARNESS = (HERE / "harness.c",)
HEAP = (*HARNESS, HERE / "heap.c")

TUNED = {
    "per_core_seqcount": ["retries=1"],
    "shared_lock": [
        "lock=ticket",
        "lock=mcs",
        "granularity=instance",
        "placement=apart",
        "lock=mcs,granularity=instance",
        "lock=mcs,placement=apart",
    ],
    "shared_buffered": ["buffer=16,soft_threshold=16", "buffer=33,soft_threshold=0,hints=1"],
}

STRATEGIES = [name for name, s in all_strategies().items() if "static" in s.storage]
VARIANTS = STRATEGIES + [f"{name}:{more}" for name in TUNED for more in TUNED[name]]


def promise(variant: str, what: str) -> object:
    """What the strategy of a variant promises."""
    return getattr(all_strategies()[variant.split(":")[0]].promises, what)


EXACT = [variant for variant in VARIANTS if promise(variant, "exact")]
LOSSY = [variant for variant in VARIANTS if not promise(variant, "exact")]
CONSISTENT = [variant for variant in VARIANTS if promise(variant, "consistency") == "update"]


def fair(variant: str) -> bool:
    """Whether threads queue: with more threads than cores, each hand-over waits for one."""
    return "lock=ticket" in variant or "lock=mcs" in variant


def fewer(variant: str, count: int, by: int) -> int:
    """An iteration count, less for the locks that are slow on few cores."""
    return max(count // by, 1) if fair(variant) else count


# Which file has which tests.
EP_SOURCES = {
    "conservation": ("conservation",),
    "resets": ("resets", "periods"),
    "consistency": ("consistency",),
    "threads": ("thread_churn", "thread_exit", "thread_limit", "thread_shares"),
    "life": ("life", "snapshot", "read_sections", "own_buffer", "arguments", "allocations"),
    "descriptor": ("descriptor",),
    "reader": ("held_reader", "visible"),
    "long": ("long",),
}
# Tests in which threads update at the same time: a lossy strategy may fail them.
CONCURRENT = {
    "conservation",
    "resets",
    "periods",
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


def trio(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about write buffers."""
    sources = (HERE / "buffered.c",)
    return Build(HERE / "schemas" / "trio.yaml", variant, sources, HARNESS, port)


def leaving(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about threads that leave while instances are created."""
    sources = (HERE / "leaving.c",)
    return Build(HERE / "schemas" / "leaving.yaml", variant, sources, HARNESS, port)


def slots(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program about the memory of lcores."""
    sources = (HERE / "isolation.c",)
    return Build(HERE / "schemas" / "wrap.yaml", variant, sources, HARNESS, port)

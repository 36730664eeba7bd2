# SPDX-License-Identifier: BSD-3-Clause
"""The memory that a plan tells is what a program allocates, within 1 %."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ctrgen.model import totals
from ctrgen.pipeline.build import parse_sync
from tests.support.capabilities import have_dpdk
from tests.support.cbuild import Build, Workshop, figures
from tests.support.paths import EP, ROOT
from tests.support.process import succeed
from tests.support.schemas import module_of
from tests.support.strategies import (
    BUFFERING,
    SHARED,
    STRATEGIES,
    USUAL,
    VARIANTS,
    at_most,
    by_cpu,
    cpu_copies,
)

HERE = Path(__file__).parent
SOURCE = HERE / "memory.c"
WITHIN = 0.01
WRITABLE = (".bss", ".data", ".tbss", ".tdata")

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Case:
    """A schema under a strategy; `instances` of the dynamic scope `create` are made."""

    schema: Path
    sync: str
    lcores: tuple[int, ...]
    create: str = ""
    instances: int = 0
    port: str = "posix"

    def __str__(self) -> str:
        return f"{self.schema.stem}-{self.sync}-{self.instances}-{self.port}"


TUNNELS = HERE / "tunnels.yaml"
SHAPE = """\
ctrgen: 1
module: shape
scopes:
  global: {counters: {all: {unit: packets, description: Packets.}}}
  flow:
    KIND
    counters:
      pkts: {unit: packets, description: Packets.}
      bytes: {unit: bytes, description: Octets.}
updates: {packet: {args: {size: uint16}, add: {global.all: 1, flow.pkts: 1, flow.bytes: size}}}
"""
SHAPES = {
    Path("static_1.yaml"): "max: 1",
    Path("static_1000000.yaml"): "max: 1000000",
    Path("dynamic.yaml"): "max: 1000000\n    storage: dynamic",
    Path("embedded.yaml"): "storage: embedded\n    sync: caller",
}
ONE, MANY, DYNAMIC, EMBEDDED = SHAPES
LIMITS, CEILINGS = (ROOT / "tests/run/schemas" / f"{name}.yaml" for name in ("limits", "ceilings"))
CREATED = (0, 1, 1000, 1_000_000)
EXTRAPOLATED = 128
"""So many lcores are not started: each takes what the last one did."""

CASES = [
    *(Case(EP, sync, (1, 2, 3)) for sync in VARIANTS),
    *(
        Case(TUNNELS, sync, (1, 3), "tunnel", instances)
        for sync in (USUAL, SHARED, BUFFERING)
        for instances in (0, 1500, 100_000)
    ),
    Case(ROOT / "schemas" / "router.yaml", USUAL, (1, 4)),
    *(Case(LIMITS, sync, (1, 2, 3), "flow", 1500) for sync in (USUAL, SHARED)),
    Case(CEILINGS, USUAL, (1, 2, 3), "link", 8),
    Case(EP, USUAL, (1, 3), port="dpdk"),
    Case(EP, BUFFERING, (2,), port="dpdk"),
    *(
        Case(schema, sync, (1, 2, 3, 4))
        for schema in (ONE, MANY)
        for sync in STRATEGIES
    ),
    *(
        Case(DYNAMIC, sync, (1, 2, 3, 4), "flow", instances)
        for instances in CREATED
        for sync in STRATEGIES
    ),
    *(Case(EMBEDDED, sync, (1, 2, 3, 4)) for sync in STRATEGIES),
]  # fmt: skip


def program(workshop: Workshop, case: Case) -> tuple[Path, int]:
    """The program that counts, and the bytes of the module's variables."""
    out = workshop.generated(case.schema, case.sync)
    prefix = next(out.glob("*_stats.h")).stem
    flags = ["-fno-pie", f'-DHEADER="{prefix}.h"']
    flags += [f"-DINIT={prefix}_init", f"-DFINI={prefix}_fini"]
    if case.instances:
        flags += [f"-DCREATE={prefix}_{case.create}_create", f"-DINSTANCES={case.instances}u"]
    build = Build(
        case.schema,
        case.sync,
        (SOURCE,),
        port=case.port,
        own_flags=tuple(flags),
        link=("-no-pie", "-Wl,--wrap=ctr_alloc"),
    )
    made = workshop.program(build)
    (compiled,) = workshop.objects(
        build.but(flags=build.flags + build.own_flags), [out / f"{prefix}.c"], [out, HERE]
    )
    sections = succeed("size", "-A", compiled).splitlines()
    words = [line.split() for line in sections if line.startswith(WRITABLE)]
    return made, sum(int(word[1]) for word in words if word[0] in WRITABLE)


@pytest.mark.one_in(56)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_memory_is_what_is_allocated(
    workshop: Workshop, case: Case, record_property: Callable[[str, object], None]
) -> None:
    if case.port == "dpdk" and not have_dpdk():
        pytest.skip("no libdpdk")
    if kind := SHAPES.get(case.schema):
        text = SHAPE.replace("KIND", kind)
        path = workshop.once(case.schema.name, lambda made: made.write_text(text, "utf-8"))
        case = replace(case, schema=path)
    module = module_of(case.schema, parse_sync(at_most(case.sync)))
    counting, variables = program(workshop, case)
    exist = {case.create: case.instances} if case.create else None
    measured = {
        lcores: figures(succeed(counting, lcores, timeout=60))["bytes"] + variables
        for lcores in case.lcores
    }
    *_, before, last = (case.lcores[0], *case.lcores)
    if last - before == 1:
        each = measured[last] - measured[before]
        measured[EXTRAPOLATED] = measured[last] + (EXTRAPOLATED - last) * each
    counting_on = {n: cpu_copies(case.sync) - 1 if by_cpu(case.sync) else n for n in measured}
    planned = {n: totals.footprint(module, counting_on[n], exist) for n in measured}
    off = max(abs(planned[n] - measured[n]) / measured[n] for n in measured)
    record_property("figures", f"memory of {case}: off by {off:.3%} at most")
    assert off <= WITHIN, (planned, measured)


def test_a_wrong_size_would_be_noticed() -> None:
    """One more copy of the smallest case is beyond what the test lets pass."""
    module = module_of(EP)
    one, two = totals.footprint(module, 100), totals.footprint(module, 102)
    assert two - one > WITHIN * one

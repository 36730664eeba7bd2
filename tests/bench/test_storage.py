# SPDX-License-Identifier: BSD-3-Clause
"""Where counters are while `ctrgen bench` measures: as the schema says, in objects of the
application too, on pages that were touched before, and on huge ones or not."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from ctrgen.tools.bench import machine, memory
from ctrgen.tools.bench.driver import Bench
from ctrgen.tools.bench.matrix import Axes
from ctrgen.tools.bench.run import Request, prepare
from ctrgen.tools.bench.variants import exact, variant
from tests.bench.runs import BRIEF, PLAINLY, bench, result
from tests.support.capabilities import needs, needs_dpdk
from tests.support.cbuild import Build, Workshop
from tests.support.paths import ROOT
from tests.support.strategies import STRATEGIES

HERE = Path(__file__).parent

NESTED = """\
ctrgen: 1
module: s
description: S.
scopes:
  global: {counters: {pkts: {unit: packets, description: P.}}}
  tunnel:
    max: 3000
    storage: dynamic
    counters: {bytes: {unit: octets, description: B.}}
    gauges: {open: {unit: sessions, description: O.}}
  bearer:
    parent: tunnel
    max: 3
    storage: dynamic
    counters: {pkts: {unit: packets, description: P.}}
updates:
  packet: {args: {size: uint16}, add: {global.pkts: 1, tunnel.bytes: size, bearer.pkts: 1}}
  opened: {add: {tunnel.open: 1}}
"""

WIDE = """\
ctrgen: 1
module: w
description: W.
scopes:
  flow:
    max: 65536
    storage: dynamic
    counters: {
      a: {unit: packets, description: A.}, b: {unit: packets, description: B.},
      c: {unit: packets, description: C.}, d: {unit: packets, description: D.},
      e: {unit: packets, description: E.}, f: {unit: packets, description: F.},
      g: {unit: packets, description: G.}, h: {unit: packets, description: H.}
    }
updates: {u: {add: {flow.a: 1, flow.h: 1}}}
"""
"""64 octets a flow."""

STATIC = WIDE[WIDE.index("scopes:") : WIDE.index("updates:")].replace("flow:", "table:")
STATIC = STATIC.replace("65536", "1048576").replace("    storage: dynamic\n", "")
"""The same with a million instances, without storage that is asked for."""


OBJECTS = """\
ctrgen: 1
module: s
description: S.
scopes:
  session:
    storage: embedded
    sync: caller
    counters: {
      pkts: {unit: packets, description: P.},
      bytes: {unit: octets, description: B., width: 32}
    }
    gauges: {open: {unit: streams, description: O.}}
  link:
    storage: embedded
    sync: shared_lock
    counters: {bytes: {unit: octets, description: B.}}
  bearer: {max: 7, counters: {pkts: {unit: packets, description: P.}}}
updates:
  packet: {weight: 4, args: {size: uint16}, add: {session.pkts: 1, session.bytes: size}}
  opened: {weight: 1, add: {session.open: 1}}
  sent: {weight: 4, args: {size: uint16}, add: {link.bytes: size, bearer.pkts: 1}}
"""
ALONE = """\
ctrgen: 1
module: a
description: A.
scopes:
  session:
    storage: embedded
    sync: caller
    counters: {pkts: {unit: packets, description: P.}}
updates: {packet: {add: {session.pkts: 1}}}
"""


def prepared(text: str, folder: Path, **more: Any) -> Bench:
    """What would be measured of a schema."""
    path = folder / "s.yaml"
    path.write_text(text)
    module = check(str(path)).module
    assert module is not None
    return prepare(Request(str(path), "out", Axes(lcores="1"), huge="off", **more), module)


@pytest.mark.parametrize("sync", ["per_core", "shared_buffered", "shared_coalesced", "shared_lock"])
def test_every_way_counts_in_the_object_of_the_flow(
    sync: str, workshop: Workshop, tmp_path: Path
) -> None:
    """Under the lock of one strategy for all, too, and under one of the objects alone."""
    schema, out = tmp_path / "s.yaml", tmp_path / "o"
    schema.write_text(OBJECTS)
    assert build(BuildRequest(str(schema), str(out), sync, only=("c", "bench"))).exit_code == 0
    source = out / "bench" / "objects.c"  # beside what it includes
    bare = "" if (ROOT / "templates/c/sync" / sync / "hand.j2").exists() else "#define NO_HAND\n"
    source.write_text(bare + (HERE / source.name).read_text())
    program = workshop.program(Build(schema, sync, (source,)))
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_objects_stay_under_their_strategy_beside_other_scopes(tmp_path: Path) -> None:
    made = prepared(OBJECTS, tmp_path)
    assert [v.label for v in made.variants] == list(STRATEGIES)
    assert all(v.module.scope("session").sync.strategy == "caller" for v in made.variants)
    said = " ".join(made.plan.notes)
    assert "what is counted of session and link is in objects of the application" in said
    assert "objects stay under caller and shared_lock" in said
    assert "by hand: delta_ring, per_core_narrow, shared_buffered and shared_coalesced." in said
    apart = OBJECTS.replace("sync: shared_lock", "sync: {strategy: shared_lock, lock: ticket}")
    said = " ".join(prepared(apart, tmp_path, strategies=("per_core",)).plan.notes)
    assert "not compared with code by hand: per_core." in said
    lossy = {v.label for v in made.variants if not exact(v, made.updates)}
    assert lossy == {"shared_unsync"}
    with pytest.raises(UsageError, match="'caller' cannot keep scope 'bearer'"):
        prepared(OBJECTS, tmp_path, strategies=("caller",))


@pytest.mark.parametrize("text", [ALONE, OBJECTS])
def test_strategies_for_objects_are_compared_where_packets_change_nothing_else(
    text: str, tmp_path: Path
) -> None:
    made = prepared(text, tmp_path, updates=("packet",))
    assert [variant.label for variant in made.variants] == [
        name for name, strategy in all_strategies().items() if "embedded" in strategy.storage
    ]
    assert [v.module.scope("session").sync.strategy for v in made.variants] == [
        v.label for v in made.variants
    ]
    said = " ".join(made.plan.notes)
    assert (
        "shared_buffered and shared_coalesced have no counters in objects of an application" in said
    )
    assert "flows stand for" not in said
    assert "bearer" not in text or {v.module.scope("bearer").sync for v in made.variants} == {
        made.variants[0].module.scope("bearer").sync
    }
    with pytest.raises(UsageError, match="'per_core' cannot keep scope 'session'"):
        prepared(text, tmp_path, updates=("packet",), strategies=("per_core",))


def test_objects_and_their_twins_are_asked_of_dpdk(tmp_path: Path) -> None:
    """A line each: 32 octets of the application's own, and 8 of the counter."""
    (tmp_path / "a.yaml").write_text(ALONE)
    module = check(str(tmp_path / "a.yaml")).module
    assert module is not None
    one = variant(module, "caller", "", 1 << 20, objects=True)
    assert memory.statistics(one, 2).allocated >> 20 == 2 * 64


@pytest.mark.slow
@pytest.mark.dpdk
@pytest.mark.one_in(4)
@needs_dpdk
@needs("meson", "ninja")
def test_objects_are_measured_and_read_meanwhile(plain: Path) -> None:
    schema = plain / "a.yaml"
    schema.write_text(ALONE)
    done = bench(
        schema, "--quick", "--strategies", "caller", "--lcores", "2", "--vary=work=0",
        "--flows", "1,64", "--vary=reads=1M", "--vary=resets=1000", *BRIEF, "-o", plain, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = result(plain)
    rounds = [one for point in found["points"] for one in point["rounds"]]
    assert len(rounds) == 2 and all(one["hand"] > 0 for one in rounds)
    assert all(one["expected"] == one["counted"] > 0 for one in rounds)
    assert found["workload"]["objects"] == {"caller": 64 * 8}
    assert "is in objects of the application" in done.stdout
    assert "in objects</th>" in (plain / "bench.html").read_text("utf-8")


@pytest.mark.parametrize("sync", ["per_core_lock", "shared_lock"])
def test_the_pattern_by_hand_allocates_dynamic_scopes(
    sync: str, workshop: Workshop, tmp_path: Path
) -> None:
    schema, out = tmp_path / "s.yaml", tmp_path / "o"
    schema.write_text(NESTED)
    assert build(BuildRequest(str(schema), str(out), sync, only=("c", "bench"))).exit_code == 0
    source = out / "bench" / "hand_dynamic.c"  # beside what it includes
    shared = "#define SHARED\n" if sync.startswith("shared") else ""
    source.write_text(shared + (HERE / source.name).read_text())
    program = workshop.program(Build(schema, sync, (source,)))
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_is_asked_of_dpdk_holds_dynamic_scopes_and_their_twins(tmp_path: Path) -> None:
    """Beside scopes of static storage, too, which are the program's own data."""
    for text, own in ((WIDE, range(1)), (WIDE.replace("scopes:\n", STATIC), range(128, 192))):
        (tmp_path / "w.yaml").write_text(text)
        module = check(str(tmp_path / "w.yaml")).module
        assert module is not None
        shared = memory.statistics(variant(module, "shared_lock", "flow", 1 << 20), 2)
        assert shared.allocated >> 20 in range(128, 192) and shared.own >> 20 in own


SMAPS = """\
1000-3000 rw-p 00000000 00:00 0 /bin/program
Size:                  8 kB
KernelPageSize:        4 kB
Rss:                   8 kB
AnonHugePages:         0 kB
3000-8000 rw-p 00000000 00:00 0
Rss:                  40 kB
AnonHugePages:        24 kB
9000-a000 rw-s 00000000 00:0f 1 /anon_hugepage (deleted)
Rss:                   0 kB
Private_Hugetlb:       0 kB
Shared_Hugetlb:     2048 kB
"""


def test_shares_of_huge_pages_are_those_of_the_ranges() -> None:
    assert memory.share_in(SMAPS, [(0x1800, 0x2000)]) == 0
    assert memory.share_in(SMAPS, [(0x1800, 0x4000)]) == 0.5
    assert memory.share_in(SMAPS, [(0x9000, 0xA000)]) == 1
    assert memory.share_in(SMAPS, [(0xA000, 0xB000)]) is None
    assert memory.share(0, [(0, 1)]) is None


def test_all_programs_are_on_huge_pages_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "hugepages", lambda: {2 << 20: 10})
    assert memory.decide("auto", [10, 9]) and memory.decide("on", [10, 9])
    assert not memory.decide("auto", [10, 11]) and not memory.decide("off", [1])
    with pytest.raises(UsageError, match="22 MiB of huge pages are needed, 20 MiB are free"):
        memory.decide("on", [10, 11])
    with pytest.raises(UsageError, match="'maybe' is not one of auto, on, off"):
        memory.decide("maybe", [1])

# SPDX-License-Identifier: BSD-3-Clause
"""Where counters are while `ctrgen bench` measures: as the schema says, on pages that were touched
before, and on huge ones or not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ctrgen.bench import machine, memory, pages
from ctrgen.bench.variants import variant
from ctrgen.findings.usage import UsageError
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from tests.support.cbuild import Build, Workshop

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


@pytest.mark.parametrize("sync", ["per_core_lock", "shared_buffered"])
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
    assert pages.share_in(SMAPS, [(0x1800, 0x2000)]) == 0
    assert pages.share_in(SMAPS, [(0x1800, 0x4000)]) == 0.5
    assert pages.share_in(SMAPS, [(0x9000, 0xA000)]) == 1
    assert pages.share_in(SMAPS, [(0xA000, 0xB000)]) is None
    assert pages.share(0, [(0, 1)]) is None


def test_all_programs_are_on_huge_pages_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "hugepages", lambda: {2 << 20: 10})
    assert pages.decide("auto", [10, 9]) and pages.decide("on", [10, 9])
    assert not pages.decide("auto", [10, 11]) and not pages.decide("off", [1])
    with pytest.raises(UsageError, match="22 MiB of huge pages are needed, 20 MiB are free"):
        pages.decide("on", [10, 11])
    with pytest.raises(UsageError, match="'maybe' is not one of auto, on, off"):
        pages.decide("maybe", [1])

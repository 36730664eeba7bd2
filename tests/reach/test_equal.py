# SPDX-License-Identifier: BSD-3-Clause
"""5,000 counters over three scopes, and one of everything else: every interface shows the same,
item by item, while nothing counts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ctrgen.live.exposition import OPENMETRICS
from ctrgen.live.page import FRESH
from ctrgen.live.segment import Segment
from ctrgen.live.telemetry import Telemetry
from tests.agentx import lab as agentx
from tests.agentx.snmp import Oid
from tests.reach import interfaces, lab
from tests.reach.interfaces import Values, differences
from tests.segment.lab import peek
from tests.support import smi_tools
from tests.support.capabilities import needs, needs_agentx, needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.planted import PROJECT, Edit, planted
from tests.support.process import succeed
from tests.support.servers import exporter
from tests.telemetry.lab import Application

pytestmark = [needs_dpdk, needs_agentx, needs("snmpbulkwalk"), pytest.mark.dpdk]

LAST: Oid = (1, 3, 6, 1, 4, 1, 32473, 12, 1, 1, 1, 0)
WIDE = ("global", "flow", "queue")
INEXACT = (("global", "beyond"), ("global", "most"))
"""Counters beyond 2^53, which a double would round."""
MORE = {("global", "c0"), ("flow", "299", "c7"), ("queue", "13", "5", "c9")}
"""What the command `more` counts."""


class Lab:
    """The application, and all that reads it."""

    def __init__(self, folder: Path, made: Path, peek: Path) -> None:
        """`made` is what lab.py has made."""
        self.folder, self.out = folder, made / "out"
        self.reference = interfaces.Reference(self.out / "reach_stats.md")
        self.segment, self.peek = folder / "app.seg", peek
        self.master = agentx.Master(folder)
        self.application = Application(made / "main", str(self.segment), self.master.socket)
        self.exporter = exporter(folder, self.application.socket, self.segment)
        self.master.wait(LAST, 60)

    def end(self) -> None:
        self.exporter.stop()
        try:
            assert self.application.end() == 0
        finally:
            self.master.stop()

    def c(self) -> Values:
        """What the generated functions give."""
        return interfaces.printed(self.application.do("dump"))


def _telemetry(lab: Lab, wanted: Values) -> Values:
    return interfaces.source(Telemetry(lab.application.socket))


def _python(lab: Lab, wanted: Values) -> Values:
    return interfaces.source(Segment(lab.segment))


def _peeked(lab: Lab, wanted: Values) -> Values:
    return interfaces.printed(succeed(lab.peek, "dump", lab.segment).splitlines())


def _page(lab: Lab, wanted: Values) -> Values:
    return interfaces.page(lab.exporter.json("/values.json"), lab.application.prefix)


def _page_of_segment(lab: Lab, wanted: Values) -> Values:
    return interfaces.page(lab.exporter.json("/values.json"), "app")


def _top(lab: Lab, wanted: Values) -> Values:
    words = ("top", "--all", "--once", "--json", "--interval", "0.1", lab.segment)
    return interfaces.page(json.loads(PROJECT.succeed(*words)), "app")


def _openmetrics(lab: Lab, wanted: Values) -> Values:
    text = lab.exporter.get("/metrics", OPENMETRICS).decode()
    return interfaces.openmetrics(text, lab.application.prefix, lab.reference, wanted)


def _openmetrics_of_segment(lab: Lab, wanted: Values) -> Values:
    text = lab.exporter.get("/metrics", OPENMETRICS).decode()
    return interfaces.openmetrics(text, "app", lab.reference, wanted)


def _snmp(lab: Lab, wanted: Values) -> Values:
    smi_tools.needs("snmpbulkwalk", modules=("SNMPv2-SMI", "SNMPv2-TC", "INET-ADDRESS-MIB"))
    command = ["snmpbulkwalk", "-v2c", "-c", "public", "-Cr100", "-OQUte"]
    command += ["-M", f"{smi_tools.BASE}:{lab.out}", "-m", "REACH-STATS-MIB"]
    environment = {**smi_tools.PLAIN, "MIBS": "", "SNMP_PERSISTENT_DIR": str(lab.folder)}
    (lab.folder / "cert_indexes").mkdir(exist_ok=True)  # or it says that it makes the folder
    address = f"127.0.0.1:{lab.master.port}"
    text = succeed(*command, address, "REACH-STATS-MIB::reachStatsMIB", env=environment)
    return interfaces.snmp(text.splitlines(), lab.reference)


READERS: dict[str, Callable[[Lab, Values], Values]] = {
    "telemetry": _telemetry, "segment in Python": _python, "segment in C": _peeked,
    "page of telemetry": _page, "page of a segment": _page_of_segment, "top": _top,
    "OpenMetrics of telemetry": _openmetrics, "OpenMetrics of a segment": _openmetrics_of_segment,
    "SNMP": _snmp,
}  # fmt: skip


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> Iterator[Lab]:
    def make(folder: Path) -> None:
        folder.mkdir()
        lab.build(folder, lab.generate(folder))

    found = Lab(tmp_path_factory.mktemp("reach"), workshop.once("reach", make), peek(workshop))
    yield found
    found.end()


def test_what_is_counted(frozen: Lab) -> None:
    """5,000 different numbers, most beyond 2^32, and only those that are meant to beyond 2^53."""
    values = {key: value for key, value in frozen.c().items() if key[0] in WIDE}
    states = ("depth", "fill", "deepest", "level", "serial", "mode", "never", "since", "untouched")
    left_out = (*states, *interfaces.TRUTHS, *interfaces.TEXTS)
    counters = {key: int(value or 0) for key, value in values.items() if key[-1] not in left_out}
    assert len(counters) == lab.COUNTERS == 5000
    large = [value for value in counters.values() if value > 2**32]
    assert len(set(large)) == len(large) > 4990
    assert {key for key, value in counters.items() if value > 2**53} == set(INEXACT)
    assert max(value for value in large if value <= 2**53) > 0.99 * 2**53


@pytest.mark.parametrize("name", READERS)
def test_equal(frozen: Lab, name: str) -> None:
    wanted = frozen.c()
    got = READERS[name](frozen, wanted)
    assert differences(wanted, got) == {}
    assert len(got) > lab.COUNTERS


def test_the_metrics_library_has_what_fits(frozen: Lab) -> None:
    lines = frozen.application.do("metrics")
    told = {name: int(value) for name, value in map(str.split, lines)}
    wanted = interfaces.as_metrics(frozen.c())
    assert told == wanted
    assert len(told) == 40 + 10 + 14 + 6 + 5


def test_a_counter_that_is_one_more_is_seen_everywhere(frozen: Lab) -> None:
    """Each interface shows three counters to be other ones than before, and nothing else."""
    before = frozen.c()
    metrics = frozen.application.do("metrics")
    frozen.application.do("more")
    wanted = frozen.c()
    assert differences(wanted, before).keys() == MORE
    changed = set(frozen.application.do("metrics")) - set(metrics)
    assert changed == {f"reach_c0 {wanted['global', 'c0']}"}
    assert differences(wanted, _python(frozen, wanted)).keys() == MORE, "not published yet"
    frozen.application.do("publish")
    time.sleep(FRESH)
    for name, reader in READERS.items():
        got = reader(frozen, wanted)
        assert differences(wanted, got) == {}, name
        assert differences(before, got).keys() == MORE, name


LIVE = "generator/live"
BUGS = {
    "a digit is lost": Edit(f"{LIVE}/metrics.py", "return int(value)", "return int(value) & ~1"),
    "a bucket has not those below": Edit(
        f"{LIVE}/metrics.py", "list(accumulate(_number(value) for value in values))",
        "[_number(value) for value in values]",
    ),
    "an enumeration that was never set": Edit(
        f"{LIVE}/records.py", "field.labels.get(number)", "field.labels.get(number, number)"
    ),
    "another instance": Edit(f"{LIVE}/records.py", "divmod(at, index", "divmod(at + 1, index"),
}  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(frozen: Lab, bug: str, tmp_path: Path) -> None:
    tree = planted(tmp_path, [BUGS[bug]])
    frozen.application.do("publish")  # or it is stale by now
    wanted = frozen.c()
    text = tree.succeed("export", "--all", "--once", frozen.segment)
    try:
        got = interfaces.openmetrics(text, "app", frozen.reference, wanted)
    except (AssertionError, KeyError, ValueError):
        return
    assert differences(wanted, got)

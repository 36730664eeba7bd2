# SPDX-License-Identifier: BSD-3-Clause
"""5,000 counters over three scopes, and one of everything else: every interface shows the same,
item by item, while nothing counts."""

import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from ctrgen.tools.live.exporter import FRESH
from ctrgen.tools.live.metrics import OPENMETRICS
from ctrgen.tools.live.segment import Segment
from ctrgen.tools.live.targets import Targets
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
from tests.telemetry.lab import Application, Asker

pytestmark = [needs_dpdk, needs_agentx, needs("snmpbulkwalk"), pytest.mark.dpdk]

LAST: Oid = (1, 3, 6, 1, 4, 1, 32473, 12, 1, 1, 1, 0)
WIDE = ("global", "flow", "queue")
INEXACT = (("global", "beyond"), ("global", "most"))
"""Counters beyond 2^53, which a double would round."""
MORE = {
    ("global", "c0"), ("flow", "200", f"c7{lab.LONG}"), ("queue", "13", "5", f"c9{lab.LONG}"),
}  # fmt: skip
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
        self.exporter = exporter(folder, self.segment)
        self.master.wait(LAST, 60)

    def end(self) -> None:
        self.exporter.stop()
        try:
            assert self.application.end() == 0
        finally:
            self.master.stop()

    def c(self) -> Values:
        """What the functions of the descriptor give."""
        return interfaces.printed(self.application.lines("dump"))


def _telemetry(lab: Lab, wanted: Values) -> Values:
    asker = Asker(lab.application.socket)
    replies = {scope: asker.whole("/reach/stats", scope) for scope in interfaces.DIMENSIONS}
    asker.close()
    return interfaces.without(wanted) | interfaces.replied(replies)


def _python(lab: Lab, wanted: Values) -> Values:
    return interfaces.source(Segment(lab.segment))


def _peeked(lab: Lab, wanted: Values) -> Values:
    return interfaces.printed(succeed(lab.peek, "dump", lab.segment).splitlines())


def _page(lab: Lab, wanted: Values) -> Values:
    return interfaces.page(lab.exporter.json("/values.json"), "app")


def _top(lab: Lab, wanted: Values) -> Values:
    words = ("top", "--all", "--once", "--json", "--interval", "0.1", lab.segment)
    return interfaces.page(json.loads(PROJECT.succeed(*words)), "app")


def _openmetrics(lab: Lab, wanted: Values) -> Values:
    text = lab.exporter.get("/metrics", OPENMETRICS).decode()
    return interfaces.openmetrics(text, "app", lab.reference, wanted)


def _walked(lab: Lab, *names: str) -> list[str]:
    """What snmpbulkwalk prints of objects, with the MIB module at hand."""
    smi_tools.needs("snmpbulkwalk", modules=("SNMPv2-SMI", "SNMPv2-TC", "INET-ADDRESS-MIB"))
    command = ["snmpbulkwalk", "-v2c", "-c", "public", "-Cr100", "-OQUte"]
    command += ["-M", f"{smi_tools.BASE}:{lab.out}", "-m", "REACH-STATS-MIB"]
    environment = {**smi_tools.PLAIN, "MIBS": "", "SNMP_PERSISTENT_DIR": str(lab.folder)}
    (lab.folder / "cert_indexes").mkdir(exist_ok=True)  # or it says that it makes the folder
    address = f"127.0.0.1:{lab.master.port}"
    found = (succeed(*command, address, name, env=environment).splitlines() for name in names)
    return [line for lines in found for line in lines]


def _snmp(lab: Lab, wanted: Values) -> Values:
    walked = _walked(lab, "REACH-STATS-MIB::reachStatsMIB")
    return interfaces.without(wanted) | interfaces.snmp(walked, lab.reference)


READERS: dict[str, Callable[[Lab, Values], Values]] = {
    "telemetry": _telemetry, "segment in Python": _python, "segment in C": _peeked,
    "page": _page, "top": _top, "OpenMetrics": _openmetrics, "SNMP": _snmp,
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
    states = ("depth", "fill", "deepest", "level", "serial", "mode", "never", "since")
    left_out = (*states, *interfaces.TIMES, *interfaces.TRUTHS, *interfaces.TEXTS)
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


def test_a_thousand_counters_are_five_replies(frozen: Lab) -> None:
    asker = Asker(frozen.application.socket)
    assert len(asker.pages("/reach/stats", "global")) == 5
    asker.close()


def test_a_counter_that_is_one_more_is_seen_everywhere(frozen: Lab) -> None:
    """Each interface shows three counters to be other ones than before, and nothing else."""
    before = frozen.c()
    frozen.application.lines("more")
    wanted = frozen.c()
    assert differences(wanted, before).keys() == MORE
    assert differences(wanted, _python(frozen, wanted)).keys() == MORE, "not published yet"
    frozen.application.lines("publish")
    time.sleep(FRESH)
    for name, reader in READERS.items():
        got = reader(frozen, wanted)
        assert differences(wanted, got) == {}, name
        assert differences(before, got).keys() == MORE, name


LIVE = "generator/tools/live"
BUGS = {
    "a digit is lost": Edit(f"{LIVE}/metrics.py", "return int(value)", "return int(value) & ~1"),
    "a bucket has not those below": Edit(
        f"{LIVE}/metrics.py", "list(accumulate(counts))", "list(counts)"
    ),
    "an enumeration that was never set": Edit(
        f"{LIVE}/segment.py", "labels.get,", "lambda number: labels.get(number, number),"
    ),
    "labels without texts": Edit(
        f"{LIVE}/model.py", 'texts.get(f"value {one.name} {name}", name)', "name"
    ),
    "keys without texts": Edit(f"{LIVE}/model.py", "self.texts.get((part, value), value)", "value"),
    "values without texts": Edit(
        f"{LIVE}/model.py", 'texts.get(f"label {one.name} {n}", n), value', "n, value"
    ),
    "names by the schema": Edit(f"{LIVE}/metrics.py", "type_, of.metric)", "type_)"),
    "another instance": Edit(f"{LIVE}/segment.py", "at // stride", "(at + 1) // stride"),
}  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(frozen: Lab, bug: str, tmp_path: Path) -> None:
    tree = planted(tmp_path, [BUGS[bug]])
    frozen.application.lines("publish")  # or it is stale by now
    wanted = frozen.c()
    text = tree.succeed("export", "--all", "--once", frozen.segment)
    try:
        got = interfaces.openmetrics(text, "app", frozen.reference, wanted)
    except (AssertionError, KeyError, ValueError):
        return
    assert differences(wanted, got)


PARTS = "runtime/src/parts/telemetry"
TELEMETRY = {
    "an item is lost": Edit(
        f"{PARTS}/ctr_telemetry_put.c", "scope->num_items + reached;",
        "scope->num_items + reached + 1;",
    ),
    "an instance is lost": Edit(
        f"{PARTS}/ctr_telemetry_put.c", "next = at * scope->num_items;",
        "next = (at + 1) * scope->num_items;",
    ),
    "pages are larger than replies": Edit(
        f"{PARTS}/ctr_telemetry_reply.h", "#define CTR_REPLY_JSON 15872u",
        "#define CTR_REPLY_JSON 31000u",
    ),
    "another label": Edit(
        "runtime/src/core/ctr_values.c",
        "index[i] = (uint32_t)(at % scope->index_maxima[i]);",
        "index[i] = (uint32_t)(at % scope->index_maxima[0]);",
    ),
}  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("bug", TELEMETRY)
def test_a_bug_of_telemetry_is_seen(bug: str, workshop: Workshop, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [TELEMETRY[bug]])
    made = tmp_path / "made"
    made.mkdir()
    lab.build(made, lab.generate(made, tree), tree)
    found = Lab(tmp_path, made, peek(workshop))
    wanted = found.c()
    with pytest.raises((AssertionError, LookupError, ValueError)):
        assert differences(wanted, _telemetry(found, wanted)) == {}
    found.end()


# ---- the time of one event ----

TOUCHED = ("global", "touched")
SYS_UP_TIME = ".1.3.6.1.2.1.1.3"
STEP = 3600
"""By how much an event steps the wall clock of the application (stepped.h)."""


def _otlp(lab: Lab) -> object:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="no ctrgen[otlp]")
    from ctrgen.tools.live import otlp
    from tests.live.collector import Collector

    with Collector() as collector, Targets([str(lab.segment)]) as targets:
        sender = otlp.Sender(collector.url, targets, 100_000, 60)
        sender.send()
        sender.close()
        (metric,) = (m for (_, name), m in collector.metrics().items() if name == "reach.touched")
    assert metric.unit == "s"
    (point,) = metric.gauge.data_points
    return point.as_double


def _c_of_segment(lab: Lab) -> object:
    return (int(_peeked(lab, {})[TOUCHED] or 0) + Segment(lab.segment).header().clock_ns) / 1e9


def _exposed(lab: Lab) -> object:
    text = lab.exporter.get("/metrics", OPENMETRICS).decode()
    return interfaces.samples(text, "app")["reach_touched", frozenset()]


def _calendar(lab: Lab) -> object:
    (line,) = _walked(lab, "REACH-STATS-MIB::reachStatsDated")
    year, month, day, hour, minute, second, tenth = map(int, re.findall(r"\d+", line)[1:8])
    at = datetime(year, month, day, hour, minute, second, tenth * 100_000, timezone.utc)
    return at.timestamp()


def _uptime(lab: Lab) -> object:
    lines = _walked(lab, "REACH-STATS-MIB::reachStatsTouched", SYS_UP_TIME)
    touched, now = (int(line.rpartition(" ")[2]) for line in lines)
    return time.time() + STEP - (now - touched) / 100


CLOCKS: dict[str, tuple[Callable[[Lab], object], float]] = {
    "telemetry": (lambda lab: int(_telemetry(lab, {})[TOUCHED] or 0) / 1e9, 0.05),
    "segment in Python": (lambda lab: int(_python(lab, {})[TOUCHED] or 0) / 1e9, 0.05),
    "segment in C": (_c_of_segment, 0.05),
    "page": (lambda lab: _page(lab, {})[TOUCHED], 0.05),
    "top": (lambda lab: _top(lab, {})[TOUCHED], 0.05),
    "OpenMetrics": (_exposed, 0.05),
    "OTLP": (_otlp, 0.05), "DateAndTime": (_calendar, 0.15),
    "TimeStamp": (_uptime, 60),
}  # fmt: skip
"""The Unix time of the event in seconds by each interface, and how far that may be off: by the
digits that are shown; of a TimeStamp by how late the answer comes."""


@pytest.fixture(scope="module")
def event(frozen: Lab) -> float:
    """The Unix time of an event, in seconds, by the wall clock that it steps, as NTP does after a
    boot; the segment is published after it."""
    (wall,) = frozen.application.lines("touch")
    frozen.application.lines("publish")
    time.sleep(FRESH)
    return int(wall) / 1e9


@pytest.mark.parametrize("name", CLOCKS)
def test_an_event_has_one_time(frozen: Lab, event: float, name: str) -> None:
    clock, most = CLOCKS[name]
    shown = clock(frozen)
    assert isinstance(shown, float) and abs(shown - event) < most


TIME_BUGS = {
    "nanoseconds": Edit(f"{LIVE}/model.py", "return value / 1e9 if", "return value if"),
    "a time since the machine started": Edit(
        f"{LIVE}/segment.py", "(number + clock_ns) % 2**64", "number"
    ),
}


@pytest.mark.parametrize("bug", TIME_BUGS)
def test_a_bug_in_times_is_seen(frozen: Lab, event: float, bug: str, tmp_path: Path) -> None:
    tree = planted(tmp_path, [TIME_BUGS[bug]])
    text = tree.succeed("export", "--all", "--once", frozen.segment)
    assert abs(interfaces.samples(text, "app")["reach_touched", frozenset()] - event) > 1e6

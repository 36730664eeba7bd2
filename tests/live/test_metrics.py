# SPDX-License-Identifier: BSD-3-Clause
"""Applications as metrics, read back by a strict parser of OpenMetrics."""

import dataclasses
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from prometheus_client import Metric, generate_latest
from prometheus_client.openmetrics import exposition as reference
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from ctrgen.model import health, ir
from ctrgen.model.naming import prometheus
from ctrgen.pipeline.check import check
from ctrgen.tools.live import budget, directory, metrics
from ctrgen.tools.live.metrics import OPENMETRICS, Applications
from ctrgen.tools.live.model import (
    NO_INSTANCE,
    NOTHING_FOUND,
    Histogram,
    Index,
    Instance,
    Item,
    Module,
    Scope,
    Source,
)  # fmt: skip
from ctrgen.tools.live.targets import Targets
from tests.live.made import ITEMS, Gone, Made, collected, instance, usual
from tests.support.paths import ROOT
from tests.support.process import ctrgen
from tests.support.schemas import module_of

Reference = Callable[[object], bytes]
SCHEMAS = sorted((ROOT / "schemas").glob("*.yaml"))


def told(applications: Mapping[str, Source], most: int = 1000) -> dict[str, Metric]:
    """The families that a scraper gets, by name."""
    made = Applications(lambda: applications.items(), most)()(OPENMETRICS)
    assert "openmetrics" in made.type
    return {family.name: family for family in text_string_to_metric_families(made.body.decode())}


def values(family: Metric, **labels: str) -> dict[str, float]:
    """Samples of a family with these labels, by name, the other labels as `name=value`."""
    found = {}
    for sample in family.samples:
        if labels.items() <= sample.labels.items():
            rest = {k: v for k, v in sample.labels.items() if k not in labels}
            found[", ".join([sample.name, *(f"{k}={v}" for k, v in rest.items())])] = sample.value
    return found


def test_one_of_everything() -> None:
    found = told({"a": usual()})
    one = {"application": "a", "session": "3"}
    assert values(found["ep_session_pkts"], **one) == {
        "ep_session_pkts_total": 7, "ep_session_pkts_created": 1.7e9,
    }  # fmt: skip
    assert found["ep_session_pkts"].type == "counter"
    assert found["ep_session_pkts"].documentation == "Packets of the session. [packets]"
    assert values(found["ep_session_load"], **one) == {"ep_session_load": 50}
    assert found["ep_session_load"].documentation == 'Load, as "top" has it\nand more. [%]'
    assert values(found["ep_session_phase"], **one) == {
        "ep_session_phase, ep_session_phase=idle": 0,
        "ep_session_phase, ep_session_phase=up": 1,
    }
    assert values(found["ep_session_peer"], **one) == {"ep_session_peer_info, peer=a": 1}
    assert values(found["ep_session_up"], **one) == {"ep_session_up": 1}
    assert values(found["ep_session_sizes"], **one) == {
        "ep_session_sizes_bucket, le=64.0": 1,
        "ep_session_sizes_bucket, le=512.0": 3,
        "ep_session_sizes_bucket, le=+Inf": 7,
        "ep_session_sizes_count": 7,
        "ep_session_sizes_sum": 900,
        "ep_session_sizes_created": 1.7e9,
    }
    assert values(found["ep_events"]) == {
        "ep_events_total, application=a": 8, "ep_events_created, application=a": 1.7e9,
    }  # fmt: skip
    bare = {"application": "a", "session": "9"}
    assert values(found["ep_session_pkts"], **bare) == {"ep_session_pkts_total": 2**64 - 1}
    assert values(found["ep_session_phase"], **bare) == {}
    assert values(found["ep_session_peer"], **bare) == {}
    assert values(found["ctrgen_application_up"]) == {"ctrgen_application_up, application=a": 1}


@pytest.mark.parametrize("text", ['"', "\\", "\n", "{}", "# EOF", "ü\u2028", "a" * 10_000, " "])
def test_labels_of_any_text(text: str) -> None:
    found = told({text: usual(text=text)})
    one = {"application": text, "session": "3"}
    assert values(found["ep_session_peer"], **one) == {f"ep_session_peer_info, peer={text}": 1}


@dataclasses.dataclass
class Kept:
    """A collector with what a strict parser has read."""

    metrics: list[Metric]

    def collect(self) -> list[Metric]:
        return self.metrics


@pytest.mark.parametrize(
    ("accept", "theirs"), [(OPENMETRICS, reference.generate_latest), ("", generate_latest)]
)
def test_the_text_is_that_of_prometheus_client(accept: str, theirs: Reference) -> None:
    """But for whole numbers, which stay so, and the order of labels."""
    found = {"a": usual(), 'b"\\\n': usual(2**63 + 1, text="\n\\ü"), "c": Gone("gone")}
    applications = Applications(found.items)
    wanted = theirs(Kept(collected(applications))).decode().splitlines()
    ours = applications()(accept).body.decode().splitlines()
    for line, other in zip(ours, wanted, strict=True):
        if line.startswith("#"):
            assert line == other
        elif not line.startswith("ctrgen_collect_seconds"):
            (name, _, number), (same, _, equal) = line.rpartition(" "), other.rpartition(" ")
            assert sorted(re.split("[{},]", name)) == sorted(re.split("[{},]", same))
            assert float(number) == float(equal)
            assert "." not in number or number == repr(float(number))


def test_a_file_may_be_called_anything(tmp_path: Path) -> None:
    """Names of files are octets, which need be no UTF-8; distinct ones stay distinct."""
    (tmp_path / os.fsdecode(b"a\xff\n.seg")).write_bytes(directory.MAGIC)
    with Targets([str(tmp_path)]) as targets:
        found = told(dict(targets.found()))
    assert values(found["ctrgen_application_up"]) == {
        "ctrgen_application_up, application=a\\xff\n": 0
    }


def test_of_one_that_breaks_nothing_is_told() -> None:
    broken = usual()
    broken.broken = frozenset(["session"])
    found = told({"a": usual(), "b": broken, "c": Gone("not there")})
    assert values(found["ctrgen_application_up"]) == {
        "ctrgen_application_up, application=a": 1,
        "ctrgen_application_up, application=b": 0,
        "ctrgen_application_up, application=c": 0,
    }
    applications = {
        sample.labels["application"]
        for name, family in found.items()
        if name.startswith("ep_")
        for sample in family.samples
    }
    assert applications == {"a"}


def test_why_nothing_is_shown(tmp_path: Path) -> None:
    """Of applications that cannot be read, that have no instance, and of none."""
    untouched = Made(left_out={("ep", "session"): 9})
    stale = usual()
    stale.published = 61
    sources = {
        "a": usual(), "b": Gone("not there"), "d": Made(), "e": untouched,
        "f": stale,
    }  # fmt: skip
    applications = Applications(sources.items)
    for _ in range(2):
        applications.text()
        assert applications.shown == 2
        assert applications.reasons == {
            "b": "not there", "d": NO_INSTANCE,
            "f": "stale for 61 s: the application does not publish",
        }  # fmt: skip
    few = Applications({"a": usual()}.items, most=1)
    few.text()
    assert (few.shown, few.reasons) == (1, {}), "what has no room is there"
    done = ctrgen("export", "--once", tmp_path)
    assert done.exit_code == 1 and done.stdout.endswith("# EOF\n")
    assert done.stderr == f"ctrgen: {NOTHING_FOUND}\n"
    done = ctrgen("export", "--once", tmp_path / "gone.seg")
    assert done.exit_code == 1 and done.stdout.endswith("# EOF\n")
    assert done.stderr == f"ctrgen: gone: {tmp_path}/gone.seg: No such file or directory\n"


FLOWS = Scope("flow", "Flows.", (Index("flow", 1000),), ITEMS[:1])


def crowded(sessions: int, flows: int) -> Made:
    """An application with instances of two scopes, and of a global one."""
    made = usual()
    made.module = dataclasses.replace(made.module, scopes=(*made.module.scopes, FLOWS))
    full = made.instances["session"][0]
    made.instances["session"] = [
        full._replace(indexes=(n,), names=(str(n),)) for n in range(sessions)
    ]
    made.instances["flow"] = [instance(n, n, since=1.7e9) for n in range(flows)]
    return made


def shown(applications: Mapping[str, Source], most: int) -> tuple[int, int, int]:
    """How many lines with `application="a"` a scraper stores, in the format with most lines, and
    how many sessions and flows are whole."""
    made = Applications(lambda: applications.items(), most)
    lines = made()("").body.decode().splitlines()
    stored = [one for one in lines if 'application="a"' in one]
    assert set(stored) == {one for one in made.text().splitlines() if 'application="a"' in one}
    sessions = sum(one.startswith("ep_session_up{") for one in stored)
    assert sum(one.startswith("ep_session_sizes_sum{") for one in stored) == sessions
    return len(stored), sessions, sum(one.startswith("ep_flow_pkts_total{") for one in stored)


OF_A_SESSION, OF_A_FLOW = 13, 2
"""Lines: counter, gauge, two labels, text, three buckets, their count and sum, truth; and when the
counter and the histogram began."""
OWN = 5 + 2 * 3


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("most", [60, 100, 500, 999, 2**16 - 1])
def test_every_line_counts_and_scopes_share_them_in_proportion(most: int, turned: bool) -> None:
    many = crowded(sessions=50, flows=325)  # as many lines each
    if turned:
        many.module = dataclasses.replace(many.module, scopes=many.module.scopes[::-1])
    lines, sessions, flows = shown({"a": many, "b": usual()}, most)
    assert lines <= most
    if most > 2000:
        assert (sessions, flows) == (50, 325)
        return
    assert lines > most - OWN - OF_A_SESSION - OF_A_FLOW
    assert sessions >= 1 and flows >= 1
    assert abs(sessions * OF_A_SESSION - flows * OF_A_FLOW) <= 2 * OF_A_SESSION
    found = told({"a": many}, most=most)
    assert values(found["ctrgen_scope_left_out"]) == {
        f"ctrgen_scope_left_out, application=a, module=ep, scope={scope}": 1
        for scope in ("session", "flow")
    }
    assert values(found["ep_events"], application="a")["ep_events_total"] == 8
    one = values(found["ep_session_pkts"], session=str(sessions - 1))
    assert one, "those with the lowest indexes are shown"


def test_an_application_that_fits_is_whole() -> None:
    few = crowded(3, 3)
    total = 2 + 3 * OF_A_SESSION + 3 * OF_A_FLOW + OWN
    assert shown({"a": few}, total)[1:] == (3, 3)
    assert shown({"a": few}, total - 1)[1:] != (3, 3)
    assert shown({"a": few}, 1) == (7, 0, 0), "up, age, memory, and what is left out"


@pytest.mark.parametrize("most", [60, 61, 62, 63, 100, 500])
def test_what_is_said_of_an_application_counts(most: int) -> None:
    """Its age, its memory, and what is left out of each scope."""
    made = crowded(sessions=0, flows=325)
    made.published = 1
    made.left_out = {("ep", scope.name): 9 for scope in made.module.scopes}
    lines, _, flows = shown({"a": made}, most)
    assert flows and most - OF_A_FLOW - OWN < lines <= most
    found = told({"a": made}, most)
    assert values(found["ctrgen_published_age_seconds"], application="a") == {
        "ctrgen_published_age_seconds": 1
    }
    assert len(found["ctrgen_segment_bytes"].samples) == 2
    assert len(found["ctrgen_instances_left_out"].samples) == 3


@pytest.mark.parametrize("bug", ["lines of an instance", "by order", "no first instance"])
def test_planted_bugs_of_the_budget_are_seen(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if bug == "lines of an instance":
        add = metrics._Samples.add
        monkeypatch.setattr(
            metrics._Samples, "add", lambda self, one, room: add(self, one, 2 * room) // 2
        )
    elif bug == "by order":
        monkeypatch.setattr(budget, "_shares", lambda sizes, most: [most, 0, 0])
    else:
        monkeypatch.setattr(
            budget, "_shares",
            lambda sizes, most: [most * n // sum(n for _, n in sizes) for _, n in sizes],
        )  # fmt: skip
    with pytest.raises((AssertionError, KeyError)):
        test_every_line_counts_and_scopes_share_them_in_proportion(100, False)
        test_every_line_counts_and_scopes_share_them_in_proportion(60, True)


def test_a_name_of_another_type_elsewhere_is_left_out() -> None:
    scope = Scope("global", "All.", (), (Item("events", "gauge", "u64", "", "Now.", 64),))
    other = Made(Module("ep", "Other.", (scope,)), {"global": [instance(0, 5)]})
    other.instances["global"][0] = other.instances["global"][0]._replace(indexes=(), names=())
    found = told({"a": usual(), "b": other})
    assert values(found["ctrgen_metric_left_out"]) == {
        "ctrgen_metric_left_out, application=b, metric=ep_events": 1
    }
    assert values(found["ep_events"], application="b") == {}


def test_an_index_may_be_called_application() -> None:
    scope = Scope("flow", "Flows.", (Index("application", 4),), ITEMS[:1])
    made = Made(Module("ep", "Flows.", (scope,)), {"flow": [instance(2, 5)]})
    found = told({"a": made})
    assert values(found["ep_flow_pkts"], application="a", exported_application="2")


def test_names_that_are_the_same_step_aside() -> None:
    items = (
        Item("x_total", "counter", "u64", "", "First.", 64),
        Item("x", "counter", "u64", "", "Second.", 64),
    )
    scope = Scope("flow", "Flows.", (Index("flow", 4),), items)
    made = Made(Module("ep", "Flows.", (scope,)), {"flow": [instance(2, 5, 6)]})
    found = told({"a": made})
    assert values(found["ep_flow_x"], application="a") == {"ep_flow_x_total, flow=2": 5}
    assert values(found["ep_flow_x_own"], application="a") == {"ep_flow_x_own_total, flow=2": 6}


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
def test_names_are_those_of_the_schema(path: Path) -> None:
    """What a source tells of an item is enough for the name that other outputs give it."""
    module = module_of(path)
    for scope in module.scopes:
        for item in scope.items:
            if item.histogram:
                continue
            wanted = prometheus.metric(module, scope, item)
            got = prometheus.name(module.name, scope.name, item.name, wanted.type)
            assert got == wanted.name


def made_of(module: ir.Module) -> Made:
    """An application with a module: one instance of each scope, all values 1."""
    scopes, instances = [], {}
    for scope in health.shown(module):
        at = {item.name: place for place, item in enumerate(scope.items)}
        items = (
            Item(i.name, i.kind.value, i.type, i.unit, i.description, i.width) for i in scope.items
        )
        histograms = (
            Histogram(h.name, "Sizes.", "By", h.bounds, at[h.buckets[0]], at[h.sum])
            for h in scope.histograms
        )
        indexes = tuple(Index(level.name, level.maximum) for level in scope.levels)
        scopes.append(Scope(scope.name, "All.", indexes, tuple(items), tuple(histograms)))
        names = ("0",) * len(indexes)
        one = Instance((0,) * len(indexes), names, (1,) * len(at), 1.7e9)
        instances[scope.name] = [one]
    return Made(Module(module.name, "All.", tuple(scopes)), instances)


GAUGE, COUNTER = "{unit: s, description: A.}", "{unit: packets, description: B.}"
SIZES = "{unit: By, description: C., bounds: [64, 512]}"
KINDS = {"gauges": GAUGE, "counters": COUNTER, "histograms": SIZES}


def in_scopes(*items: tuple[str, str, str]) -> str:
    """A schema with items, each with its scope and group; all scopes but global have an index."""
    text = "ctrgen: 1\nmodule: ep\nscopes:\n"
    for scope in dict.fromkeys(scope for scope, _, _ in items):
        text += f"  {scope}:\n" + ("" if scope == "global" else "    max: 4\n")
        for group in KINDS:
            inside = [name for where, kind, name in items if (where, kind) == (scope, group)]
            text += f"    {group}:\n" if inside else ""
            text += "".join(f"      {name}: {KINDS[group]}\n" for name in inside)
    return text


ALIKE = (
    ("counters", "x", "x_total"), ("counters", "x", "x_created"), ("histograms", "x", "x_count"),
    ("histograms", "x", "x_bucket"), ("histograms", "x", "x_created"),
)  # fmt: skip
"""A group, the name of an item, and of a gauge that is one of its series."""
NEAR = (
    *(("global", "gauges", f"x_{end}") for end in ("count", "sum", "bucket", "gsum", "own")),
    *(("global", "gauges", f"y_{end}") for end in ("counts", "le", "0", "own")),
    *(("global", "gauges", name) for name in ("w_total", "v_info", "pool_created")),
    ("global", "counters", "x"), ("global", "counters", "x_by_lcore"),
    ("global", "histograms", "y"), ("y", "gauges", "max"), ("z", "histograms", "y"),
    ("z_y", "gauges", "counted"),
)  # fmt: skip
"""Items that have names like those of series, and are none."""


def series_of(folder: Path, text: str) -> tuple[list[str], set[str], set[str]]:
    """The rules that a schema breaks, the metrics that outputs make of it, and the series that an
    exposition has. Raises ValueError for what a parser refuses."""
    (folder / "ep.yaml").write_text(text, "utf-8")
    checked = check(str(folder / "ep.yaml"))
    assert checked.module is not None, checked.diagnostics.findings
    found = told({"a": made_of(checked.module)}).values()
    rules = [finding.rule for finding in checked.diagnostics.findings]
    names = {one.metric.name for one in prometheus.metrics(checked.module)}
    return rules, names, {sample.name for family in found for sample in family.samples}


@pytest.mark.parametrize(
    "scopes", [("global", "global"), ("q", "q"), ("q", "global"), ("q", "q_x")]
)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(("group", "name", "other"), ALIKE)
def test_series_of_one_name(
    group: str, name: str, other: str, first: bool, scopes: tuple[str, str], tmp_path: Path
) -> None:
    """In one scope and across scopes, whichever stands first: check says so, a parser does not
    refuse them, and rules and dashboards ask for the series that there are."""
    scope, beside = scopes
    gauge = f"q_{other}" if scopes == ("q", "global") else other
    gauge = other.removeprefix("x_") if beside == "q_x" else gauge
    both = ((scope, group, name), (beside, "gauges", gauge))
    rules, names, served = series_of(tmp_path, in_scopes(*(both if first else both[::-1])))
    assert rules == ["series-name"]
    assert names <= served


def test_series_that_are_nearly_of_one_name(tmp_path: Path) -> None:
    rules, names, served = series_of(tmp_path, in_scopes(*NEAR))
    assert rules == [] and names <= served
    assert {name for name in served if "_own" in name} == {"ep_x_own", "ep_y_own"}


@pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool: ./dev setup")
@pytest.mark.parametrize("items", [NEAR, (("global", "histograms", "x"), ("x", "gauges", "count"))])
def test_promtool_reads_them(items: tuple[tuple[str, str, str], ...]) -> None:
    text = Applications({"a": made_of(module_of(in_scopes(*items)))}.items)()("").body
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    assert done.returncode in (0, 3), done.stderr  # 3: read, but of another style


def test_series_that_are_not_reserved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A planted bug: a family takes its own name only."""
    monkeypatch.setattr(prometheus, "_SERIES", {})
    both = ("global", "histograms", "x"), ("global", "gauges", "x_count")
    with pytest.raises(ValueError, match="Clashing name"):
        series_of(tmp_path, in_scopes(*both))


def test_a_series_of_another_application_has_the_name() -> None:
    histogram = in_scopes(("global", "histograms", "x"))
    gauge = in_scopes(("global", "gauges", "x_count"))
    found = told({"a": made_of(module_of(histogram)), "b": made_of(module_of(gauge))})
    assert values(found["ctrgen_metric_left_out"]) == {
        "ctrgen_metric_left_out, application=b, metric=ep_x_count": 1
    }

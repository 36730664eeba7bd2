# SPDX-License-Identifier: BSD-3-Clause
"""Rules and dashboards of the metrics of running applications, by Prometheus' own promtool."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ctrgen.pipeline.build import BuildRequest, build
from tests.support.planted import Edit, planted
from tests.support.schemas import NAMES, sources

PROMTOOL = shutil.which("promtool")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="no promtool: ./dev setup")

GW = """\
ctrgen: 1
module: gw
scopes:
  global:
    counters: {drops: {unit: packets, description: Dropped.}}
    gauges: {load: {unit: "%", max: 100, description: Load.}}
  peer:
    max: 100
    key: [{name: address, type: string, length: 20, description: Where it is.}]
    storage: dynamic
    states:
      phase:
        {type: enum, description: Its phase., labels: {idle: 1, lost: 'A "link|" \\ ✓', dead: 4}}
    histograms: {sizes: {unit: bytes, bounds: [64, 512], description: Sizes.}}
notifications:
  drops_high: {of: global.drops, rises_above: 100, lasts: 60s, description: 'Drops {{ $x }}.'}
  load_high: {of: global.load, rises_above: 90, clears_below: 70, description: Load is high.}
  load_low: {of: global.load, falls_below: 5, clears_above: 20, description: Load is low.}
  peer_gone: {of: peer.phase, becomes: [lost, dead], description: A peer is gone.}
  large: {of: peer.sizes_to_512, rises_above: 10, description: Large ones.}
"""


def made(schema: Path, output: Path) -> tuple[Path, dict[str, Any]]:
    """The file of rules, and the dashboard."""
    result = build(BuildRequest(str(schema), str(output), only=("prometheus",)))
    assert result.exit_code == 0, result
    (rules,), (board,) = output.glob("*_rules.yml"), output.glob("*_dashboard.json")
    dashboard: dict[str, Any] = json.loads(board.read_text("utf-8"))
    return rules, dashboard


def promtool(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    assert PROMTOOL is not None
    return subprocess.run(
        [PROMTOOL, *arguments], capture_output=True, text=True, timeout=120, check=False, cwd=cwd
    )


def judge(dashboard: dict[str, Any]) -> None:
    """Fails where a dashboard is not as Grafana's documentation has it."""
    assert {"title", "uid", "panels", "templating", "schemaVersion", "time"} <= dashboard.keys()
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", dashboard["uid"])
    numbers, cells = [], set()
    for panel in dashboard["panels"]:
        numbers.append(panel["id"])
        place = panel["gridPos"]
        assert place["x"] >= 0 and place["x"] + place["w"] <= 24
        for y in range(place["y"], place["y"] + place["h"]):
            for x in range(place["x"], place["x"] + place["w"]):
                assert (x, y) not in cells, "panels are one over the other"
                cells.add((x, y))
        for target in panel.get("targets", ()):
            assert target["expr"] and target["datasource"]["uid"] == "${source}"
            for label in ("job", "instance", "application"):
                assert f'{label}=~"${label}"' in target["expr"]
                assert f"{{{{{label}}}}}" in target["legendFormat"] or panel["type"] == "heatmap"
        assert (panel.get("repeat") == "instance") == (panel["type"] == "heatmap")
    assert len(set(numbers)) == len(numbers) > 1


@needs_promtool
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_schema(name: str, tmp_path: Path) -> None:
    rules, dashboard = made(sources(tmp_path / "s")[name], tmp_path / "o")
    judge(dashboard)
    done = promtool("check", "rules", "--lint=all", "--lint-fatal", str(rules))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the rules for scrapes of up to a minute."""
    return of_gw(tmp_path_factory.mktemp("prometheus"))


def of_gw(folder: Path, more: str = "") -> Path:
    (folder / "gw.yaml").write_text(GW + more)
    made(folder / "gw.yaml", folder)
    return folder


PEER = 'application="a", address="p"'
LOST = r"A \"link|\" \\ ✓"
"""What people see of a phase, inside of a string of PromQL."""


def samples(scrape: int) -> dict[str, str]:
    """Values of each series by the minute, at scrapes that are so many seconds apart."""
    count = 60 // scrape

    def held(*minutes: int) -> str:
        """Those of a gauge."""
        return " ".join(str(value) for value in minutes for _ in range(count))

    def grown(*minutes: int) -> str:
        """Those of a counter that grows by so much a second."""
        values = [0]
        for rate in minutes:
            values += [values[-1] + rate * scrape * (n + 1) for n in range(count)]
        return " ".join(map(str, values))

    once = held(*[0] * 5, *[1] * 20)  # an event in the sixth minute
    load = (50, 50, 50, 91, 90, 71, 69, 70, 91, 71, 4, 5, 19, 20, 21, 21)
    return {
        'gw_drops_total{application="a"}': grown(*[50] * 9, *[150] * 9, *[50] * 8),
        'gw_load{application="a"}': held(*load),
        'gw_peer_instances{application="a"}': held(*[50] * 3, *[91] * 15, *[90] * 8),
        'gw_peer_instances_max{application="a"}': held(*[100] * 26),
        'gw_peer_creations_refused_total{application="a"}': once,
        'gw_late_updates_total{application="a"}': once,
        'gw_dropped_updates_total{application="a"}': once,
        f'gw_peer_phase{{{PEER}, gw_peer_phase="idle"}}': held(1, 1, 1, 1, 1, 0, 0, 1, 1),
        f'gw_peer_phase{{{PEER}, gw_peer_phase="{LOST}"}}': held(0, 0, 0, 0, 0, 1, 1, 0, 0),
        f'gw_peer_phase{{{PEER}, gw_peer_phase="dead"}}': held(*[0] * 9),
        f'gw_peer_sizes_bucket{{{PEER}, le="64.0"}}': grown(*[100] * 25),
        f'gw_peer_sizes_bucket{{{PEER}, le="512.0"}}': grown(*[100] * 9, *[120] * 16),
    }


FIRES = {
    "GwDropsHigh": ({12, 17}, {8, 9, 21}),
    "GwLoadHigh": ({3, 4, 5, 8, 9}, {2, 6, 7, 10}),
    "GwLoadLow": ({10, 11, 12, 13}, {9, 14, 15}),
    "GwPeerGone": ({5, 6}, {4, 7, 8}),
    "GwLarge": ({12, 20}, {5, 8}),
    "GwPeerInstancesNearlyFull": ({14, 17}, {2, 12, 19}),
    "GwPeerCreationsRefused": ({6, 8}, {4, 12}),
    "GwLateUpdates": ({6, 8}, {4, 12}),
    "GwDroppedUpdates": ({6, 8}, {4, 12}),
}
"""At which minutes an alert fires, and at which it does not, where rates are over a minute."""
SLOWLY = FIRES | {"GwDropsHigh": ({13, 18}, {8, 9, 11, 21, 23}), "GwLarge": ({13, 20}, {5, 8, 9})}
"""The same where rates are over four minutes."""


REPORTED = {
    "GwPeerInstancesNearlyFull": "More than 90% of the possible instances of peer exist.",
    "GwPeerCreationsRefused":
        "Creations of peer that failed for want of a free index or of memory.",
    "GwLateUpdates": "Updates without effect: before the start, after the end, of no instance.",
    "GwDroppedUpdates": "Updates dropped: an index was out of range, or a thread ended.",
}  # fmt: skip
"""Alerts about what the module reports of itself, and what they say."""


def cases(fires: dict[str, tuple[set[int], set[int]]], scrape: int) -> dict[str, Any]:
    """A test of rules as promtool reads it."""
    labels = {
        "GwDropsHigh": {"application": "a"}, "GwLoadHigh": {"application": "a"},
        "GwLoadLow": {"application": "a"}, "GwLarge": {"application": "a", "address": "p"},
        "GwPeerGone": {"application": "a", "address": "p", "gw_peer_phase": 'A "link|" \\ ✓'},
        **{name: {"application": "a"} for name in REPORTED},
    }  # fmt: skip
    texts = {
        "GwDropsHigh": "Drops { { $x }}.", "GwLoadHigh": "Load is high.",
        "GwLoadLow": "Load is low.", "GwPeerGone": "A peer is gone.", "GwLarge": "Large ones.",
        **REPORTED,
    }  # fmt: skip
    alerts = [
        {
            "eval_time": f"{minute * 60 + 45}s", "alertname": name,
            "exp_alerts": [
                {
                    "exp_labels": {"severity": "warning", **labels[name]},
                    "exp_annotations": {"summary": texts[name]},
                }
            ] if minute in fire else [],
        }
        for name, (fire, rest) in fires.items()
        for minute in sorted(fire | rest)
    ]  # fmt: skip
    series = [{"series": name, "values": values} for name, values in samples(scrape).items()]
    test = {"interval": f"{scrape}s", "input_series": series, "alert_rule_test": alerts}
    return {"rule_files": ["gw_stats_rules.yml"], "evaluation_interval": "15s", "tests": [test]}


def outcome(
    folder: Path, fires: dict[str, tuple[set[int], set[int]]], scrape: int
) -> subprocess.CompletedProcess[str]:
    (folder / "tests.yml").write_text(yaml.safe_dump(cases(fires, scrape)))
    return promtool("test", "rules", "tests.yml", cwd=folder)


@needs_promtool
@pytest.mark.parametrize("scrape", [15, 60])
def test_alerts_fire_as_notifications_are_raised(folder: Path, scrape: int) -> None:
    """With hysteresis, only after `lasts`, for the labels, and for one bucket of a histogram; with
    scrapes of a minute, which is Prometheus' default, too."""
    done = outcome(folder, SLOWLY, scrape)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_promtool
def test_alerts_fire_sooner_with_more_scrapes(tmp_path: Path) -> None:
    done = outcome(of_gw(tmp_path, FAST), FIRES, 15)
    assert done.returncode == 0, done.stdout + done.stderr


FAST = "prometheus: {scrape_interval: 15s}\n"


@pytest.mark.parametrize(
    ("interval", "alert", "record", "panel"),
    [
        ("", "4m", "5m", "60s"), ("1s", "1m", "5m", "1s"), ("15s", "1m", "5m", "15s"),
        ("16s", "64s", "5m", "16s"), ("75s", "5m", "5m", "75s"), ("76s", "304s", "304s", "76s"),
        ("2min", "8m", "8m", "120s"), ("1h", "240m", "240m", "3600s"),
    ],
)  # fmt: skip
def test_windows_follow_the_scrapes(
    interval: str, alert: str, record: str, panel: str, tmp_path: Path
) -> None:
    more = f"prometheus: {{scrape_interval: {interval}}}\n" if interval else ""
    (tmp_path / "gw.yaml").write_text(GW + more)
    rules, board = made(tmp_path / "gw.yaml", tmp_path)
    recorded, alerts = (each["rules"] for each in yaml.safe_load(rules.read_text())["groups"])
    assert alerts[0]["expr"] == f"rate(gw_drops_total[{alert}]) > 100"
    assert recorded[0] == {
        "record": f"application:gw_drops:rate{record}", "expr": f"rate(gw_drops_total[{record}])",
    }  # fmt: skip
    targets = [one for one in board["panels"] if "targets" in one]
    assert {one["targets"][0]["interval"] for one in targets} == {panel}


def shown(board: dict[str, Any], title: str, **chosen: str) -> str:
    """What a panel asks Prometheus, as Grafana fills it in."""
    (panel,) = (one for one in board["panels"] if one["title"] == title)
    expr = str(panel["targets"][0]["expr"])
    values = {"__rate_interval": "4m", "top": "10", "job": ".*", "instance": ".*"}
    for name, value in (values | {"application": ".*"} | chosen).items():
        expr = expr.replace(f"${name}", value)
    assert "$" not in expr
    return expr


@needs_promtool
def test_the_dashboard_tells_machines_apart(folder: Path) -> None:
    """Three machines with an application of one name: a line each, and a heat map each."""
    board = json.loads((folder / "gw_stats_dashboard.json").read_text())
    names = [one["name"] for one in board["templating"]["list"]]
    assert names == ["source", "job", "instance", "application", "top"]
    machines = [("edge", "m1"), ("edge", "m2"), ("core", "m1")]
    series, lines = [], []
    for rate, (job, instance) in enumerate(machines, 1):
        labels = f'application="a", instance="{instance}", job="{job}"'
        series += [
            {"series": f"gw_drops_total{{{labels}}}", "values": f"0+{rate * 60}x20"},
            {
                "series": f'gw_peer_sizes_bucket{{{labels}, address="p", le="64.0"}}',
                "values": f"0+{rate * 60}x20",
            },
        ]
        lines.append({"labels": f"{{{labels}}}", "value": rate})
    queries = [
        (shown(board, "drops"), lines), (shown(board, "drops", job="core"), lines[2:]),
        (shown(board, "drops", instance="m2"), lines[1:2]),
        (shown(board, "sizes: $instance", job="edge", instance="m2"),
         [{"labels": '{le="64.0"}', "value": 480}]),
    ]  # fmt: skip
    wanted = [{"expr": expr, "eval_time": "10m", "exp_samples": found} for expr, found in queries]
    test = {"interval": "60s", "input_series": series, "promql_expr_test": wanted}
    (folder / "board.yml").write_text(yaml.safe_dump({"rule_files": [], "tests": [test]}))
    done = promtool("test", "rules", "board.yml", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr


FOLDED = """\
ctrgen: 1
module: app
scopes:
  flow:
    max: 8
    counters: {pkts: {unit: packets, description: A.}, busy: {unit: ns, description: A.}}
    histograms: {sizes: {unit: bytes, bounds: [64], description: A.}}
    gauges:
      depth: {unit: packets, description: A.}
      speed: {unit: By/s, description: A.}
      load: {unit: "%", description: A.}
      delay: {unit: us, description: A.}
      cost: {unit: By/packet, description: A.}
    peaks:
      deepest: {of: depth, description: A.}
      shallowest: {of: depth, keep: minimum, description: A.}
    derived:
      share: {ratio: {of: pkts, to: busy}, unit: packets, description: A.}
      pps: {rate: pkts, unit: packets/s, description: A.}
    states:
      last_seen: {type: timestamp, description: A.}
      since: {type: timeticks, description: A.}
      mtu: {type: uint32, description: A.}
      phase: {type: enum, labels: {idle: 1}, description: A.}
      up: {type: bool, description: A.}
"""
FOLDS = {
    "pkts:rate5m": (1, 2, 3), "busy:rate5m": (1, 2, 3), "sizes_bucket:rate5m": (1, 2, 3),
    "sizes_sum:rate5m": (1, 2, 3), "depth:sum": (5, 7, 12), "speed:sum": (5, 7, 12),
    "pps:sum": (5, 7, 12), "up:sum": (1, 1, 2), "deepest:max": (5, 7, 7),
    "shallowest:min": (5, 7, 5),
}  # fmt: skip
"""Of each recorded metric the values of two instances (of a counter, a second), and together."""


@needs_promtool
def test_only_what_has_a_sum_is_summed(tmp_path: Path) -> None:
    """By Prometheus itself: no rule adds times, levels, ratios or states."""
    (tmp_path / "app.yaml").write_text(FOLDED)
    path, board = made(tmp_path / "app.yaml", tmp_path)
    judge(board)
    group, _ = yaml.safe_load(path.read_text())["groups"]
    names = {rule["record"].removeprefix("application:app_flow_") for rule in group["rules"]}
    assert names == set(FOLDS)
    series, wanted = [], []
    for name, (*each, both) in FOLDS.items():
        metric, _, rate = name.partition(":")
        end = "" if rate != "rate5m" or metric.startswith("sizes") else "_total"
        labels = 'application="a"' + (', le="+Inf"' if metric.endswith("bucket") else "")
        for flow, value in enumerate(each):
            values = f"0+{value * 15}x40" if rate == "rate5m" else f"{value}x40"
            labelled = f'app_flow_{metric}{end}{{{labels}, flow="{flow}"}}'
            series.append({"series": labelled, "values": values})
        sample = {"labels": f"application:app_flow_{name}{{{labels}}}", "value": both}
        expr = f"application:app_flow_{name}"
        wanted.append({"expr": expr, "eval_time": "9m", "exp_samples": [sample]})
    test = {"interval": "15s", "input_series": series, "promql_expr_test": wanted}
    cases = {"rule_files": [path.name], "evaluation_interval": "15s", "tests": [test]}
    (tmp_path / "tests.yml").write_text(yaml.safe_dump(cases))
    done = promtool("test", "rules", "tests.yml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = {p["title"]: p["targets"][0]["expr"] for p in board["panels"] if p["type"] != "row"}
    assert asked["last seen"].endswith("* 1e3)"), "Grafana has dates in milliseconds"
    assert "bottomk" in asked["shallowest"] and "topk" in asked["deepest"]


RULES = "generator/backends/prometheus.py"
TEXT = "templates/monitoring/rules.json.j2"
SUMMED = {
    "states": Edit(RULES, "if not item.kind.numeric:", "if False:"),
    "peaks": Edit(RULES, "if aggregate := item.kind.aggregates[item.least]:", "if aggregate := 0:"),
    "ratios": Edit(RULES, "if ratio or amount", "if amount"),
    "times": Edit(RULES, '"us", "ns"', '"ns"'),
    "costs": Edit(RULES, 'base not in ("", "s")', "not amount"),
}


@needs_promtool
@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", SUMMED)
def test_sums_of_what_has_none_are_seen(tmp_path: Path, bug: str) -> None:
    """Planted: rules that add these."""
    tree = planted(tmp_path / "tree", [SUMMED[bug]])
    (tmp_path / "app.yaml").write_text(FOLDED)
    tree.succeed("build", tmp_path / "app.yaml", "-o", tmp_path, "--only", "prometheus")
    group, _ = yaml.safe_load((tmp_path / "app_stats_rules.yml").read_text())["groups"]
    names = {rule["record"].removeprefix("application:app_flow_") for rule in group["rules"]}
    assert names != set(FOLDS)


BUGS = {
    "windows of a minute": Edit(RULES, "SCRAPES * module.scrape_interval", "1"),
    "windows of two scrapes": Edit(RULES, "SCRAPES = 4", "SCRAPES = 2"),
    "no hysteresis": Edit(TEXT, "or ({{ stays }} and", "or (vector(0) > 1 and"),
    "a bucket has those below": Edit(RULES, "return rates[0] if at == 0", "return rates[-1] if 1"),
    "rises for falls": Edit(TEXT, '" > " if rises else', '" > " if true else'),
    "labels without texts": Edit(RULES, "label.shown", "label.name"),
    "texts are expressions": Edit(RULES, "re.escape(label.shown)", "label.shown"),
    "a quote ends a text": Edit(RULES, '.replace(\'"\', r"\\"")', ""),
    "a scope is full at 95 %": Edit(TEXT, "full = 0.9", "full = 0.95"),
    "a scope is full at once": Edit(TEXT, '"10m"', '"1m"'),
    "a single report is none": Edit(TEXT, '"]) > 0"', '"]) > 2"'),
    "one label for all": Edit(TEXT, '=~"', '!="'),
}


BOARD = "templates/monitoring/dashboard.json.j2"
OF_ONE_MACHINE = {
    "no variable of instances": Edit(BOARD, '"job", "instance"', '"job"'),
    "no choice": Edit(BOARD, "chosen(one.metric.name)", "one.metric.name"),
    "one heat map": Edit(BOARD, '"repeat": "instance", ', ""),
}  # fmt: skip


@pytest.mark.parametrize("bug", OF_ONE_MACHINE)
def test_a_dashboard_of_one_machine_is_seen(tmp_path: Path, bug: str) -> None:
    """Planted."""
    tree = planted(tmp_path / "tree", [OF_ONE_MACHINE[bug]])
    (tmp_path / "gw.yaml").write_text(GW)
    tree.succeed("build", tmp_path / "gw.yaml", "-o", tmp_path / "o", "--only", "prometheus")
    with pytest.raises(AssertionError):
        judge(json.loads((tmp_path / "o" / "gw_stats_dashboard.json").read_text()))


@needs_promtool
@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(tmp_path: Path, bug: str) -> None:
    tree = planted(tmp_path / "tree", [BUGS[bug]])
    (tmp_path / "gw.yaml").write_text(GW)
    tree.succeed("build", tmp_path / "gw.yaml", "-o", tmp_path / "o", "--only", "prometheus")
    assert outcome(tmp_path / "o", SLOWLY, 60).returncode != 0

# SPDX-License-Identifier: BSD-3-Clause
"""The fleet of docs/operations.md works: real servers on loopback, from application to pager."""

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from ctrgen.tools.live import metrics
from tests.fleet import lab
from tests.support.capabilities import needs
from tests.support.cbuild import Workshop
from tests.support.process import succeed, until

NEEDED = {
    "prometheus": lab.PROMETHEUS, "prometheus-alertmanager": lab.ALERTMANAGER,
    "victoria-metrics": lab.VICTORIA,
}  # fmt: skip
MISSING = [name for name, path in NEEDED.items() if path is None]
needs_servers = pytest.mark.skipif(bool(MISSING), reason=f"no {', '.join(MISSING)}: ./dev setup")

RATES = (40_000, 100_000)
"""Packets a second of the two applications."""
PERCENT = 2


@pytest.fixture(scope="module")
def program(workshop: Workshop) -> Path:
    def make(folder: Path) -> None:
        folder.mkdir()
        lab.build(folder)

    return workshop.once("fleet", make) / "app"


def rates(fleet: lab.Fleet) -> dict[str, float]:
    """What Prometheus has as the rates of the applications."""
    found = lab.asked(fleet.site, "rate(edge_pkts_total[8s])")
    return {dict(labels)["application"]: rate for labels, rate in found.items()}


def check_rates(fleet: lab.Fleet) -> None:
    """A rate in PromQL is the rate at which packets were sent."""
    before = [sender.sent() for sender in fleet.senders]

    def equal() -> bool:
        found = rates(fleet)
        for name, sender, (sent, at) in zip("ab", fleet.senders, before, strict=True):
            sent_now, now = sender.sent()
            wanted = (sent_now - sent) / (now - at) * 1e9
            if now - at < 6e9 or abs(found.get(name, 0) / wanted - 1) > PERCENT / 100:
                return False
        return True

    until(equal, f"rates that are within {PERCENT} %")
    sums = lab.asked(fleet.site, "sum without (session) (rate(edge_session_pkts_total[8s]))")
    assert len(sums) == 2, "of all instances together"


def check_sites(fleet: lab.Fleet) -> None:
    """Applications of both exporters are there, and recorded together."""
    up = lab.asked(fleet.site, "ctrgen_application_up")
    assert {dict(labels)["application"]: one for labels, one in up.items()} == {"a": 1, "b": 1}
    ports = {dict(labels)["instance"] for labels in up}
    assert ports == {f"127.0.0.1:{exporter.port}" for exporter in fleet.exporters}
    assert not lab.asked(fleet.site, '{__name__=~".+_created"}'), "what is dropped"
    fastest = lab.asked(fleet.site, "count by (application) (site:edge_session_pkts:topk5_rate5m)")
    assert list(fastest.values()) == [5, 5]
    at = time.time() - 1
    recorded = fleet.site.json("/api/v1/query", query="application:edge_pkts:rate5m", time=at)
    total = fleet.site.json("/api/v1/query", query="site:edge_pkts:rate5m", time=at)
    parts = [float(one["value"][1]) for one in recorded["data"]["result"]]
    assert len(parts) == 2 and min(parts) > 0
    (one,) = total["data"]["result"]
    assert one["metric"] == {"__name__": "site:edge_pkts:rate5m", "job": "ctrgen"}
    assert float(one["value"][1]) > max(parts) > 0


def check_copies(fleet: lab.Fleet, copies: Callable[[], lab.Series], *left_out: str) -> None:
    """Samples that were passed on are those of the site, each at its time."""
    names = {"application:edge_pkts:rate5m", "site:edge_pkts:rate5m", "up"}
    until(lambda: {dict(labels)["__name__"] for labels in copies()} >= names, "what is passed on")
    held = copies()
    selector = '{__name__=~"(application|site):.*|up|ctrgen_.*"}'
    original = lab.samples(fleet.site, selector)
    assert held
    compared = 0
    for labels, found in held.items():
        plain = labels - {("site", "north")}
        assert ("site", "north") in labels, labels
        if dict(plain).get("job") in left_out:
            continue
        wanted = {round(at, 3): value for at, value in original[plain]}
        for at, value in found:
            assert wanted[round(at, 3)] == pytest.approx(value, rel=1e-12), (plain, at)
            compared += 1
    assert compared > 10


def check_alert(fleet: lab.Fleet) -> None:
    """A condition of the schema reaches the pager, and so does its end."""
    assert not fleet.webhook.told
    fleet.senders[1].do("load 95")
    told = fleet.webhook.told
    until(lambda: any(one["status"] == "firing" for one in told), "an alert")
    (alert,) = [one for one in told if one["status"] == "firing"][:1]
    labels = alert["labels"]
    assert (labels["alertname"], labels["application"]) == ("EdgeLoadHigh", "b")
    assert (labels["site"], labels["severity"]) == ("north", "warning")
    assert alert["annotations"] == {"summary": "A core has no reserve."}
    fleet.senders[1].do("load 80")  # between clears_below and rises_above
    time.sleep(3)
    assert not any(one["status"] == "resolved" for one in told)
    fleet.senders[1].do("load 60")
    until(lambda: any(one["status"] == "resolved" for one in told), "the end of an alert")
    assert {one["labels"]["application"] for one in told} == {"b"}


def check_exposition(fleet: lab.Fleet) -> None:
    """promtool, which reads the older format alone, has nothing to say about what is served."""
    text = fleet.exporters[0].get("/metrics")
    assert b"# TYPE edge_session_pkts_total counter" in text
    command = ["promtool", "check", "metrics"]
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, b""), done.stderr.decode()


@needs("promtool")
@needs_servers
def test_a_fleet(program: Path, tmp_path: Path) -> None:
    """One test, as starting all of it takes longer than asking it."""
    with lab.fleet(tmp_path, program, RATES) as fleet:
        check_alert(fleet)
        check_rates(fleet)
        check_sites(fleet)
        selector = '{__name__=~".+"}'
        check_copies(fleet, lambda: lab.samples(fleet.region, '{site="north"}'))
        check_copies(fleet, lambda: lab.exported(fleet.store, selector))
        check_exposition(fleet)


ALERTS = {
    "ApplicationDown": ("ctrgen_application_up", "1x3 0x9"),
    "ApplicationStale": ("ctrgen_published_age_seconds", "1x3 20+15x9"),
    "ScopeLeftOut": ("ctrgen_scope_left_out", "1x12"),
}
"""Of each alert of the page, a metric of the exporter and values with which it fires in the end."""


@needs("promtool")
@pytest.mark.parametrize("alert", ALERTS)
def test_the_alerts_of_the_page_fire(alert: str, tmp_path: Path) -> None:
    """With metrics that the exporter has."""
    rules = lab.shown()["site_rules.yml"]
    (tmp_path / "site_rules.yml").write_text(rules, "utf-8")
    assert f"alert: {alert}\n" in rules and rules.count("alert: ") == len(ALERTS)
    metric, values = ALERTS[alert]
    assert metric in metrics._OWN
    found = yaml.safe_load(rules)["groups"][0]["rules"]
    (rule,) = (rule for rule in found if rule.get("alert") == alert)
    labels = {"application": "a", **rule["labels"]}
    wanted = [{"exp_labels": labels, "exp_annotations": rule["annotations"]}]
    test = {
        "interval": "15s",
        "input_series": [{"series": f'{metric}{{application="a"}}', "values": values}],
        "alert_rule_test": [{"eval_time": "2m", "alertname": alert, "exp_alerts": wanted}],
    }
    whole = {"rule_files": ["site_rules.yml"], "tests": [test]}
    (tmp_path / "tests.yml").write_text(json.dumps(whole), "utf-8")
    succeed("promtool", "test", "rules", "tests.yml", cwd=tmp_path)


@needs("promtool", "amtool")
def test_the_files_of_the_page_are_right_as_they_are(program: Path, tmp_path: Path) -> None:
    for name, text in lab.shown().items():
        (tmp_path / name).write_text(text, "utf-8")
    shutil.copy(program.with_name("edge_stats_rules.yml"), tmp_path)
    for command in (
        "promtool check config site.yml", "promtool check config region.yml",
        "promtool check rules --lint=all --lint-fatal site_rules.yml",
        "amtool check-config alertmanager.yml",
    ):  # fmt: skip
        succeed(*command.split(), cwd=tmp_path)

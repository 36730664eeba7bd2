# SPDX-License-Identifier: BSD-3-Clause
"""The fleet of docs/operations.md works: real servers on loopback, from application to pager."""

import json
import shutil
import subprocess
import time
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
}  # fmt: skip
MISSING = [name for name, path in NEEDED.items() if path is None]
needs_servers = pytest.mark.skipif(bool(MISSING), reason=f"no {', '.join(MISSING)}: ./dev setup")


@pytest.fixture(scope="module")
def program(workshop: Workshop) -> Path:
    def make(folder: Path) -> None:
        folder.mkdir()
        lab.build(folder)

    return workshop.once("fleet", make) / "app"


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


def check_region(fleet: lab.Fleet) -> None:
    """The region has what the site records, and whether exporters are up."""
    names = {"application:edge_pkts:rate5m", "site:edge_pkts:rate5m", "up"}

    def passed_on() -> bool:
        found = {dict(labels)["__name__"] for labels in lab.asked(fleet.region, '{site="north"}')}
        return names <= found and not any(name.startswith("edge_") for name in found)

    until(passed_on, "what is passed on")


def check_alert(fleet: lab.Fleet) -> None:
    """A condition of the schema reaches the pager, and so does its end."""
    assert not fleet.webhook.told
    fleet.senders[1].load(95)
    told = fleet.webhook.told
    until(lambda: any(one["status"] == "firing" for one in told), "an alert")
    fleet.senders[0].load(10)  # so that both have counted since the first scrape
    (alert,) = [one for one in told if one["status"] == "firing"][:1]
    labels = alert["labels"]
    assert (labels["alertname"], labels["application"]) == ("EdgeLoadHigh", "b")
    assert (labels["site"], labels["severity"]) == ("north", "warning")
    assert alert["annotations"] == {"summary": "A core has no reserve."}
    fleet.senders[1].load(80)  # between clears_below and rises_above
    time.sleep(3)
    assert not any(one["status"] == "resolved" for one in told)
    fleet.senders[1].load(60)
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
    with lab.fleet(tmp_path, program) as fleet:
        check_alert(fleet)
        check_sites(fleet)
        check_region(fleet)
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

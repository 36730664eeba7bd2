# SPDX-License-Identifier: BSD-3-Clause
"""The template for Zabbix, by the grammar of its import of version 6.0, written anew here."""

import json
import re
import uuid
from pathlib import Path
from typing import Any

import pytest
import yaml

from ctrgen.pipeline.build import BuildRequest, build
from tests.mib.repository import FIRST
from tests.monitoring import FILL, HALF_OPEN, NO_ROUTE
from tests.support.capabilities import needs
from tests.support.planted import Edit, planted
from tests.support.process import succeed
from tests.support.schemas import NAMES, sources

REQUIRED = {"uuid", "name", "type", "key", "snmp_oid", "description"}
ITEM = REQUIRED | {"value_type", "units", "trends", "valuemap", "preprocessing", "tags"}
RULE = REQUIRED | {"delay", "item_prototypes", "preprocessing"}
TEMPLATE = {"uuid", "template", "name", "description", "groups", "items", "discovery_rules",
            "valuemaps"}  # fmt: skip
STEPS = {"CHANGE_PER_SECOND", "JAVASCRIPT"}
OID = r"[0-9]+(\.[0-9]+)+"


REPORTS = {
    f"mon_{name}_total"
    for name in (
        "flow_creations_refused",
        "many_creations_refused",
        "late_updates",
        "dropped_updates",
    )
}
"""Counters in which the module reports of itself."""


def judge(document: dict[str, Any]) -> dict[str, Any]:
    """The template of a document. Fails where it is not as the import wants it."""
    export = document["zabbix_export"]
    assert export.keys() == {"version", "groups", "templates"} and export["version"] == "6.0"
    (template,) = export["templates"]
    assert {"uuid", "template", "name", "groups"} <= template.keys() <= TEMPLATE
    assert template["groups"][0]["name"] in [group["name"] for group in export["groups"]]
    maps = template.get("valuemaps", [])
    names = [one["name"] for one in maps]
    rules = template.get("discovery_rules", [])
    items = template.get("items", [])
    prototypes = [item for rule in rules for item in rule["item_prototypes"]]
    keys = [one["key"] for one in (*items, *rules, *prototypes)]
    assert len(set(keys)) == len(keys) and len(set(names)) == len(names)
    for one in maps:
        assert one.keys() == {"uuid", "name", "mappings"} and one["mappings"]
        values = [mapping["value"] for mapping in one["mappings"]]
        assert all(re.fullmatch("-?[0-9]+", value) for value in values)
        assert len(set(values)) == len(values)
    for item in items:
        judge_item(item, names, rf"{OID}\.0", "[0-9a-zA-Z_]+")
    for rule in rules:
        judge_rule(rule)
    for item in prototypes:
        judge_item(item, names, rf"{OID}\.\{{#SNMPINDEX\}}", r"[0-9a-zA-Z_]+\[\{#SNMPINDEX\}\]")
    of_all = [one["uuid"] for one in (template, *items, *rules, *prototypes, *maps)]
    assert len(set(of_all)) == len(of_all)
    for one in of_all:
        assert re.fullmatch("[0-9a-f]{32}", one) and uuid.UUID(one).version == 4
    found: dict[str, Any] = template
    return found


def judge_item(item: dict[str, Any], maps: list[str], oid: str, key: str) -> None:
    assert REQUIRED <= item.keys() <= ITEM and item["type"] == "SNMP_AGENT"
    assert re.fullmatch(oid, item["snmp_oid"]) and re.fullmatch(key, item["key"])
    assert item["value_type"] in {"FLOAT", "UNSIGNED", "CHAR"} and len(item["name"]) <= 255
    assert (item.get("trends") == "0") == (item["value_type"] == "CHAR")
    assert "valuemap" not in item or item["valuemap"]["name"] in maps
    for step in item.get("preprocessing", ()):
        assert step == {"type": "CHANGE_PER_SECOND", "parameters": [""]}
        assert item["value_type"] == "FLOAT" and item.get("units", "/s").endswith("/s")


def judge_rule(rule: dict[str, Any]) -> None:
    assert REQUIRED <= rule.keys() <= RULE and rule["item_prototypes"]
    assert re.fullmatch(rf"discovery\[\{{#[A-Z]+\}},{OID}\]", rule["snmp_oid"])
    for step in rule.get("preprocessing", ()):
        assert step.keys() == {"type", "parameters"} and step["type"] in STEPS


def made(schema: Path, output: Path) -> dict[str, Any]:
    """What is written for a schema."""
    result = build(BuildRequest(str(schema), str(output), only=("zabbix",)))
    assert result.exit_code == 0
    (path,) = output.glob("*_zabbix.yaml")
    document: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return document


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_schema(name: str, tmp_path: Path) -> None:
    judge(made(sources(tmp_path / "s")[name], tmp_path / "o"))


@pytest.fixture
def template(folder: Path) -> dict[str, Any]:
    text = (folder / "out" / "mon_stats_zabbix.yaml").read_text("utf-8")
    return judge(yaml.safe_load(text))


def judge_values(template: dict[str, Any]) -> None:
    """Fails where values of mon.yaml are not shown as what they are."""
    items = {item["key"]: item for item in template["items"]}
    kinds = {key: items[key]["value_type"] for key in (
        "mon_wide_total", "mon_level", "mon_serial", "mon_mode", "mon_title_info", "mon_up",
    )}  # fmt: skip
    assert kinds == {
        "mon_wide_total": "FLOAT", "mon_level": "FLOAT", "mon_serial": "UNSIGNED",
        "mon_mode": "UNSIGNED", "mon_title_info": "CHAR", "mon_up": "UNSIGNED",
    }  # fmt: skip
    assert items["mon_wide_total"]["units"] == "packets/s" and items["mon_level"]["units"] == "Cel"
    counters = {key for key, item in items.items() if "preprocessing" in item}
    assert counters - REPORTS == {
        "mon_wide_total", "mon_narrow_errors_total", "mon_sizes_to_64_total",
        "mon_sizes_to_512_total", "mon_sizes_above_512_total", "mon_sizes_sum",
    }  # fmt: skip
    assert [one["name"] for one in template["items"]].count(f"mon: {FILL}") == 1
    maps = {one["name"]: one["mappings"] for one in template["valuemaps"]}
    assert maps["mon_mode"][1] == {"value": "2", "newvalue": HALF_OPEN}
    assert maps["mon_up"] == [
        {"value": "1", "newvalue": "true"}, {"value": "2", "newvalue": "false"},
    ]  # fmt: skip


def test_values(template: dict[str, Any]) -> None:
    judge_values(template)


@needs("node")
def test_the_parts_of_an_index_are_macros(template: dict[str, Any], tmp_path: Path) -> None:
    (rule,) = (rule for rule in template["discovery_rules"] if rule["name"] == "mon drop")
    (step,) = rule["preprocessing"]
    rows = [{"{#SNMPINDEX}": index, "{#SNMPVALUE}": "5"} for index in ("1.2", "2.9")]
    script = tmp_path / "script.js"
    script.write_text(f"console.log((function (value) {{{step['parameters'][0]}\n}})"
                      f"({json.dumps(json.dumps(rows))}));", "utf-8")  # fmt: skip
    found = json.loads(succeed("node", script))
    assert [(row["{#REASON}"], row["{#DIRECTION}"]) for row in found] == [
        (NO_ROUTE, "out"), ("TTL", "9"),
    ]  # fmt: skip
    (prototype, *_) = rule["item_prototypes"]
    assert prototype["name"] == "mon drop {#REASON} {#DIRECTION}: pkts"


def test_uuids_are_those_of_the_oids(tmp_path: Path) -> None:
    schema = tmp_path / "ep.yaml"
    schema.write_text(FIRST)
    old = judge(made(schema, tmp_path / "o"))
    schema.write_text(FIRST.replace("      drops: {", "      losses: {renamed_from: drops, "))
    new = judge(made(schema, tmp_path / "n"))
    of_both = [[item["uuid"] for item in one["discovery_rules"][0]["item_prototypes"]]
               for one in (old, new)]  # fmt: skip
    assert of_both[0] == of_both[1] and old["uuid"] == new["uuid"]
    other = FIRST.replace("enterprise: 32473", "enterprise: 32473\n  arc: [5]")
    schema.write_text(other)
    schema.with_name("ep.ctrgen.lock").unlink()
    assert judge(made(schema, tmp_path / "x"))["uuid"] != old["uuid"]


BUGS = {
    "gauges as rates": Edit("generator/backends/zabbix.py", "if found.counts else []", ""),
    "one uuid": Edit("generator/backends/zabbix.py", "{dotted(oid)} {what}", "{dotted(oid)}"),
    "signed": Edit("generator/backends/zabbix.py", "or signed or", "or"),
    "truth": Edit("generator/backends/polled.py", '((1, "true"), (2, "false"))',
                  '((0, "false"), (1, "true"))'),
}  # fmt: skip


@pytest.mark.one_in(6)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, folder: Path, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [BUGS[bug]])
    tree.succeed("build", folder / "mon.yaml", "-o", tmp_path / "o", "--only", "zabbix")
    text = (tmp_path / "o" / "mon_stats_zabbix.yaml").read_text("utf-8")
    with pytest.raises(AssertionError):
        judge_values(judge(yaml.safe_load(text)))


def test_only_counters_are_rates(folder: Path) -> None:
    """Gauges, peaks, states and times of last changes are shown as they are; LibreNMS has the same
    objects as counters, snmp_exporter's file too."""
    out = folder / "out"
    template = judge(yaml.safe_load((out / "mon_stats_zabbix.yaml").read_text()))
    items = template["items"] + [
        item for rule in template["discovery_rules"] for item in rule["item_prototypes"]
    ]
    rates = {item["key"].partition("[")[0] for item in items if "preprocessing" in item}
    assert rates - REPORTS == {"mon_sizes_sum", "port_frames_total"} | {
        f"mon_{name}_total" for name in (
            "wide", "narrow_errors", "sizes_to_64", "sizes_to_512", "sizes_above_512",
            "queue_pkts", "drop_pkts", "flow_hits",
        )
    }  # fmt: skip
    sensors = yaml.safe_load((out / "mon_stats_librenms.yaml").read_text())["modules"]["sensors"]
    counted = [one for kind in sensors.values() for one in kind["data"] if "rrd_type" in one]
    exported = yaml.safe_load((out / "mon_stats_snmp.yml").read_text())["modules"]["mon_stats"]
    assert rates == {one["name"] for one in exported["metrics"] if one["type"] == "counter"}
    assert len(counted) == len(rates)

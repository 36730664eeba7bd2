# SPDX-License-Identifier: BSD-3-Clause
"""Mutated schemas: findings, or a module that is clean; never a traceback, never a half result."""

import random
from pathlib import Path

import pytest
import yaml

from ctrgen.findings.diagnostics import Diagnostics, Severity
from ctrgen.findings.printers import print_findings
from ctrgen.model.kinds import KINDS
from ctrgen.model.naming import smi
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from ctrgen.publish.assign import assign
from ctrgen.publish.rules.candidate import RULES, Candidate
from tests.support import schemas, smi_tools
from tests.support.random_schemas import mutate

ROUNDS = 1000

WORDS = [
    *("snmp:", "enterprise: 1", "enterprise: 4294967295", "arc: [0]", "arc: []", "arc: [1, 2]"),
    *("oid: 1.3.6.1.2.1.31", "name: X-MIB", "identity: xMIB", "name: ifInOctets",
      "low_capacity: true"),
    *("revisions: []", 'date: "2025-12-31"', "draft: true", "index: ifIndex", "index: nothing"),
    *("augments: IF-MIB::ifEntry", "augments: fooEntry", "renamed_from: pkts", "implied: true"),
    *("status: deprecated", "access: read-write", "syntax: DisplayString",
      "syntax: Integer32 (0..5)"),
    *("groups: {power: {optional: Sometimes.}}", "group: power", "min: -3"),
    *("optional: Sometimes.", "row: A row.", "reference: 'RFC 1 -- x'", "syntax: DateAndTime"),
    *("table: fooTable", "entry: fooEntry", "oid: 1.3.6.1.4.1.9.1", "nodes: {x: 1.3.6.1.4.1.5}"),
    *("width: 32", "max: 5", "min: 3", "length: 255", "type: ipv6", "type: mac", "type: bool"),
    *("reset: false", "parent: interface", "parent: queue", "module: a_b", "module: mib", "'\"'"),
    *("description: 'a -- b \"c\" */ %s'", "unit: 'x \"y\"'", "labels: [x]",
      "labels: {a: 0, b: -1}"),
    *("objects", "scalars", "entry", "index", "table", "group", "discontinuity_time", "m_i_b", "é"),
    *("end", "begin", "true", "max_access", "integer", "counter64", "a" * 40, "b" * 60, "{}", "[]"),
]  # fmt: skip


VALUES: dict[str, list[object]] = {
    "item": [{"description": 'a -- b "c" */ %s \\ é\x85 ' + "x" * 90},
             {"unit": 'a "unit" that is longer than most lines of a module can take, by far'},
             {"snmp": {"name": "someInOctets"}}, {"snmp": {"name": "a" * 64}},
             {"snmp": {"oid": "1.3.6.1.2.1.99.1.5"}}, {"snmp": {"oid": "1.3.6.1.2.1.99.1.5.1"}},
             {"snmp": {"syntax": "SNMPv2-TC::DisplayString (SIZE (0..5))"}},
             {"snmp": {"status": "deprecated"}},
             {"snmp": {"status": "obsolete", "access": "not-accessible"}},
             {"snmp": {"access": "accessible-for-notify"}}, {"renamed_from": "other"},
             {"width": 32}],
    "scope": [
        {"index": "ifIndex"},
        {"index": ["IF-MIB::ifIndex", "IF-MIB::ifStackHigherLayer"]},
        {"index": {"object": "myIndex", "oid": "1.3.6.1.2.1.99.2.1.1", "syntax": "Integer32"}},
        {"augments": "IF-MIB::ifEntry"},
        {"snmp": {"table": "fooTable"}},
        {"snmp": {"entry": "fooRow", "implied": True}},
        {"snmp": {"oid": "1.3.6.1.2.1.99.2"}},
        {"snmp": {"name": "foo"}},
        {"snmp": {"status": "deprecated"}},
        {"reset": False},
        {"storage": "dynamic"},
    ],
    "snmp": [{"low_capacity": True}, {"arc": []}, {"arc": [4294967295, 1]},
             {"oid": "1.3.6.1.2.1.99"}, {"name": "X-MIB"}, {"identity": "someIdentity"},
             {"nodes": {"someNode": "1.3.6.1.2.1.98.1"}}, {"contact": '"--"\n\n\n%d\x7f'},
             {"types": {"MyType": {"syntax": "Integer32 (0..7)", "description": "T."}}}],
}  # fmt: skip
"""What a mutation adds, by the part of the schema that it goes to."""

ITEMS = ["index", "entry", "table", "objects", "groups", "m_i_b", "x_low", "x", "x_type", "number"]


def restructure(text: str, random_: random.Random) -> str:
    """The schema with one to four keys set, or items added: text that can still be read."""
    data = yaml.safe_load(text)
    for _ in range(random_.randint(1, 4)):
        part = random_.choice(list(VALUES))
        change = random_.choice(VALUES[part])
        assert isinstance(change, dict)
        if part == "snmp":
            data.setdefault("snmp", {}).update(change)
            continue
        full = [name for name, scope in data["scopes"].items() if {*scope} & {*KINDS}]
        scope = data["scopes"][random_.choice(sorted(full))]
        if part == "scope":
            scope.update(change)
            continue
        kind = random_.choice([key for key in ("counters", "gauges", "states") if key in scope])
        if random_.random() < 0.3:
            state = {"type": random_.choice(["ipv6", "bool", "mac", "ipv4"]), "description": "X."}
            scope.setdefault("states", {})[random_.choice(ITEMS)] = state
        else:
            scope[kind][random_.choice(sorted(scope[kind]))].update(change)
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)


def given(change: dict[str, dict[str, object]]) -> str:
    """A small schema with something more said of its items and scopes."""
    item: dict[str, object] = {"unit": "packets", "description": "Packets."}
    scopes: dict[str, dict[str, object]] = {
        "global": {"counters": {"pkts": {**item, **change.get("pkts", {})}}},
        "port": {"max": 2, "counters": {"errors": item}, **change.get("port", {})},
    }
    scopes["global"]["counters"]["bytes"] = {**item, **change.get("bytes", {})}  # type: ignore[index]
    snmp = {"enterprise": 9999, "revisions": [{"date": "2026-01-15", "description": "First."}]}
    return yaml.safe_dump({"ctrgen": 1, "module": "ep", "snmp": snmp, "scopes": scopes})


@pytest.mark.parametrize(
    "change",
    [
        {"pkts": {"snmp": {"oid": "1.3.9.1"}}, "bytes": {"snmp": {"oid": "1.3.9.1.1"}}},
        {"pkts": {"snmp": {"oid": "1.3.9.1"}}, "port": {"snmp": {"oid": "1.3.9.1.5"}}},
        {"port": {"snmp": {"oid": "1.3.9.1"}}, "pkts": {"snmp": {"oid": "1.3.9.1.4"}}},
        {"port": {"snmp": {"oid": "1.3.9.1"}}, "pkts": {"snmp": {"oid": "1.3.9.1.1.2.3"}}},
    ],
)
def test_nothing_is_below_an_object(tmp_path: Path, change: dict[str, dict[str, object]]) -> None:
    schema = tmp_path / "ep.yaml"
    schema.write_text(given(change), "utf-8")
    result = build(BuildRequest(str(schema), str(tmp_path / "out"), only=("mib",)))
    assert result.exit_code == 1
    assert {f.rule for f in result.diagnostics.findings if f.severity is Severity.ERROR} == {
        "smi-oid"
    }


@pytest.mark.one_in(12)
@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_mutated_schemas(tmp_path: Path, part: int) -> None:
    random_ = random.Random(part)
    found = schemas.sources(tmp_path)
    lint = _lint_possible()
    built = 0
    for number in range(ROUNDS // 10):
        name = schemas.NAMES[number % len(schemas.NAMES)]
        schema = found[name].with_name("mutated.yaml")
        text = found[name].read_text("utf-8")
        changed = restructure(text, random_) if number % 2 else mutate(text, random_, WORDS)
        schema.write_text(changed, "utf-8")
        output = tmp_path / f"out{number}"
        result = build(BuildRequest(str(schema), str(output), only=("mib",)))
        lock = tmp_path / "mutated.ctrgen.lock"
        if result.exit_code:
            assert any(f.severity is Severity.ERROR for f in result.diagnostics.findings)
            assert not output.exists() and not lock.exists()
            continue
        lock.unlink(missing_ok=True)
        for module in output.glob("*.txt"):
            built += 1
            text = module.read_text("ascii")
            shown = schema.read_text("utf-8") + print_findings(result.diagnostics)
            assert all(len(line) <= smi.COLUMNS for line in text.splitlines()), shown
            if lint:
                assert smi_tools.unsaid(module, _all_said(schema)) == [], shown
    assert built > 10


def _all_said(schema: Path) -> Diagnostics:
    """Every finding about a module, with those about a draft that nobody is told about."""
    checked, found = check(str(schema)), Diagnostics()
    assert checked.module is not None
    RULES.apply(Candidate(checked.module, assign(checked.module, None), None), found)
    return found


def _lint_possible() -> bool:
    try:
        smi_tools.needs("smilint", modules=("IF-MIB", "HCNUM-TC", "INET-ADDRESS-MIB"))
    except pytest.skip.Exception:
        return False
    return True

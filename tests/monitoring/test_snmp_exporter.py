# SPDX-License-Identifier: BSD-3-Clause
"""What Prometheus' snmp_exporter makes of its module, and its generator of its input."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
import yaml

from ctrgen.backends.polled import Reader
from ctrgen.model.naming import prometheus
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from ctrgen.publish.assign import assign
from tests.agentx import lab
from tests.monitoring import HALF_OPEN, NO_ROUTE, exporter
from tests.support import smi_tools
from tests.support.capabilities import needs_agentx
from tests.support.planted import Edit, planted
from tests.support.process import run
from tests.support.schemas import NAMES, sources

needs_exporter = pytest.mark.skipif(
    exporter.PROGRAM is None, reason="no prometheus-snmp-exporter: ./dev setup"
)
STRINGS = ("DisplayString", "OctetString", "DateAndTime", "PhysAddress48")
ADDRESSES = ("InetAddress", "InetAddressIPv4", "InetAddressIPv6")
TYPES = ("counter", "gauge", "EnumAsStateSet", "Bits", *STRINGS, *ADDRESSES)
INDEX_TYPES = ("gauge", "EnumAsInfo", *STRINGS, *ADDRESSES)
WIDE = 0xFEDCBA9876543210 % 2**53
"""The exporter keeps 53 bits of a large counter."""


def ready(schema: Path, output: Path) -> dict[str, Any]:
    """What is in the module that is ready."""
    result = build(BuildRequest(str(schema), str(output), only=("snmp_exporter",)))
    assert result.exit_code == 0
    (path,) = output.glob("*_snmp.yml")
    (module,) = yaml.safe_load(path.read_text("utf-8"))["modules"].values()
    made: dict[str, Any] = module
    return made


OF_OTHERS = """
ctrgen: 1
module: im
snmp:
  types:
    ImName: {syntax: OCTET STRING (SIZE (0..32)), display_hint: 32a, description: A name.}
    ImRaw: {syntax: OCTET STRING (SIZE (0..32)), display_hint: "1x:", description: Octets.}
scopes:
  row:
    max: 4
    index:
      - {object: "A-MIB::aEngine", syntax: "SNMP-FRAMEWORK-MIB::SnmpEngineID"}
      - {object: "A-MIB::aName", syntax: "B-TC::BName (SIZE (1..9))"}
      - {object: "A-MIB::aPlace", syntax: "B-TC::BNumber"}
      - {object: "A-MIB::aSubtree", syntax: "SNMPv2-TC::AutonomousType"}
    snmp: {implied: true}
    states:
      next: {type: string, length: 99, description: A, snmp: {syntax: "SNMPv2-TC::RowPointer"}}
      text: {type: string, length: 99, description: B, snmp: {syntax: "B-TC::BText"}}
      name: {type: string, length: 32, description: C, snmp: {syntax: ImName}}
      raw: {type: string, length: 32, description: D, snmp: {syntax: ImRaw}}
      peer: {type: ipv4, description: G, snmp: {syntax: "B-TC::BAddress"}}
      number: {type: uint32, description: E, snmp: {syntax: "B-TC::BNumber"}}
  more:
    max: 4
    augments: A-MIB::aEntry
    index: [{object: "A-MIB::aName", syntax: "SNMPv2-TC::DisplayString"}]
    snmp: {implied: true}
    counters: {pkts: {unit: packets, description: F}}
"""


def test_types_of_other_modules(tmp_path: Path) -> None:
    """Texts are not numbers, of which an index is one sub-identifier."""
    (tmp_path / "im.yaml").write_text(OF_OTHERS, "utf-8")
    made = {m["name"]: m for m in ready(tmp_path / "im.yaml", tmp_path / "o")["metrics"]}
    assert {name: metric["type"] for name, metric in made.items() if "row" in name} == {
        "im_row_next_info": "OctetString", "im_row_text_info": "OctetString",
        "im_row_name_info": "DisplayString", "im_row_raw_info": "OctetString",
        "im_row_peer_info": "InetAddressIPv4", "im_row_number": "gauge",
    }  # fmt: skip
    types = [(index["labelname"], index["type"]) for index in made["im_row_number"]["indexes"]]
    assert types == [
        ("aEngine", "OctetString"), ("aName", "OctetString"), ("aPlace", "gauge"),
        ("aSubtree", "OctetString"),
    ]  # fmt: skip
    assert made["im_more_pkts_total"]["indexes"] == [
        {"labelname": "aName", "type": "DisplayString", "implied": True}
    ]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_schema(name: str, tmp_path: Path) -> None:
    schema = sources(tmp_path / "s")[name]
    module = ready(schema, tmp_path / "o")
    walked = {*module.get("walk", ()), *(oid[:-2] for oid in module.get("get", ()))}
    names = [metric["name"] for metric in module["metrics"]]
    assert len(set(names)) == len(names), "one name, one type"
    for metric in module["metrics"]:
        assert re.fullmatch("[a-z][a-zA-Z0-9_]*", metric["name"])
        assert metric["type"] in TYPES and metric["oid"] in walked and metric["help"]
        labels = [index["labelname"] for index in metric.get("indexes", ())]
        assert len({*labels, metric["name"]}) == len(labels) + 1
        for index in metric.get("indexes", ()):
            assert re.fullmatch("[a-zA-Z][a-zA-Z0-9_]*", index["labelname"])
            assert index["type"] in INDEX_TYPES
            assert ("enum_values" in index) == (index["type"] == "EnumAsInfo")


@pytest.mark.parametrize("name", NAMES)
def test_metrics_are_called_as_everywhere(name: str, tmp_path: Path) -> None:
    schema = sources(tmp_path / "s")[name]
    checked = check(str(schema))
    module = checked.module
    assert module is not None
    lock = checked.publication[1] or assign(module, None).lock
    made = ready(schema, tmp_path / "o")
    units = {metric["name"]: metric["help"] for metric in made["metrics"]}
    for table in Reader(module, lock).run():
        for found in table.objects:
            item = found.item
            if item is None or item.histogram or found.moment:
                continue
            wanted = prometheus.metric(module, table.scope, item).name
            assert found.metric.name == wanted and wanted in units
            assert item.unit in ("", "1") or f"[{item.unit}]" in units[wanted]


@needs_exporter
@pytest.mark.parametrize("name", NAMES)
def test_the_exporter_loads_it(name: str, tmp_path: Path) -> None:
    schema = sources(tmp_path / "s")[name]
    ready(schema, tmp_path / "o")
    (path,) = (tmp_path / "o").glob("*_snmp.yml")
    found = exporter.Exporter(tmp_path, path.read_text("utf-8"))
    try:
        assert "snmp_exporter_build_info" in found.get("/metrics").decode()
    finally:
        found.stop()


@pytest.fixture(scope="module")
def scraped(folder: Path, master: lab.Master) -> Iterator[exporter.Samples]:
    found = exporter.Exporter(folder, (folder / "out" / "mon_stats_snmp.yml").read_text("utf-8"))
    try:
        yield found.scrape(master.port, "mon_stats")
    finally:
        found.stop()


def test_the_converter_of_old_versions_knows_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporter, "version", lambda program: (0, 25))
    assert exporter.configuration("a: b", "x") == "a: b"


def escaped(text: str) -> str:
    """A text as an exposition has it."""
    return text.replace("\\", r"\\").replace('"', r"\"")


def labelled(**labels: str) -> frozenset[tuple[str, str]]:
    return frozenset(labels.items())


NUMBERS = {
    "mon_wide_total": WIDE, "mon_narrow_errors_total": 4000000000, "mon_depth": 4,
    "mon_fill": 2**40, "mon_deepest": 9, "mon_level": -5, "mon_since": 12345,
    "mon_sizes_to_64_total": 2, "mon_sizes_to_512_total": 1, "mon_sizes_above_512_total": 1,
    "mon_sizes_sum": 60 + 64 + 65 + 9000,
    "mon_up": 1, "mon_down": 0, "mon_untouched_sysuptime_ticks": 0,
    "mon_wide_total_own": 11, "mon_title_info_own": 12,  # names that step aside
}  # fmt: skip
TEXTS = {
    "mon_address_info": "192.0.2.200",
    "mon_remote_info": "2001:0DB8:0000:0000:0000:0000:0000:00FF",
    "mon_station_info": "02:00:00:00:80:AB", "mon_title_info": r"A \"ti\\tle\" é",
}  # fmt: skip
WANTED = {
    **{name: {labelled(): number} for name, number in NUMBERS.items()},
    **{name: {labelled(**{name: text}): 1} for name, text in TEXTS.items()},
    "mon_mode": {
        labelled(mon_mode=label): label == escaped(HALF_OPEN)
        for label in ("idle", escaped(HALF_OPEN), "y")
    },
    "mon_queue_pkts_total": {  # as numbers of the MIB
        labelled(monPortIndex=f"{port + 1}", monQueueIndex=f"{queue + 1}"): port * 100 + queue
        for port in range(2) for queue in range(3)
    },
    "mon_drop_pkts_total": {
        labelled(reason=reason, direction=way): 3 if (reason, way) == ("TTL", "in") else 0
        for reason in (escaped(NO_ROUTE), "TTL") for way in ("in", "out")
    },
}  # fmt: skip
"""Samples of metrics of a running application, by their labels."""


def of(samples: exporter.Samples, name: str) -> dict[frozenset[tuple[str, str]], float]:
    """The samples of a metric."""
    return {labels: value for (metric, labels), value in samples.items() if metric == name}


@needs_exporter
@needs_agentx
@pytest.mark.parametrize("name", WANTED)
def test_what_is_scraped(scraped: exporter.Samples, name: str) -> None:
    assert of(scraped, name) == WANTED[name]


@needs_exporter
@needs_agentx
def test_a_moment_and_dynamic_rows_are_scraped(scraped: exporter.Samples) -> None:
    (touched,) = of(scraped, "mon_touched_sysuptime_ticks").values()
    assert touched > 0
    assert sorted(of(scraped, "mon_flow_hits_total").values()) == [0, 70]


def test_what_the_agent_does_not_serve_is_not_asked_for(folder: Path) -> None:
    """But how full it is."""
    text = (folder / "out" / "mon_stats_snmp.yml").read_text("utf-8")
    assert "mon_many_lost" not in text and "mon_many_instances_max" in text


def indexes(metric: dict[str, Any]) -> list[str]:
    """The types of indexes; named values do not matter to the generator's own."""
    return [index["type"].replace("EnumAsInfo", "gauge") for index in metric.get("indexes", ())]


BETTER = {("counter", "gauge"), ("gauge", "EnumAsStateSet")}
"""Types of the MIB that the schema knows better."""


@pytest.mark.skipif(exporter.GENERATOR is None, reason="no prometheus-snmp-generator: ./dev setup")
def test_the_generator_makes_the_same(folder: Path, tmp_path: Path) -> None:
    """Of the same OIDs; names, and types of numbers, are those of metrics."""
    smi_tools.needs(modules=("SNMPv2-SMI", "SNMPv2-TC", "INET-ADDRESS-MIB", "HCNUM-TC"))
    assert exporter.GENERATOR is not None
    ours = yaml.safe_load((folder / "out" / "mon_stats_snmp.yml").read_text("utf-8"))
    walk = [metric["oid"] for metric in exporter.metrics(ours, "mon_stats")]
    written = {"modules": {"mon_stats": {"walk": walk}}}
    (tmp_path / "generator.yml").write_text(yaml.safe_dump(written), "utf-8")
    environment = {"MIBDIRS": f"{smi_tools.BASE}:{folder}/out", "MIBS": "ALL"}
    done = run(
        exporter.GENERATOR,
        "--no-fail-on-parse-errors",
        "generate",
        cwd=tmp_path,
        env={**smi_tools.PLAIN, **environment},
    )
    assert done.returncode == 0, done.stderr
    made = yaml.safe_load((tmp_path / "snmp.yml").read_text("utf-8"))
    of_both = [
        {metric["oid"]: metric for metric in exporter.metrics(document, "mon_stats")}
        for document in (made, ours)
    ]
    assert of_both[0].keys() == of_both[1].keys()
    better = set()
    for oid, theirs in of_both[0].items():
        mine = of_both[1][oid]
        assert indexes(theirs) == indexes(mine)
        same = mine["type"].startswith(theirs["type"])  # with the family of an address
        better.add((theirs["type"], mine["type"])) if not same else None
    assert better == BETTER


BACKEND, VIEW = "generator/backends/snmp_exporter.py", "generator/backends/polled.py"
BUGS = {
    "untruth-is-two": (Edit(BACKEND, '"scale": -1, "offset": 2', '"scale": 1'), "mon_down"),
    "labels-without-texts": (
        Edit(VIEW, "_named(syntax, objects.numbered(level))", "syntax"), "mon_drop_pkts_total",
    ),
    "states-without-texts": (
        Edit(VIEW, "label.value: label.shown", "label.value: label.name"), "mon_mode",
    ),
    "two-metrics-of-a-name": (
        Edit(VIEW, "while metric.name in self.taken", "while False"), "mon_wide_total_own",
    ),
    "moments-are-times": (
        Edit(VIEW, 'MOMENTS = ("TimeStamp",)', "MOMENTS = ()"), "mon_untouched_sysuptime_ticks",
    ),
    "one-label-for-all": (
        Edit(BACKEND, '"labelname": index.label', '"labelname": "a"'), "mon_queue_pkts_total",
    ),
}  # fmt: skip
"""Bugs, and a metric whose samples are wrong with each."""


@needs_exporter
@needs_agentx
@pytest.mark.one_in(6)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, folder: Path, master: lab.Master, tmp_path: Path) -> None:
    edit, name = BUGS[bug]
    tree = planted(tmp_path, [edit])
    tree.succeed("build", folder / "mon.yaml", "-o", tmp_path / "o", "--only", "snmp_exporter")
    text = (tmp_path / "o" / "mon_stats_snmp.yml").read_text("utf-8")
    found = exporter.Exporter(tmp_path, text)
    try:
        with pytest.raises((AssertionError, HTTPError)):
            test_what_is_scraped(found.scrape(master.port, "mon_stats"), name)
    finally:
        found.stop()

# SPDX-License-Identifier: BSD-3-Clause
"""What Telegraf reads: its own verdict where it is installed, else what its documentation says."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from tests.agentx import lab
from tests.monitoring import NO_ROUTE
from tests.support.capabilities import needs, needs_agentx
from tests.support.planted import Edit, planted
from tests.support.process import succeed
from tests.support.schemas import NAMES, sources

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

NAME, OID = "[a-zA-Z][a-zA-Z0-9_]*", r"[0-9]+(\.[0-9]+)+"
FIELD = {"name", "oid", "conversion"}
INPUT = {"agents", "version", "community", "name", "agent_host_tag", "field", "table"}


def made(schema: Path, output: Path) -> dict[str, Any]:
    """What is written for a schema."""
    result = build(BuildRequest(str(schema), str(output), only=("telegraf",)))
    assert result.exit_code == 0
    (path,) = output.glob("*_telegraf.conf")
    return tomllib.loads(path.read_text("utf-8"))


def judge_fields(fields: list[dict[str, Any]], scalar: bool) -> None:
    names = [field["name"] for field in fields]
    assert len(set(names)) == len(names)
    for field in fields:
        assert field.keys() <= FIELD and re.fullmatch(NAME, field["name"])
        assert re.fullmatch(OID, field["oid"]) and field["oid"].endswith(".0") == scalar
        assert field.get("conversion") in (None, "ipaddr", "hwaddr")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_schema(name: str, tmp_path: Path) -> None:
    document = made(sources(tmp_path / "s")[name], tmp_path / "o")
    (plugin,) = document["inputs"]["snmp"]
    assert plugin.keys() <= INPUT
    judge_fields(plugin.get("field", []), True)
    measured = {plugin["name"]}
    for table in plugin.get("table", []):
        assert table.keys() == {"name", "index_as_tag", "field"} and table["index_as_tag"] is True
        judge_fields(table["field"], False)
        measured.add(table["name"])
    for processors in document.get("processors", {}).values():
        for processor in processors:
            assert set(processor["namepass"]) <= measured
    for regex in document.get("processors", {}).get("regex", []):
        for number, tag in enumerate(regex["tags"]):
            index = ".".join(str(10 + n) for n in range(len(regex["tags"])))
            match = re.fullmatch(tag["pattern"], index)
            assert match is not None and match[1] == str(10 + number)
            assert tag["key"] == "index" and tag["replacement"] == "${1}"


def test_labels_and_truth_are_those_of_metrics(folder: Path) -> None:
    document = tomllib.loads((folder / "out" / "mon_stats_telegraf.conf").read_text("utf-8"))
    found = {}
    for processor in document["processors"]["enum"]:
        for mapping in processor["mapping"]:
            name = mapping.get("tag") or mapping.get("field")
            found[processor["namepass"][0], name] = mapping["value_mappings"]
    assert found == {
        ("mon", "up"): {"1": 1, "2": 0}, ("mon", "down"): {"1": 1, "2": 0},
        ("mon_drop", "reason"): {"1": NO_ROUTE, "2": "TTL"},
        ("mon_drop", "direction"): {"1": "in", "2": "out"},
    }  # fmt: skip


def asked(folder: Path, master: lab.Master, conf: Path) -> set[tuple[str, ...]]:
    """What telegraf reads of a running application: measurement, tags and fields."""
    text = conf.read_text("utf-8").replace("127.0.0.1:161", f"127.0.0.1:{master.port}")
    (folder / "telegraf.conf").write_text(text, "utf-8")
    printed = succeed("telegraf", "--config", folder / "telegraf.conf", "--test")
    found = set()
    for line in printed.splitlines():
        tags, fields = line.removeprefix("> ").rsplit(" ", 1)[0].split(" ", 1)
        kept = [tag for tag in tags.split(",") if not tag.startswith(("host=", "source="))]
        found |= {(*kept, field) for field in fields.split(",")}
    return found


WANTED = {
    ("mon", "wide_total=18364758544493064720u"), ("mon", "up=1i"), ("mon", "down=0i"),
    ("mon", "level=-5i"), ("mon", "mode=2i"), ("mon", 'address_info="192.0.2.200"'),
    ("mon", 'remote_info="2001:db8::ff"'), ("mon", 'station_info="02:00:00:00:80:ab"'),
    ("mon_queue", "index=2.3", "monPortIndex=2", "monQueueIndex=3", "pkts_total=102u"),
    ("mon_drop", "direction=in", "index=2.1", "reason=ttl", "pkts_total=3u"),
    ("mon_flow", "index=8", "monFlowIndex=8", "hits_total=70u"),
}  # fmt: skip


@needs("telegraf")
@needs_agentx
def test_of_a_running_application(folder: Path, master: lab.Master, tmp_path: Path) -> None:
    found = asked(tmp_path, master, folder / "out" / "mon_stats_telegraf.conf")
    assert found >= WANTED


BUGS = {
    "another part": Edit("generator/backends/telegraf.py", "n == number", "n == 0"),
    "a scalar's column": Edit("generator/backends/telegraf.py", ".dotted}.0", ".dotted}"),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [BUGS[bug]])
    schema = sources(tmp_path / "s")["drops"]
    tree.succeed("build", schema, "-o", tmp_path / "o", "--only", "telegraf")
    document = tomllib.loads((tmp_path / "o" / "fw_stats_telegraf.conf").read_text("utf-8"))
    patterns = [tag["pattern"] for tag in document["processors"]["regex"][0]["tags"]]
    parts = [re.fullmatch(pattern, "3.2")[1] for pattern in patterns]  # type: ignore[index]
    scalar = document["inputs"]["snmp"][0]["field"][0]["oid"].endswith(".0")
    assert (parts, scalar) != (["3", "2"], True)

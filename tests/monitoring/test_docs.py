# SPDX-License-Identifier: BSD-3-Clause
"""Reference pages of a schema: every item with the names that other outputs give it."""

import re
from pathlib import Path

import pytest

from ctrgen.model import health
from ctrgen.pipeline.build import BuildRequest, build
from tests.support.process import ctrgen
from tests.support.schemas import NAMES, module_of, sources
from tests.support.strategies import LOCKING

NASTY = '<b>x</b> & "y" | `z` *a* [b](c) {{ 7*7 }} $d$ -->'


def made(schema: Path, output: Path) -> str:
    result = build(BuildRequest(str(schema), str(output), only=("docs",)))
    assert result.exit_code == 0
    (markdown,) = output.glob("*.md")
    return markdown.read_text("utf-8")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NAMES)
def test_every_schema(name: str, tmp_path: Path) -> None:
    schema = sources(tmp_path / "s")[name]
    markdown = made(schema, tmp_path / "o")
    module = module_of(schema)
    heads = [line.replace("\\", "") for line in re.findall(r"^### (.*)$", markdown, re.MULTILINE)]
    items = [f"{item.scope}.{item.name}" for scope in health.shown(module) for item in scope.items]
    assert heads == items


def test_names_of_all_outputs(tmp_path: Path) -> None:
    """Those of one counter are what the other outputs have."""
    schema = sources(tmp_path / "s")["gateway"]
    markdown = made(schema, tmp_path / "o")
    part = markdown.partition("### session.uplink\\_octets")[2].partition("###")[0]
    codes = re.findall("`([^`]+)`", part)
    only = "c,mib,snmp_exporter"
    done = ctrgen("build", str(schema), "-o", str(tmp_path / "all"), "--only", only)
    assert done.exit_code == 0, done.output
    texts = {path.name: path.read_text("utf-8") for path in (tmp_path / "all").rglob("*.*")}
    header, mib = texts["gateway_stats.h"], texts["GATEWAY-STATS-MIB.txt"]
    assert "inline void gateway_stats_session_add_uplink_octets(" in header
    assert "gateway_stats_session_add_uplink_octets()" in codes
    (name,) = [code for code in codes if code.startswith("gatewaySession")]
    assert f"{name} OBJECT-TYPE" in mib
    (oid,) = [code for code in codes if code[0].isdigit()]
    assert f"oid: {oid}\n" in texts["gateway_stats_snmp.yml"].replace("'", "").replace('"', "")
    assert "gateway_session_uplink_octets_total{imsi}" in codes


def rows(markdown: str, scope: str) -> dict[str, str]:
    """The table of facts about a scope."""
    part = markdown.partition(f"\n## {scope}\n")[2].partition("\n### ")[0]
    return dict(re.findall(r"^\| ([A-Z][^|]*) \| (.*) \|$", part, re.MULTILINE))


def test_promises_memory_and_calls_of_a_scope(tmp_path: Path) -> None:
    """Those of the strategy with the scope's tunables, and bytes that the C code asserts."""
    schema = sources(tmp_path / "s")["router"]
    markdown = made(schema, tmp_path / "o")
    hop = rows(markdown, "next\\_hop")
    assert hop["Strategy"].startswith("shared\\_lock (granularity: instance, lock: ticket")
    assert hop["Consistency"] == "update" and hop["Visible after"] == "store"
    assert hop["Reader"].endswith(": an interrupted reader blocks all writers")
    assert hop["Update waits"].endswith("spin until a thread that was preempted runs again")
    assert hop["Exact"] == "yes"
    assert hop["Calls"] == "`router_stats_next_hop_read()`, `router_stats_next_hop_reset()`"
    assert rows(markdown, "global")["Reader"] == "preemptible"

    done = ctrgen("build", str(schema), "-o", str(tmp_path / "all"), "--only", "c")
    assert done.exit_code == 0, done.output
    header = (tmp_path / "all" / "router_stats.h").read_text("utf-8")
    (size,) = re.findall(rf"sizeof\(struct router_stats_{LOCKING}_instance\) == (\d+)", header)
    (number,) = re.findall(r"^#define ROUTER_STATS_NEXT_HOP_MAX (\d+)u$", header, re.MULTILINE)
    assert hop["Memory"].startswith(f"each instance: {int(size) // int(number)} bytes;")
    part = markdown.partition("### global.forwarded\\_pkts")[2].partition("###")[0]
    assert "* Changed by: `router_stats_update_forward()`\n" in part


def test_calls_of_every_storage(tmp_path: Path) -> None:
    """Static, dynamic and embedded, with resets and without: what is named is there."""
    schema = sources(tmp_path / "s")["upf"]
    markdown = made(schema, tmp_path / "o")
    done = ctrgen("build", str(schema), "-o", str(tmp_path / "all"), "--only", "c")
    assert done.exit_code == 0, done.output
    header = (tmp_path / "all" / "upf_stats.h").read_text("utf-8")
    calls = re.findall(r"`(\w+)\(\)`", "".join(re.findall(r"^\| Calls .*$", markdown, re.M)))
    calls += re.findall(r"`(\w+)\(\)`", "".join(re.findall(r"^\* (?:C|Cha).*$", markdown, re.M)))
    assert len(calls) > 20
    assert [call for call in calls if not re.search(rf"\b{call}\(", header)] == []
    flow = rows(markdown, "flow")
    assert flow["Instances"] == "one in each object of the application"
    assert flow["Memory"] == "24 bytes in the application's object"


def test_notifications_and_histograms(tmp_path: Path) -> None:
    markdown = made(sources(tmp_path / "s")["gateway"], tmp_path / "o")
    assert "| drops\\_high | Packets are dropped faster" in markdown
    schema = tmp_path / "sizes.yaml"
    schema.write_text(
        "ctrgen: 1\nmodule: sizes\nscopes:\n  global:\n    histograms:\n"
        "      size: {unit: bytes, description: Sizes., bounds: [64, 1500]}\n"
    )
    markdown = made(schema, tmp_path / "h")
    assert markdown.count("* C: `sizes_stats_observe_size()`, `sizes_stats_get_size_") == 4


def test_text_is_text(tmp_path: Path) -> None:
    schema = tmp_path / "nasty.yaml"
    text = NASTY.replace("'", "''")
    schema.write_text(
        "ctrgen: 1\nmodule: ep\nscopes:\n  global:\n    counters:\n"
        f"      pkts: {{unit: packets, description: '{text}'}}\n"
    )
    markdown = made(schema, tmp_path / "o")
    assert re.sub(r"\\(.)", r"\1", markdown).count(NASTY) == 1
    assert "<b>" not in markdown.replace("\\<b\\>", "")


def test_the_command(tmp_path: Path) -> None:
    schema = sources(tmp_path / "s")["gateway"]
    done = ctrgen("docs", str(schema), "-o", str(tmp_path / "o"))
    assert done.exit_code == 0, done.output
    assert {path.suffix for path in (tmp_path / "o").glob("gateway*")} == {".md"}

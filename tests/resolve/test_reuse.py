# SPDX-License-Identifier: BSD-3-Clause
"""Defaults and sets give the same module as the schema with everything written out."""

import json
from pathlib import Path
from typing import Any

import pytest

from ctrgen.pipeline.check import as_json, check

SHORT = """\
ctrgen: 1
module: ep
include: [queues.yaml]
defaults:
  counters: {unit: packets, width: 32}
  gauges: {unit: packets}
  scopes: {reset: false, storage: dynamic}
sets:
  traffic:
    description: What every hop counts.
    counters:
      pkts: {description: Packets.}
      bytes: {unit: bytes, width: 64, description: Octets.}
    gauges:
      held: {description: Packets held.}
scopes:
  global:
    use: [traffic]
  slot: {max: 2}
  port:
    parent: slot
    max: 4
    use: [traffic]
    counters:
      drops: {description: Packets dropped.}
    states:
      up: {type: bool, description: Whether it is up.}
  why:
    labels: [vlan, ttl]
    counters:
      pkts: {description: Packets dropped.}
updates:
  packet: {args: {size: uint16}, add: {global.pkts: 1, port.bytes: size, queue.pkts: 1}}
"""
QUEUES = """\
scopes:
  queue: {max: 8, use: [traffic]}
"""
LONG = """\
ctrgen: 1
module: ep
include: [queues.yaml]
scopes:
  global:
    counters: &counters
      pkts: {unit: packets, width: 32, description: Packets.}
      bytes: {unit: bytes, description: Octets.}
    gauges: &gauges
      held: {unit: packets, description: Packets held.}
  slot: {max: 2}
  port:
    parent: slot
    max: 4
    reset: false
    storage: dynamic
    counters:
      pkts: {unit: packets, width: 32, description: Packets.}
      bytes: {unit: bytes, description: Octets.}
      drops: {unit: packets, width: 32, description: Packets dropped.}
    gauges: *gauges
    states:
      up: {type: bool, description: Whether it is up.}
  why:
    labels: [vlan, ttl]
    reset: false
    counters:
      pkts: {unit: packets, width: 32, description: Packets dropped.}
updates:
  packet: {args: {size: uint16}, add: {global.pkts: 1, port.bytes: size, queue.pkts: 1}}
"""
LONG_QUEUES = """\
scopes:
  queue:
    max: 8
    counters:
      pkts: {unit: packets, width: 32, description: Packets.}
      bytes: {unit: bytes, description: Octets.}
    gauges:
      held: {unit: packets, description: Packets held.}
"""


def resolved(folder: Path, text: str, queues: str) -> Any:
    """The module of a schema of two files, without positions."""
    folder.mkdir()
    (folder / "ep.yaml").write_text(text)
    (folder / "queues.yaml").write_text(queues)
    checked = check(str(folder / "ep.yaml"))
    assert checked.module is not None, checked.diagnostics.findings
    assert not checked.diagnostics.findings
    return json.loads(as_json(checked.module))


def test_the_same_as_written_out(tmp_path: Path) -> None:
    short = resolved(tmp_path / "short", SHORT, QUEUES)
    assert short == resolved(tmp_path / "long", LONG, LONG_QUEUES)


@pytest.mark.parametrize(
    "bug", ["{**defaults, **node.value}", "groups.setdefault(kind, {})[item] = node"]
)
def test_a_bug_there_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: str) -> None:
    """That the comparison sees what reuse does: without it, the schemas differ."""
    from ctrgen.frontends.resolve import reuse

    source = Path(reuse.__file__).read_text("utf-8")
    assert bug in source
    monkeypatch.setattr(reuse, "_filled" if "defaults" in bug else "_items", _nothing)
    with pytest.raises(AssertionError):
        test_the_same_as_written_out(tmp_path)


def _nothing(node: object, *_: object) -> object:
    return node if _ else ()


def test_an_alias_of_a_scope_that_uses_a_set(tmp_path: Path) -> None:
    text = SHORT.replace("  slot: {max: 2}\n", "  slot: &slot {max: 2, use: [traffic]}\n")
    text = text.replace("  why:\n", "  other: *slot\n  why:\n")
    module = resolved(tmp_path / "alias", text, QUEUES)
    scopes = {scope["name"]: scope for scope in module["scopes"]}
    assert [item["name"] for item in scopes["other"]["items"]] == ["pkts", "bytes", "held"]


@pytest.mark.parametrize("own", [True, False])
def test_a_set_of_an_included_file_may_be_for_others(tmp_path: Path, own: bool) -> None:
    sets = "sets:\n"
    for name in ("traffic", "errors"):
        sets += f"  {name}: {{counters: {{{name}: {{unit: packets, description: P.}}}}}}\n"
    top = "ctrgen: 1\nmodule: ep\nscopes: {port: {max: 4, use: [traffic]}}\n"
    (tmp_path / "lib.yaml").write_text(sets)
    path = tmp_path / "ep.yaml"
    path.write_text(top + (sets if own else "include: [lib.yaml]\n"))
    findings = check(str(path)).diagnostics.findings
    assert [finding.rule for finding in findings] == ["unused-set"] * own

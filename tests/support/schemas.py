# SPDX-License-Identifier: BSD-3-Clause
"""Schemas whose modules are tested, and how one is built."""

import shutil
from pathlib import Path

import yaml

from ctrgen.findings.printers import print_findings
from ctrgen.model import ir
from ctrgen.model.language.schema import SyncChoice
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from tests.support.paths import ROOT

STARTER = ROOT / "templates" / "init" / "stats.yaml"

EVERYTHING = """\
ctrgen: 1
module: my_app
description: 'Hostile "text" -- with */ and %s and \\é — “quotes” and a /* comment.'
snmp:
  enterprise: 9999
  arc: [1, 2, 7]
  low_capacity: true
  organization: 'Ünïcode "Org" -- x'
  contact: "Somebody\\n\\nSomewhere -- else %n"
  revisions:
    - {date: "2026-02-01T12:30", description: 'Second -- "revision".'}
    - {date: "2026-01-15", description: First.}
scopes:
  global:
    counters:
      rx: {unit: packets, description: "Line with -- dashes."}
      time: {unit: By, description: Unit By.}
      w32_errors:
        unit: errors
        width: 32
        description: "Averyverylongwordwithoutanyspacesinitthatmustbebrokensomewhereasitistoolong."
    gauges:
      g: {unit: '%', description: Load., min: 1, max: 100, width: 32}
      h: {unit: 'µs', description: Load., max: 100}
      objects: {unit: x, description: Named like a node.}
      m_i_b: {unit: x, description: Named like the identity.}
      enterprise: {unit: x, description: Named like the enterprise.}
    states:
      b: {type: bool, description: B.}
      i: {type: int32, unit: Cel, description: I.}
      u: {type: uint32, description: U.}
      e: {type: enum, labels: {one_two: 1-2, three: 3, x_86: X}, description: E.}
      t: {type: timeticks, description: T.}
      u64: {type: uint64, unit: x, description: U64.}
      last: {type: timestamp, description: When it was.}
      v4: {type: ipv4, description: V4.}
      v6: {type: ipv6, description: V6.}
      m: {type: mac, description: M.}
      s: {type: string, length: 255, description: S.}
  interface:
    max: 4
    index: ifIndex
    counters:
      in_pkts: {unit: packets, description: P.}
  queue:
    parent: interface
    max: 4
    counters:
      pkts: {unit: packets, description: P.}
    states:
      index: {type: uint32, description: An item named index.}
  xif:
    max: 4
    augments: IF-MIB::ifEntry
    reset: false
    counters:
      pkts: {unit: packets, description: P.}
  deep:
    parent: queue
    max: 5
    gauges:
      depth: {unit: x, description: X.}
  drop:
    labels: {vlan: VLAN, ttl_expired: 'T "T" */ -- \\ é', in: in, default: default, IPv6: IPv6}
    counters:
      pkts: {unit: packets, description: P., display: '"P" -- \\', prometheus: {name: drops}}
    states:
      index: {type: uint32, description: An item named index.}
  fault:
    parent: queue
    labels: {reason: [crc, too_short], direction: [in, out]}
    counters:
      pkts: {unit: packets, description: P.}
      reason: {unit: packets, description: An item named like a dimension.}
  side:
    labels: {way: [up, down], plane: [user, control]}
  slot:
    parent: side
    max: {symbol: RTE_MAX_ETHPORTS, value: 3, header: rte_ethdev.h}
  lane:
    parent: slot
    max: 2
    counters:
      pkts: {unit: packets, description: P.}
    states:
      slot_index: {type: uint32, description: An item named like an index.}
  lamp:
    parent: lane
    max: 2
    gauges:
      level: {unit: x, description: X.}
  known:
    max: 3
    storage: dynamic
    key:
      - {name: imsi_id, type: string, length: 15, description: 'Hostile "key" -- with */ and \\é.'}
      - {name: mode, type: enum, labels: {IPv6: 6, x_86: {value: 2, text: x-86}}, description: M.}
      - {name: type, type: ip_address, description: Named like the type of an address.}
    counters:
      pkts: {unit: packets, description: P.}
  inner:
    parent: known
    max: 2
    key:
      - {name: v4, type: ipv4, description: V4.}
      - {name: v6, type: ipv6, description: V6.}
      - {name: mac, type: mac, description: Mac.}
      - {name: port, type: inet_port, description: P.}
      - {name: tag, type: octets, length: 4, description: T.}
      - {name: number, type: int32, description: N.}
      - {name: code, type: string, length: 2, fixed: true, description: C.}
      - {name: name, type: string, length: 5, description: Implied.}
    snmp: {implied: true}
    counters:
      pkts: {unit: packets, description: P.}
  innermost:
    parent: known
    max: 2
    gauges:
      level: {unit: x, description: X.}
"""
"""A schema with every kind of thing, and text that is hostile to SMI."""


def sources(folder: Path) -> dict[str, Path]:
    """Every schema by name: copies, so that lock files are written here."""
    shutil.copytree(ROOT / "schemas", folder, dirs_exist_ok=True)
    found = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    shutil.copy(STARTER, folder / "starter.yaml")
    (folder / "everything.yaml").write_text(EVERYTHING, "utf-8")
    found["starter"] = folder / "starter.yaml"
    found["everything"] = folder / "everything.yaml"
    return found


NAMES = [*sorted(path.stem for path in (ROOT / "schemas").glob("*.yaml")), "starter", "everything"]


def module_of(schema: Path | str, sync: SyncChoice | str | None = None) -> ir.Module:
    """What a schema describes, which is in a file or is this text, under another strategy if one is
    given."""
    if isinstance(schema, Path):
        found = check(str(schema), sync)
    else:
        found = check("schema.yaml", sync, read=lambda _: schema.encode())
    assert found.module is not None, print_findings(found.diagnostics)
    return found.module


def module(schema: Path, output: Path) -> Path:
    """The MIB module of a schema, built into a folder."""
    result = build(BuildRequest(str(schema), str(output), only=("mib",)))
    assert result.exit_code == 0, print_findings(result.diagnostics)
    (path,) = output.glob("*.txt")
    return path


def with_views(text: str) -> str:
    """A schema with views, and without peaks, which views exclude."""
    data = yaml.safe_load(text) | {"views": ["cli", "billing"]}
    gone = [
        f"{name}.{peak}"
        for name, scope in data["scopes"].items()
        for peak in scope.pop("peaks", ())
    ]
    for update in data["updates"].values():
        for target in {*update.get("observe", {})} & {*gone}:
            del update["observe"][target]
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)

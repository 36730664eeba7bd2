# SPDX-License-Identifier: BSD-3-Clause
"""What RFC 4181 asks of a module beyond its syntax: rows, references, groups, ranges, parents."""

import re
from pathlib import Path

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from tests.docs.test_docs import blocks
from tests.mib.repository import Repository, revised, rules
from tests.support import smi_tools

NEEDED = ("IF-MIB", "INET-ADDRESS-MIB", "SNMP-FRAMEWORK-MIB", "HCNUM-TC")

SCHEMA = """\
ctrgen: 1
module: ep
snmp:
  enterprise: 32473
  revisions: [{date: "2026-01-15", description: First.}]
  groups:
    power: {optional: Needed where the chassis has sensors., description: What sensors say.}
    spare: {}
  types:
    EpShare: {syntax: Unsigned32 (0..100), description: A share., reference: RFC 1, display_hint: d}
scopes:
  global:
    gauges:
      load: {unit: '%', width: 32, max: 100, description: Load., snmp: {reference: "RFC 2, 3.1"}}
      free: {unit: '%', width: 32, min: 5, description: Free.}
      wide: {unit: bytes, max: 4096, description: Wide.}
      open: {unit: bytes, width: 32, description: Open.}
      volts: {unit: V, width: 32, description: Voltage., snmp: {group: power}}
    peaks:
      most: {of: load, description: Most.}
      burst: {unit: packets, description: Packets of a burst.}
      gap: {unit: ns, keep: minimum, width: 32, description: Time between two packets.}
    histograms:
      delays: {unit: ns, description: Delay of packets., log2: {min: 1, max: 4}}
    states:
      temp: {type: int32, min: -40, max: 120, unit: Cel, description: T., snmp: {group: power}}
      part: {type: uint32, max: 10, description: Part.}
      share: {type: uint32, description: Share., snmp: {syntax: EpShare, group: spare}}
      address: {type: ipv4, description: Address.}
      remote: {type: ipv6, description: Remote.}
      plain: {type: ipv4, description: Plain., snmp: {syntax: IpAddress}}
      seen: {type: timestamp, description: Seen., snmp: {syntax: DateAndTime}}
      last: {type: timestamp, description: Last.}
  port:
    max: 4
    index: IF-MIB::ifIndex
    snmp: {reference: RFC 2863}
    counters:
      pkts: {unit: packets, description: P.}
  queue:
    parent: port
    max: 4
    snmp: {row: One queue of a port., optional: Needed where ports have queues.}
    histograms:
      sizes: {unit: By, description: Octets of packets., bounds: [64, 1518]}
  flow:
    parent: queue
    max: 4
    storage: dynamic
    counters:
      pkts: {unit: packets, description: P.}
  shaper:
    max: 4
    augments: IF-MIB::ifEntry
    counters:
      pkts: {unit: packets, description: P.}
  drop:
    labels: [vlan, ttl]
    counters:
      pkts: {unit: packets, description: P.}
  side:
    max: 2
  lane:
    parent: side
    max: 2
    counters:
      pkts: {unit: packets, description: P.}
"""
OPTIONAL = ", optional: Needed where ports have queues."


@pytest.fixture
def text(repository: Repository) -> str:
    """The module on one line."""
    return " ".join(repository.build(SCHEMA).split())


def definition(text: str, name: str) -> str:
    """What a definition says, from its macro to its place."""
    return text.partition(f" {name} ")[2].partition("::= {")[0]


def test_every_tool_is_silent(repository: Repository) -> None:
    repository.build(SCHEMA)
    smi_tools.needs("smilint", "snmptranslate", modules=NEEDED)
    assert smi_tools.smilint(repository.modules[-1]) == ""
    assert smi_tools.pysmi(repository.modules[-1]) == "compiled"
    assert smi_tools.tree(repository.modules[-1].parent, repository.modules[-1])[1] == ""


ROWS = {
    "epPortEntry": "A row is there as long as the application runs. The index is that of other "
    "tables, too (ifIndex of IF-MIB): a row is about what has the same index there. It neither "
    "appears nor vanishes with that, for which there need not be a row.",
    "epQueueEntry": "One queue of a port. A row is there as long as the application runs. It "
    "belongs to the row of epPortEntry whose index its own one begins with.",
    "epFlowEntry": "A row appears when the application creates the flow, and vanishes with it. It "
    "belongs to the row of epQueueEntry whose index its own one begins with, and vanishes by "
    "itself.",
    "epShaperEntry": "The objects of one shaper. A row extends the row of ifEntry with the same "
    "index, and is there as long as that one.",
    "epDropEntry": "There is a row for each value of the index as long as the application runs.",
    "epLaneEntry": "The objects of one lane of one side. A row is there as long as the application "
    'runs."',
}


@pytest.mark.parametrize("name", sorted(ROWS))
def test_rows_say_when_they_are_there(name: str, text: str) -> None:
    assert ROWS[name] in definition(text, f"{name} OBJECT-TYPE")


TYPES = {
    "epStatsLoad": "Gauge32 (0..100)",
    "epStatsFree": "Gauge32 (5..4294967295)",
    "epStatsWide": "CounterBasedGauge64",
    "epStatsOpen": "Gauge32",
    "epStatsMost": "Gauge32 (0..100)",
    "epStatsTemp": "Integer32 (-40..120)",
    "epStatsPart": "Unsigned32 (0..10)",
    "epStatsAddressType": "InetAddressType",
    "epStatsAddress": "InetAddress (SIZE (4))",
    "epStatsRemoteType": "InetAddressType",
    "epStatsRemote": "InetAddress (SIZE (16))",
    "epStatsPlain": "IpAddress",
    "epStatsSeen": "DateAndTime",
    "epStatsLast": "TimeStamp",
}


@pytest.mark.parametrize("name", sorted(TYPES))
def test_types_say_what_values_there_are(name: str, text: str) -> None:
    said = definition(text, f"{name} OBJECT-TYPE")
    assert re.search(rf"(?:^| )SYNTAX {re.escape(TYPES[name])} (?:UNITS|MAX-ACCESS) ", said), said
    assert ("Values are" in said) == (name == "epStatsWide")


VALUES = {
    "epStatsBurst": ("CounterBasedGauge64", "Packets of a burst. The greatest value"),
    "epStatsGap": ("Gauge32", "Time between two packets. The least value"),
    "epQueueSizesTo64": ("Counter64", "Octets of packets. Values up to 64."),
    "epQueueSizesTo1518": ("Counter64", "Octets of packets. Values above 64 and up to 1518."),
    "epQueueSizesAbove1518": ("Counter64", "Octets of packets. Values above 1518."),
    "epQueueSizesSum": ("Counter64", "Octets of packets. Sum of all values."),
    "epStatsDelaysTo1": ("Counter64", "Delay of packets. Values up to 1."),
}
"""Objects of peaks and histograms: types and texts."""


@pytest.mark.parametrize("name", sorted(VALUES))
def test_objects_of_observed_values_say_which_these_are(name: str, text: str) -> None:
    said, (syntax, words) = definition(text, f"{name} OBJECT-TYPE"), VALUES[name]
    assert f"SYNTAX {syntax} " in said and words in said, said


def test_references(text: str) -> None:
    assert 'DESCRIPTION "Load." REFERENCE "RFC 2, 3.1"' in text
    assert 'DESCRIPTION "A share." REFERENCE "RFC 1" SYNTAX Unsigned32 (0..100)' in text
    assert 'DESCRIPTION "Port statistics." REFERENCE "RFC 2863"' in text
    assert text.count("REFERENCE") == 3


def test_what_is_optional_is_not_mandatory(text: str) -> None:
    compliance = definition(text, "epStatsCompliance MODULE-COMPLIANCE")
    mandatory, _, rest = compliance.partition("}")
    for name in ("epStatsGroup", "epPortGroup", "epStatsSpareGroup"):
        assert f" {name}" in mandatory
    for name, when in (
        ("epQueueGroup", "Needed where ports have queues."),
        ("epStatsPowerGroup", "Needed where the chassis has sensors."),
    ):
        assert name not in mandatory
        assert f'GROUP {name} DESCRIPTION "{when}"' in rest
    for name, kind in (("epStatsAddressType", "ipv4(1)"), ("epStatsRemoteType", "ipv6(2)")):
        assert f"OBJECT {name} SYNTAX InetAddressType {{ {kind} }} DESCRIPTION" in rest
    assert "OBJECTS { epStatsVolts, epStatsTemp } STATUS" in text
    assert 'DESCRIPTION "What sensors say."' in text


def test_a_module_may_have_optional_groups_alone(repository: Repository) -> None:
    text = repository.build(
        'ctrgen: 1\nmodule: ep\nsnmp: {revisions: [{date: "2026-01-15", description: F.}], '
        "enterprise: 32473}\nscopes:\n  global:\n    snmp: {optional: Never needed.}\n"
        "    counters:\n      pkts: {unit: packets, description: P.}\n"
    )
    mandatory = text.partition("MANDATORY-GROUPS")[2].partition("}")[0]
    assert mandatory.split() == ["{", "epStatsHealthGroup"] and "GROUP       epStatsGroup" in text
    smi_tools.needs("smilint")
    assert smi_tools.smilint(repository.modules[-1]) == ""


def test_what_is_optional_later_takes_a_new_compliance(repository: Repository) -> None:
    before = repository.build(SCHEMA.replace(OPTIONAL, ""))
    kept = before.partition("epStatsCompliance MODULE-COMPLIANCE")[2].partition("::=")[0]
    assert "epQueueGroup\n" in kept or "epQueueGroup," in kept
    after = repository.build(revised(SCHEMA, "2026-02-01"))
    words = " ".join(after.split())
    assert "epQueueGroup" in definition(words, "epStatsCompliance MODULE-COMPLIANCE STATUS "
                                        "deprecated").partition("}")[0]  # fmt: skip
    second = definition(words, "epStatsCompliance2 MODULE-COMPLIANCE STATUS current")
    assert "GROUP epQueueGroup" in second
    assert "epQueueGroup2" not in after
    again = repository.build(revised(SCHEMA, "2026-02-01"))
    assert again == after


def test_another_group_is_another_group(repository: Repository) -> None:
    """What was published holds what it held; a new one has what is in it now."""
    repository.build(SCHEMA)
    moved = SCHEMA.replace("snmp: {syntax: EpShare, group: spare}",
                           "snmp: {syntax: EpShare, group: power}")  # fmt: skip
    text = " ".join(repository.build(revised(moved, "2026-02-01")).split())
    old = definition(text, "epStatsPowerGroup OBJECT-GROUP")
    assert "OBJECTS { epStatsVolts, epStatsTemp } STATUS deprecated" in old
    new = definition(text, "epStatsPowerGroup2 OBJECT-GROUP")
    assert "OBJECTS { epStatsVolts, epStatsTemp, epStatsShare } STATUS current" in new


(ACME,) = (b.text for b in blocks("mib.md") if b.word == "ACME-SMI.txt")
"""The module of a company that the page shows."""

CHILD = """\
ctrgen: 1
module: NAME
snmp:
  parent: ACME-SMI::acmeStats
  enterprise: 32473
  arc: [5, NUMBER]
  revisions: [{date: "2026-01-15", description: First.}]
scopes:
  global:
    counters:
      pkts: {unit: packets, description: P.}
"""


def child(folder: Path, name: str, number: int) -> Path:
    """A schema below ACME-SMI, which is beside it."""
    (folder / "ACME-SMI.txt").write_text(ACME, "ascii")
    schema = folder / f"{name}.yaml"
    schema.write_text(CHILD.replace("NAME", name).replace("NUMBER", str(number)), "utf-8")
    return schema


def test_two_modules_share_a_parent(tmp_path: Path) -> None:
    modules = []
    for number, name in enumerate(("gw", "fw"), 1):
        schema = child(tmp_path, name, number)
        result = build(BuildRequest(str(schema), str(tmp_path / name), only=("mib",)))
        assert rules(result) == []
        (made,) = (tmp_path / name).glob("*.txt")
        modules.append(made.rename(tmp_path / made.name))
        text = modules[-1].read_text("ascii")
        assert f"::= {{ acmeStats {number} }}" in text and "enterprises" not in text
    smi_tools.needs("smilint", "snmptranslate")
    base = f"{smi_tools.BASE}:{tmp_path}"
    assert smi_tools.smilint(*modules, base=Path(base)) == ""
    printed, messages = smi_tools.tree(tmp_path, tmp_path / "ACME-SMI.txt", *modules)
    assert messages == "" and printed.count("acmeStats(5)") == 1
    assert "gwStatsMIB(1)" in printed and "fwStatsMIB(2)" in printed


def test_the_parent_is_where_its_module_says(tmp_path: Path) -> None:
    smi_tools.needs("smidump")
    schema = child(tmp_path, "gw", 1)
    assert check(str(schema)).diagnostics.findings == []
    schema.write_text(schema.read_text("utf-8").replace("[5, 1]", "[6, 1]"), "utf-8")
    (finding,) = check(str(schema)).diagnostics.findings
    assert finding.rule == "parent-oid" and "1.3.6.1.4.1.32473.5.1" in finding.hint
    schema.write_text(schema.read_text("utf-8").replace("acmeStats", "acmeOther"), "utf-8")
    (finding,) = check(str(schema)).diagnostics.findings
    assert finding.rule == "parent-unknown" and "acmeOther" in finding.message
    (tmp_path / "ACME-SMI.txt").unlink()
    (finding,) = check(str(schema)).diagnostics.findings
    assert finding.rule == "parent-unknown" and "not found" in finding.message

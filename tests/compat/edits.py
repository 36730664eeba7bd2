# SPDX-License-Identifier: BSD-3-Clause
"""Edits of a published schema under each clause of the RFCs, and what is special about some."""

from typing import NamedTuple

from tests.support.strategies import SHARED

FIRST = '    - {date: "2026-01-15", description: Initial revision.}\n'
SECOND = '    - {date: "2026-02-01", description: Second revision.}\n'


class Edit(NamedTuple):
    """An edit: what to replace, by what. `clause` is the one for or against it. `revised` adds a
    revision, as every change of a published module needs."""

    what: str
    clause: str
    changes: tuple[tuple[str, str], ...]
    revised: bool = True

    def apply(self, text: str) -> str:
        """The schema after the edit."""
        for old, new in self.changes:
            assert text.count(old) == 1, (self.what, old, text.count(old))
            text = text.replace(old, new)
        return text.replace(FIRST, SECOND + FIRST) if self.revised else text


def _edit(what: str, clause: str, *words: str, revised: bool = True) -> Edit:
    """An edit of pairs of texts."""
    return Edit(what, clause, tuple(zip(words[::2], words[1::2], strict=True)), revised)


SMI, TC, CONF, COMPLY = "2578, 10", "2579, 5", "2580, 7", "2580, 5"
RX = "rx_pkts: {unit: packets, description: Packets received.}\n"
TX = "tx_pkts: {unit: packets, description: Packets sent.}\n"
MODE = "labels: {idle: 1, busy: 2, off: 3}"
PORT = "  port:\n    max: 4\n"
INDEX = "    index: IF-MIB::ifIndex\n"
QUEUE = "  queue:\n    parent: port\n    max: 2\n"
WRAPS = "      wraps: {unit: packets, width: 32, description: Packets that are few.}\n"
FULL = "        oid: 1.3.6.1.4.1.32473.9.6.0.1\n        objects: "
LOADED = "        oid: 1.3.6.1.4.1.32473.9.6.1\n        objects: "
GROUP = (
    f"      edLoadGroup:\n{LOADED}[edStatsLoad, edStatsShare]\n"
    "        description: How busy it is.\n"
)
ASKED = "          - mandatory: [edLoadGroup]\n"
REFINED = 'syntax: "INTEGER { idle(1), off(3) }", '
EDITS = (
    # ---- the module: section 10 ----
    _edit("nothing but a revision", SMI),
    _edit("the strategy", SMI, "module: ed\n", f"module: ed\nsync: {SHARED}\n", revised=False),
    _edit("`max` of a scope", SMI, PORT, "  port:\n    max: 400\n", revised=False),
    _edit("the module's description", SMI, "an edge router.", "a router."),
    _edit("the module's description, no revision", SMI, "an edge router.", "a router.",
          revised=False),
    _edit("the contact, no revision", SMI, "mibs@example.net", "noc@example.net", revised=False),
    _edit("the organization, no revision", SMI, "Example Networks", "Example", revised=False),
    _edit("the text of a published revision", SMI, "Initial revision.", "First.", revised=False),
    _edit("the date of a published revision", SMI, FIRST, FIRST.replace("-15", "-16"),
          revised=False),
    _edit("an older revision put in", SMI, FIRST, FIRST + FIRST.replace("01-15", "01-01"),
          revised=False),
    _edit("a second revision of one day, without a time", SMI, FIRST,
          FIRST.replace("Initial", "Second") + FIRST, revised=False),
    _edit("a second revision of one day, at midnight", SMI, FIRST,
          FIRST.replace("-15", "-15T00:00").replace("Initial", "Second") + FIRST, revised=False),
    _edit("a second revision of one day, with a time", SMI, FIRST,
          FIRST.replace("-15", "-15T14:30") + FIRST, "an edge router.", "a router.",
          revised=False),
    _edit("a second revision of one day behind the first", SMI, FIRST,
          FIRST + FIRST.replace("-15", "-15T14:30"), revised=False),
    _edit("a revision of a day that there is not", SMI, FIRST,
          SECOND.replace("02-01", "02-30") + FIRST, revised=False),
    _edit("`draft: true`", SMI, "  arc: [9]\n", "  arc: [9]\n  draft: true\n"),
    _edit("the module's name", SMI, "  arc: [9]\n", "  arc: [9]\n  name: EDGE-MIB\n"),
    _edit("the module's identity", SMI, "  arc: [9]\n", "  arc: [9]\n  identity: edModule\n"),
    _edit("the module's OID", SMI, "arc: [9]", "arc: [10]"),
    _edit("the enterprise", SMI, "enterprise: 32473", "enterprise: 32474"),
    # ---- what is served ----
    _edit("`max` lowered", SMI, PORT, "  port:\n    max: 2\n", revised=False),
    _edit("`max` above 10,000", COMPLY, PORT, "  port:\n    max: 10001\n", revised=False),
    _edit("`max` of a parent, with rows below it above 10,000", COMPLY, PORT,
          "  port:\n    max: 5001\n", revised=False),
    _edit("`max` above 10,000, with `serve: true`", COMPLY, "    max: 8\n",
          "    max: 10001\n    snmp: {serve: true}\n", revised=False),
    _edit("`serve: false`", COMPLY, "    max: 8\n", "    max: 8\n    snmp: {serve: false}\n",
          revised=False),
    _edit("`serve: false`, with a comment", COMPLY, "    max: 8\n",
          "    max: 8\n    snmp: {serve: false} # ctrgen: allow table-unserved: few ask\n",
          revised=False),
    _edit("a `cap`", COMPLY, "{optional: With", "{cap: 3, optional: With", revised=False),
    _edit("a scope of more than 10,000 rows added", COMPLY, QUEUE,
          f"  lane:\n    max: 10001\n    counters:\n      {TX}{QUEUE}"),
    # ---- 10.1 ----
    _edit("the OID of a node", SMI + ".1", "32473.9.7", "32473.9.8"),
    _edit("the name of a node", SMI + ".1", "edNotes", "edRemarks"),
    # ---- 10.2 ----
    _edit("a label renamed", SMI + ".2 (1)", MODE, "labels: {idle: 1, working: 2, off: 3}"),
    _edit("a label added", SMI + ".2 (1)", MODE, "labels: {idle: 1, busy: 2, off: 3, ill: 4}"),
    _edit("a label removed", SMI + ".2 (1)", MODE, "labels: {idle: 1, busy: 2}"),
    _edit("a label with another value", SMI + ".2 (1)", MODE, "labels: {idle: 1, busy: 4, off: 3}"),
    _edit("two labels swapped", SMI + ".2 (1)", MODE, "labels: {busy: 1, idle: 2, off: 3}"),
    _edit("a label of an index renamed", SMI + ".2 (1)", "[vlan, ttl]", "[vlan, hops]"),
    _edit("a label of an index added", SMI + ".2 (1)", "[vlan, ttl]", "[vlan, ttl, acl]"),
    _edit("a label of an index removed", SMI + ".2 (1)", "[vlan, ttl]", "[vlan]"),
    _edit("labels of an index replaced by `max`", SMI + ".2", "labels: [vlan, ttl]", "max: 2"),
    _edit("labels of an index in two dimensions", SMI + ".2", "labels: [vlan, ttl]",
          "labels: {reason: [vlan, ttl], direction: [in, out]}"),
    _edit("a type replaced by a convention of another type", SMI + ".2 (2)", "How busy it is.}",
          "How busy it is., snmp: {syntax: EdShare}}"),
    _edit("a type replaced by a convention of that type", SMI + ".2 (2)", 'default: "5"',
          'syntax: EdLimit, default: "5"', "    EdShare: {", "    EdLimit: {syntax: Unsigned32, "
          "display_hint: d, description: A number of packets.}\n    EdShare: {"),
    _edit("an item obsolete", SMI + ".2 (3)", RX,
          RX.replace(".}", "., snmp: {status: obsolete}}")),
    _edit("a deprecated item obsolete", SMI + ".2 (3)", "{status: deprecated", "{status: obsolete"),
    _edit("an item deprecated", SMI + ".2 (3)", RX,
          RX.replace(".}", "., snmp: {status: deprecated}}")),
    _edit("a deprecated item current again", SMI + ".2 (3)", ", snmp: {status: deprecated}", ""),
    _edit("an item removed", SMI + ".2 (3)", f"      {TX}", ""),
    _edit("an item removed, no revision", SMI + ".2 (3)", f"      {TX}", "", revised=False),
    _edit("`low_capacity` removed", SMI + ".2 (3)", "  low_capacity: true\n", ""),
    _edit("`low_capacity` removed, no revision", SMI + ".2 (3)", "  low_capacity: true\n", "",
          revised=False),
    _edit("`reset: false`", SMI + ".2 (3)", PORT, f"{PORT}    reset: false\n"),
    _edit("`reset: true`", SMI + ".2 (9)", "at a port.\n    reset: false\n", "at a port.\n"),
    _edit("a scope without its table", SMI + ".2 (3)", "    max: 4\n    storage: dynamic\n",
          "    storage: embedded\n    sync: caller\n"),
    _edit("a DEFVAL, no revision", SMI + ".2 (4)", "Turns of the main loop.}",
          'Turns of the main loop., snmp: {default: "0"}}', revised=False),
    _edit("a DEFVAL updated", SMI + ".2 (4)", 'default: "5"', 'default: "6"'),
    _edit("a DEFVAL removed", SMI + ".2 (4)", 'default: "5", ', ""),
    _edit("a REFERENCE added", SMI + ".2 (5)", RX,
          RX.replace(".}", "., snmp: {reference: RFC 2}}")),
    _edit("a REFERENCE updated, no revision", SMI + ".2 (5)", "RFC 1", "RFC 2", revised=False),
    _edit("a REFERENCE removed", SMI + ".2 (5)", ", reference: RFC 1", ""),
    _edit("a unit added", SMI + ".2 (6)", 'turns: {unit: "1"', "turns: {unit: turns"),
    _edit("a unit changed", SMI + ".2 (6)", "wraps: {unit: packets", "wraps: {unit: frames"),
    _edit("a unit removed", SMI + ".2 (6)", "wraps: {unit: packets", 'wraps: {unit: "1"'),
    _edit("an item added at the end", SMI + ".2 (7)", TX,
          TX + f"      {TX.replace('tx_pkts', 'errors')}"),
    _edit("an item added in front", SMI + ".2 (7)", RX,
          RX.replace("rx_pkts", "errors") + f"      {RX}"),
    _edit("an item added in front, no revision", SMI + ".2 (7)", RX,
          RX.replace("rx_pkts", "errors") + f"      {RX}", revised=False),
    _edit("a description", SMI + ".2 (8)", "Packets received.", "Packets that came in."),
    _edit("a description, no revision", SMI + ".2 (8)", "Packets received.", "Packets in.",
          revised=False),
    _edit("the text of a table, no revision", SMI + ".2 (8)", "What waits at a port.", "Queues.",
          revised=False),
    _edit("a bound of a gauge, no revision", SMI + ".2", "max: 100", "max: 200", revised=False),
    _edit("a bound of a gauge narrowed", SMI + ".2", "max: 100", "max: 50"),
    _edit("the bounds of a gauge removed", SMI + ".2", ", max: 100", ""),
    _edit("a bound of a gauge added", SMI + ".2", "depth: {unit: packets, width: 32",
          "depth: {unit: packets, width: 32, max: 50"),
    _edit("a SYNTAX refined", SMI + ".2", "old: {type: uint32", "old: {type: uint32",
          "snmp: {status: deprecated}", "snmp: {status: deprecated, syntax: Unsigned32 (0..9)}"),
    _edit("a convention replaced by its type", SMI + ".2", ", snmp: {syntax: EdShare}", ""),
    _edit("another convention of the same type", SMI + ".2", "snmp: {syntax: EdShare}",
          "snmp: {syntax: EdPart}", "    EdShare: {", "    EdPart: {syntax: Unsigned32 (0..100), "
          "display_hint: d, description: A part in percent.}\n    EdShare: {"),
    _edit("a scope added", SMI + ".2 (9)", QUEUE, QUEUE.replace("queue", "lane")
          + f"    counters:\n      {TX}" + QUEUE),
    _edit("the width of a counter", SMI + ".2", "wraps: {unit: packets, width: 32",
          "wraps: {unit: packets, width: 64"),
    _edit("a counter made a gauge", SMI + ".2", f"{WRAPS}    gauges:\n", f"    gauges:\n{WRAPS}"),
    _edit("a gauge made a counter", SMI + ".2",
          "    gauges:\n      depth: {unit: packets, width: 32,",
          "    counters:\n      depth: {unit: packets,", "    peaks:\n      deepest: {of: depth, "
          "description: Packets that waited at a time.}\n", ""),
    _edit("an enum made a number", SMI + ".2", "type: enum, " + MODE, 'type: uint32, unit: "1"',
          '  away: {of: global.mode, becomes: [idle], description: It is idle.}\n', ""),
    _edit("a string shortened", SMI + ".2", "length: 32", "length: 16"),
    _edit("the length of a string", SMI + ".2", "length: 32", "length: 64"),
    _edit("the type of a state", SMI + ".2", "name: {type: string, length: 32", "name: {type: mac"),
    _edit("MAX-ACCESS", SMI + ".2", RX, RX.replace(".}", "., snmp: {access: read-write}}")),
    _edit("the index of a table", SMI + ".2", INDEX, ""),
    _edit("a key", SMI + ".2", "    storage: dynamic\n",
          "    storage: dynamic\n    key: [{name: id, type: uint32, description: A number.}]\n"),
    _edit("AUGMENTS", SMI + ".2", INDEX, "    augments: IF-MIB::ifEntry\n"),
    _edit("the name of a table", SMI + ".2", INDEX, f"{INDEX}    snmp: {{table: edWayTable}}\n"),
    _edit("the name of a row", SMI + ".2", INDEX, f"{INDEX}    snmp: {{entry: edWayEntry}}\n"),
    _edit("the names of a scope", SMI + ".2", INDEX, f"{INDEX}    snmp: {{name: edWay}}\n"),
    _edit("the names of a scope renamed, `renamed_from`", SMI + ".2", "  flow:\n",
          "  way:\n    renamed_from: flow\n    snmp: {name: edWay}\n"),
    _edit("the OID of an item", SMI + ".2", RX,
          RX.replace(".}", "., snmp: {oid: 1.3.6.1.4.1.32473.9.1.2.1.77}}")),
    _edit("the OID of what is gone, for another item", SMI, f"      {TX}", "      errors: {unit: "
          "packets, description: E., snmp: {oid: 1.3.6.1.4.1.32473.9.1.2.1.4}}\n"),
    _edit("the OIDs of two items swapped", SMI, RX,
          RX.replace(".}", "., snmp: {oid: 1.3.6.1.4.1.32473.9.1.2.1.4}}"), TX,
          TX.replace(".}", "., snmp: {oid: 1.3.6.1.4.1.32473.9.1.2.1.2}}")),
    _edit("the descriptor of what is gone, for another item", SMI + ".2", f"      {TX}",
          "      errors: {unit: packets, description: E., snmp: {name: edPortTxPkts}}\n"),
    _edit("the descriptors of two items swapped", SMI + ".2", RX,
          RX.replace(".}", "., snmp: {name: edPortTxPkts}}"), TX,
          TX.replace(".}", "., snmp: {name: edPortRxPkts}}")),
    _edit("a parent", SMI + ".2", "    parent: port\n", ""),
    _edit("a descriptor", SMI + ".2", RX, RX.replace(".}", "., snmp: {name: edIn}}")),
    _edit("an item renamed, `renamed_from`", SMI + ".2", RX,
          RX.replace("rx_pkts: {", "in_pkts: {renamed_from: rx_pkts, ")),
    _edit("an item renamed", SMI + ".2", RX, RX.replace("rx_pkts", "in_pkts")),
    _edit("a scope renamed, `renamed_from`", SMI + ".2", "  flow:\n",
          "  way:\n    renamed_from: flow\n"),
    _edit("two items swapped in the schema", SMI + ".2", RX + f"      {TX}", TX + f"      {RX}"),
    _edit("a bucket of a histogram", SMI + ".2", "bounds: [64, 512]", "bounds: [64, 256]"),
    _edit("a bucket more of a histogram", SMI + ".2", "bounds: [64, 512]",
          "bounds: [64, 256, 512]"),
    _edit("bounds of a histogram that double", SMI + ".2", "bounds: [64, 512]",
          "log2: {min: 64, max: 512}"),
    _edit("a histogram renamed, `renamed_from`", SMI + ".2", "sizes: {",
          "lengths: {renamed_from: sizes, "),
    _edit("a histogram renamed, with other bounds", SMI + ".2",
          "sizes: {unit: bytes, bounds: [64, 512]",
          "lengths: {renamed_from: sizes, unit: bytes, bounds: [64]"),
    _edit("a histogram added", SMI + ".2 (7)", QUEUE, "    histograms:\n      waits: {unit: ns, "
          f"log2: {{min: 1, max: 4}}, description: Waits.}}\n{QUEUE}"),
    _edit("a peak that becomes a least value", SMI + ".2", "of: depth,",
          "of: depth, keep: minimum,"),
    # ---- 10.3 ----
    _edit("what a notification of `definitions` carries", SMI + ".3",
          f"{FULL}[edStatsLoad, edStatsShare]", f"{FULL}[edStatsLoad]"),
    _edit("a notification of `definitions` at another OID", SMI + ".3", "9.6.0.1", "9.6.0.2"),
    _edit("a notification of `definitions` with another text, no revision", SMI + ".3",
          "There is no room.", "No room is left.", revised=False),
    _edit("a notification removed", SMI + ".3",
          "  away: {of: global.mode, becomes: [idle], description: It is idle.}\n", ""),
    _edit("a notification added", SMI + ".3", "  away: {", "  idle: {of: global.mode, becomes: "
          "[idle], description: It is idle.}\n  away: {"),
    _edit("a notification renamed, `renamed_from`", SMI + ".3", "  away: {",
          "  gone: {renamed_from: away, "),
    _edit("a notification renamed", SMI + ".3", "  away: {", "  gone: {"),
    _edit("the text of a notification, no revision", SMI + ".3", "It is idle.", "Is idle.",
          revised=False),
    _edit("what a notification carries", SMI + ".3", "carries: [turns], ", ""),
    _edit("a notification that is no longer `cleared`", SMI + ".3", "cleared: true,", ""),
    _edit("what raises a notification", SMI + ".3", "of: global.pkts", "of: global.errors"),
    _edit("when a notification is raised", SMI + ".3", "becomes: [idle]", "becomes: [busy]"),
    _edit("a threshold", SMI + ".3", "rises_above: 1000", "rises_above: 2000", revised=False),
    # ---- RFC 2579, 5 and RFC 2580, 7 ----
    _edit("the hint of a convention", TC + " (4)", "display_hint: d", "display_hint: d-1"),
    _edit("the hint of a convention removed", TC + " (4)", "display_hint: d, ", ""),
    _edit("a convention deprecated", TC + " (2)", "description: A share in percent.",
          "status: deprecated, description: A share in percent."),
    _edit("a REFERENCE of a convention updated", TC + " (3)", "RFC 4", "RFC 3"),
    _edit("a REFERENCE of a convention removed", TC + " (3)",
          ",\n              reference: RFC 4}", "}"),
    _edit("the name of a convention", TC, "    EdShare: {", "    EdPart: {", "syntax: EdShare}",
          "syntax: EdPart}"),
    _edit("the base of a convention", TC, "{syntax: Unsigned32 (", "{syntax: Integer32 ("),
    _edit("the range of a convention", TC, "(0..100)", "(0..200)"),
    _edit("the text of a convention, no revision", TC + " (5)", "A share in percent.", "A share.",
          revised=False),
    _edit("what is said of a group, no revision", CONF, "About errors.", "Errors.", revised=False),
    _edit("when a group is needed, no revision", CONF, "Where they are counted.", "Never.",
          revised=False),
    _edit("when the group of a scope is needed, no revision", CONF, "With connections.", "Never.",
          revised=False),
    _edit("an object added to a group of `definitions`", CONF + ".1",
          f"{LOADED}[edStatsLoad, ", f"{LOADED}[edStatsLoad, edStatsPkts, "),
    _edit("a group of `definitions` at another OID", CONF + ".1", "9.6.1\n", "9.6.2\n"),
    _edit("a group of `definitions` removed", CONF + ".1", GROUP, "", ASKED,
          "          - mandatory: [edOldGroup]\n"),
    _edit("an object less in a group of `definitions`", CONF + ".1",
          f"{LOADED}[edStatsLoad, edStatsShare]", f"{LOADED}[edStatsLoad]"),
    _edit("a deprecated group of `definitions` current again", CONF + ".1",
          "        status: deprecated\n", ""),
    _edit("another group in a compliance of `definitions`", CONF,
          "mandatory: [ifGeneral", "mandatory: [ifPacketGroup, ifGeneral"),
    _edit("a mandatory group that is optional in a compliance of `definitions`", CONF, ASKED,
          "          - groups: {edLoadGroup: Perhaps.}\n"),
    _edit("a compliance of `definitions` at another OID", CONF, "9.6.4\n", "9.6.5\n"),
    _edit("a type in a compliance of `definitions`", CONF, REFINED, "",
          revised=False),
    _edit("the text of a compliance of `definitions`, no revision", CONF,
          "What is asked for.", "What is asked.", revised=False),
    _edit("the text of a group of `definitions`, no revision", CONF + ".1",
          "        description: How busy", "        description: That is how busy",
          revised=False),
)  # fmt: skip


_KEPT = "the module keeps what is gone, deprecated; managers lose what they poll or wait for"
TAKEN = {
    "a type in a compliance of `definitions`": "the lock file has no types of a compliance; agents "
    "that implement the module may not meet it",
    "`max` lowered": "the module does not say how many rows there are; applications have indexes "
    "that are out of range",
    "an item removed": _KEPT,
    "an item removed, no revision": _KEPT,
    "`low_capacity` removed": _KEPT,
    "`low_capacity` removed, no revision": _KEPT,
    "a scope without its table": _KEPT,
    "a bound of a gauge added": "SYNTAX stays without a range, and DESCRIPTION says more, which is "
    "allowed (8); a value that was right is out of bounds",
    "an item renamed": _KEPT,
    "a notification removed": _KEPT,
    "a notification renamed": _KEPT,
    "a notification that is no longer `cleared`": _KEPT,
    **dict.fromkeys(
        (
            "`max` above 10,000",
            "`max` of a parent, with rows below it above 10,000",
            "`serve: false`",
            "a `cap`",
        ),
        "the module is the same: what the agent serves is in no module",
    ),
}
"""Edits that `breaking` refuses and `build` takes: why. There are none the other way round."""

_WARNING = "smidiff has a warning for that"
DIFFERENCES = {
    "the text of a published revision": f"{_WARNING}; the RFC has revisions added, not rewritten",
    **dict.fromkeys(
        ("a second revision of one day, without a time",
         "a second revision of one day, at midnight",
         "a second revision of one day behind the first", "a revision of a day that there is not"),
        "smidiff does not compare dates; smilint reports the order",
    ),
    "`draft: true`": "smidiff knows no drafts: to it, the description has changed",
    "the module's name": f"{_WARNING}; the RFC says that it should not be changed",
    "the module's identity": f"{_WARNING}; it is a descriptor, which other modules may import",
    "the name of a node": f"{_WARNING}; the RFC has the OID changed along with the name",
    "two labels swapped": "to smidiff, two labels are renamed; here a label is known by its name, "
    "and its number means something else",
    "a type replaced by a convention of another type": "Gauge32 and Unsigned32 are encoded alike; "
    "the RFC wants the same meaning, too",
    "a unit changed": f"{_WARNING}; the RFC allows one to be added, not to be changed",
    "a counter made a gauge": "to smidiff, both are of the base type Unsigned32",
    "MAX-ACCESS": f"{_WARNING}; the RFC does not have it among what may change",
    "another convention of the same type": f"{_WARNING}; the RFC allows one for a type",
    "the name of a table": f"{_WARNING}; the RFC takes another descriptor for another object",
    "the name of a row": f"{_WARNING}; the RFC takes another descriptor for another object",
    "the hint of a convention removed": "smidiff does not miss it; the RFC has it added or updated",
    "the names of a scope": "objects keep the names that they have, so the module is the same",
    "the names of a scope renamed, `renamed_from`": "objects keep their names; a text differs",
    "the OID of an item": "to smidiff, which compares by OID, one is deprecated and one is new",
    "the OID of what is gone, for another item": f"{_WARNING}, as for another name",
    "the OIDs of two items swapped": "to smidiff, two objects have another description",
    "the descriptor of what is gone, for another item": "smilint reports two objects of one name",
    "the descriptors of two items swapped": f"{_WARNING}, as for another name",
    "when a notification is raised": "the module does not say what raises it",
    "a bucket of a histogram": "to smidiff, objects are deprecated and new ones defined; here the "
    "buckets of a histogram stay together",
    **dict.fromkeys(
        ("a bucket more of a histogram", "bounds of a histogram that double",
         "a histogram renamed, with other bounds"),
        "as a bucket of a histogram",
    ),
    "a notification of `definitions` at another OID": "smidiff compares them by name",
    "a compliance of `definitions` at another OID": "smidiff compares them by name",
    "a deprecated group of `definitions` current again": f"{_WARNING}; a status does not go back",
    "a group of `definitions` at another OID": "smidiff compares them by name",
    "a peak that becomes a least value": "smidiff sees another description, and not what it means",
}  # fmt: skip
"""Edits that `build` refuses and smidiff, up to the level SERIOUS, does not: why."""

ALLOWED = frozenset(["a DEFVAL, no revision", "a DEFVAL updated"])
"""Edits that smidiff minds though the RFC allows them (with a revision)."""

# SPDX-License-Identifier: BSD-3-Clause
"""Which clause of the RFCs a change of a published module is against, by the rule that finds it."""

from __future__ import annotations

SMI, CONF = "RFC 2578", "RFC 2580"

_SMI = {
    "10": "module-renamed mib-renamed mib-withdrawn mib-moved oid-moved oid-swapped oid-reused "
    "oid-forgotten lock-lost revision-rewritten revision-missing",
    "5.5": "revision-order",
    "10.1": "node-changed",
    "10.2": "parent-changed dimensions-changed histogram-bounds item-kind item-width state-type "
    "string-length gauge-range peak-changed object-name object-type object-access table-index "
    "key-changed",
    "10.2 (1)": "index-label-removed index-label-moved label-removed label-value",
    "10.2 (3)": "scope-removed item-removed storage-embedded object-removed object-status",
    "10.2 (6)": "item-unit",
    "10.3": "notification-removed notification-objects notification-meaning",
}
"""Rules by the section of RFC 2578 that is about what they find."""

CLAUSES = {rule: f"{SMI}, {section}" for section, rules in _SMI.items() for rule in rules.split()}
CLAUSES["group-changed"] = f"{CONF}, 7"
CLAUSES["table-unserved"] = f"{CONF}, 5"
CLAUSES["object-clause"] = f"{SMI}, 10.2 (4), (5), RFC 2579, 5 (3), (4)"
CLAUSES["yang-namespace"] = "RFC 7950, 11"
"""The clause of each rule of the category `oid`."""

# SPDX-License-Identifier: BSD-3-Clause
"""The rule set of changes: the tags of a rule are the categories of what a change breaks.

An error makes `ctrgen breaking` fail; a warning is a change that needs care,
such as a rebuild.
"""

from __future__ import annotations

from ..findings.diagnostics import Rule
from ..findings.rules import RuleSet
from .pairs import Comparison

C_API = "c-api"
C_ABI = "c-abi"
OID = "oid"
SEMANTICS = "semantics"
PROMETHEUS = "prometheus"

CATEGORIES = {
    C_API: "Source code that uses the generated C no longer compiles, or must be changed to work.",
    C_ABI: "Objects compiled with the old header do not fit the new library: rebuild all of them.",
    OID: "SNMP managers no longer find what they poll, or read something else there.",
    SEMANTICS: "A number is still found, and means something else.",
    PROMETHEUS: "Queries, dashboards and alerts no longer find their metrics.",
}
"""What a change can break, with what happens to whom."""

RULES: dict[str, Rule] = {}
"""Every rule that `ctrgen breaking` reports; its ids are apart from those about schemas."""

CHANGES: RuleSet[Comparison] = RuleSet(RULES)
"""Every rule about changes: its function yields each such change, named by its part."""

change = CHANGES.rule

# SPDX-License-Identifier: BSD-3-Clause
"""The breaking-change rules, grouped by topic: tables of data."""

from __future__ import annotations

from ..model import BreakingRule
from . import items, oids, scopes, states, storage, updates, whole

CHANGES: dict[str, BreakingRule] = {
    rule.id: rule
    for topic in (whole, scopes, items, states, updates, storage, oids)
    for rule in topic.RULES
}
"""Every rule about changes by its id."""

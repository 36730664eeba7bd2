# SPDX-License-Identifier: BSD-3-Clause
"""The rule set of schemas; `@rule(...)` adds a function to it."""

from __future__ import annotations

from ..findings.rules import RuleSet
from ..resolve.place import Resolution

SEMANTIC: RuleSet[Resolution] = RuleSet()
"""Every semantic rule."""

rule = SEMANTIC.rule

# SPDX-License-Identifier: BSD-3-Clause
"""The semantic rules, grouped by topic. Adding one is adding one function."""

from __future__ import annotations

from . import items, names, needs, scopes, updates
from .registry import CHECKS, Check, Finding, rule
from .registry import run as check

__all__ = [
    "CHECKS",
    "Check",
    "Finding",
    "check",
    "items",
    "names",
    "needs",
    "rule",
    "scopes",
    "updates",
]

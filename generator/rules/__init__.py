# SPDX-License-Identifier: BSD-3-Clause
"""The semantic rules, grouped by topic. Adding one is adding one function."""

from __future__ import annotations

from .registry import CHECKS, Finding, rule
from .registry import run as check

__all__ = ["CHECKS", "Finding", "check", "rule"]

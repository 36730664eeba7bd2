# SPDX-License-Identifier: BSD-3-Clause
"""The semantic rules, grouped by topic. Adding one is adding one function."""

from __future__ import annotations

from . import (  # noqa: F401  (registers the rules)
    histograms,
    items,
    keys,
    kinds,
    labels,
    metrics,
    names,
    needs,
    notifications,
    resets,
    scopes,
    shown,
    sources,
    updates,
)
from .registry import SEMANTIC

check = SEMANTIC.apply

# SPDX-License-Identifier: BSD-3-Clause
"""The semantic rules, grouped by topic. Adding one is adding one function."""

from . import items, keys, limits, names, needs, notifications, scopes, shown, sources, updates  # noqa: F401
from .registry import SEMANTIC

check = SEMANTIC.apply

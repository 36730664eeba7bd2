# SPDX-License-Identifier: BSD-3-Clause
"""The semantic rules, grouped by topic. Adding one is adding one function."""

from . import (  # noqa: F401
    items,
    keys,
    limits,
    names,
    needs,
    notifications,
    scopes,
    shown,
    sources,
    updates,
    xdp,
)
from .registry import SEMANTIC

check = SEMANTIC.apply

# SPDX-License-Identifier: BSD-3-Clause
"""The semantic rules, grouped by topic. Adding one is adding one function."""

from . import items, keys, names, needs, notifications  # noqa: F401, I001
from . import scopes, shown, sources, updates  # noqa: F401
from .registry import SEMANTIC

check = SEMANTIC.apply

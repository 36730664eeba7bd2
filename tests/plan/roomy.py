# SPDX-License-Identifier: BSD-3-Clause
"""The chapter's example with room for many flows."""

from ctrgen.model import ir
from tests.plan import published


def chapter() -> ir.Module:
    """The module; 2^24 sessions fit."""
    module = published.chapter()
    for level in [level for scope in module.scopes for level in scope.own]:
        module = module.resized(level.name, 1 << 24)
    return module

# SPDX-License-Identifier: BSD-3-Clause
"""The MIB module of a schema: its objects, their OIDs, and the rules they must keep."""

from __future__ import annotations

from ..findings.diagnostics import Diagnostics
from ..model import ir
from . import lock, rules
from .assign import Assignment, assign

__all__ = ["Assignment", "assign", "judge"]


def judge(
    module: ir.Module, lock_file: lock.LockFile, diagnostics: Diagnostics
) -> lock.Lock | None:
    """Give OIDs to a schema's objects, as its lock file says, and report what is wrong.

    None when the lock file is broken, which has been reported.
    """
    if lock_file.broken:
        return None
    old = lock_file.lock
    assignment = assign(module, old)
    rules.RULES.apply(rules.Candidate(module, assignment, old), diagnostics)
    return assignment.lock

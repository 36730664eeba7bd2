# SPDX-License-Identifier: BSD-3-Clause
"""The MIB module of a schema: its objects, their OIDs, and the rules they must keep."""

from __future__ import annotations

from ..findings.diagnostics import Diagnostics
from ..model import ir
from . import lock, rules
from .assign import Assignment, assign

__all__ = ["Assignment", "assign", "judge"]


def judge(module: ir.Module, schema: str, diagnostics: Diagnostics) -> lock.Lock | None:
    """Give OIDs to a schema's objects, as its lock file says, and report what is wrong.

    Reads the lock file beside `schema`, writes nothing. None after an error
    in the lock file itself.
    """
    path = lock.path_for(schema)
    failed = diagnostics.failed
    old = lock.load(path, diagnostics) if path is not None else None
    if old is None and diagnostics.failed and not failed:
        return None
    assignment = assign(module, old)
    rules.RULES.apply(rules.Candidate(module, assignment, old), diagnostics)
    return assignment.lock

# SPDX-License-Identifier: BSD-3-Clause
"""Rules of SMIv2, those included that no other tool checks, over what a module will hold."""

from ...findings.allow import comments
from ...findings.diagnostics import Diagnostics
from ...model import ir
from ..assign import assign
from ..lock import Lock, LockFile
from . import conformance, module, names, objects  # noqa: F401  (registers the rules)
from .candidate import RULES, Candidate


def judge(schema: ir.Module, lock_file: LockFile, diagnostics: Diagnostics) -> Lock | None:
    """Assign OIDs to a schema's objects, from its lock file, and report findings.

    Without `snmp:` in the schema only errors are reported. None when the lock file has errors,
    which have been reported.
    """
    old = lock_file.lock
    if lock_file.data is not None and old is None:
        return None
    assignment = assign(schema, old)
    asked_for = schema.snmp.published or bool(schema.snmp.written)
    found = (allow for _, allow in comments(diagnostics) if allow is not None)
    allowed = frozenset((allow.rule, allow.subject) for allow in found)
    RULES.apply(Candidate(schema, assignment, old, allowed), diagnostics, errors=not asked_for)
    return assignment.lock

# SPDX-License-Identifier: BSD-3-Clause
"""Whether a module is published: what is has a lock file, what is not must have none."""

import os
from typing import NamedTuple

from ..findings.diagnostics import Diagnostics, Severity, declare
from ..model import ir
from . import lock
from .assign import assign
from .lock import Lock, LockFile
from .rules import judge

_LOCKED = "A module that has a lock file was published: its schema goes on saying so."
declare("unpublished-lock", Severity.ERROR, _LOCKED)


class Publication(NamedTuple):
    """OIDs of a module: its lock file, and the lock that a build writes.

    `locked` is None for a module that was not checked or has errors.
    """

    lock_file: LockFile = LockFile()
    locked: Lock | None = None


NOTHING = Publication()
"""Of a module whose OIDs do not matter, or that has errors."""


def publication(module: ir.Module, path: str, diagnostics: Diagnostics) -> Publication:
    """The lock file of the schema at `path`, with the findings about its MIB module reported.

    The lock file of a draft is not read; its existence is an error. A draft without `snmp:` in the
    schema is checked by the backend that builds its MIB module.
    """
    snmp = module.snmp
    if snmp.published:
        file = lock.load(path, diagnostics, first=lambda: assign(module, None).lock)
        if file.path is not None and file.data is not None:
            diagnostics.files[str(file.path)] = None
        return Publication(file, judge(module, file, diagnostics))
    place = lock.path_for(path)
    if place is not None and os.path.lexists(place):
        message = f"the MIB module is published in {place.name}, and would now be a draft"
        message += " (RFC 2578, 10)"
        hint = "write `snmp: {}`, or restore the former `snmp:`, to keep its OIDs"
        if "draft" in snmp.written:
            hint = "remove `draft: true` (a `draft` among the revisions is for what is new)"
        hint += f"; if its OIDs were never used, remove {place.name}"
        diagnostics.report("unpublished-lock", snmp.span, message, hint)
        return NOTHING
    return Publication(locked=judge(module, LockFile(), diagnostics) if snmp.written else None)

# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen import`: an SMI module as the text of a schema that `check` and `build` accept."""

from __future__ import annotations

from ..findings.diagnostics import Diagnostics, Severity, Span, declare
from ..frontends.raw import Raw, plain
from ..frontends.smi import convert, write
from ..mib import carried
from .mend import mend

declare("import-lock", Severity.NOTE, "A module with a history comes with its lock file.")


def run(mib: str, mib_path: tuple[str, ...] = ()) -> tuple[str | None, Diagnostics]:
    """The schema of a module (a file, `-`, or a name) as text, None after an error.

    Raises UsageError when there is no such file or module.
    """
    diagnostics = Diagnostics()
    path, node = convert.read(mib, diagnostics, mib_path)
    if node is None or diagnostics.failed:
        return None, diagnostics
    if lock_text(diagnostics):
        message = "its names and OIDs do not follow from the schema alone"
        hint = "keep the lock file, which is written next to the schema with -o"
        diagnostics.report("import-lock", Span.of_file(path), message, hint)
    raw = mend(Raw(path, path, node, is_smi=True), diagnostics)
    return (None if diagnostics.exit_code else write.text(plain(raw.root))), diagnostics


def lock_text(diagnostics: Diagnostics) -> str:
    """The text of the lock file that the module which was read carries; empty without one."""
    return next(filter(None, map(carried.lock_text, diagnostics.texts.values())), "")

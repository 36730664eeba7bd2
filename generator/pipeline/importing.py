# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen import`: an SMI module as the text of a schema that `check` and `build` accept."""

from __future__ import annotations

from ..findings.diagnostics import Diagnostics
from ..frontends.raw import Raw, plain
from ..frontends.smi import convert, write
from .mend import mend


def run(mib: str, mib_path: tuple[str, ...] = ()) -> tuple[str | None, Diagnostics]:
    """The schema of a module (a file, `-`, or a name) as text, None after an error.

    Raises UsageError when there is no such file or module.
    """
    diagnostics = Diagnostics()
    path, node = convert.read(mib, diagnostics, mib_path)
    if node is None or diagnostics.failed:
        return None, diagnostics
    raw = mend(Raw(path, path, node, is_smi=True), diagnostics)
    return (None if diagnostics.exit_code else write.text(plain(raw.root))), diagnostics

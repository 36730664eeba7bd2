# SPDX-License-Identifier: BSD-3-Clause
"""The front half of the flow: schema text to a checked module, or to findings."""

from __future__ import annotations

from dataclasses import dataclass, field

from .. import frontends, rules
from ..findings.diagnostics import Diagnostics
from ..language import schema
from ..mib import lock
from ..mib.assign import assign
from ..mib.lock import Lock, LockFile
from ..mib.rules import judge
from ..model import ir
from ..resolve.place import Resolution
from ..resolve.resolve import resolve
from ..resolve.validate import validate


@dataclass(frozen=True, slots=True)
class Checked:
    """Outcome of `check`: the findings, and the module if none of them is an error."""

    module: ir.Module | None
    diagnostics: Diagnostics
    resolution: Resolution | None = None
    lock_file: LockFile = field(default_factory=LockFile)
    """The schema's lock file, of a schema from the file system without errors."""
    locked: Lock | None = None
    """OIDs of the module, when its MIB was judged as well: it has a lock file, or asks for one."""


def check(
    path: str,
    sync: schema.SyncChoice | str | None = None,
    read: frontends.Reader | None = None,
    mib_path: tuple[str, ...] = (),
) -> Checked:
    """Read a schema (`-` is the standard input), resolve it, and apply every rule.

    `sync` replaces the strategy of the module. `read` reads files from elsewhere than the
    file system. `mib_path` are folders with SMI modules. All findings are collected before
    this returns.
    """
    diagnostics = Diagnostics()
    raws = frontends.load(path, diagnostics, read, mib_path)
    incomplete = diagnostics.failed
    top = validate(raws[0], schema.Schema, diagnostics) if raws else None
    if top is None:
        return Checked(None, diagnostics)
    fragments = (validate(raw, schema.Fragment, diagnostics) for raw in raws[1:])
    parts = [top, *(part for part in fragments if part is not None)]
    resolution = resolve(parts, diagnostics, sync)
    resolution.incomplete = incomplete
    rules.check(resolution, diagnostics)
    lock_file, locked = LockFile(), None
    if not diagnostics.failed and read is None:
        lock_file = lock.load(
            resolution.top.raw.path, diagnostics, first=lambda: assign(resolution.module, None).lock
        )
        if resolution.module.snmp.written or lock_file.data is not None:
            locked = judge(resolution.module, lock_file, diagnostics)
    module = None if diagnostics.failed else resolution.module
    return Checked(module, diagnostics, resolution, lock_file, locked)

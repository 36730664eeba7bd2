# SPDX-License-Identifier: BSD-3-Clause
"""The front half of the flow: schema text to a checked module, or to findings."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from .. import frontends
from ..findings.diagnostics import Diagnostics
from ..frontends import rules
from ..frontends.raw import Raw, mapping
from ..frontends.resolve import reuse
from ..frontends.resolve.place import Resolution
from ..frontends.resolve.resolve import resolve
from ..frontends.resolve.validate import validate
from ..model import ir
from ..model.language import schema
from ..publish.publish import NOTHING, Publication, publication
from . import outputs


@dataclass(frozen=True, slots=True)
class Checked:
    """Outcome of `check`: the findings, and the module if none of them is an error."""

    module: ir.Module | None
    diagnostics: Diagnostics
    resolution: Resolution | None = None
    publication: Publication = NOTHING
    """Its OIDs, if the schema is a file and OIDs were requested."""


def check(
    path: str, sync: schema.SyncChoice | str | None = None, read: frontends.Reader | None = None,
    mib_path: tuple[str, ...] = (), only: tuple[str, ...] = (), shown: frontends.Shown = str,
) -> Checked:  # fmt: skip
    """Read a schema (`-` is the standard input), resolve it, and apply every rule.

    `sync` replaces the strategy of the module. `read` replaces reads from the file
    system, and `shown` is the name of a file in findings. `mib_path` are folders with SMI modules.
    `only` are the backends that matter, instead of those that the schema wants. All findings are
    collected before this returns.
    """
    diagnostics = Diagnostics()
    raws = frontends.load(path, diagnostics, read, mib_path, shown)
    if raws and _is_imported(raws[0]) and not diagnostics.failed:
        from .repair import repair  # not loaded where schemas are YAML

        raws[0], _ = repair(raws[0], diagnostics)
    incomplete = diagnostics.failed
    reuse.expand(raws, diagnostics)
    top = validate(raws[0], schema.Schema, diagnostics) if raws else None
    if top is None:
        return Checked(None, diagnostics)
    fragments = (validate(raw, schema.Fragment, diagnostics) for raw in raws[1:])
    parts = [top, *(part for part in fragments if part is not None)]
    resolution = resolve(parts, diagnostics, sync)
    resolution.incomplete = incomplete
    resolution.outputs = frozenset((*resolution.module.outputs, *only))
    rules.check(resolution, diagnostics)
    outputs.check(resolution, diagnostics)
    module, known = resolution.module, NOTHING
    if module.snmp.parent and read is None and not diagnostics.failed:
        frontends.smi.check_parent(module.snmp, path, mib_path, diagnostics)
    if not diagnostics.failed and read is None and outputs.use_lock(only, module.outputs):
        known = publication(module, resolution.top.raw.path, diagnostics)
    return Checked(None if diagnostics.failed else module, diagnostics, resolution, known)


def as_json(module: ir.Module) -> str:
    """A module with all defaults, for programs; without source positions."""
    return json.dumps(asdict(module, dict_factory=_plain), indent=2)


def _plain(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = {name: value for name, value in fields if not name.endswith("span")}
    tunables = plain.pop("tunables", ())  # of a `Sync`
    return {**plain, **dict(tunables)}


def _is_imported(raw: Raw) -> bool:
    """Whether a schema is an SMI module, or an overlay of one that is complete in its file."""
    scopes = mapping(mapping(raw.root).get("scopes")).values()
    elsewhere = any(scope.region[0] != raw.root.region[0] for scope in scopes)
    return raw.is_smi or (elsewhere and "include" not in raw.data)

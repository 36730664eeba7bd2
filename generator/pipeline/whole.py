# SPDX-License-Identifier: BSD-3-Clause
"""A schema as one file: what it includes is in it, defaults and sets are where they are meant."""

from typing import Any

from ..frontends.raw import Node, merged, plain
from ..frontends.resolve.place import Resolution
from ..model import ir
from ..model.language.schema import Schema, SyncChoice

_SHARED = ("scopes", "updates", "notifications")
"""Keys whose entries may be in several files."""

_RESOLVED = ("include", "defaults", "sets")
"""Keys of a file that say something about others, or about all of its scopes."""


def whole(resolution: Resolution, sync: SyncChoice | None = None) -> dict[str, Any]:
    """The schema of a module in plain values; `sync` is a strategy instead of the schema's."""
    top, module = resolution.top, resolution.module
    places = (*resolution.globals, *resolution.places.values())
    root = top.raw.root
    for part in {id(place.part): place.part for place in places if place.part is not top}.values():
        shared = {key: part.raw.root.value[key] for key in _SHARED if key in part.raw.root.value}
        root = merged(root, Node(shared, root.region))
    schema: dict[str, Any] = plain(root)
    if module.outputs:
        schema["outputs"] = list(module.outputs)
    if sync is not None:
        tuned = sync.model_dump()
        schema["sync"] = tuned if len(tuned) > 1 else sync.strategy
    if not module.snmp.published:
        schema["snmp"] = {**(schema.get("snmp") or {}), "draft": True}
    for scope in filter(None, schema["scopes"].values()):
        scope.pop("use", None)
    if len(resolution.globals) > 1:  # the items of one file precede those of the next
        schema["scopes"][ir.GLOBAL]["order"] = list(module.scope(ir.GLOBAL).entries)
    keys = [key for key in Schema.model_fields if key not in (*_RESOLVED, *_SHARED)]
    return {key: schema[key] for key in (*keys, *_SHARED) if key in schema}

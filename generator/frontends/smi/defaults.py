# SPDX-License-Identifier: BSD-3-Clause
"""The DEFVAL of objects, as schemas have it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...language.descriptors import DEFAULT
from . import types
from .clauses import Body, default
from .mapping import plain
from .meant import distinct
from .model import Module, Object
from .reading import Reading

_DEFAULT = re.compile(DEFAULT)
_NAME = re.compile(r"[a-z][\w-]*\Z")


def read(module: Module, reading: Reading, bodies: Iterable[Body]) -> dict[str, str]:
    """The default values of objects by their names; one that no schema can have is a note."""
    columns = (column for table in module.tables for column in table.columns)
    objects = {one.name: one for one in (*module.scalars, *columns)}
    found: dict[str, str] = {}
    for body in bodies:
        name = body.definition.name
        tokens = default(body) if name in objects else ()
        if not tokens:
            continue
        value = _spelled(objects[name], tokens, module, reading)
        if _DEFAULT.match(value):
            found[name] = value
        else:
            shown = plain(" ".join(tokens))[:60]
            message = f"the DEFVAL of '{name}' is not imported: {shown}"
            reading.note("import-not-imported", name, message)
    return found


def _spelled(object_: Object, tokens: tuple[str, ...], module: Module, reading: Reading) -> str:
    """A value; empty for a name that nothing has."""
    type_ = types.resolve(object_.type, reading.lookup)[1]
    labels = {name for name, _ in distinct(type_.labels)[0]}
    if len(tokens) > 1:
        inner = " ".join(tokens[1:-1]).replace(" ,", ",")
        named = [token for token in tokens if _NAME.match(token)]
        if labels and not {*named} <= labels:
            return ""
        return f"{{ {inner} }}" if inner else "{ }"
    (value,) = tokens
    if value.startswith('"'):
        return value if plain(value[1:-1]) == value[1:-1] else ""
    if not _NAME.match(value) or value in labels:
        return value
    own = module.objects() | module.nodes.keys() | module.besides.keys()
    if labels or type_.base not in ("ObjectIdentifier", ""):
        return ""
    origins = (name for name, (_, symbols) in reading.source.imports.items() if value in symbols)
    return value if value in own else next((f"{name}::{value}" for name in origins), "")

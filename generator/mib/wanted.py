# SPDX-License-Identifier: BSD-3-Clause
"""What a schema wants to have in its MIB module: one thing of it."""

from __future__ import annotations

from typing import NamedTuple

from ..findings.diagnostics import NOWHERE, Span
from .lock import Key, Oid


class Wanted(NamedTuple):
    """Something that the module needs, by its key. `parent` is the key of the node above it.

    `oid` is set when the schema gives it, `fixed_name` when it gives the name, `number` when the
    place below the parent is fixed. `former` are keys it had before it was renamed.
    """

    key: Key
    kind: str
    name: str
    parent: Key | None
    syntax: str = ""
    unit: str = ""
    description: str = ""
    access: str = ""
    status: str = "current"
    oid: Oid = ()
    number: int | None = None
    former: tuple[Key, ...] = ()
    fixed_name: bool = False
    span: Span = NOWHERE

# SPDX-License-Identifier: BSD-3-Clause
"""The part of the schema language about keys: what operators know an instance by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from ..model.keys import TYPE_NAMES
from .base import Expected, Model, optional
from .labels import Labels

MAX_PARTS = 8
"""Most parts of a key."""

MAX_OCTETS = 112
"""Most octets of a part: an OID has at most 128 numbers (RFC 2578, 3.5)."""

if TYPE_CHECKING:
    KeyTypeName = str
else:  # the names are those of the table of types
    KeyTypeName = Annotated[Literal[TYPE_NAMES], Expected(example="uint32")]


class KeyPart(Model):
    """A part of the key by which managers and `P_SCOPE_key_find()` know an instance."""

    name: str
    """Name of the part: a member of the struct of the key, and an index object in the MIB."""
    type: KeyTypeName
    """Type of the part. `ip_address` is an IPv4 or an IPv6 address, `string` is text of up to
    `length` octets, `octets` is exactly `length` octets, `enum` is one of `labels`, `int32` is not
    negative."""
    description: str = Field(description="One sentence on what the part is.")
    length: Annotated[int, Field(ge=1, le=MAX_OCTETS)] | None = None
    """Most octets of a string, without its terminating zero; how many there are, of `octets`."""
    fixed: bool = False
    """Whether a string always has `length` octets: then its length is not in the index."""
    renamed_from: str | None = optional("Former name of the part: its object stays what it was.")
    labels: Labels | None = None
    """Names of the values of an enum, as those of a state."""


Key = Annotated[list[KeyPart], Field(max_length=MAX_PARTS), Expected("a list of parts")]

# SPDX-License-Identifier: BSD-3-Clause
"""Names, OIDs, types and values as SMI has them, for what a schema says about a MIB module."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from .base import Expected

OID = r"^[0-2](\.(0|[1-9][0-9]{0,9})){1,127}$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?$"
_WORD = "[A-Za-z0-9]*(-[A-Za-z0-9]+)*"
DESCRIPTOR = rf"^[a-z]{_WORD}$"
MODULE = rf"^[A-Z]{_WORD}$"
QUALIFIED = rf"^([A-Z]{_WORD}::)?[a-z]{_WORD}$"
PARENT = rf"^[A-Z]{_WORD}::[a-z]{_WORD}$"
GROUP = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
_ONE = r"(-?[0-9]{1,20}|'[0-9A-Fa-f]*'[Hh])"
_RANGES = rf"{_ONE}(\.\.{_ONE})?( ?\| ?{_ONE}(\.\.{_ONE})?)*"
SYNTAX = (
    rf"^(([A-Z]{_WORD}::)?[A-Z]{_WORD}|OCTET STRING|OBJECT IDENTIFIER)"
    rf"( ?\(({_RANGES}|SIZE ?\({_RANGES}\))\))?$"
)
_LABEL = rf"[A-Za-z]{_WORD}\(-?[0-9]{{1,10}}\)"
REFINEMENT = (
    rf"^(([A-Z]{_WORD}::)?[A-Z]{_WORD}|OCTET STRING|OBJECT IDENTIFIER)"
    rf"( \(({_RANGES}|SIZE \({_RANGES}\))\)| \{{ {_LABEL}(, {_LABEL})* \}})?$"
)
_STRING = '"[ !#-~]*"'
_PART = rf"([a-z]{_WORD}|[0-9]{{1,10}})"
DEFAULT = (
    rf"^(-?[0-9]{{1,20}}|'[0-9A-Fa-f]*'[Hh]|'[01]*'[Bb]|{_STRING}|([A-Z]{_WORD}::)?[a-z]{_WORD}"
    rf"|\{{( {_PART}(,? {_PART})*)? \}})$"
)
URI = r"^[A-Za-z][A-Za-z0-9+.-]*:[!#$&-;=?-Z_a-z~%]+$"

Oid = Annotated[str, Field(pattern=OID), Expected(example="1.3.6.1.4.1.32473.1")]
Descriptor = Annotated[str, Field(pattern=DESCRIPTOR), Expected(example="ifInOctets")]
ModuleName = Annotated[str, Field(pattern=MODULE), Expected(example="EP-STATS-MIB")]
ParentName = Annotated[str, Field(pattern=PARENT), Expected(example="ACME-SMI::acmeStats")]
GroupName = Annotated[str, Field(pattern=GROUP), Expected(example="power")]
Qualified = Annotated[str, Field(pattern=QUALIFIED), Expected(example="IF-MIB::ifIndex")]
Syntax = Annotated[
    str, Field(pattern=SYNTAX), Expected(example="SNMPv2-TC::DisplayString (SIZE (0..64))")
]
Refinement = Annotated[
    str, Field(pattern=REFINEMENT), Expected(example="INTEGER { up(1), down(2) }")
]
Default = Annotated[str, Field(pattern=DEFAULT), Expected(example="{ up, down }")]
Arc = Annotated[int, Field(ge=0, le=2**32 - 1)]
Status = Literal["current", "deprecated", "obsolete"]
Access = Literal[
    "not-accessible", "accessible-for-notify", "read-only", "read-write", "read-create"
]
ACCESSES: tuple[str, ...] = get_args(Access)
"""Every access."""

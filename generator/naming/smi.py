# SPDX-License-Identifier: BSD-3-Clause
"""Names and free text in SMIv2 modules: how they are made from a schema's, how text is escaped."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[_-]+")


def camel(name: str) -> str:
    """A schema's name as one with capitals: `rx_pkts` gives `rxPkts`, `tx_10g` `tx10g`."""
    first, *rest = [word for word in _WORDS.split(name) if word] or [""]
    return first[:1].lower() + first[1:] + "".join(word[:1].upper() + word[1:] for word in rest)


def pascal(name: str) -> str:
    """Like `camel`, with a capital first letter: what follows another part of a name."""
    made = camel(name)
    return made[:1].upper() + made[1:]


def module_name(module: str) -> str:
    """Name of the MIB module of a schema: `ep` gives `EP-STATS-MIB`."""
    return f"{'-'.join(word for word in module.upper().split('_') if word)}-STATS-MIB"


def identity(mib: str) -> str:
    """Name of the MODULE-IDENTITY of a MIB module: `EP-STATS-MIB` gives `epStatsMIB`."""
    *words, last = [word for word in mib.split("-") if word] or [""]
    made = camel("_".join(word.lower() for word in words))
    return made + last.upper() if made else last.lower()

# SPDX-License-Identifier: BSD-3-Clause
"""Names of a schema, made from those of an SMI module."""

from __future__ import annotations

import re

from ..model.naming import c, smi, symbols

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_PLURALS = {
    "octets": "octets",
    "bytes": "bytes",
    "packets": "packets",
    "pkts": "packets",
    "frames": "frames",
    "cells": "cells",
    "datagrams": "datagrams",
    "segments": "segments",
    "segs": "segments",
    "messages": "messages",
    "msgs": "messages",
    "errors": "errors",
    "discards": "packets",
    "requests": "requests",
    "responses": "responses",
}
_UNIT = re.compile(r"[!#-\[\]-~]+\Z")


def words(name: str) -> list[str]:
    """The words of a name in lower case: `ifHCInOctets` gives if, hc, in, octets."""
    found: list[str] = []
    for part in _WORDS.findall(name):
        if found and part.isdigit():
            found[-1] += part
        else:
            found.append(part.lower())
    return found


def module(mib: str) -> str:
    """The module of a schema for a MIB module: `EP-STATS-MIB` gives `ep`, `IP-MIB` `ip`."""
    parts = [part.lower() for part in mib.split("-") if part]
    for end in ("mib", "stats"):
        if len(parts) > 1 and parts[-1] == end:
            parts.pop()
    made = re.sub(r"[^a-z0-9_]", "_", "_".join(parts))[:31].strip("_")
    if not made or not made[0].isalpha():
        made = f"m{made}"
    return f"{made[:27]}_mib" if c.reserved(made) or made in ("rte", "ctr") else made


def stripped(name: list[str], start: list[str]) -> list[str]:
    """Words without those they share with `start`; at least one is left, and a letter leads."""
    count = 0
    while count < len(start) and count < len(name) - 1 and name[count] == start[count]:
        count += 1
    while count and not name[count][0].isalpha():
        count -= 1
    return name[count:]


class Scopes:
    """Gives out names of scopes and items that a schema can have, each once."""

    def __init__(self, module: str, mib: str) -> None:
        self.module = module
        self.start = words("".join(part.title() for part in mib.split("-") if part != "MIB"))
        self.taken: set[str] = {"global"}
        self.full: set[str] = set()

    def scope(self, table: str) -> str:
        """The name of the scope of a table."""
        whole = words(table.removesuffix("Table")) or words(table)
        short = stripped(whole, self.start)
        tries = ["_".join(short), "_".join(whole), "_".join([*whole, "entry"])]
        if len(tries[0]) < 3:
            tries.pop(0)
        made = next((one for one in tries if self._free_scope(one)), "")
        number = 2
        while not made:
            made = f"{tries[-1][:56]}{number}"
            made, number = (made if self._free_scope(made) else ""), number + 1
        self.taken.add(c.fold(made))
        return made

    def _free_scope(self, name: str) -> bool:
        used = c.reserved(name) or name in symbols.risky_scopes()
        return not used and c.fold(name) not in self.taken and _fits(name)

    def item(self, scope: str, table: str, name: str) -> str:
        """The name of an item: what its object has beyond the name of the table."""
        whole = words(name)
        start = words(table.removesuffix("Table")) if table else self.start
        tries = ["_".join(stripped(whole, start)), "_".join(stripped(whole, start[:1]))]
        tries.append("_".join(whole))
        before = "" if scope == "global" else c.fold(scope)
        number = 2
        while True:
            for one in tries:
                bad = c.reserved(one) or one in symbols.risky_items() or not _fits(one)
                if not bad and before + c.fold(one) not in self.full:
                    self.full.add(before + c.fold(one))
                    return one
            tries = [f"{tries[-1][:55]}_value{'' if number == 2 else number}"]
            number += 1


class Made:
    """Names in a schema of what ctrgen has named, the other way around: a name without what it
    starts with. What was longer or shorter than that says so in a comment."""

    def __init__(self, mib: str, identity: str) -> None:
        self.start = smi.camel(module(mib))
        self.whole = re.sub("-?(MIB|Mib)\\Z", "", identity)
        self.taken: set[tuple[str, str]] = set()

    def scope(self, table: str) -> str:
        """The name of the scope of a table: `epRxQueueTable` gives `rx_queue`."""
        return self._free("", table.removesuffix("Table"), self.start)

    def item(self, scope: str, table: str, name: str) -> str:
        """The name of an item: `epSessionRxPkts` gives `rx_pkts`."""
        return self._free(scope, name, table.removesuffix("Table") if table else self.whole)

    def _free(self, within: str, name: str, start: str) -> str:
        made = "_".join(words(name.removeprefix(start) or name))
        while (within, made) in self.taken:
            made += "_x"
        self.taken.add((within, made))
        return made


def _fits(name: str) -> bool:
    return len(name) <= 63 and c.IDENTIFIER.match(name) is not None and not name.endswith("_")


def labels(given: tuple[tuple[str, int], ...]) -> tuple[dict[str, int], dict[str, str]]:
    """Labels of an enumeration for a schema, and their names in SMI where those do not follow."""
    made: dict[str, int] = {}
    said: dict[str, str] = {}
    folded: set[str] = set()
    values: set[int] = set()
    for name, value in given:
        label = "_".join(words(name)) or "value"
        if not label[0].isalpha():
            label = f"v{label}"
        label = label[:58]
        number = 2
        plain = label
        while c.fold(label) in folded:
            label, number = f"{plain}_v{number}", number + 1
        if value in values:
            continue
        folded.add(c.fold(label))
        values.add(value)
        made[label] = value
        if smi.camel(label) != name:
            said[label] = re.sub(r"[^A-Za-z0-9-]", "", name[:1].lower() + name[1:])
    return made, said


def unit(given: str, name: str, *, needed: bool) -> str:
    """The unit of an object: what UNITS says as one word, else what its name ends with."""
    plain = re.sub(r"\s+per\s+", "/", " ".join(given.split()))
    plain = plain.replace(" ", "_").replace('"', "'").replace("\\", "/")[:32]
    if plain and _UNIT.match(plain):
        return plain
    if not needed:
        return ""
    return next((_PLURALS[word] for word in reversed(words(name)) if word in _PLURALS), "1")

# SPDX-License-Identifier: BSD-3-Clause
"""Names of a schema, made from those of an SMI module."""

import re
from collections.abc import Iterator
from itertools import chain, count

from ..model.naming import c, smi
from ..model.naming import names as c_names

_WORDS = re.compile(r"(?:[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+)[0-9]*|[0-9]+")
_BEFORE_NUMBER = re.compile(r"[^A-Za-z0-9]+(?=[0-9])")
_PLURALS = {
    "octets": "octets", "bytes": "bytes", "packets": "packets", "pkts": "packets",
    "frames": "frames", "cells": "cells", "datagrams": "datagrams", "segments": "segments",
    "segs": "segments", "messages": "messages", "msgs": "messages", "errors": "errors",
    "discards": "packets", "requests": "requests", "responses": "responses",
}  # fmt: skip
_LONGEST = 63
"""Characters of a name in a schema."""
_UNIT = re.compile(r"[!#-\[\]-~]+\Z")


def words(name: str) -> list[str]:
    """The words of a name in lower case: `ifHCInOctets` gives if, hc, in, octets."""
    return [word.lower() for word in _WORDS.findall(_BEFORE_NUMBER.sub("", name))]


def module(mib: str) -> str:
    """The module of a schema for a MIB module: `EP-STATS-MIB` gives `ep`, `IP-MIB` `ip`."""
    parts = [part.lower() for part in mib.split("-") if part]
    for end in ("mib", "stats"):
        if len(parts) > 1 and parts[-1] == end:
            parts.pop()
    name = re.sub(r"[^a-z0-9]+", "_", "_".join(parts))[:31].strip("_")
    if not name or not name[0].isalpha():
        name = f"m{name}"
    return f"{name[:27]}_mib" if c.reserved(name) or name in ("rte", "ctr") else name


def stripped(name: list[str], start: list[str]) -> list[str]:
    """Words without those they share with `start`; at least one is left, and a letter leads."""
    shared = 0
    while shared < len(start) and shared < len(name) - 1 and name[shared] == start[shared]:
        shared += 1
    while shared and not name[shared][0].isalpha():
        shared -= 1
    return name[shared:]


def _numbered(stem: str, end: str, first: int) -> Iterator[str]:
    """Names that begin alike: a stem that leaves room, an end, a number. Those whose numbers have
    as many digits all differ, and there are more numbers than names that are taken: it ends."""
    stem = stem if c.IDENTIFIER.match(stem) else "item"
    for number in count(first):
        more = f"{end}{number}"
        yield stem[: _LONGEST - len(more)].rstrip("_") + more


class Imported:
    """Gives out names of scopes and items that a schema can have, each once."""

    def __init__(self, mib: str) -> None:
        self.start = words("".join(part.title() for part in mib.split("-") if part != "MIB"))
        self.taken: set[str] = {"global"}
        self.full: set[str] = set()

    def scope(self, table: str) -> str:
        """The name of the scope of a table."""
        whole = words(table.removesuffix("Table")) or words(table)
        short = stripped(whole, self.start)
        attempts = ["_".join(short), "_".join(whole), "_".join([*whole, "entry"])]
        if len(attempts[0]) < 3:
            attempts.pop(0)
        numbered = _numbered(attempts[-1], "", 2)
        name = next(filter(self._free_scope, chain(attempts, numbered)))
        self.taken.add(c.fold(name))
        return name

    def _free_scope(self, name: str) -> bool:
        taken = c.reserved(name) or name in c_names.RISKY_SCOPES
        return not taken and c.fold(name) not in self.taken and _fits(name)

    def item(self, scope: str, table: str, name: str) -> str:
        """The name of an item: what its object has beyond the name of the table."""
        whole = words(name)
        start = words(table.removesuffix("Table")) if table else self.start
        attempts = ["_".join(stripped(whole, prefix)) for prefix in (start, start[:1], [])]
        before = "" if scope == "global" else c.fold(scope)
        value = f"{attempts[-1][:55].rstrip('_')}_value"
        numbered = _numbered(attempts[-1], "_value", 3)
        names = chain(attempts, [value], numbered)
        free = next(name for name in names if self._free_item(before, name))
        self.full.add(before + c.fold(free))
        return free

    def _free_item(self, before: str, name: str) -> bool:
        taken = c.reserved(name) or name in c_names.RISKY_ITEMS
        return not taken and before + c.fold(name) not in self.full and _fits(name)


def _fits(name: str) -> bool:
    return len(name) <= _LONGEST and c.IDENTIFIER.match(name) is not None and not name.endswith("_")


def labels(enumeration: tuple[tuple[str, int], ...]) -> tuple[dict[str, int], dict[str, str]]:
    """Labels of an enumeration, no two of one number, for a schema, and their names in SMI where
    those do not follow."""
    labels_: dict[str, int] = {}
    smi_names: dict[str, str] = {}
    folded: set[str] = set()
    given: set[str] = set()
    for name, value in enumeration:
        plain = "_".join(words(name)) or "value"
        plain = (plain if plain[0].isalpha() else f"v{plain}")[:58].rstrip("_")
        attempts = chain([plain], _numbered(plain, "_v", 2))
        label = next(one for one in attempts if c.fold(one) not in folded)
        folded.add(c.fold(label))
        labels_[label] = value
        more = (f"{smi.camel(label)}V{number}" for number in count(2))
        smi_name = next(n for n in chain(_label(name, label), more) if n not in given)
        given.add(smi_name)
        if smi.camel(label) != smi_name:
            smi_names[label] = smi_name
    return labels_, smi_names


def _label(name: str, label: str) -> Iterator[str]:
    """Candidate names of a label in SMI: its own name if valid, then derived ones."""
    plain = re.sub(r"[^A-Za-z0-9-]", "", name[:1].lower() + name[1:])
    plain = re.sub("-{2,}", "-", plain).strip("-")
    if plain[:1].isalpha():
        yield plain
    yield smi.camel(label)


def unit(units: str, name: str, *, needed: bool) -> str:
    """The unit of an object: its UNITS as one word, else the plural that its name ends with."""
    plain = " ".join(units.split()).replace(" per ", "/")
    plain = plain.replace(" ", "_").replace('"', "'").replace("\\", "/")[:32]
    if plain and _UNIT.match(plain):
        return plain
    if not needed:
        return ""
    return next((_PLURALS[word] for word in reversed(words(name)) if word in _PLURALS), "1")

# SPDX-License-Identifier: BSD-3-Clause
"""One object of an SMI module as a counter, gauge or state of a schema."""

from __future__ import annotations

from typing import Any, Protocol

from ...mib import names
from . import types
from .model import Module, Object
from .source import Source


class Context(Protocol):
    """What an item needs of the module that it is in."""

    module: Module
    source: Source
    lookup: types.Lookup

    def note(self, rule: str, name: str, message: str, /) -> None:
        """Report something about a definition."""

    def described(self, smi_object: Object, /) -> str:
        """The description of an object, never empty."""

    def named(self, smi_object: Object, syntax: str, end: str, /) -> str:
        """The name of a type made for an object whose labels are its own."""


class Item:
    """Makes the entry of one object."""

    def __init__(self, mapper: Context, given: Object, entry: types.Entry) -> None:
        self.mapper, self.given, self.entry = mapper, given, entry

    def values(self) -> dict[str, Any]:
        """The keys of the entry, as a user would write them."""
        given, entry = self.given, self.entry
        kind = entry.kind
        made: dict[str, Any] = {}
        if not kind.numeric:
            made["type"] = entry.type.name
        unit = names.unit(given.unit, given.name, needed=kind.numeric)
        if unit:
            made["unit"] = unit
        if given.unit and unit != given.unit:
            message = f"the units of '{given.name}' are kept as '{unit}'"
            self.mapper.note("import-inexact", given.name, message)
        if kind.numeric and entry.type.width == 32:
            made["width"] = 32
        snmp: dict[str, Any] = {"name": given.name, "oid": given.oid}
        if entry.type.key == "length":
            made["length"] = entry.length
        if entry.type.key == "labels":
            self._labels(made, snmp)
        if entry.bounds is not None and entry.bounds != (0, 2**32 - 1):
            self._bounds(made)
        made["description"] = self._description(made)
        self._syntax(snmp)
        if given.status in ("deprecated", "obsolete"):
            snmp["status"] = given.status
        access = self.mapper.source.definitions.get(given.name)
        said = access.access if access is not None else ""
        shown = said if said in ("read-create", "read-write") else given.access
        if shown and shown != "read-only":
            snmp["access"] = shown
        made["snmp"] = snmp
        return made

    def _description(self, made: dict[str, Any]) -> str:
        text = self.mapper.described(self.given)
        if "min" in made and "max" in made:  # what the MIB backend adds
            text = text.removesuffix(f" Values are {made['min']} to {made['max']}.")
        return text

    def _bounds(self, made: dict[str, Any]) -> None:
        assert self.entry.bounds is not None
        low, high = self.entry.bounds
        if low <= high <= self.entry.kind.range(self.entry.type)[1]:
            made["min"], made["max"] = low, high

    def _labels(self, made: dict[str, Any], snmp: dict[str, Any]) -> None:
        fitting = tuple(label for label in self.entry.labels if label[1] in types.INT32_RANGE)
        for name, value in self.entry.labels:
            if value not in types.INT32_RANGE:
                message = f"label '{name}' of '{self.given.name}' is {value}, beyond 32 bits"
                self.mapper.note("import-large-number", self.given.name, message)
        labels, said = names.labels(fitting)
        if len(labels) < len(fitting):
            message = f"two labels of '{self.given.name}' have the same number"
            self.mapper.note("import-duplicate", self.given.name, message)
        if not labels:
            made["type"] = "int32"
            return
        made["labels"] = labels
        if said:
            snmp["labels"] = said

    def _syntax(self, snmp: dict[str, Any]) -> None:
        given = types.completed(self.given.type, self.mapper.lookup)
        if given.base == "Bits" and not given.parent:
            snmp["syntax"] = self.mapper.named(self.given, "BITS", "Bits")
            return
        syntax = types.spelled(given, self.mapper.module.name)
        bare = syntax.rpartition("::")[2]
        if self.given.type.parent and self.given.type.labels:
            message = f"'{self.given.name}' has some of the labels of {bare}, the MIB will have all"
            self.mapper.note("import-inexact", self.given.name, message)
        if syntax and bare != types.default_syntax(self.entry) and bare != "INTEGER":
            snmp["syntax"] = syntax

# SPDX-License-Identifier: BSD-3-Clause
"""One object of an SMI module as a counter, gauge or state of a schema."""

from __future__ import annotations

from typing import Any, Protocol

from ...mib import names
from . import types
from .model import RETIRED, Module, Object
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

    def __init__(self, mapper: Context, smi_object: Object, entry: types.Entry) -> None:
        self.mapper, self.smi_object, self.entry = mapper, smi_object, entry

    def values(self) -> dict[str, Any]:
        """The keys of the entry, as a user would write them."""
        smi_object, entry = self.smi_object, self.entry
        kind = entry.kind
        keys: dict[str, Any] = {}
        if not kind.numeric:
            keys["type"] = entry.type.name
        unit = names.unit(smi_object.unit, smi_object.name, needed=kind.numeric)
        if unit:
            keys["unit"] = unit
        if smi_object.unit and unit != smi_object.unit:
            message = f"the units of '{smi_object.name}' are kept as '{unit}'"
            self.mapper.note("import-inexact", smi_object.name, message)
        if kind.numeric and entry.type.width == 32:
            keys["width"] = 32
        snmp: dict[str, Any] = {"name": smi_object.name, "oid": smi_object.oid}
        if entry.type.key == "length":
            keys["length"] = entry.length
        if entry.type.key == "labels":
            self._labels(keys, snmp)
        if entry.bounds is not None and entry.bounds != (0, 2**32 - 1):
            self._bounds(keys)
        keys["description"] = self._description(keys)
        self._syntax(snmp)
        if smi_object.status in RETIRED:
            snmp["status"] = smi_object.status
        definition = self.mapper.source.definitions.get(smi_object.name)
        access = definition.access if definition is not None else ""
        if access not in ("read-create", "read-write"):
            access = smi_object.access
        if access and access != "read-only":
            snmp["access"] = access
        keys["snmp"] = snmp
        return keys

    def _description(self, keys: dict[str, Any]) -> str:
        text = self.mapper.described(self.smi_object)
        if "min" in keys and "max" in keys:  # what the MIB backend adds
            text = text.removesuffix(f" Values are {keys['min']} to {keys['max']}.")
        return text

    def _bounds(self, keys: dict[str, Any]) -> None:
        assert self.entry.bounds is not None
        low, high = self.entry.bounds
        if low <= high <= self.entry.kind.range(self.entry.type)[1]:
            keys["min"], keys["max"] = low, high

    def _labels(self, keys: dict[str, Any], snmp: dict[str, Any]) -> None:
        fitting = tuple(label for label in self.entry.labels if label[1] in types.INT32_RANGE)
        for name, value in self.entry.labels:
            if value not in types.INT32_RANGE:
                message = f"label '{name}' of '{self.smi_object.name}' is {value}, beyond 32 bits"
                self.mapper.note("import-large-number", self.smi_object.name, message)
        labels, smi_names = names.labels(fitting)
        if len(labels) < len(fitting):
            message = f"two labels of '{self.smi_object.name}' have the same number"
            self.mapper.note("import-duplicate", self.smi_object.name, message)
        if not labels:
            keys["type"] = "int32"
            return
        keys["labels"] = labels
        if smi_names:
            snmp["labels"] = smi_names

    def _syntax(self, snmp: dict[str, Any]) -> None:
        name = self.smi_object.name
        type_ = types.completed(self.smi_object.type, self.mapper.lookup)
        if type_.base == "Bits" and not type_.parent:
            snmp["syntax"] = self.mapper.named(self.smi_object, "BITS", "Bits")
            return
        syntax = types.spelled(type_, self.mapper.module.name)
        bare = syntax.rpartition("::")[2]
        if self.smi_object.type.parent and self.smi_object.type.labels:
            message = f"'{name}' has some of the labels of {bare}, the MIB will have all"
            self.mapper.note("import-inexact", name, message)
        if syntax and bare != types.default_syntax(self.entry) and bare != "INTEGER":
            snmp["syntax"] = syntax

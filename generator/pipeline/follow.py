# SPDX-License-Identifier: BSD-3-Clause
"""Groups, compliances and notifications of a module follow what mending does to their objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..findings.diagnostics import Diagnostics
from ..frontends.raw import Node, listed, mapping, span

LEFT_OUT = "import-left-out"

Entries = dict[str, Node]


class Definitions:
    """What a module defines besides objects, in its schema; `kinds` are mappings by name."""

    def __init__(self, snmp: Entries) -> None:
        self.snmp = snmp
        found = snmp.get("definitions")
        self.kinds: dict[str, Entries] = {}
        for kind, entries in (mapping(found)).items():
            self.kinds[kind] = mapping(entries)

    def drop(self, wrong: object) -> str:
        """Leave out the definition at a place; returns its name, empty where there is none."""
        for entries in self.kinds.values():
            for name in [name for name in entries if span(entries[name].region) == wrong]:
                del entries[name]
                return name
        return ""

    def follow(self, renamed: Mapping[str, str], gone: set[str], diagnostics: Diagnostics) -> None:
        """Use new names of objects, and leave out those that are gone; so are groups that have
        nothing in them any more."""
        for name, entry in self._each("notifications"):
            self._members(name, entry, "objects", renamed, gone, diagnostics)
        for kind, key in (("object_groups", "objects"), ("notification_groups", "notifications")):
            for name, entry in self._each(kind):
                self._members(name, entry, key, renamed, gone, diagnostics)
                if not listed(entry.get(key)):
                    message = f"the group '{name}' is left out: nothing is in it any more"
                    diagnostics.report(LEFT_OUT, span(self.kinds[kind][name].region), message)
                    del self.kinds[kind][name]
                    gone.add(name)
        for name, entry in self._each("compliances"):
            for part in map(mapping, listed(entry.get("modules"))):
                if "module" not in part:
                    self._part(name, part, renamed, gone, diagnostics)
        for kind in [kind for kind in self.kinds if not self.kinds[kind]]:
            del self.kinds[kind], self.snmp["definitions"].value[kind]
        if "definitions" in self.snmp and not self.kinds:
            del self.snmp["definitions"]

    def _each(self, kind: str) -> Iterator[tuple[str, Entries]]:
        return ((name, mapping(node)) for name, node in [*self.kinds.get(kind, {}).items()])

    def _members(
        self, of: str, entry: Entries, key: str, renamed: Mapping[str, str], gone: set[str],
        diagnostics: Diagnostics,
    ) -> None:  # fmt: skip
        """Change the names in a list."""
        left = []
        for member in listed(entry.get(key)):
            if member.value in gone:
                message = f"'{member.value}' is left out of '{of}': it is not in the schema"
                diagnostics.report(LEFT_OUT, span(member.region), message)
            else:
                member.value = renamed.get(member.value, member.value)
                left.append(member)
        if key in entry:
            entry[key].value = left
        if key in entry and not left:
            del entry[key]

    def _part(
        self, of: str, part: Entries, renamed: Mapping[str, str], gone: set[str],
        diagnostics: Diagnostics,
    ) -> None:  # fmt: skip
        """Change the names in what a compliance asks of its own module."""
        self._members(of, part, "mandatory", renamed, gone, diagnostics)
        for key in [key for key in ("groups", "objects") if key in part]:
            entries = mapping(part[key])
            for name in [name for name in entries if name in gone]:
                message = f"'{name}' is left out of '{of}': it is not in the schema"
                diagnostics.report(LEFT_OUT, span(entries[name].region), message)
            left = {
                renamed.get(name, name): node for name, node in entries.items() if name not in gone
            }
            part[key].value = left
            if not left:
                del part[key]

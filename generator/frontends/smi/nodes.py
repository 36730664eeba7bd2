# SPDX-License-Identifier: BSD-3-Clause
"""OIDs that a module gives twice, or below what nothing can be below: the tools, or the rules of
schemas, would lose what is there."""

from __future__ import annotations

from collections.abc import Iterator

from .source import Source
from .tables import is_row
from .written import NO_LINE, Change, Known, Oid, Said, changed, values

_NODE = "OBJECT IDENTIFIER"
_NODES = (_NODE, "OBJECT-IDENTITY", "MODULE-IDENTITY")
_OBJECT = "OBJECT-TYPE"


def merged(source: Source, said: Said) -> str:
    """The text of a module without nodes at the OID of a table, which stands for it, and without
    those at the OID of another object that have nothing below them."""
    known = Known(all_ := values(source))
    definitions = source.definitions.values()
    above = {one.above for one in definitions}
    at = {known.oid(one.name): one for one in definitions if one.macro == _OBJECT}
    instead: dict[str, str] = {}
    changes = []
    for value in all_:
        node, object_ = value.definition, at.get(known.oid(value.definition.name))
        table = object_ is not None and object_.syntax == "SEQUENCE"
        if object_ and node.macro == _NODE and value.arcs and (table or node.name not in above):
            instead[node.name] = object_.name
            what = "table" if table else "object"
            message = f"the node '{node.name}' is the {what} '{object_.name}': it is left out"
            said(node.start, len(node.name), message)
            end = value.body.find("}") + 1
            changes.append(Change(node.start, end, NO_LINE.sub(" ", value.body[:end])))
    for value in all_:
        if value.above in instead and value.definition.name not in instead:
            changes.append(Change(value.at, len(value.above), instead[value.above]))
    return changed(source.text, changes)


def placed(source: Source, said: Said) -> str:
    """The text of a module in which an OID is that of one thing, a row is number 1 of its table,
    and nothing is below an object but a row below its table and columns below their row."""
    return changed(source.text, _Placing(source).run(said))


class _Placing:
    """Gives objects other numbers where theirs cannot be. `at` is what has an OID, objects as far
    as they are placed; `last` is the highest number below an OID."""

    def __init__(self, source: Source) -> None:
        self.source, all_ = source, values(source)
        self.known = Known(all_)
        self.values = {one.definition.name: one for one in all_ if one.arcs}
        rows = (one for one in all_ if is_row(source, one.definition))
        self.tables = {row.above for row in rows}
        self.at: dict[Oid, str] = {}
        self.last: dict[Oid, int] = {}
        for name, value in self.values.items():
            root, arcs = oid = self.known.oid(name)
            for depth, arc in enumerate(arcs):
                above = root, arcs[:depth]
                self.last[above] = max(arc, self.last.get(above, 0))
            if value.definition.macro in _NODES:
                self.at[oid] = name

    def run(self, said: Said) -> Iterator[Change]:
        """What changes; what is above comes first, as all below it changes as well."""
        objects = [n for n, value in self.values.items() if value.definition.macro == _OBJECT]
        for name in sorted(objects, key=lambda name: len(self.known.oid(name)[1])):
            value, why = self.values[name], ""
            above, arcs = self.known.below[name]
            if holder := self._holder(name):
                above, arcs = self.known.below[holder]
                arcs, why = self._free(above, arcs), f"is below '{holder}', where it cannot be"
            elif other := self.at.get(self.known.oid(name)):
                arcs, why = self._free(above, arcs), f"has the OID of '{other}'"
            elif self._kind(name) == "row" and self._kind(above) == "table" and arcs != (1,):
                arcs, why = (1,), "is not number 1 of its table"
            if why:
                place = " ".join(map(str, (above, *arcs)))
                message = f"'{name}' {why}: it is read at {{ {place} }}"
                said(value.definition.start, len(name), message)
                self.known.below[name] = above, arcs
                start = value.at - value.definition.start
                old = value.body[start : value.body.index("}", start)]
                yield Change(value.at, len(old), f"{place} {NO_LINE.sub('', old)}")
            self.at[self.known.oid(name)] = name

    def _kind(self, name: str) -> str:
        """What an object is; empty for what is none of the module, or a table without rows."""
        definition = self.values[name].definition if name in self.values else None
        if definition is None or definition.macro != _OBJECT:
            return ""
        if definition.syntax == "SEQUENCE":
            return "table" if name in self.tables else ""
        return "row" if is_row(self.source, definition) else "column"

    def _holder(self, name: str) -> str:
        """The first object above an OID, unless it is the table, or table and row, of that."""
        root, arcs = self.known.oid(name)
        found = [self.at.get((root, arcs[:depth]), "") for depth in range(1, len(arcs))]
        for kind in {"row": ("table",), "column": ("row", "table")}.get(self._kind(name), ()):
            if not found or self._kind(found[-1]) != kind:
                break
            found.pop()
        return next((holder for holder in found if self._kind(holder)), "")

    def _free(self, above: str, arcs: tuple[int, ...]) -> tuple[int, ...]:
        """The next number beside the last of some."""
        root, whole = self.known.whole(above, arcs)
        number = self.last[root, whole[:-1]] = self.last.get((root, whole[:-1]), 0) + 1
        return (*arcs[:-1], number)

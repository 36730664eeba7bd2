# SPDX-License-Identifier: BSD-3-Clause
"""What a module means where it says too little or too much for a schema: each is a finding.

Names that stand in IMPORTS get their modules, names that are defined twice are kept once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .model import OF_SMI, Labels, Module, Object, Table, Type
from .source import Source

Note = Callable[[str, str, str], None]
"""Reports a finding: its rule, the definition it is about, the message."""

_SMI = frozenset([*OF_SMI, "Integer32", "INTEGER", "OctetString", "ObjectIdentifier", "Bits"])


def meant(module: Module, source: Source, note: Note) -> Module:
    """The module with every name from elsewhere qualified, and every name once."""
    qualified = _Qualified(module, source)
    module.types = {name: qualified.type(of) for name, of in module.types.items()}
    module.scalars = [*map(qualified.object, module.scalars)]
    module.tables = [*map(qualified.table, module.tables)]
    _once(module, note)
    return module


class _Qualified:
    """Puts modules before names that these define, where the reader did not find them."""

    def __init__(self, module: Module, source: Source) -> None:
        imports = source.imports.items()
        self.origins = {symbol: name for name, (_, symbols) in imports for symbol in symbols}
        self.syntax = {name: one.syntax for name, one in source.definitions.items()}
        self.module = module.name
        self.own = module.objects() | module.types.keys()

    def name(self, name: str) -> str:
        module, _, bare = name.rpartition("::")
        known = module not in ("", self.module) or bare in self.own | _SMI
        return name if known or bare not in self.origins else f"{self.origins[bare]}::{bare}"

    def type(self, type_: Type) -> Type:
        parent = self.name(type_.parent) if type_.parent else ""
        return type_ if parent == type_.parent else replace(type_, parent=parent)

    def object(self, object_: Object) -> Object:
        type_ = self.type(object_.type)
        stated = self.syntax.get(object_.name, "")
        if type_ == Type() and stated in self.origins:  # the reader has passed over it
            type_ = Type(parent=f"{self.origins[stated]}::{stated}")
        return object_ if type_ is object_.type else replace(object_, type=type_)

    def table(self, table: Table) -> Table:
        own = {column.name: f"{self.module}::{column.name}" for column in table.columns}
        index = (own.get(name.rpartition("::")[2], name) for name in table.index)
        return replace(
            table, columns=tuple(map(self.object, table.columns)),
            index=tuple(map(self.name, index)), augments=self.name(table.augments),
        )  # fmt: skip


def _once(module: Module, note: Note) -> None:
    """Keep one of the objects, and of nodes and objects, that have the same name."""
    seen: set[str] = set()

    def first(definition: Object | Table) -> bool:
        new = definition.name not in seen
        seen.add(definition.name)
        if not new:
            message = f"there are several objects '{definition.name}': one of them is imported"
            note("import-duplicate", definition.name, message)
        return new

    tables: dict[str, Table] = {}
    for table in filter(first, module.tables):
        seen.add(table.entry)
        tables[table.name] = replace(table, columns=tuple(filter(first, table.columns)))
    module.tables = [table for table in tables.values() if table.columns]
    module.scalars = [*filter(first, module.scalars)]
    for name in module.nodes.keys() & seen:
        message = f"'{name}' is a node and an object: the node is not imported"
        note("import-duplicate", name, message)
        del module.nodes[name]


LONGEST = 64
"""Characters of a label, at most (RFC 2578, 3.1)."""


def distinct(labels: Labels) -> tuple[Labels, list[str]]:
    """Labels of which no two have the same name or number, none too long; and those that are not
    among them, or changed."""
    names: set[str] = set()
    values: set[int] = set()
    kept, again = [], []
    for name, value in labels:
        if value in values:
            again.append(name)
            continue
        short = name if len(name) <= LONGEST else name[: LONGEST - 4].rstrip("-")
        new, number = short, 2
        while new in names:  # each turn gives another name
            new, number = f"{short}V{number}", number + 1
        if new != name:
            again.append(name)
        names.add(new)
        values.add(value)
        kept.append((new, value))
    return tuple(kept), again

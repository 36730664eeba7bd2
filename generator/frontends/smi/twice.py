# SPDX-License-Identifier: BSD-3-Clause
"""Names that a module defines twice. With another OID it is another object: it gets a name of its
own, and so do what is below it and the INDEX of its row. With the same OID it is there once."""

from __future__ import annotations

import re
from itertools import count

from .source import Source
from .written import Change, Known, Said, Value, changed, values

_INDEX = re.compile(r"\bINDEX\s*\{([^{}]*)\}")
_WORD = re.compile(r"(?<![\w-])[a-z][\w-]*")
_LONGEST = 60
_ALONE = frozenset(["TYPE", "MODULE-IDENTITY"])


def told_apart(source: Source, said: Said) -> str:
    """The text of a module in which each name stands for one OID."""
    if not source.twice:
        return source.text
    apart = _Apart(source, said)
    return changed(source.text, apart.changes)


class _Apart:
    """Gives names, from the first definition to the last: a name stands for what was called so
    last. `called` are the names that were there first, with all that they became."""

    def __init__(self, source: Source, said: Said) -> None:
        self.said = said
        all_ = values(source)
        self.taken = {one.definition.name for one in all_}
        self.taken |= {name for _, names in source.imports.values() for name in names}
        self.known = Known(all_)
        self.called: dict[str, list[str]] = {}
        self.now: dict[str, str] = {}
        self.changes: set[Change] = set()
        rows = [(value, self._name(value)) for value in all_]
        for value, name in rows:
            self._index(value, name)

    def _name(self, value: Value) -> str:
        """The name of a definition, and that of what it is below, put in their places."""
        name = value.definition.name
        above = self._put(value.at, value.above, self.now.get(value.above, value.above))
        if value.definition.macro in _ALONE or not value.arcs:
            return name
        if name not in self.called:
            self.called[name] = [name]
            self.known.below[name] = (above, value.arcs)
            return name
        oid = self.known.whole(above, value.arcs)
        same = [new for new in self.called[name] if self.known.oid(new) == oid]
        new = same[0] if same else self._free(name)
        if not same:
            self.called[name].append(new)
            self.known.below[new] = (above, value.arcs)
            message = f"'{name}' is defined twice, here with another OID: it is called '{new}'"
            self.said(value.definition.start, len(name), message)
        self.now[name] = new
        return self._put(value.definition.start, name, new)

    def _put(self, place: int, name: str, new: str) -> str:
        if new != name:
            self.changes.add(Change(place, len(name), new))
        return new

    def _free(self, name: str) -> str:
        names = (f"{name[:_LONGEST].rstrip('-')}V{number}" for number in count(2))
        new = next(new for new in names if new not in self.taken)
        self.taken.add(new)
        return new

    def _index(self, value: Value, row: str) -> None:
        """Let the INDEX of a row have the columns of that row."""
        index = _INDEX.search(value.body)
        for word in _WORD.finditer(value.body, *index.span(1)) if index else ():
            for new in self.called.get(word[0], ())[1:]:
                if self.known.below[new][0] == row:
                    self._put(value.definition.start + word.start(), word[0], new)

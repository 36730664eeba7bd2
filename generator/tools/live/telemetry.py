# SPDX-License-Identifier: BSD-3-Clause
"""Running applications through the telemetry of DPDK (runtime/include/ctr_telemetry.h)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from . import listing
from .model import Index, Instance, Item, LiveError, Module, Scope, Source, Value
from .wire import TIMEOUT, Connection, find

__all__ = ["Telemetry", "find"]

_LINES = 2_000_000  # most lines of a list: a module of more cannot be compiled
_TEXT = 1 << 12  # longest text of an item, as it is sent: those of a schema have up to 255 octets
_NEXT = re.compile(r"(?:.*,)?([0-9]{1,20})")
_DESCRIPTION = re.compile(r"description(/.*)?")  # which may be in pieces


@dataclass
class _Row:
    """An instance while its values arrive: it goes on in the next reply where it is `split`."""

    indexes: tuple[int, ...]
    texts: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    keys: dict[tuple[str, str], str] = field(default_factory=dict)
    since_ns: int = 0
    split: bool = False


class Telemetry(Source):
    """An application, by its socket; connects again after an error. Not thread-safe."""

    def __init__(self, path: Path | str, timeout: float = TIMEOUT) -> None:
        self._path = Path(path)
        self._timeout = timeout
        self._connection: Connection | None = None
        self._lists: dict[str, tuple[Scope, ...]] = {}

    @property
    def name(self) -> str:
        """The prefix of the application's files: `rte` without --file-prefix."""
        return self._path.parent.name + "".join(self._path.name.partition(":")[1:])

    def close(self) -> None:
        """Close the connection; again does nothing."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, command: str, *parameters: object) -> Any:
        """A reply; an error closes the connection."""
        try:
            if self._connection is None:
                self._connection = Connection(self._path, self._timeout)
            return self._connection.ask(command, *parameters)
        except LiveError:
            self.close()
            raise

    def _pages(self, command: str, *parameters: object) -> Iterator[dict[str, Any]]:
        """The replies that a command takes, each going on where the last one ended."""
        reached = -1
        while True:
            page = self._ask(command, *parameters)
            if not isinstance(page, dict):
                raise LiveError(f"{self._path}: {command} is not known, or is no object")
            if "/error" in page:
                raise LiveError(f"{self._path}: {command}: {page['/error']}")
            yield page
            after = page.get("/next")
            if after is None:
                return
            number = _NEXT.fullmatch(after) if isinstance(after, str) else None
            if number is None or int(number[1]) <= reached:
                raise LiveError(f"{self._path}: {command} does not come to an end")
            reached = int(number[1])
            parameters = (after,)

    def _info(self, module: str) -> dict[str, Any]:
        """The reply of an application about a module."""
        facts: dict[str, Any] = {}
        for page in self._pages(f"/{module}/info"):
            facts |= page
            if len(facts) > _LINES:
                raise LiveError(f"{self._path}: too much about {module}")
        if not isinstance(facts.get("layout"), str):
            raise LiveError(f"{self._path}: {module} does not tell its layout")
        return facts

    def _list(self, module: str, layout: str) -> tuple[Scope, ...]:
        if layout not in self._lists:
            lines: list[str] = []
            for page in self._pages(f"/{module}/list"):
                more = page.get("lines", [])
                if not isinstance(more, list) or not all(type(line) is str for line in more):
                    raise LiveError(f"{self._path}: the list of {module} has no lines")
                lines += more
                if len(lines) > _LINES:
                    raise LiveError(f"{self._path}: the list of {module} is too long")
            try:
                self._lists[layout] = listing.scopes(lines)
            except LiveError as error:
                raise LiveError(f"{self._path}: {module}: {error}") from None
        return self._lists[layout]

    def modules(self) -> tuple[Module, ...]:
        """The modules that it offers now; those that are not initialised are none."""
        commands = self._ask("/")
        if not isinstance(commands, list):
            raise LiveError(f"{self._path}: the application does not tell its commands")
        known = {command for command in commands if type(command) is str}
        names = sorted(name.removesuffix("/list")[1:] for name in known if name.endswith("/list"))
        found = []
        for name in names:
            offered = {f"/{name}/{word}" for word in ("info", "scope", "lcore")} <= known
            if "/" in name or not offered or self._absent(name):
                continue
            facts = self._info(name)
            scopes = self._list(name, facts["layout"])
            views = tuple(str(facts[key]) for key in facts if key.startswith("views/"))
            pieces = (str(facts[key]) for key in facts if _DESCRIPTION.fullmatch(key))
            about = listing.unescaped("".join(pieces))
            found.append(Module(name, about, scopes, views, facts["layout"]))
        keep = {module.layout for module in found}
        self._lists = {layout: s for layout, s in self._lists.items() if layout in keep}
        return tuple(found)

    def _absent(self, name: str) -> bool:
        reply = self._ask(f"/{name}/info")
        error = reply.get("/error") if isinstance(reply, dict) else None
        return error in ("not initialised", "not registered")

    def lcores(self, module: Module) -> tuple[str, ...]:
        """The lcores that have counted: their numbers, and `non_lcore`."""
        facts = self._info(module.name)
        return tuple(name.removeprefix("lcores/") for name in facts if name.startswith("lcores/"))

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        """The instances of a scope that there are, in the order of their indexes."""
        return self._read(module, scope, f"/{module.name}/stats")

    def read_lcore(self, module: Module, scope: Scope, lcore: str) -> Iterator[Instance]:
        """One lcore's contribution to each instance; items other than counters are None."""
        return self._read(module, scope, f"/{module.name}/lcore", lcore)

    def _read(self, module: Module, scope: Scope, command: str, *before: str) -> Iterator[Instance]:
        facts = self._info(module.name)
        if facts["layout"] != module.layout:
            raise LiveError(f"{self._path}: {module.name} has another layout than before")
        start = facts.get("start_unix_ns")
        begun = start / 1e9 if type(start) is int else 0.0
        counted = command.endswith("/lcore")
        for row in self._rows(scope, command, *before):
            made = self._instance(scope, row, counted, begun)
            if made is not None:
                yield made

    def _rows(self, scope: Scope, command: str, *before: str) -> Iterator[_Row]:
        """Instances, also such as go on in the next reply."""
        row: _Row | None = None
        for page in self._pages(command, *before, scope.name):
            if row is not None:
                row.split = True
            for name, value in page.items():
                if name == "/next":
                    continue
                indexes, words = self._place(scope, name)
                if row is None or indexes != row.indexes:
                    if row is not None:
                        if indexes <= row.indexes:
                            raise LiveError(f"{self._path}: {scope.name} is not in order")
                        yield row
                    row = _Row(indexes)
                self._take(row, words, name, value)
        if row is not None:
            yield row

    def _place(self, scope: Scope, name: str) -> tuple[tuple[int, ...], list[str]]:
        """The instance that a name of a reply belongs to, and what the name says further."""
        words = name.split("/")
        first = [] if words[0] else words[:2]
        words = words[len(first) :]
        count = len(scope.indexes)
        try:
            indexes = tuple(map(int, words[:count]))
            inside = all(0 <= n < i.maximum for n, i in zip(indexes, scope.indexes, strict=True))
        except ValueError:
            inside = False
        if not inside:
            raise LiveError(f"{self._path}: {scope.name} has no {name[:80]}")
        return indexes, first[1:] + words[count:]

    def _take(self, row: _Row, words: list[str], name: str, value: object) -> None:
        """Put a value where it belongs. The pieces of a text come in their order."""
        length = 0
        if name.startswith("/since") and type(value) is int:
            row.since_ns = value
        elif name.startswith("/key/") and type(value) is str and len(words) > 2:
            part = (words[1], words[2])
            row.keys[part] = row.keys.get(part, "") + value
            length = len(row.keys[part])
        elif not name.startswith("/") and words and type(value) is str:
            row.texts[words[0]] = row.texts.get(words[0], "") + value
            length = len(row.texts[words[0]])
        elif not name.startswith("/") and words and type(value) is int:
            row.numbers[words[0]] = value
        else:
            length = _TEXT + 1
        if length > _TEXT:
            raise LiveError(f"{self._path}: {name[:80]} cannot be {str(value)[:80]}")

    def _instance(self, scope: Scope, row: _Row, counted: bool, begun: float) -> Instance | None:
        """An instance; None for one that ended before all of it was read."""
        values: list[Value] = []
        for item in scope.items:
            there = item.name in row.numbers or item.name in row.texts
            if (counted and item.kind != "counter") or (item.may_lack and not there):
                values.append(None)
            elif there:
                values.append(self._value(item, row))
            elif row.split:
                return None
            else:
                raise LiveError(f"{self._path}: {scope.name} {row.indexes} lacks items")
        names = (_names(index, level, row) for level, index in enumerate(scope.indexes))
        since = row.since_ns / 1e9 if row.since_ns else begun
        return Instance(row.indexes, tuple(chain.from_iterable(names)), tuple(values), since)

    def _value(self, item: Item, row: _Row) -> Value:
        of = item.value_type
        if of.text or of.labelled:
            text = row.texts.get(item.name)
            if text is None:
                raise LiveError(f"{self._path}: {item.name} is no text")
            shown = item.texts.get(text, text)
            return (shown or None) if of.labelled else listing.unescaped(text)
        number = row.numbers.get(item.name)
        if number is None or not of.low <= number <= of.high:
            raise LiveError(f"{self._path}: {item.name} is no {item.type}")
        if item.type == "bool":
            return number == 1
        return None if item.type == "timestamp" and number == 0 else number


def _names(index: Index, level: int, row: _Row) -> Iterator[str]:
    """What an index is called: a label, the parts of a key, or the number."""
    number = row.indexes[level]
    if index.keys:
        parts = (row.keys.get((str(level), part), "") for part in index.keys)
        yield from index.shown(map(listing.unescaped, parts))
    else:
        yield index.labels[number] if index.labels else str(number)

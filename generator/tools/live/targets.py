# SPDX-License-Identifier: BSD-3-Clause
"""Discovery of applications: shared segments and telemetry sockets that appear and vanish."""

from __future__ import annotations

import itertools
import math
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .model import Instance, Item, LiveError, Module, Scope, Source, Value, legible
from .segment import Segment, decoder, is_segment
from .telemetry import Telemetry
from .wire import SOCKET, find, trusted

GROUP = 64  # instances by label of one thing that are shown all or none, for rates from 0 on
MOST_RETAINED = 1_000_000  # instances of a scope known to have been shown

Indexes = tuple[int, ...]
Shown = dict[tuple[str, str, str], set[Indexes]]  # by module, layout and scope


class Touched:
    """A Source whose static scopes lack what was never touched: instances with nothing but zero,
    false, empty and missing values, unless in `shown`. Scopes with one instance, or up to `GROUP`
    that all have labels, and dynamic ones are whole."""

    def __init__(self, source: Source, shown: Shown) -> None:
        self._source, self._shown = source, shown
        self.name, self.modules, self.lcores = source.name, source.modules, source.lcores
        self.read_lcore, self.close, self.memory = source.read_lcore, source.close, source.memory
        self.age = source.age
        self.left_out: dict[tuple[str, str], int] = {}

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        """The instances that were touched, in the order of their indexes."""
        self.left_out.pop((module.name, scope.name), None)
        found = self._source.read(module, scope)
        levels = _levels(scope)
        if scope.dynamic or not levels:
            yield from found
            return
        key, blank = (module.name, module.layout, scope.name), blank_of(scope)
        before, now, left = self._shown.get(key, set()), set[Indexes](), 0
        whole = False
        try:
            for indexes, rows in itertools.groupby(found, lambda one: one.indexes[:levels]):
                group = list(rows)
                if indexes not in before and all(blank(one.values) for one in group):
                    left += len(group)
                    continue
                if len(now) < MOST_RETAINED:
                    now.add(indexes)
                yield from group
            whole = True
        finally:
            self._shown[key] = now if whole else before | now
            if left:
                self.left_out[module.name, scope.name] = left


def _levels(scope: Scope) -> int:
    """How many indexes tell groups of at most `GROUP` labelled instances apart."""
    count = len(scope.indexes)
    while count and scope.indexes[count - 1].labels:
        count -= 1
    group = math.prod(index.maximum for index in scope.indexes[count:])
    return count if group <= GROUP else len(scope.indexes)


def _zero(item: Item) -> Value:
    """The text of an item whose octets are all zero; None for a number."""
    decode = decoder(item, 0) if item.value_type.text else None
    return decode(bytes(item.value_type.octets)) if decode else None


def blank_of(scope: Scope) -> Callable[[tuple[Value, ...]], bool]:
    """Predicate: the values of an instance are those of one that was never touched."""
    texts: list[tuple[int, set[Value]]] = [
        (at, {_zero(item), *(label for label, number in item.labels if number == 0)})
        for at, item in enumerate(scope.items)
        if item.value_type.text or any(number == 0 for _, number in item.labels)
    ]

    def blank(values: tuple[Value, ...]) -> bool:
        if not any(values):
            return True
        rest = list(values)
        for at, none in texts:
            if rest[at] in none:
                rest[at] = None
        return not any(rest)

    return blank


Identity = tuple[int, ...]  # differs between two files of one name
MOST_GONE = 64  # applications that are not found any more and are reported as such


class Targets:
    """Applications at some paths: segments, sockets, folders of them; without a path, all telemetry
    sockets. Not thread-safe.

    What was found is reported from then on, as an error when its file is removed; it stays open
    until its file is another one. Unless `every` instance is wanted, those that were never touched
    are left out (`Touched`).
    """

    def __init__(self, paths: Sequence[str] = (), *, every: bool = True) -> None:
        self._paths, self._every = [Path(path) for path in paths], every
        self._shown: dict[Path, Shown] = {}
        self._open: dict[Path, tuple[Identity, Source]] = {}
        self._known: dict[Path, Identity | None] = {}

    def __enter__(self) -> Targets:
        return self

    def __exit__(self, *_: object) -> None:
        for path in list(self._open):
            self._drop(path)

    def found(self) -> Iterator[tuple[str, Source | LiveError]]:
        """The applications by name, also those whose files were removed; names are unique."""
        here = list(dict.fromkeys(self._all()))
        paths = [*here, *self._gone(here)]
        for path in (self._open.keys() | self._shown.keys()) - set(paths):
            self._drop(path)
            self._shown.pop(path, None)
        names = [_names(path) for path in paths]
        shared = Counter(name for each in names for name in dict.fromkeys(each))
        for path, each in zip(paths, names, strict=True):
            name = next((name for name in each if shared[name] == 1), each[-1])
            try:
                yield name, self._opened(path)
            except LiveError as error:
                yield name, error

    def _gone(self, here: Sequence[Path]) -> list[Path]:
        """The latest files that were found earlier and are not now, nor have another name."""
        found = {path: _identity_at(path) for path in here}
        gone = [
            path
            for path, identity in self._known.items()
            if path not in found
            and (identity is None or identity != found.get(path.with_suffix("")))
        ][-MOST_GONE:]
        self._known = {path: self._known[path] for path in gone} | found
        return gone

    def _all(self) -> Iterator[Path]:
        if not self._paths:
            yield from find()
        for path in self._paths:
            yield from sorted(_inside(path)) if path.is_dir() else [path]

    def _opened(self, path: Path) -> Source:
        try:
            status = path.stat()
        except OSError as error:
            self._drop(path)
            raise LiveError(f"{path}: {error.strerror}") from error
        identity = _identity(status)
        before = self._open.get(path)
        if before is not None and before[0] == identity:
            return before[1]
        self._drop(path)
        source: Source = Telemetry(path) if stat.S_ISSOCK(status.st_mode) else Segment(path)
        if not self._every:
            source = Touched(source, self._shown.setdefault(path, {}))
        self._open[path] = (identity, source)
        return source

    def _drop(self, path: Path) -> None:
        _, source = self._open.pop(path, (None, None))
        if source is not None:
            source.close()


def _identity(status: os.stat_result) -> Identity:
    """Identity of a file, to detect replacement; of segments without their changing times."""
    written = stat.S_ISREG(status.st_mode)
    return status.st_dev, status.st_ino, 0 if written else status.st_ctime_ns


def _identity_at(path: Path) -> Identity | None:
    try:
        return _identity(path.stat())
    except OSError:
        return None


def _inside(folder: Path) -> Iterator[Path]:
    """The segments and sockets of telemetry in a folder."""
    for path in folder.iterdir():
        try:
            mode = path.stat().st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode):
            chosen = path.name.startswith(SOCKET) and not _planted(path, folder)
        else:
            chosen = stat.S_ISREG(mode) and is_segment(path)
        if chosen:
            yield path


def _planted(path: Path, folder: Path) -> bool:
    """Whether another user may have made a socket in a folder that is not his."""
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH) and not trusted(path)
    except OSError:
        return True


def _names(path: Path) -> tuple[str, ...]:
    """Names of an application, the shortest first: prefix or file; with its folder; path."""
    name = path.parent.name if path.name.startswith("dpdk_telemetry") else path.stem
    short, folder = legible(os.fsencode(name)), legible(os.fsencode(path.parent.name))
    return short, f"{folder}/{short}", legible(os.fsencode(path))

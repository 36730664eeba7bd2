# SPDX-License-Identifier: BSD-3-Clause
"""Discovery of applications: shared segments that appear and vanish."""

from __future__ import annotations

import itertools
import math
import os
import resource
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from .model import Instance, Module, Scope, Source, Value, legible
from .segment import Segment, decoder, is_segment

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
        self.modules, self.close = source.modules, source.close
        self.memory, self.age = source.memory, source.age
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


def blank_of(scope: Scope) -> Callable[[tuple[Value, ...]], bool]:
    """Predicate: the values of an instance are those of one that was never touched."""
    texts: list[tuple[int, set[Value]]] = []
    for at, item in enumerate(scope.items):
        none: set[Value] = {label for label, number in item.labels if number == 0}
        if item.value_type.text and (decode := decoder(item, 0)):
            none.add(decode(bytes(item.value_type.octets)))  # the text of octets that are all zero
        texts += [(at, none)] if none else []

    def blank(values: tuple[Value, ...]) -> bool:
        if not any(values):
            return True
        rest = list(values)
        for at, none in texts:
            if rest[at] in none:
                rest[at] = None
        return not any(rest)

    return blank


MOST_GONE = 64  # applications that are not found any more and are reported as such


class Targets:
    """Applications at some paths: segments, and folders of them. Not thread-safe.

    What was found is reported from then on, as an error when its file is removed. Unless `every`
    instance is wanted, those that were never touched are left out (`Touched`).
    """

    def __init__(self, paths: Sequence[str], *, every: bool = True) -> None:
        self._paths, self._every = [Path(path) for path in paths], every
        self._shown: dict[Path, Shown] = {}
        self._open: dict[Path, Source] = {}
        self._known: dict[Path, int] = {}  # inodes

    def __enter__(self) -> Targets:
        """Allow as many open segments as the system does: each has a descriptor."""
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        with suppress(ValueError, OSError):  # the limit is above fs.nr_open
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        return self

    def __exit__(self, *_: object) -> None:
        for source in self._open.values():
            source.close()

    def found(self) -> Iterator[tuple[str, Source]]:
        """The applications by name, also those whose files were removed; names are unique."""
        here = list(dict.fromkeys(itertools.chain.from_iterable(map(_segments, self._paths))))
        paths = [*here, *self._gone(here)]
        for path in self._open.keys() - set(paths):
            self._open.pop(path).close()
            self._shown.pop(path, None)
        names = [_names(path) for path in paths]
        shared = Counter(name for each in names for name in dict.fromkeys(each))
        for path, each in zip(paths, names, strict=True):
            name = next((name for name in each if shared[name] == 1), each[-1])
            yield name, self._opened(path)

    def _gone(self, here: Sequence[Path]) -> list[Path]:
        """The latest files that were found earlier and are not now, nor have another name. A folder
        that could not be listed is none of them."""
        found = {path: _inode(path) for path in here}
        gone = [
            path
            for path, inode in self._known.items()
            if path not in found
            and inode != found.get(path.with_suffix(""))
            and _segments(path) == [path]
        ][-MOST_GONE:]
        self._known = {path: self._known[path] for path in gone} | found
        return gone

    def _opened(self, path: Path) -> Source:
        if path not in self._open:
            segment = Segment(path)
            shown = self._shown.setdefault(path, {})
            self._open[path] = segment if self._every else Touched(segment, shown)
        return self._open[path]


def _segments(path: Path) -> list[Path]:
    """The segments of a folder; the path itself if it is none, or if reading it will fail."""
    try:
        return sorted(filter(is_segment, path.iterdir())) if path.is_dir() else [path]
    except OSError:
        return [path]


def _inode(path: Path) -> int:
    """The inode of a file; 0 if there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _names(path: Path) -> tuple[str, ...]:
    """Names of an application, the shortest first: of its file; with the folder; the path."""
    short, folder = legible(os.fsencode(path.stem)), legible(os.fsencode(path.parent.name))
    return short, f"{folder}/{short}", legible(os.fsencode(path))

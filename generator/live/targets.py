# SPDX-License-Identifier: BSD-3-Clause
"""Which applications there are: shared segments and telemetry sockets, as they come and go."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from .model import LiveError, Source
from .segment import Segment, is_segment
from .telemetry import Telemetry
from .touched import Shown, Touched
from .wire import SOCKET, find, greets

MOST_GONE = 64
"""Applications that have ended and are known to have shown what."""

_Identity = tuple[int, int, int]


class Targets:
    """Applications at some paths: segments, sockets, folders of them; without a path, all
    telemetry sockets. Not for several threads at a time.

    In a folder, a socket of another name than that of DPDK's telemetry is one if it greets as that
    does. One that answers otherwise is not asked again.

    What was found stays open until its file is another one, so that a restart is survived and
    costs a collection of its series at most. Unless `every` instance is wanted, those that were
    never touched are left out (`Touched`). One that was shown is shown from then on, also after a
    restart.
    """

    def __init__(self, paths: Sequence[str] = (), *, every: bool = True) -> None:
        self._paths, self._every = [Path(path) for path in paths], every
        self._shown: dict[Path, Shown] = {}
        self._open: dict[Path, tuple[_Identity, Source]] = {}
        self._others: dict[Path, _Identity] = {}

    def __enter__(self) -> Targets:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for path in list(self._open):
            self._drop(path)

    def found(self) -> Iterator[tuple[str, Source | LiveError]]:
        """The applications of this moment by name. Those of one name have the folder in front."""
        paths = list(self._all())
        for path in self._open.keys() - set(paths):
            self._drop(path)
        for path in [path for path in self._shown if path not in paths][:-MOST_GONE]:
            del self._shown[path]
        shared = Counter(map(_name, paths))
        for path in paths:
            name = _name(path)
            if shared[name] > 1:
                name = f"{_text(path.parent.name)}/{name}"
            try:
                yield name, self._opened(path)
            except LiveError as error:
                yield name, error

    def _all(self) -> Iterator[Path]:
        if not self._paths:
            yield from find()
        before, self._others = self._others, {}
        for path in self._paths:
            if path.is_dir():
                yield from sorted(self._inside(path, before))
            else:
                yield path

    def _inside(self, folder: Path, others: dict[Path, _Identity]) -> Iterator[Path]:
        """The telemetry sockets and segments in a folder; `others` are sockets that are none."""
        for path in folder.iterdir():
            try:
                status = path.stat()
            except OSError:
                continue
            if stat.S_ISSOCK(status.st_mode):
                chosen = path.name.startswith(SOCKET) or self._greets(path, status, others)
            else:
                chosen = stat.S_ISREG(status.st_mode) and is_segment(path)
            if chosen:
                yield path

    def _greets(self, path: Path, status: os.stat_result, others: dict[Path, _Identity]) -> bool:
        identity = _identity(status)
        if path in self._open and self._open[path][0] == identity:
            return True
        answer = False if others.get(path) == identity else greets(path)
        if answer is False:
            self._others[path] = identity
        return bool(answer)

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


def _identity(status: os.stat_result) -> _Identity:
    """What another file of the name does not have; times of a segment change as it is written."""
    written = stat.S_ISREG(status.st_mode)
    return status.st_dev, status.st_ino, 0 if written else status.st_ctime_ns


def _name(path: Path) -> str:
    """What an application is called: DPDK's prefix for a telemetry socket, else the file. Octets
    that are no UTF-8 become U+FFFD."""
    name = path.parent.name if path.name.startswith("dpdk_telemetry") else path.stem
    return _text(name)


def _text(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")

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
from .wire import find

_Identity = tuple[int, int, int]


class Targets:
    """Applications at some paths: segments, sockets, folders of them; without a path, all
    telemetry sockets. Not for several threads at a time.

    What was found stays open until its file is another one, so that a restart is survived and
    costs a collection of its series at most.
    """

    def __init__(self, paths: Sequence[str] = ()) -> None:
        self._paths = [Path(path) for path in paths]
        self._open: dict[Path, tuple[_Identity, Source]] = {}

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
        for path in self._paths:
            if path.is_dir():
                yield from sorted(_inside(path))
            else:
                yield path

    def _opened(self, path: Path) -> Source:
        try:
            status = path.stat()
        except OSError as error:
            self._drop(path)
            raise LiveError(f"{path}: {error.strerror}") from error
        identity = (status.st_dev, status.st_ino, status.st_ctime_ns)
        if stat.S_ISREG(status.st_mode):  # its times change as it is written
            identity = (status.st_dev, status.st_ino, 0)
        before = self._open.get(path)
        if before is not None and before[0] == identity:
            return before[1]
        self._drop(path)
        source: Source = Telemetry(path) if stat.S_ISSOCK(status.st_mode) else Segment(path)
        self._open[path] = (identity, source)
        return source

    def _drop(self, path: Path) -> None:
        _, source = self._open.pop(path, (None, None))
        if source is not None:
            source.close()


def _inside(folder: Path) -> Iterator[Path]:
    """The sockets and segments in a folder."""
    for path in folder.iterdir():
        try:
            mode = path.stat().st_mode
        except OSError:
            continue
        if stat.S_ISSOCK(mode) or (stat.S_ISREG(mode) and is_segment(path)):
            yield path


def _name(path: Path) -> str:
    """What an application is called: DPDK's prefix for a telemetry socket, else the file. Octets
    that are no UTF-8 become U+FFFD."""
    name = path.parent.name if path.name.startswith("dpdk_telemetry") else path.stem
    return _text(name)


def _text(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")

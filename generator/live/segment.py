# SPDX-License-Identifier: BSD-3-Clause
"""Reads the shared segments that applications publish (runtime/include/ctr_segment.h) with pread():
a file that is cut short is an error, where mapped memory would end this process."""

from __future__ import annotations

import fcntl
import os
import stat
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .directory import HEADER_SIZE, MAGIC, Header, corrupt, header_of, modules_of
from .model import Instance, LiveError, Module, Scope, Source
from .readers import remaining
from .records import instances

_BLOCK = 512  # bytes of what `st_blocks` counts (POSIX leaves that open; Linux has 512)
_FLOCK = struct.Struct("@hhqqi0q")
_GONE = (
    "the application (process {pid}) is gone without a word: it was killed, or has crashed",
    "the application (process {pid}) has ended, and said what it counted",
    "the application (process {pid}) has ended",
)
"""By the state of a segment that nobody publishes in."""


class _File:
    """An open segment, closed when no reader of it is left."""

    fd = -1

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        status = os.fstat(self.fd)
        if not stat.S_ISREG(status.st_mode):
            raise LiveError("this is no file")
        self.inode = _inode(status)
        self.header = header_of(os.pread(self.fd, HEADER_SIZE, 0), status.st_size)
        data = os.pread(self.fd, self.header.directory_size, self.header.directory)
        self.modules = modules_of(self.header, data)

    def __del__(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)

    def locked(self) -> bool:
        """Whether its application runs: it has a lock, which ends with it."""
        question = _FLOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, 0, 1, 0)
        answer = fcntl.fcntl(self.fd, fcntl.F_OFD_GETLK, question)
        return bool(_FLOCK.unpack(answer)[0] != fcntl.F_UNLCK)

    def copy(self, at: int, size: int) -> bytes:
        remaining()
        data = os.pread(self.fd, size, at)
        if len(data) != size:
            raise corrupt("the file was cut short")
        return data

    def now(self) -> Header:
        """The header as it is now."""
        return header_of(self.copy(0, HEADER_SIZE), self.header.size)


def _inode(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def is_segment(path: Path) -> bool:
    """Whether a file that can be read begins as segments do."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


class Segment(Source):
    """The application that publishes in the file `path`, also after a restart; with `dead`, also if
    it no longer runs."""

    def __init__(self, path: str | os.PathLike[str], *, dead: bool = False) -> None:
        self._path = os.fspath(path)
        self._dead = dead
        self._file: _File | None = None

    def memory(self) -> tuple[int, int]:
        """The bytes of the file, of all possible instances; and those that take memory."""
        with self._errors():
            status = os.fstat(self._current().fd)
        return status.st_size, status.st_blocks * _BLOCK

    def age(self) -> float:
        """The seconds since the application published."""
        return max(0.0, time.time() - self.header().published_ns / 1e9)

    @property
    def name(self) -> str:
        """The name of the file."""
        return self._path

    def close(self) -> None:
        """Close the file; again does nothing."""
        self._file = None

    def header(self) -> Header:
        """The header as it is now: who publishes, since when, and when that was last."""
        with self._errors():
            return self._current().now()

    def modules(self) -> tuple[Module, ...]:
        """The modules that the application publishes."""
        with self._errors():
            return tuple(module for module, _ in self._current().modules.values())

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        """The instances of a scope. The values of one whose writer was killed in the middle of
        it are None."""
        with self._errors():
            file = self._current()
        there, places = file.modules.get(module.name, (None, ()))
        if there is None or there.layout != module.layout or scope not in there.scopes:
            raise LiveError(
                f"{self._path}: the application was restarted, and '{module.name}' has other items"
            )
        place = places[there.scopes.index(scope)]
        with self._errors():
            yield from instances(file.copy, file.header, scope, place)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """The body; all that goes wrong is a LiveError with the name of the file."""
        try:
            yield
        except OSError as error:
            self.close()
            raise LiveError(f"{self._path}: {error.strerror}") from error
        except LiveError as error:
            self.close()
            raise LiveError(f"{self._path}: {error}") from error

    def _current(self) -> _File:
        """The file of that name, opened again if it is another one by now."""
        if self._file is None or _inode(Path(self._path).stat()) != self._file.inode:
            self._file = _File(self._path)
        if not self._dead and not self._file.locked():
            header = self._file.now()
            raise LiveError(_GONE[header.state % len(_GONE)].format(pid=header.pid))
        return self._file

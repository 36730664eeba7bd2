# SPDX-License-Identifier: BSD-3-Clause
"""Reads the shared segments that applications publish (runtime/include/ctr_segment.h) with pread():
a file that is cut short is an error, where mapped memory would end this process."""

import errno
import fcntl
import ipaddress
import itertools
import math
import os
import resource
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .directory import (
    EXISTS,
    HEADER_SIZE,
    KEYED,
    MAGIC,
    RECORD,
    Field,
    Header,
    Place,
    corrupt,
    header_of,
    modules_of,
)
from .model import Instance, Item, LiveError, Module, Scope, Source, Value, in_time, legible

Copy = Callable[[int, int], bytes]  # copies bytes of the segment: from where, how many
_PIECE = 1 << 16  # bytes that are copied at a time
_BITS = 1 << 15  # instances whose existence is looked up at a time
_TRIES = 100  # how often a record is read that is being written
_LOW = 0 if sys.byteorder == "little" else 3  # the byte of a sequence count that is odd with it
_CODES = {"uint64_t": "Q", "int32_t": "i", "": "i", "bool": "B"}


def decoder(item: Item, clock_ns: int) -> Callable[[int | bytes], Value] | None:
    """Converts the result of struct to a value; timestamps are 0 at `clock_ns` of Unix time."""
    labels = {number: label for label, number in item.labels}
    decoders: dict[str, Callable[..., Value]] = {
        "string": lambda raw: legible(raw.split(b"\0", 1)[0]),
        "ipv4": lambda raw: str(ipaddress.IPv4Address(raw)),
        "ipv6": lambda raw: str(ipaddress.IPv6Address(raw)),
        "bool": bool,
        "enum": labels.get,
        "timestamp": lambda number: (number + clock_ns) % 2**64 if number else None,
    }
    return decoders.get(item.type, (lambda raw: raw.hex(":")) if item.value_type.text else None)


class _Values:
    """Takes the items out of a value struct."""

    def __init__(self, items: Sequence[Item], fields: Sequence[Field], clock_ns: int) -> None:
        form, at = "=", 0
        for item, field in zip(items, fields, strict=True):
            of = item.value_type
            code = f"{field.size}s" if of.text else _CODES.get(of.c, "I")
            form += f"{field.offset - at}x{code}"
            at = field.offset + field.size
        self._struct = struct.Struct(form)
        made = ((i, decoder(item, clock_ns)) for i, item in enumerate(items))
        self._decoders = [(i, decode) for i, decode in made if decode is not None]
        self._flags = [(i, field.available) for i, field in enumerate(fields) if field.available]

    def of(self, data: bytes, at: int) -> tuple[Value, ...]:
        found = self._struct.unpack_from(data, at)
        if not self._decoders and not self._flags:
            return found
        values = list(found)
        for i, decode in self._decoders:
            values[i] = decode(values[i])
        for i, flag in self._flags:
            if not data[at + flag]:
                values[i] = None
        return tuple(values)


def _existing(copy: Copy, place: Place) -> Iterator[int]:
    """The positions of the instances that exist."""
    for first in range(0, place.total, _BITS):
        count = (min(_BITS, place.total - first) + 63) // 64
        words = struct.unpack(f"={count}Q", copy(place.exists + first // 8, count * 8))
        for number, word in enumerate(words):
            at = first + number * 64
            while word:
                bit = (word & -word).bit_length() - 1
                if at + bit < place.total:
                    yield at + bit
                word &= word - 1


def _again(copy: Copy, place: Place, at: int) -> bytes | None:
    """One record, as often as it takes; None if it is being written each time."""
    where = place.records + at * place.stride
    for _ in range(_TRIES):
        before = RECORD.unpack(copy(where, RECORD.size))[0]
        data = copy(where, place.stride)
        after = RECORD.unpack(copy(where, RECORD.size))[0]
        if before == after and before % 2 == 0:
            return data
        time.sleep(0)
    return None


def _records(copy: Copy, place: Place) -> Iterator[tuple[int, bytes | None, int]]:
    """Position of each instance that exists, and what its record is in, from which place on."""
    each = max(1, _PIECE // place.stride)
    stride = place.stride
    for _, group in itertools.groupby(_existing(copy, place), lambda at: at // each):
        positions = list(group)
        first = positions[0]
        where, size = place.records + first * stride, (positions[-1] - first + 1) * stride
        before, data, after = (copy(where, size) for _ in range(3))
        for at in positions:
            offset = (at - first) * stride
            seq = before[offset : offset + 4]
            if seq == after[offset : offset + 4] and not seq[_LOW] & 1:
                yield at, data, offset
            else:
                yield at, _again(copy, place, at), 0


def _names(
    scope: Scope, place: Place, numbers: tuple[int, ...], data: bytes | None, offset: int
) -> tuple[str, ...]:
    """Name of the instance; texts of keys are empty if it has none or they are lost."""
    found: list[str] = []
    for index, number, texts in zip(scope.indexes, numbers, place.texts, strict=True):
        if not texts:
            found.append(index.labels[number] if index.labels else str(number))
        found_at = ((offset + at, offset + at + room) for at, room in texts)
        raws = (data[start:end] if data is not None else b"" for start, end in found_at)
        found += index.shown(legible(raw.split(b"\0", 1)[0]) for raw in raws)
    return tuple(found)


def instances(copy: Copy, header: Header, scope: Scope, place: Place) -> Iterator[Instance]:
    """The instances of a scope; the values of one that is being written each time are None."""
    values = _Values(scope.items, place.fields, header.clock_ns)
    nothing = (None,) * len(place.fields)
    single, maxima = len(scope.indexes) == 1, [index.maximum for index in scope.indexes]
    strides = [(math.prod(maxima[n + 1 :]), most) for n, most in enumerate(maxima)]
    numbered = not any(place.texts) and not any(index.labels for index in scope.indexes)
    for at, data, offset in _records(copy, place):
        numbers = (at,) if single else tuple(at // stride % most for stride, most in strides)
        if data is None:
            names = _names(scope, place, numbers, None, 0)
            yield Instance(numbers, names, nothing, 0.0)
            continue
        _, flags, since_ns, _ = RECORD.unpack_from(data, offset)
        if not flags & EXISTS:
            continue
        keyed = data if flags & KEYED else None
        yield Instance(
            numbers,
            tuple(map(str, numbers)) if numbered else _names(scope, place, numbers, keyed, offset),
            values.of(data, offset + place.values),
            (since_ns or header.start_ns) / 1e9,
            keyed is not None or not any(place.texts),
        )


_BLOCK = 512  # bytes of what `st_blocks` counts (POSIX leaves that open; Linux has 512)
_SPARE = 16  # descriptors left for folders, and for clients of the exporter
_FLOCK = struct.Struct("@hhqqi0q")
_GONE = (
    "the application (process {pid}) exited without publishing final values: killed or crashed",
    "the application (process {pid}) exited after publishing final values",
    "the application (process {pid}) exited",
)
"""Messages by the state of a segment whose process has exited."""


class _File:
    """An open segment, closed when no reader of it is left."""

    fd = -1

    def __init__(self, path: str) -> None:
        self.fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            self._begin()
        except BaseException:  # its traceback keeps this object
            self._close()
            raise

    def _begin(self) -> None:
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if most != resource.RLIM_INFINITY and self.fd >= most - _SPARE:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        status = os.fstat(self.fd)
        if not stat.S_ISREG(status.st_mode):
            raise LiveError("this is no file")
        self.inode = _inode(status)
        self.header = header_of(os.pread(self.fd, HEADER_SIZE, 0), status.st_size)
        data = os.pread(self.fd, self.header.directory_size, self.header.directory)
        self.modules = modules_of(self.header, data)

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    def locked(self) -> bool:
        """Whether its application runs: it has a lock, which ends with it."""
        question = _FLOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, 0, 1, 0)
        answer = fcntl.fcntl(self.fd, fcntl.F_OFD_GETLK, question)
        return bool(_FLOCK.unpack(answer)[0] != fcntl.F_UNLCK)

    def copy(self, at: int, size: int) -> bytes:
        in_time()
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
    """Whether it is a file that can be read, and begins as segments do."""
    try:  # O_NONBLOCK: it may be a FIFO without a writer
        with open(path, "rb", opener=lambda name, how: os.open(name, how | os.O_NONBLOCK)) as file:
            return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and file.read(len(MAGIC)) == MAGIC
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

    def close(self) -> None:
        """Close the file; again does nothing."""
        self._file = None

    def header(self) -> Header:
        """The current header: publishing process, its start, time of the latest publication."""
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
            yield from instances(file.copy, file.now(), scope, place)

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

# SPDX-License-Identifier: BSD-3-Clause
"""The records of a shared segment: one for each instance, under a sequence count."""

from __future__ import annotations

import ipaddress
import itertools
import struct
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from .directory import EXISTS, KEYED, RECORD, Field, Header, Place
from .model import Instance, Item, Scope, Value, legible

Copy = Callable[[int, int], bytes]  # copies bytes of the segment: from where, how many
_PIECE = 1 << 16  # bytes that are copied at a time
_BITS = 1 << 15  # instances whose existence is looked up at a time
_TRIES = 100  # how often a record is read that is being written
_LOW = 0 if sys.byteorder == "little" else 3  # the byte of a sequence count that is odd with it
_CODES = {"u64": "Q", "timestamp": "Q", "i32": "i", "enum": "i", "bool": "B"}
_BYTES = {"ipv4", "ipv6", "mac", "string"}


def _decoder(item: Item, clock_ns: int) -> Callable[[int | bytes], Value] | None:
    """What makes a value of what struct gives; timestamps are 0 at `clock_ns` of Unix time."""
    labels = {number: label for label, number in item.labels}
    decoders: dict[str, Callable[..., Value]] = {
        "string": lambda raw: legible(raw.split(b"\0", 1)[0]),
        "mac": lambda raw: raw.hex(":"),
        "ipv4": lambda raw: str(ipaddress.IPv4Address(raw)),
        "ipv6": lambda raw: str(ipaddress.IPv6Address(raw)),
        "bool": bool,
        "enum": labels.get,
        "timestamp": lambda number: (number + clock_ns) % 2**64 if number else None,
    }
    return decoders.get(item.type)


class _Values:
    """Takes the items out of a value struct."""

    def __init__(self, items: Sequence[Item], fields: Sequence[Field], clock_ns: int) -> None:
        form, at = "=", 0
        for item, field in zip(items, fields, strict=True):
            code = f"{field.size}s" if item.type in _BYTES else _CODES.get(item.type, "I")
            form += f"{field.offset - at}x{code}"
            at = field.offset + field.size
        self._struct = struct.Struct(form)
        made = ((i, _decoder(item, clock_ns)) for i, item in enumerate(items))
        self._decoders = [(i, decoder) for i, decoder in made if decoder is not None]
        self._flags = [(i, field.available) for i, field in enumerate(fields) if field.available]

    def of(self, data: bytes, at: int) -> tuple[Value, ...]:
        found = self._struct.unpack_from(data, at)
        if not self._decoders and not self._flags:
            return found
        values = list(found)
        for i, decoder in self._decoders:
            values[i] = decoder(values[i])
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


def _unflat(scope: Scope, at: int) -> tuple[int, ...]:
    numbers = []
    for index in reversed(scope.indexes):
        at, number = divmod(at, index.maximum)
        numbers.append(number)
    return tuple(reversed(numbers))


def _names(
    scope: Scope, place: Place, numbers: tuple[int, ...], data: bytes | None, offset: int
) -> tuple[str, ...]:
    """What the instance is called; texts of keys are empty if it has none or they are lost."""
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
    single = len(scope.indexes) == 1
    numbered = not any(place.texts) and not any(index.labels for index in scope.indexes)
    for at, data, offset in _records(copy, place):
        numbers = (at,) if single else _unflat(scope, at)
        if data is None:
            yield Instance(numbers, _names(scope, place, numbers, None, 0), nothing, 0.0)
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
        )

# SPDX-License-Identifier: BSD-3-Clause
"""SNMPv2c over UDP for the tests: requests of many names, quickly, well-formed or not."""

import socket
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Oid = tuple[int, ...]

GET, NEXT, SET, BULK = 0xA0, 0xA1, 0xA3, 0xA5
INTEGER, OCTETS, NULL, NAME, SEQUENCE = 0x02, 0x04, 0x05, 0x06, 0x30
IPADDRESS, COUNTER32, GAUGE32, TICKS, COUNTER64 = 0x40, 0x41, 0x42, 0x43, 0x46
NO_OBJECT, NO_INSTANCE, END = 0x80, 0x81, 0x82
_NUMBERS = (INTEGER, COUNTER32, GAUGE32, TICKS, COUNTER64)


class Bind(NamedTuple):
    """A name and its value: an int, a name or octets; None for exceptions and null."""

    name: Oid
    tag: int
    value: int | bytes | Oid | None


def wrap(tag: int, content: bytes) -> bytes:
    """A BER element."""
    size = len(content)
    if size < 128:
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 128 + len(length))) + length + content


def integer(value: int, tag: int = INTEGER) -> bytes:
    """A BER integer."""
    return wrap(tag, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def name(oid: Oid) -> bytes:
    """A BER object identifier."""
    out = bytearray()
    for part in (oid[0] * 40 + oid[1], *oid[2:]):
        groups = [part & 127]
        while part := part >> 7:
            groups.append(128 | part & 127)
        out += bytes(reversed(groups))
    return wrap(NAME, bytes(out))


def _element(data: bytes, at: int) -> tuple[int, bytes, int]:
    tag, size, at = data[at], data[at + 1], at + 2
    if size & 128:
        end = at + (size & 127)
        size, at = int.from_bytes(data[at:end], "big"), end
    return tag, data[at : at + size], at + size


def _elements(data: bytes) -> list[tuple[int, bytes]]:
    found, at = [], 0
    while at < len(data):
        tag, content, at = _element(data, at)
        found.append((tag, content))
    return found


def _oid(data: bytes) -> Oid:
    parts, value = [], 0
    for byte in data:
        value = value << 7 | byte & 127
        if not byte & 128:
            parts.append(value)
            value = 0
    first = min(parts[0] // 40, 2)
    return (first, parts[0] - 40 * first, *parts[1:])


def _bind(data: bytes) -> Bind:
    (_, oid), (tag, content) = _elements(data)
    value: int | bytes | Oid | None = None
    if tag in _NUMBERS:
        value = int.from_bytes(content, "big", signed=tag == INTEGER)
    elif tag in (OCTETS, IPADDRESS):
        value = content
    elif tag == NAME:
        value = _oid(content)
    return Bind(_oid(oid), tag, value)


class Manager:
    """Asks an agent on the loopback interface."""

    def __init__(self, port: int, timeout: float = 3, community: bytes = b"public") -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))
        self.socket.settimeout(timeout)
        self.number = 0
        self.community = community

    def close(self) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.send(data)

    def message(
        self, kind: int, oids: Iterable[Oid], first: int = 0, second: int = 0,
        value: bytes = b"\x05\x00",
    ) -> bytes:  # fmt: skip
        """A request as it goes over the wire; `first`, `second`: of BULK."""
        self.number += 1
        binds = b"".join(wrap(SEQUENCE, name(oid) + value) for oid in oids)
        pdu = integer(self.number) + integer(first) + integer(second) + wrap(SEQUENCE, binds)
        return wrap(SEQUENCE, integer(1) + wrap(OCTETS, self.community) + wrap(kind, pdu))

    def ask(
        self, kind: int, oids: Sequence[Oid], first: int = 0, second: int = 0,
        value: bytes = b"\x05\x00",
    ) -> tuple[int, list[Bind]]:  # fmt: skip
        """The error status and the values; TimeoutError without an answer."""
        self.send(self.message(kind, oids, first, second, value))
        return self.answer()

    def answer(self) -> tuple[int, list[Bind]]:
        """The answer to the last message."""
        while True:
            _, content, _ = _element(self.socket.recv(65536), 0)
            _, pdu = _elements(content)[2]
            (_, number), (_, status), _, (_, binds) = _elements(pdu)
            if int.from_bytes(number, "big") == self.number:
                return int.from_bytes(status, "big"), [_bind(b) for _, b in _elements(binds)]

    def walk(self, root: Oid, many: int = 40) -> list[Bind]:
        """Everything below an OID."""
        found: list[Bind] = []
        at = root
        while True:
            _, binds = self.ask(BULK, [at], 0, many)
            for bind in binds:
                if bind.tag == END or bind.name[: len(root)] != root:
                    return found
                assert bind.name > at, f"{bind.name} after {at}"
                found.append(bind)
                at = bind.name

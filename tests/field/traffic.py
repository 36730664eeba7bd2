# SPDX-License-Identifier: BSD-3-Clause
"""Packets that ports of net_pcap receive again and again: captures, written from scratch."""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Sequence
from pathlib import Path

ETHERNET = 1
"""Link type of a capture (https://www.tcpdump.org/linktypes.html)."""
LIMIT = 65535
IPV4, IPV6, ARP = 0x0800, 0x86DD, 0x0806
UDP, TTL = 17, 64
DONT_FRAGMENT = 0x4000


def ethernet(kind: int, payload: bytes) -> bytes:
    """A frame of 60 bytes or more."""
    frame = bytes.fromhex("020000000001020000000002") + struct.pack("!H", kind) + payload
    return frame.ljust(60, b"\0")


def checksum(header: bytes) -> int:
    """The Internet checksum (RFC 1071)."""
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(to: str, size: int = 46, flags: int = 0, version: int = 0x45) -> bytes:
    """A frame with a packet of UDP of IPv4; `size` octets without the frame."""
    source, target = (ipaddress.IPv4Address(text).packed for text in ("192.0.2.1", to))
    fields = (version, 0, size, 1, flags, TTL, UDP, 0, source, target)
    header = struct.pack("!BBHHHBBH4s4s", *fields)
    header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    udp = struct.pack("!HHHH", 1024, 1025, size - 20, 0)
    return ethernet(IPV4, (header + udp).ljust(size, b"\0"))


def ipv6(to: str, size: int = 64) -> bytes:
    """A frame with a packet of UDP of IPv6; `size` octets without the frame."""
    source, target = (ipaddress.IPv6Address(text).packed for text in ("2001:db8::1", to))
    header = struct.pack("!IHBB16s16s", 6 << 28, size - 40, UDP, TTL, source, target)
    udp = struct.pack("!HHHH", 1024, 1025, size - 40, 0)
    return ethernet(IPV6, (header + udp).ljust(size, b"\0"))


def write(path: Path, frames: Sequence[bytes]) -> None:
    """A capture of frames, a microsecond apart."""
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, LIMIT, ETHERNET)
    packets = (
        struct.pack("<IIII", 0, at, len(frame), len(frame)) + frame
        for at, frame in enumerate(frames)
    )
    path.write_bytes(head + b"".join(packets))


def routed(ports: int) -> list[bytes]:
    """For l3fwd: to all ports by turns in runs of four, and one of 32 with a header too short."""
    frames = [ipv4(f"198.18.{at // 4 % ports}.{at}") for at in range(64)]
    frames[31] = frames[63] = ipv4("198.18.0.1", version=0x44)
    return frames


def mixed(ports: int) -> list[bytes]:
    """For ip_fragmentation: short and long packets, some of which must not be fragmented."""
    frames = [ipv4(f"100.{10 * (at % ports + 1)}.0.{at}") for at in range(64)]
    for at in range(8, 64, 8):
        frames[at] = ipv4(f"100.{10 * (at // 8 % ports + 1)}.0.{at}", size=1900)
    frames[20] = ipv4("100.10.0.20", size=1900, flags=DONT_FRAGMENT)
    frames[36], frames[52] = ipv6("101:101:101:101::1"), ipv6("101:101:101:101::1", size=1900)
    frames[44] = ethernet(ARP, bytes(28))
    return frames

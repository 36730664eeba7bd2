# SPDX-License-Identifier: BSD-3-Clause
"""Packets that ports of net_pcap receive again and again: captures, written from scratch."""

import ipaddress
import struct
from collections.abc import Sequence
from pathlib import Path

ETHERNET = 1
"""Link type of a capture (https://www.tcpdump.org/linktypes.html)."""
LIMIT = 65535
SIZE = 46
"""Octets of a packet, without the frame."""
IPV4, UDP, TTL = 0x0800, 17, 64


def checksum(header: bytes) -> int:
    """The Internet checksum (RFC 1071)."""
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(to: str, version: int = 0x45) -> bytes:
    """A frame with a packet of UDP of IPv4."""
    sender, target = (ipaddress.IPv4Address(one).packed for one in ("192.0.2.1", to))
    fields = (version, 0, SIZE, 1, 0, TTL, UDP, 0, sender, target)
    header = struct.pack("!BBHHHBBH4s4s", *fields)
    header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    udp = struct.pack("!HHHH", 1024, 1025, SIZE - 20, 0)
    frame = bytes.fromhex("020000000001020000000002") + struct.pack("!H", IPV4)
    return frame + (header + udp).ljust(SIZE, b"\0")


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

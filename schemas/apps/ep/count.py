#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the Example Protocol packets of a capture, to check the application against.

    schemas/apps/ep/count.py [FILE.pcap]

Shares nothing with the application but the description of the protocol in
ep_proto.h. Prints JSON: the totals, the frames that are not counted and why,
how many sessions are open at the end, and packets and octets of each session.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def frames(capture: bytes) -> Iterator[bytes]:
    """The frames of a classic pcap file of Ethernet frames, of either byte order."""
    order = {0xA1B2C3D4: "<", 0xA1B23C4D: "<", 0xD4C3B2A1: ">", 0x4D3CB2A1: ">"}.get(
        struct.unpack_from("<I", capture)[0]
    )
    if order is None or struct.unpack_from(f"{order}I", capture, 20)[0] != 1:
        raise ValueError("not a pcap file of Ethernet frames")
    at = 24
    while at < len(capture):
        held, length = struct.unpack_from(f"{order}II", capture, at + 8)
        if held != length:
            raise ValueError("a frame was cut short when it was captured")
        yield capture[at + 16 : at + 16 + held]
        at += 16 + held


def ep_datagram(frame: bytes) -> bytes | None:
    """The payload of a frame that is UDP in IPv4 to the EP port, else None."""
    if len(frame) < 34 or frame[12:14] != b"\x08\x00" or frame[14] >> 4 != 4:
        return None
    total, flags, protocol = struct.unpack_from("!H2xHxB", frame, 16)
    packet = frame[14 : 14 + total]
    if protocol != 17 or flags & 0x3FFF or len(packet) != total:
        return None
    udp = packet[(packet[0] & 15) * 4 :]
    if len(udp) < 8 or struct.unpack_from("!H", udp, 2)[0] != 32473:
        return None
    return udp[8:]


def parse(datagram: bytes) -> tuple[int, int] | None:
    """Session and type of a well-formed EP packet, else None."""
    if len(datagram) < 16:
        return None
    magic, version, kind, session, length = struct.unpack_from("!2sBBI4xH", datagram)
    if (magic, version) != (b"EP", 1) or kind not in (1, 2, 3) or length != len(datagram) - 16:
        return None
    return session, kind


def count(capture: bytes) -> dict[str, Any]:
    """Everything there is to know about a capture, for comparison with the application."""
    ignored = {"other": 0, "malformed": 0, "unknown_session": 0}
    sessions: dict[int, list[int]] = {}
    open_sessions = set()
    for frame in frames(capture):
        datagram = ep_datagram(frame)
        packet = None if datagram is None else parse(datagram)
        if datagram is None:
            ignored["other"] += 1
        elif packet is None:
            ignored["malformed"] += 1
        elif packet[0] >= 1000:
            ignored["unknown_session"] += 1
        else:
            session, kind = packet
            counters = sessions.setdefault(session, [0, 0])
            counters[0] += 1
            counters[1] += len(datagram)
            if kind == 1:
                open_sessions.add(session)
            elif kind == 3:
                open_sessions.discard(session)
    return {
        "total_pkts": sum(pkts for pkts, _ in sessions.values()),
        "total_bytes": sum(octets for _, octets in sessions.values()),
        "sessions": len(open_sessions),
        "ignored": ignored,
        "session": {
            str(session): {"pkts": pkts, "bytes": octets}
            for session, (pkts, octets) in sorted(sessions.items())
        },
    }


def main() -> None:
    """Count the capture named on the command line, or the one next to this script."""
    default = Path(__file__).with_name("ep-loopback.pcap")
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    print(json.dumps(count(path.read_bytes()), indent=1))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-3-Clause
"""Packets that ports of net_pcap receive again and again: captures, written from scratch."""

import argparse
import ipaddress
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ETHERNET = 1
"""Link type of a capture (https://www.tcpdump.org/linktypes.html)."""
LIMIT = 65535
IPV4, IPV6, ARP = 0x0800, 0x86DD, 0x0806
UDP, TTL = 17, 64
DONT_FRAGMENT = 0x4000
PACKETS, FLOWS = 65536, 1 << 20
"""Of a capture with sizes and flows as on the Internet."""
IMIX = ((40, 7), (576, 4), (1500, 1))
"""Octets of packets, and how many of twelve have them."""


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


def ipv4(
    to: str, size: int = 46, flags: int = 0, version: int = 0x45, source: str | int = "192.0.2.1"
) -> bytes:
    """A frame with a packet of UDP of IPv4; `size` octets without the frame."""
    sender, target = (ipaddress.IPv4Address(one).packed for one in (source, to))
    fields = (version, 0, size, 1, flags, TTL, UDP, 0, sender, target)
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


def imix(ports: int, seed: int, packets: int = PACKETS, flows: int = FLOWS) -> list[bytes]:
    """For l3fwd: packets to all ports, of sizes and flows as on the Internet. Sizes are 7 of 40, 4
    of 576 and 1 of 1500 octets ("simple IMIX"); a flow is the source address from 10.0.0.0
    on, and how often it comes is by Zipf's law with the exponent 1. The seed makes it the same
    again; the order of flows has nothing to do with their frequency."""
    chance = np.random.default_rng(seed)
    share = 1 / np.arange(1, flows + 1)
    ranks = chance.choice(flows, packets, p=share / share.sum())
    of = np.random.default_rng(0).permutation(flows)[ranks]
    sizes = chance.choice([size for size, _ in IMIX], packets, p=[part / 12 for _, part in IMIX])
    base = int(ipaddress.IPv4Address("10.0.0.0"))
    return [
        ipv4(
            f"198.18.{at // 4 % ports}.{at % 256}", size=max(int(size), 28), source=base + int(flow)
        )
        for at, (flow, size) in enumerate(zip(of, sizes, strict=True))
    ]


def mixed(ports: int) -> list[bytes]:
    """For ip_fragmentation: short and long packets, some of which must not be fragmented."""
    frames = [ipv4(f"100.{10 * (at % ports + 1)}.0.{at}") for at in range(64)]
    for at in range(8, 64, 8):
        frames[at] = ipv4(f"100.{10 * (at // 8 % ports + 1)}.0.{at}", size=1900)
    frames[20] = ipv4("100.10.0.20", size=1900, flags=DONT_FRAGMENT)
    frames[36], frames[52] = ipv6("101:101:101:101::1"), ipv6("101:101:101:101::1", size=1900)
    frames[44] = ethernet(ARP, bytes(28))
    return frames


def main() -> None:
    """Write a capture that other programs can receive, too."""
    parser = argparse.ArgumentParser(prog="python -m tests.field.traffic", description=imix.__doc__)
    parser.add_argument("path", type=Path, help="the capture to write")
    for name, default in (("ports", 2), ("seed", 0), ("packets", PACKETS), ("flows", FLOWS)):
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{default}")
    words = vars(parser.parse_args())
    write(words.pop("path"), imix(**words))


if __name__ == "__main__":
    main()

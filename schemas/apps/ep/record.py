#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records ep-loopback.pcap: Example Protocol traffic over a real loopback interface.

    schemas/apps/ep/record.py [-o FILE]

The traffic is sent through ordinary sockets in a network namespace of its own
(so nothing else is on the wire) and captured by tcpdump. What is sent is the
same each time, except for timestamps and what the kernel picks (TCP ports and
sequence numbers). ep_proto.h describes the protocol.

Besides well-formed EP there is everything that a classifier has to keep apart:
malformed EP, EP of unknown sessions, EP in IPv6, in fragments and on another
port, IPv4 options, TCP, ICMP and other UDP.

Needs Linux, unshare (util-linux), ip (iproute2) and tcpdump.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

PORT = 32473
MAGIC = 0x4550
VERSION = 1
OPEN, DATA, CLOSE = 1, 2, 3
HEADER = struct.Struct("!HBBIIHH")
ACTIVE_SESSIONS = 260
PATHS = 8
BURSTS = 300
MTU = 1500


def ep(session: int, kind: int, sequence: int, payload: bytes) -> bytes:
    """One EP packet."""
    return HEADER.pack(MAGIC, VERSION, kind, session, sequence, len(payload), 0) + payload


class Sender:
    """The EP side: sessions over a few UDP flows ("paths").

    A session opens and closes on its home path, so that these stay in order,
    and sends some of its data over other paths.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.sequence: dict[int, int] = {}
        self.paths: list[socket.socket] = []
        for number in range(PATHS):
            path = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            path.bind(("127.0.0.1", 40000 + number))
            self.paths.append(path)
        # One path has IPv4 options (four "no operation"): longer headers.
        self.paths[3].setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, b"\x01\x01\x01\x01")

    def raw(self, data: bytes, path: int = 0, port: int = PORT) -> None:
        """Send any octets as one datagram."""
        self.paths[path].sendto(data, ("127.0.0.1", port))

    def send(self, session: int, kind: int, path: int, size: int = 0) -> None:
        """Send one EP packet with `size` octets of payload."""
        sequence = self.sequence.get(session, 0)
        self.sequence[session] = sequence + 1
        self.raw(ep(session, kind, sequence, self.rng.randbytes(size)), path)

    def burst(self, session: int) -> None:
        """A run of data packets of one session, mostly on its home path."""
        home = session % PATHS
        path = home if self.rng.random() < 0.7 else self.rng.randrange(PATHS)
        for _ in range(self.rng.choice((1, 1, 2, 3, 4, 8, 12))):
            size = self.rng.choice((0, 8, 20, 20, 48, 64, 64, 120, 200, 320, 1200))
            self.send(session, DATA, path, size)


def malformed(sender: Sender) -> None:
    """One packet of every kind of breakage, on the EP port."""
    good = ep(7, DATA, 0, b"payload!")
    sender.raw(b"")
    sender.raw(good[:15])
    sender.raw(b"PE" + good[2:])
    sender.raw(good[:2] + b"\x02" + good[3:])
    sender.raw(good[:3] + b"\x00" + good[4:])
    sender.raw(good[:3] + b"\x04" + good[4:])
    sender.raw(good[:-1], path=1)
    sender.raw(good + b"?", path=2)
    sender.raw(HEADER.pack(MAGIC, VERSION, DATA, 7, 0, 0xFFFF, 0), path=3)


def unknown_sessions(sender: Sender) -> None:
    """Well-formed packets of sessions that cannot be."""
    for session in (1000, 1001, 65536, 0xFFFFFFFF):
        sender.send(session, DATA, session % PATHS, 40)


def not_ep(sender: Sender, other: socket.socket) -> None:
    """UDP that is not EP: another port, IPv6, fragments, and a closed port (which gives ICMP)."""
    good = ep(3, DATA, 0, b"on the wrong port")
    sender.raw(good, port=PORT + 1)
    sender.raw(b"\x00" * 60, path=1, port=40999)
    other.sendto(good, ("::1", PORT))
    sender.raw(ep(3, DATA, 0, b"\xa5" * (MTU + 500)), path=2)


def tcp_exchange(payload: int) -> None:
    """A short TCP connection: handshake, request, reply, close."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            peer, _ = server.accept()
            with peer:
                peer.recv(2048)
                peer.sendall(b"r" * payload)

        thread = threading.Thread(target=serve)
        thread.start()
        with socket.create_connection(server.getsockname()) as client:
            client.sendall(b"q" * 40)
            while client.recv(2048):
                pass
        thread.join()


def generate() -> None:
    """Send everything."""
    rng = random.Random(4790)
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as receiver6,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as other,
    ):
        receiver.bind(("127.0.0.1", PORT))
        receiver6.bind(("::1", PORT))
        sender = Sender(rng)
        sessions = [*rng.sample(range(1000), ACTIVE_SESSIONS - 2), 0, 999]
        weights = [1 / (rank + 1) for rank in range(len(sessions))]

        for session in sessions:
            sender.send(session, OPEN, session % PATHS)
        for number, session in enumerate(rng.choices(sessions, weights, k=BURSTS)):
            sender.burst(session)
            if number % 50 == 0:
                malformed(sender)
                unknown_sessions(sender)
                not_ep(sender, other)
                tcp_exchange(payload=100 + number)
            time.sleep(0.001)
        for session in sessions[::3]:
            sender.send(session, CLOSE, session % PATHS)
        for session in sessions[::6]:  # some closed twice, some opened again
            sender.send(session, CLOSE, session % PATHS)
            if session % 2:
                sender.send(session, OPEN, session % PATHS)


def capture(output: Path) -> None:
    """Record what generate() sends. Runs inside the namespace; SystemExit on any trouble."""
    subprocess.run(["ip", "link", "set", "lo", "mtu", str(MTU), "up"], check=True)
    command = ["tcpdump", "-i", "lo", "-n", "-p", "-B", "16384", "-U", "-w", str(output)]
    if os.geteuid() == 0:
        command += ["-Z", "root"]  # else it changes to a user who may not write the file
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tcpdump:
        assert tcpdump.stderr is not None
        while "listening on" not in (line := tcpdump.stderr.readline()):
            if not line:
                raise SystemExit("tcpdump did not start")
        generate()
        time.sleep(1)
        tcpdump.send_signal(signal.SIGINT)
        report = tcpdump.stderr.read()
    print(report.strip())
    if not re.search(r"^0 packets dropped by kernel", report, re.MULTILINE):
        raise SystemExit("the capture is not complete")


def main() -> None:
    """Enter a network namespace, then capture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    default = Path(__file__).with_name("ep-loopback.pcap")
    parser.add_argument("-o", "--output", type=Path, default=default, metavar="FILE")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        capture(args.output)
        return
    again = [sys.executable, str(Path(__file__).resolve()), "--inside"]
    unshare = ["unshare", "--net"]
    if os.geteuid() != 0:
        unshare += ["--user", "--map-current-user", "--keep-caps"]
    sys.exit(subprocess.run([*unshare, *again, "-o", str(args.output.resolve())]).returncode)


if __name__ == "__main__":
    main()

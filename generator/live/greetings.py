# SPDX-License-Identifier: BSD-3-Clause
"""Which sockets greet as DPDK's telemetry does: all are asked concurrently."""

from __future__ import annotations

import contextlib
import select
import socket
import time
from collections.abc import Mapping
from pathlib import Path

from .model import LiveError
from .wire import GREETING, TIMEOUT, greeted

MOST_ASKED = 64
"""Sockets that are asked at a time."""

Identity = tuple[int, ...]
"""What another file of a name does not have."""


class Greetings:
    """Asks sockets for their greeting, and not again those that gave another one, or none in
    `TIMEOUT` seconds. A call of `among()` waits `patience` seconds in all; those that greet later
    are found by a later call. Not for several threads at a time."""

    def __init__(self, patience: float = TIMEOUT) -> None:
        self._patience = patience
        self._asked: dict[Path, tuple[Identity, socket.socket, float]] = {}
        self._others: dict[Path, Identity] = {}

    def close(self) -> None:
        """Ask no more; again does nothing."""
        for path in list(self._asked):
            self._end(path)

    def among(self, sockets: Mapping[Path, Identity]) -> set[Path]:
        """Those of all sockets that greet. One that is not listened on now, or takes no packets in
        order, as the `mp_socket` of DPDK's processes, is asked again by the next call."""
        self._others = {p: i for p, i in self._others.items() if sockets.get(p) == i}
        for path, (identity, *_) in list(self._asked.items()):
            if sockets.get(path) != identity:
                self._end(path)
        new = [
            path for path in sorted(sockets) if path not in self._others.keys() | self._asked.keys()
        ]
        for path in new[: MOST_ASKED - len(self._asked)]:
            self._ask(path, sockets[path])
        found: set[Path] = set()
        end = time.monotonic() + self._patience
        while self._asked and (left := end - time.monotonic()) > 0:
            found |= self._answered(left)
        for path, (identity, _, until) in list(self._asked.items()):
            if time.monotonic() >= until:
                self._others[path] = identity
                self._end(path)
        return found

    def _ask(self, path: Path, identity: Identity) -> None:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
        try:
            client.connect(str(path))
        except OSError:
            client.close()
            return
        self._asked[path] = identity, client, time.monotonic() + TIMEOUT

    def _end(self, path: Path) -> None:
        self._asked.pop(path)[1].close()

    def _answered(self, seconds: float) -> set[Path]:
        """Those that greet within some time, which ends with the next answer."""
        poll = select.poll()
        for _, client, _ in self._asked.values():
            poll.register(client, select.POLLIN)
        ready = {number for number, _ in poll.poll(seconds * 1000)}
        found = set()
        for path, (identity, client, _) in list(self._asked.items()):
            if client.fileno() in ready:
                self._others[path] = identity
                with contextlib.suppress(OSError, LiveError):
                    greeted(client.recv(GREETING), path)
                    del self._others[path]
                    found.add(path)
                self._end(path)
        return found

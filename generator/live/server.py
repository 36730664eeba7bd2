# SPDX-License-Identifier: BSD-3-Clause
"""HTTP for scrapers and browsers: whole answers or none, and nothing that a client can hold up.

A connection has `DEADLINE` seconds from its first octet to its end, and there are at most
`CONNECTIONS`; one more is closed at once. Whatever is read or sent is bounded by that.
"""

from __future__ import annotations

import gzip
import ipaddress
import socket
import threading
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..findings.usage import UsageError, reason

DEADLINE = 20.0
"""Seconds that a client has to ask and to take the answer; making that is not counted."""

CONNECTIONS = 32
"""Clients at a time."""

MOST_HELD = 256 << 20
"""Bytes of answers that wait for clients to take them; who asks for more is told to come again."""

_GZIP_FROM = 1024


class Answer(NamedTuple):
    """The body of an answer, and what it is."""

    type: str
    body: bytes


Page = Callable[[str], Answer]
"""Makes an answer for a header `Accept`."""


class Server(ThreadingHTTPServer):
    """Serves `pages` by their paths at an address `HOST:PORT`; raises UsageError where it cannot.

    A request is answered if its `Host` is `localhost`, a loopback address, the address that the
    client has reached, or one of `names`. Any other name may be one that a page of another site has
    pointed to this address (DNS rebinding). `serve_forever()` runs until another thread calls
    `shutdown()`.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = CONNECTIONS
    deadline = DEADLINE
    most_held = MOST_HELD

    def __init__(self, listen: str, pages: dict[str, Page], names: Sequence[str] = ()) -> None:
        self.pages, self._names = pages, {"localhost", *map(str.lower, names)}
        self._free = threading.BoundedSemaphore(CONNECTIONS)
        self._held, self._lock = 0, threading.Lock()
        host, port = address(listen)
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            hint = "choose another with --listen HOST:PORT; port 0 is any that is free"
            raise UsageError(f"cannot listen on {listen}: {reason(error)}", hint) from error

    @property
    def url(self) -> str:
        """Where it is, for people."""
        host, port = str(self.server_address[0]), int(self.server_address[1])
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/"

    def server_bind(self) -> None:
        """Bind without asking a name server what the address is called."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def process_request(self, request: Any, client_address: Any) -> None:
        """A thread for each connection, while there are not too many."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection; another one may then take its place."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def answers_to(self, host: str, reached: str) -> bool:
        """Whether a header `Host` names this server, which a client has reached at an address."""
        name = urlsplit(f"//{host.strip()}").hostname or ""
        if name in self._names:
            return True
        address, own = ipaddress.ip_address(name), ipaddress.ip_address(reached)
        return address.is_loopback or address in (own, getattr(own, "ipv4_mapped", None))

    def hold(self, size: int) -> bool:
        """Whether an answer of so many bytes, if it is not the only one, may wait for its client.
        A negative size: it waits no longer."""
        with self._lock:
            if self._held and self._held + size > self.most_held:
                return False
            self._held += size
            return True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone, or that was too slow, is nobody's business."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version, sys_version = "ctrgen", ""

    def setup(self) -> None:
        super().setup()
        self._watch()

    def finish(self) -> None:
        self._watchdog.cancel()
        super().finish()

    def _watch(self) -> None:
        """End the connection when its time is over, whatever it waits for."""
        self._watchdog = threading.Timer(self.server.deadline, self._expire)
        self._watchdog.daemon = True
        self._watchdog.start()

    def _expire(self) -> None:
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def do_GET(self) -> None:
        """The page of a path, whole."""
        if not self._is_for_us():
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, explain="Name it with --host.")
            return
        page = self.server.pages.get(self.path.partition("?")[0])
        if page is None:
            self.send_error(HTTPStatus.NOT_FOUND, explain="There is nothing at this path.")
            return
        self._watchdog.cancel()
        try:
            answer = page(self.headers.get("Accept", ""))
        finally:
            self._watch()
        packed = "gzip" in self.headers.get("Accept-Encoding", "") and (
            len(answer.body) >= _GZIP_FROM
        )
        body = gzip.compress(answer.body, 1) if packed else answer.body
        if not self.server.hold(len(body)):
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE, explain="Too many others ask.")
            return
        try:
            self._send(answer.type, body, packed)
        finally:
            self.server.hold(-len(body))

    def _is_for_us(self) -> bool:
        """Whether all headers `Host` name this server; HTTP/1.0 has none."""
        reached = str(self.connection.getsockname()[0])
        try:
            hosts = self.headers.get_all("Host", [])
            return all(self.server.answers_to(host, reached) for host in hosts)
        except ValueError:
            return False

    def _send(self, type_: str, body: bytes, packed: bool) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", type_)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        """What GET answers, without the body."""
        self.do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        """Scrapes every few seconds are not worth a line each."""


def address(listen: str) -> tuple[str, int]:
    """The host and the port of `HOST:PORT`, `[ADDRESS]:PORT` or `:PORT`; an address or
    `localhost`, as a name can be anybody's. Raises UsageError."""
    host, colon, port = listen.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if host == "localhost":
        host = "127.0.0.1"
    try:
        ipaddress.ip_address(host)
        number = int(port)
        if not (colon and port.isascii() and port.isdigit() and number < 2**16):
            raise ValueError(port)
    except ValueError:
        hint = "such as 127.0.0.1:9464, [::1]:9464, or 0.0.0.0:9464 for everybody who can reach it"
        raise UsageError(f"'{listen}' is no address and port", hint) from None
    return host, number

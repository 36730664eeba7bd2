# SPDX-License-Identifier: BSD-3-Clause
"""HTTP for scrapers and browsers: whole answers or none, and nothing that a client can hold up.

A connection has `DEADLINE` seconds from its first octet to its end, and there are at most
`CONNECTIONS`; one more is closed immediately. Whatever is read or sent is bounded by that. A page
is made once for all clients that wait for it, and never for clients that have disconnected.
"""

from __future__ import annotations

import gc
import gzip
import io
import ipaddress
import select
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from ..findings.usage import UsageError, reason

DEADLINE = 20.0
"""Seconds that a client has to ask and to take the answer; making that is not counted."""

CONNECTIONS = 32
"""Clients at a time."""

MOST_HELD = 256 << 20
"""Bytes of answers that wait for clients to take them; who asks for more is told to come again."""

OPENMETRICS = "application/openmetrics-text"
"""The media type that a page may have instead of its usual one."""

_GZIP_FROM = 1024
_LOOK = 0.2
"""Seconds between two looks at whether a client that waits is still connected."""


@dataclass(frozen=True)
class Answer:
    """The body of an answer, and its media type."""

    type: str
    body: bytes

    @cached_property
    def packed(self) -> bytes:
        """The body compressed, for clients that accept it; the body itself if it is short."""
        return gzip.compress(self.body, 1) if len(self.body) >= _GZIP_FROM else self.body


Page = Callable[[str], Answer]
"""Makes an answer for a header `Accept`: `OPENMETRICS`, or an empty one for the usual type."""


@dataclass
class _Batch:
    """The clients that wait for a page, and its answer: None if all of them have disconnected."""

    clients: list[Callable[[], bool]] = field(default_factory=list)
    made: threading.Event = field(default_factory=threading.Event)
    answer: Answer | None = None


class _Maker:
    """Makes pages one at a time, each once for all clients that wait for it.

    MT-safe. Many clients take no more memory than one, and no application is read for two pages at
    a time.
    An answer is never older than the request: a client that asks while a page is being made gets
    the next one. Garbage collection pauses: it takes a third of the time of a million samples.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[Page, str, bool], _Batch] = {}
        self._lock, self._making = threading.Lock(), threading.Lock()

    def get(
        self, page: Page, accept: str, packed: bool, connected: Callable[[], bool]
    ) -> Answer | None:
        """The answer of a page, compressed already if `packed`. Blocks until it is made; None once
        the client has disconnected, or if making failed for another client."""
        if not connected():
            return None
        key = page, accept, packed
        with self._lock:
            first = key not in self._waiting
            batch = self._waiting.setdefault(key, _Batch())
            batch.clients.append(connected)
        if first:
            self._make(key, batch)
        while not batch.made.wait(_LOOK):
            if not connected():
                return None
        return batch.answer

    def _make(self, key: tuple[Page, str, bool], batch: _Batch) -> None:
        page, accept, packed = key
        with self._making:
            with self._lock:  # later requests wait for the next page
                del self._waiting[key]
            collects = gc.isenabled()
            gc.disable()
            try:
                if any(connected() for connected in batch.clients):
                    answer = page(accept)
                    if packed:
                        _ = answer.packed
                    batch.answer = answer
            finally:
                if collects:
                    gc.enable()
                batch.made.set()


class Server(ThreadingHTTPServer):
    """Serves `pages` by their paths at an address `HOST:PORT`; raises UsageError where it cannot.
    Pages are made one at a time, so they need not be thread-safe.

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
        self.pages, self.maker = pages, _Maker()
        self._names = {"localhost", *map(str.lower, names)}
        self._free = threading.BoundedSemaphore(CONNECTIONS)
        self._held: Counter[tuple[int, int]] = Counter()
        self._lock = threading.Lock()
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

    @contextmanager
    def holding(self, body: bytes) -> Iterator[bool]:
        """Whether an answer may wait for its client: if it is the only one, if others wait with the
        same object, or if all of them together are not over `most_held`."""
        key = id(body), len(body)
        with self._lock:
            total = sum(size for _, size in self._held)
            fits = not total or key in self._held or total + len(body) <= self.most_held
            self._held[key] += fits
        try:
            yield fits
        finally:
            with self._lock:
                self._held -= Counter({key: int(fits)})

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has disconnected, or that was too slow, is no error of the server."""


class _Lines(io.BufferedReader):
    """The request of a client, which ends with an empty line: an end of file ends no headers."""

    def readline(self, size: int | None = -1, /) -> bytes:
        """A line. Raises ConnectionError if the client disconnected within or before it."""
        line = super().readline(size)
        if not line.endswith(b"\n") and len(line) != size:
            raise ConnectionAbortedError
        return line


class _Handler(BaseHTTPRequestHandler):
    rbufsize = 0
    server: Server
    server_version, sys_version = "ctrgen", ""

    def setup(self) -> None:
        super().setup()
        self.rfile = _Lines(self.rfile)
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
        accept = accepted(self.headers.get("Accept", ""))
        packed = "gzip" in self.headers.get("Accept-Encoding", "")
        self._watchdog.cancel()
        try:
            answer = self.server.maker.get(page, accept, packed, self._connected)
        finally:
            self._watch()
        if answer is None:
            return
        body = answer.packed if packed else answer.body
        with self.server.holding(body) as fits:
            if fits:
                self._send(answer.type, body, body is not answer.body)
                return
        self.send_error(HTTPStatus.SERVICE_UNAVAILABLE, explain="Too many others ask.")

    def _connected(self) -> bool:
        """Whether the client has not closed its side; a client that takes an answer does not."""
        poll = select.poll()
        poll.register(self.connection, select.POLLRDHUP)  # POLLHUP and POLLERR always
        return not poll.poll(0)

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


def accepted(header: str) -> str:
    """`OPENMETRICS` if a header `Accept` has it in version 1.0.0 or later, or without a version;
    else empty. Clients whose headers differ otherwise share a page."""
    for part in header.split(","):
        kind, *parameters = (word.strip() for word in part.split(";"))
        if kind == OPENMETRICS and not any(each.startswith("version=0") for each in parameters):
            return OPENMETRICS
    return ""


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

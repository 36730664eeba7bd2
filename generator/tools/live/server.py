# SPDX-License-Identifier: BSD-3-Clause
"""HTTP for scrapers and browsers of the same machine, or behind a reverse proxy: one thread for
each connection, and pages made one at a time."""

import gc
import gzip
import ipaddress
import re
import socket
import socketserver
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ...findings.usage import UsageError, reason

OPENMETRICS = "application/openmetrics-text"  # a media type that a page may have
PATIENCE = 10.0  # seconds that a client may take for a piece of its request, or of the answer

_GZIP_FROM = 1024


@dataclass(frozen=True)
class Answer:
    """The body of an answer, and its media type."""

    type: str
    body: bytes

    @cached_property
    def packed(self) -> bytes:
        """The body compressed, for clients that accept it; the body itself if it is short."""
        return gzip.compress(self.body, 1) if len(self.body) >= _GZIP_FROM else self.body


Edition = Callable[[str], Answer]
"""A page as it was made once, for a header `Accept`."""
Page = Callable[[], Edition]  # makes a page


def always(answer: Answer) -> Edition:
    """The same answer for any header."""
    return lambda accept: answer


class Server(ThreadingHTTPServer):
    """Serves `pages` by their paths at an address `HOST:PORT`; raises UsageError where it cannot.

    Pages are made one at a time, and none is older than the request. A request is answered if its
    `Host` is `localhost`, a loopback address, the address that was reached, or one of `names`: any
    other may be of another site (DNS rebinding). `serve_forever()` ends by `shutdown()`.
    """

    request_queue_size = 128

    def __init__(self, listen: str, pages: dict[str, Page], names: Sequence[str] = ()) -> None:
        self.pages = pages
        self._names = {"localhost", *map(str.lower, names)}
        self._making = threading.Lock()
        host, port = address(listen)
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            hint = "choose another with --listen HOST:PORT; port 0 is any that is free"
            raise UsageError(f"cannot listen on {listen}: {reason(error)}", hint) from error

    def server_bind(self) -> None:
        """Bind without the look-up of a name that HTTPServer makes."""
        socketserver.TCPServer.server_bind(self)

    def handle_error(self, request: object, client_address: object) -> None:
        """Report an exception of a handler; clients that disconnect are none."""
        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """Where it is, for people."""
        host = str(self.server_address[0])
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def answers_to(self, host: str, reached: str) -> bool:
        """Whether a header `Host` names this server, which a client has reached at an address."""
        with suppress(ValueError):
            parts = _HOST.fullmatch(host)
            name = parts["address"] or parts["name"].lower() if parts else ""
            if name in self._names:
                return True
            found, own = ipaddress.ip_address(name), ipaddress.ip_address(reached)
            return found.is_loopback or found in (own, getattr(own, "ipv4_mapped", None))
        return False

    def made(self, page: Page, accept: str) -> Answer:
        """The answer of a page as of now; garbage collection would take a third of the time."""
        with self._making:
            collects = gc.isenabled()
            gc.disable()
            try:
                return page()(accept)
            finally:
                if collects:
                    gc.enable()


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    timeout = PATIENCE
    server_version, sys_version = "ctrgen", ""
    error_content_type = "text/plain"
    error_message_format = "%(code)d %(message)s: %(explain)s\n"

    def do_GET(self) -> None:
        """Send a page, or why there is none."""
        reached = str(self.connection.getsockname()[0])
        hosts = self.headers.get_all("Host", [])
        path = self.path.partition("?")[0]
        if absolute := _ABSOLUTE.fullmatch(path):
            hosts, path = [*hosts, absolute["host"]], absolute["path"]
        page = self.server.pages.get(path)
        if not all(self.server.answers_to(host, reached) for host in hosts):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, explain="Name it with --host.")
        elif page is None:
            self.send_error(HTTPStatus.NOT_FOUND, explain="There is nothing at this path.")
        else:
            try:
                answer = self.server.made(page, self.headers.get("Accept", ""))
            except Exception:
                traceback.print_exc()
                self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR, explain="It could not be made.")
            else:
                encodings = _elements(self.headers.get("Accept-Encoding", ""))
                self._send(answer, any(kind == "gzip" for kind, _ in encodings))

    def do_HEAD(self) -> None:
        """Send the headers of a page."""
        self.do_GET()

    def _send(self, answer: Answer, packed: bool) -> None:
        body = answer.packed if packed else answer.body
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", answer.type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        if body is not answer.body:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log no requests."""


_HOST = re.compile(r"(\[(?P<address>[^]]+)\]|(?P<name>[^:\[\]]+))(:\d*)?")
_ABSOLUTE = re.compile(r"(?i:https?)://(?P<host>[^/]*)(?P<path>.*)")
_REFUSED = re.compile(r"q=0(\.0*)?")


def _elements(header: str) -> Iterator[tuple[str, list[str]]]:
    """The elements of a header such as `Accept` with their parameters, in lower case, but of
    quality 0."""
    for part in header.lower().split(","):
        kind, *parameters = (word.strip() for word in part.split(";"))
        if not any(_REFUSED.fullmatch(each) for each in parameters):
            yield kind, parameters


def accepted(header: str) -> str:
    """`OPENMETRICS` if a header `Accept` has it, not before version 1.0.0; else empty."""
    for kind, parameters in _elements(header):
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

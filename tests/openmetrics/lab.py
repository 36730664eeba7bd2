# SPDX-License-Identifier: BSD-3-Clause
"""An application that serves OpenMetrics itself: that of tests/segment, built with the part."""

import contextlib
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as plain_families

from tests.segment.lab import Application, application
from tests.support.cbuild import SANITIZED, Workshop

OPENMETRICS = "application/openmetrics-text; version=1.0.0"
PATIENCE = 60.0
OWN_FLAGS = ("-DSERVES", "-Wno-error=pedantic")


def program(workshop: Workshop, flags: tuple[str, ...] = SANITIZED, **changes: object) -> Path:
    """The program of tests/segment/app.c with the command `serve`."""
    more = {"parts": ("openmetrics",), "flags": flags, "own_flags": OWN_FLAGS, **changes}
    return application(workshop, **more)


@dataclass
class Answer:
    """A response: its status, headers in lower case, and body without chunks."""

    status: int
    headers: dict[str, str]
    body: bytes

    def families(self) -> dict[str, Metric]:
        """The metrics of the body, read by a strict parser."""
        text = self.body.decode()
        strict = "openmetrics" in self.headers["content-type"]
        parse = text_string_to_metric_families if strict else plain_families
        return {family.name: family for family in parse(text)}


def read(client: socket.socket) -> bytes:
    """All octets until the server closes."""
    found = bytearray()
    with contextlib.suppress(ConnectionError):
        while piece := client.recv(1 << 16):
            found += piece
    return bytes(found)


def _unchunked(body: bytes) -> bytes:
    whole, at = bytearray(), 0
    while (end := body.find(b"\r\n", at)) >= 0:
        size = int(body[at:end], 16)
        if size == 0:
            return bytes(whole)
        whole += body[end + 2 : end + 2 + size]
        at = end + 4 + size
    raise AssertionError("the response was cut")


def parsed(octets: bytes) -> Answer:
    """A response. Raises AssertionError for one that was cut."""
    head, end, body = octets.partition(b"\r\n\r\n")
    assert end, octets
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    if headers.get("transfer-encoding") == "chunked":
        body = _unchunked(body) if body else body
    return Answer(int(first.split()[1]), headers, body)


@dataclass
class Serving:
    """A running application, and where it serves: a port, or the path of a UNIX socket."""

    app: Application
    port: int
    path: Path | None = None
    tls: ssl.SSLContext | None = None

    def connect(self) -> socket.socket:
        """A connection."""
        if self.path is not None:
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(PATIENCE)
            client.connect(str(self.path))
        else:
            client = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        return (
            client
            if self.tls is None
            else self.tls.wrap_socket(client, server_hostname="localhost")
        )

    def send(self, octets: bytes) -> Answer:
        """The response to these octets."""
        with self.connect() as client:
            with contextlib.suppress(ConnectionError):
                client.sendall(octets)
            return parsed(read(client))

    def get(self, path: str = "/metrics", method: str = "GET", **headers: str) -> Answer:
        """The response to a request; `_` in names of headers is `-`."""
        given: Mapping[str, str] = {"Host": "localhost", **headers}
        lines = (f"{name.replace('_', '-')}: {value}\r\n" for name, value in given.items())
        return self.send(f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode())


@contextlib.contextmanager
def serving(
    program: Path, segment: Path | str = "-", address: str = "127.0.0.1:0", **options: object
) -> Iterator[Serving]:
    """An application that serves at an address; it must end without an error."""
    app = Application(program, segment)
    assert app.created == "0"
    try:
        words = " ".join(f"{name}={value}" for name, value in options.items())
        app.tell(f"serve {address} {words}")
        rc, port = map(int, app.answer().split())
        assert rc == 0, rc
        path = Path(address.removeprefix("unix:")) if address.startswith("unix:") else None
        served = Serving(app, port, path)
        yield served
        assert served.app.end() == 0
    finally:
        if app.process.poll() is None:
            app.kill()

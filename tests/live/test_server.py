# SPDX-License-Identifier: BSD-3-Clause
"""The server gives whole answers to those who may ask."""

import gzip
import http.client
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.tools.live import server as module
from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.server import Answer, Edition, Server, accepted, address, always
from tests.live.made import usual
from tests.support.process import until

LARGE = Answer("text/plain", b"0123456789abcdef" * 4096)
OPENMETRICS = "application/openmetrics-text"
HUGE_SIZE = 64 << 20
"""More than the kernel keeps for a client."""
PATIENCE = 60
"""Seconds after which something hangs."""


@pytest.fixture
def server() -> Iterator[Server]:
    exposition = Applications({"a": usual()}.items)
    made = Server(
        "127.0.0.1:0",
        {
            "/metrics": exposition,
            "/large": lambda: always(LARGE),
            "/huge": lambda: always(Answer("text/plain", bytes(HUGE_SIZE))),
        },
        ["Edge1.example"],
    )
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join(PATIENCE)
    made.server_close()


def port(server: Server) -> int:
    return server.port


def got(
    server: Server, path: str, method: str = "GET", patience: float = PATIENCE, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port(server), timeout=patience)
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_what_a_scraper_asks_for(server: Server) -> None:
    response, body = got(server, "/metrics", Accept="application/openmetrics-text")
    assert response.status == 200
    assert response.headers["Content-Type"].startswith("application/openmetrics-text")
    assert body.endswith(b"# EOF\n")
    response, body = got(server, "/metrics")
    assert response.headers["Content-Type"].startswith("text/plain")
    assert b'ep_session_pkts_total{application="a",session="3"} 7\n' in body
    response, body = got(server, "/metrics?x=1", method="HEAD")
    assert (response.status, body) == (200, b"")


def test_long_answers_are_packed_for_those_who_can(server: Server) -> None:
    response, body = got(server, "/large", **{"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == LARGE.body
    assert len(body) < len(LARGE.body) / 10
    for refused in ("", "identity", "gzip;q=0", "deflate, gzip; q=0.000", "gzip2", "gzip;Q=0"):
        assert got(server, "/large", **{"Accept-Encoding": refused})[1] == LARGE.body, refused


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("GET", "/../etc/passwd", 404), ("POST", "/metrics", 501)],
)
def test_what_is_not_there(server: Server, method: str, path: str, status: int) -> None:
    response, body = got(server, path, method)
    assert response.status == status
    assert b"Python" not in body + str(response.headers).encode()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("127.9.9.9:1", 200), ("LocalHost:80", 200), ("[::1]:9464", 200),
        ("edge1.example:9464", 200), ("evil.example", 421), ("127.0.0.1.evil.example", 421),
        ("10.0.0.7", 421), ("localhost.evil.example:9464", 421), ("", 421), ("[::1", 421),
        ("localhost@evil.example", 421), ("[fe80::1]", 421), ("0.0.0.0", 421),
        ("[::1].evil.example", 421), ("localhost:x", 421), ("::1", 421),
    ],
)  # fmt: skip
def test_names_of_others(
    server: Server, host: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of another site, whose name points to this address, reads nothing."""
    assert got(server, "/large", Host=host)[0].status == status
    assert got(server, "/large", method="HEAD", Host=host)[0].status == status
    with socket.create_connection(("127.0.0.1", port(server)), PATIENCE) as client:
        client.sendall(f"GET /large HTTP/1.0\r\nHost: localhost\r\nHost: {host}\r\n\r\n".encode())
        assert int(client.makefile("rb").readline().split()[1]) == status
    monkeypatch.setattr("ctrgen.tools.live.server.Server.answers_to", lambda *_: True)  # planted
    assert got(server, "/large", Host=host)[0].status == 200


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://localhost:9464/large", 200), ("HTTP://Edge1.example/large?x", 200),
        ("http://evil.example/large", 421), ("http:///large", 421), ("http://localhost", 404),
    ],
)  # fmt: skip
def test_targets_with_a_host(server: Server, target: str, status: int) -> None:
    """As for a proxy (RFC 9112, 3.2.2)."""
    assert got(server, target)[0].status == status


def test_the_address_that_is_reached(server: Server) -> None:
    """Where the server listens on all addresses, that is the one it is named by."""
    for host, reached in (("10.0.0.7:80", "10.0.0.7"), ("[fd00::1]:80", "fd00::1"),
                          ("10.0.0.7", "::ffff:10.0.0.7")):  # fmt: skip
        assert server.answers_to(host, reached)
        assert not server.answers_to(host, "10.0.0.8")


def sent(server: Server, octets: bytes, *, closes: bool = False) -> bytes:
    """What a client gets that sends octets, and then perhaps closes its side."""
    found = b""
    with socket.create_connection(("127.0.0.1", port(server)), PATIENCE) as client:
        try:
            client.sendall(octets)
            if closes:
                client.shutdown(socket.SHUT_WR)
            while piece := client.recv(65536):
                found += piece
        except ConnectionError:
            pass
    return found


A_LINE = b"GET /large HTTP/1.0\r\n"


@pytest.mark.parametrize(
    ("octets", "status"),
    [
        (b"GET / HTTP/9.9\r\n\r\n", 505), (b"GET / HTTP/1.0 x\r\n\r\n", 400),
        (b"GET x HTTP/1.0\r\n\r\n", 404), (A_LINE + b"x: \0\xff\r\n\r\n", 200),
        (b"GET /large?" + b"a" * 4000 + b" HTTP/1.0\r\n\r\n", 200),
        (b"GET /" + b"a" * 65532, 414), (A_LINE + b"x: " + b"a" * 65534, 431),
        (A_LINE + b"x: y\r\n" * 101, 431),
    ],
)  # fmt: skip
def test_requests_that_are_none_or_too_long(server: Server, octets: bytes, status: int) -> None:
    """A status, and the next client is served."""
    assert f"{status} ".encode() in sent(server, octets)  # without a head for HTTP/0.9
    assert got(server, "/large")[1] == LARGE.body


@pytest.mark.parametrize("octets", [b"", A_LINE, b"GET /huge HTTP/1.0\r\n\r\n"])
def test_silent_clients_end(server: Server, octets: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that send nothing more, or take nothing; others are served while they are there."""
    monkeypatch.setattr(module._Handler, "timeout", 0.5)
    before = threading.active_count()
    clients = [socket.create_connection(("127.0.0.1", port(server)), PATIENCE) for _ in range(64)]
    for client in clients:
        client.sendall(octets)
    assert got(server, "/large")[1] == LARGE.body
    until(lambda: threading.active_count() <= before, "the end of their threads")
    for client in clients:
        client.close()


def test_pages_are_made_one_at_a_time_and_after_the_request(server: Server) -> None:
    running, most, made = 0, 0, 0

    def page() -> Edition:
        nonlocal running, most, made
        running += 1
        most, made = max(most, running), made + 1
        time.sleep(0.02)
        running -= 1
        return always(Answer("text/plain", b"%d" % made))

    server.pages["/numbered"] = page
    found: list[bytes] = []
    scrapers = [
        threading.Thread(target=lambda: found.append(got(server, "/numbered")[1])) for _ in range(8)
    ]
    for scraper in scrapers:
        scraper.start()
    for scraper in scrapers:
        scraper.join(PATIENCE)
    assert (most, sorted(map(int, found))) == (1, list(range(1, 9)))


def test_a_failure_of_a_page(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    def page() -> Edition:
        raise AssertionError("planted")

    server.pages["/fails"] = page
    for _ in range(2):
        response, body = got(server, "/fails")
        assert response.status == 500 and b"planted" not in body
    assert capfd.readouterr().err.count("AssertionError: planted") == 2, "operators see why"
    assert got(server, "/large")[1] == LARGE.body


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("", ""), ("text/plain;version=0.0.4", ""), ("*/*", ""),
        (OPENMETRICS, OPENMETRICS),
        (f"text/plain, {OPENMETRICS}; version=1.0.0;q=0.5", OPENMETRICS),
        (f"{OPENMETRICS}; version=0.0.1,text/plain", ""),
        (f"{OPENMETRICS};q=0", ""), (f"{OPENMETRICS}; q=0.000 ,text/plain", ""),
        (f"text/plain;q=0,{OPENMETRICS}; q=0.001", OPENMETRICS),
        ("Application/OpenMetrics-Text;Version=1.0.0", OPENMETRICS), (f"{OPENMETRICS};Q=0", ""),
    ],
)  # fmt: skip
def test_formats_that_clients_accept(header: str, found: str) -> None:
    assert accepted(header) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("127.0.0.1:9464", ("127.0.0.1", 9464)), (":80", ("127.0.0.1", 80)),
        ("localhost:1", ("127.0.0.1", 1)), ("[::1]:9464", ("::1", 9464)),
        ("0.0.0.0:0", ("0.0.0.0", 0)),
    ],
)  # fmt: skip
def test_addresses(text: str, found: tuple[str, int]) -> None:
    assert address(text) == found


@pytest.mark.parametrize(
    "text", ["", "9464", "127.0.0.1", "a.example:1", "::1:x", "127.0.0.1:65536", "1.2.3.4:-1"]
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        address(text)


def test_a_port_that_is_taken(server: Server) -> None:
    with pytest.raises(UsageError, match="cannot listen on 127"):
        Server(f"127.0.0.1:{port(server)}", {})

# SPDX-License-Identifier: BSD-3-Clause
"""The server gives whole answers, and no client can hold it up."""

from __future__ import annotations

import gzip
import http.client
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.live import server as module
from ctrgen.live.exposition import Exposition
from ctrgen.live.metrics import Applications
from ctrgen.live.server import CONNECTIONS, Answer, Server, address
from tests.live.made import usual

LARGE = Answer("text/plain", b"0123456789abcdef" * 4096)
OPENMETRICS = "application/openmetrics-text"
HUGE_SIZE = 64 << 20
"""More than the kernel keeps for a client."""
PATIENCE = 60
"""Seconds after which something hangs."""


@pytest.fixture
def server() -> Iterator[Server]:
    exposition = Exposition(Applications({"a": usual()}.items))
    made = Server(
        "127.0.0.1:0",
        {
            "/metrics": exposition,
            "/large": lambda _: LARGE,
            "/huge": lambda _: Answer("text/plain", bytes(HUGE_SIZE)),
        },
        ["Edge1.example"],
    )
    thread = threading.Thread(target=made.serve_forever, args=(0.05,))
    thread.start()
    yield made
    made.shutdown()
    thread.join(PATIENCE)
    made.server_close()


def port(server: Server) -> int:
    return int(server.server_address[1])


def got(
    server: Server, path: str, method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port(server), timeout=PATIENCE)
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
    assert got(server, "/large")[1] == LARGE.body


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
    monkeypatch.setattr("ctrgen.live.server._Handler._is_for_us", lambda handler: True)  # planted
    assert got(server, "/large", Host=host)[0].status == 200


def test_the_address_that_is_reached(server: Server) -> None:
    """Where the server listens on all addresses, that is the one it is named by."""
    for host, reached in (("10.0.0.7:80", "10.0.0.7"), ("[fd00::1]:80", "fd00::1"),
                          ("10.0.0.7", "::ffff:10.0.0.7")):  # fmt: skip
        assert server.answers_to(host, reached)
        assert not server.answers_to(host, "10.0.0.8")


@pytest.mark.parametrize(
    "octets",
    [
        b"\0" * 100,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"G" * 70_000,
        b"GET /" + b"a" * 70_000,
    ],
)
def test_garbage_is_answered_or_dropped(server: Server, octets: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port(server)), PATIENCE) as client:
        try:
            client.sendall(octets)
            client.shutdown(socket.SHUT_WR)
            while client.recv(65536):
                pass
        except ConnectionError:
            pass
    assert got(server, "/large")[1] == LARGE.body


def test_slow_clients_are_sent_away_and_others_are_served(server: Server) -> None:
    """Headers without end, on as many connections as there can be."""
    server.deadline = 1.0
    clients = [
        socket.create_connection(("127.0.0.1", port(server)), PATIENCE)
        for _ in range(CONNECTIONS + 8)
    ]
    try:
        for client in clients:
            try:
                client.sendall(b"GET /metrics HTTP/1.0\r\nX-Slow: ")
            except ConnectionError:  # there were too many
                continue
        for client in clients:
            try:
                while client.recv(4096):  # the other side ends it
                    pass
            except ConnectionError:
                continue
        assert got(server, "/large")[1] == LARGE.body
    finally:
        for client in clients:
            client.close()


def test_answers_that_nobody_takes_are_bounded(server: Server) -> None:
    """The next client is told so; nothing is held once they are gone."""
    server.most_held = HUGE_SIZE + 100
    silent = socket.create_connection(("127.0.0.1", port(server)), PATIENCE)
    silent.sendall(b"GET /huge HTTP/1.0\r\n\r\n")
    assert silent.recv(1) == b"H", "its answer waits"
    response, body = got(server, "/huge")
    assert (response.status, b"Too many others ask." in body) == (503, True)
    silent.close()
    end = time.monotonic() + PATIENCE
    while got(server, "/huge")[0].status != 200:
        assert time.monotonic() < end


class Numbered:
    """A page with the number of pages made; making it takes until it is released."""

    def __init__(self, server: Server) -> None:
        self.made, self.begun, self.release = 0, threading.Event(), threading.Event()
        server.pages["/numbered"] = self

    def __call__(self, accept: str) -> Answer:
        self.made += 1
        number = self.made
        self.begun.set()
        assert self.release.wait(PATIENCE)
        return Answer("text/plain", b"%d" % number)


SCRAPERS = 6
JOIN = 0.5
"""Seconds in which a request arrives; one that is later takes another page, which is no failure."""
GONE = (b"GET /numbered HTTP/1.0\r\n", b"GET /numbered HTTP/1.0\r\n\r\n", b"GET /numb", b"")


def scraped(server: Server, gone: int) -> tuple[int, list[bytes]]:
    """One client, then others while its page is made: some that disconnect, and scrapers with
    various headers `Accept`. The number of pages, and what the scrapers got."""
    page = Numbered(server)
    answers: list[bytes] = []

    def scrape(number: int) -> None:
        for _ in range(20):  # more than CONNECTIONS are closed
            try:
                headers = {"Accept": f"text/plain;x={number}"}
                answers.append(got(server, "/numbered", **headers)[1])
                return
            except (ConnectionError, http.client.HTTPException):
                time.sleep(JOIN)

    scrapers = [threading.Thread(target=scrape, args=(number,)) for number in range(SCRAPERS)]
    scrapers[0].start()
    assert page.begun.wait(PATIENCE)
    for number in range(gone):
        with socket.create_connection(("127.0.0.1", port(server)), PATIENCE) as client:
            client.sendall(GONE[number % len(GONE)])
    for scraper in scrapers[1:]:
        scraper.start()
    time.sleep(JOIN)
    page.release.set()
    for scraper in scrapers:
        scraper.join(PATIENCE)
    assert len(answers) == SCRAPERS
    return page.made, answers


def test_a_page_is_made_once_for_all_that_wait(server: Server) -> None:
    """A client that asks while a page is made gets the next one, never older values."""
    made, answers = scraped(server, gone=0)
    assert made <= 3 < SCRAPERS
    assert answers.count(b"1") == 1


def test_no_page_is_made_for_clients_that_have_disconnected(server: Server) -> None:
    """Each page has a scraper that takes it: those that are turned away come again apart."""
    made, _ = scraped(server, gone=200)
    assert made <= SCRAPERS


def test_an_end_of_file_within_the_headers_ends_the_request(server: Server) -> None:
    assert pages_of_a_cut_request(server) == 0


def pages_of_a_cut_request(server: Server) -> int:
    page = Numbered(server)
    page.release.set()
    for octets in (b"GET /numbered HTTP/1.0\r\n", b"GET /numbered HTTP/1.0\r\nAccept: a"):
        with socket.create_connection(("127.0.0.1", port(server)), PATIENCE) as client:
            client.sendall(octets)
            time.sleep(JOIN)
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass
    return page.made


def test_a_failure_of_a_page_is_no_answer_for_any_client(server: Server) -> None:
    page = Numbered(server)
    page.release.wait = lambda timeout=None: False  # type: ignore[method-assign]
    for _ in range(2):
        with pytest.raises(http.client.HTTPException):
            got(server, "/numbered")
    assert got(server, "/large")[1] == LARGE.body


@pytest.mark.parametrize("bug", ["a page each", "an end of file ends headers", "all are there"])
def test_planted_bugs_of_waiting_clients_are_seen(
    server: Server, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bug == "a page each":
        monkeypatch.setattr(module, "accepted", lambda header: header)
        assert scraped(server, gone=0)[0] == SCRAPERS
    elif bug == "an end of file ends headers":
        monkeypatch.setattr(module._Lines, "readline", module.io.BufferedReader.readline)
        monkeypatch.setattr(module._Handler, "_connected", lambda _: True)
        assert pages_of_a_cut_request(server) == 2
    else:
        page = Numbered(server)
        page.release.set()
        monkeypatch.setattr(module._Handler, "_connected", lambda _: True)
        with socket.create_connection(("127.0.0.1", port(server)), PATIENCE) as client:
            client.sendall(GONE[1])
        assert page.begun.wait(PATIENCE)


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("", ""), ("text/plain;version=0.0.4", ""), ("*/*", ""),
        (OPENMETRICS, OPENMETRICS),
        (f"text/plain, {OPENMETRICS}; version=1.0.0;q=0.5", OPENMETRICS),
        (f"{OPENMETRICS}; version=0.0.1,text/plain", ""),
    ],
)  # fmt: skip
def test_formats_that_clients_accept(header: str, found: str) -> None:
    assert module.accepted(header) == found


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

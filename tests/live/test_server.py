# SPDX-License-Identifier: BSD-3-Clause
"""The server gives whole answers, and no client can hold it up."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.live import request
from ctrgen.live import server as module
from ctrgen.live.metrics import Applications
from ctrgen.live.request import MOST_HEAD, MOST_LINE, address
from ctrgen.live.server import Answer, Edition, Server, always
from tests.live.made import usual

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
    made.most = 64
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
    monkeypatch.setattr("ctrgen.live.server.Server.answers_to", lambda *_: True)  # planted
    assert got(server, "/large", Host=host)[0].status == 200


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
        (b"GET\r\n\r\n", 400), (b"\r\n\r\n", 400), (b"GET / HTTP/9.9\r\n\r\n", 505),
        (b"GET / HTTP/1.0 x\r\n\r\n", 400), (b"GET x HTTP/1.0\r\n\r\n", 400),
        (A_LINE + b" x: y\r\n\r\n", 400), (A_LINE + b"x : y\r\n\r\n", 400),
        (A_LINE + b":\n\n", 400),
        (A_LINE + b"\xff: \0\r\n\r\n", 400), (A_LINE + b"x: \0\xff\r\n\r\n", 200),
        (A_LINE + b"x:\n\n", 200), (A_LINE + b"\r\n" + b"x" * 70_000, 200),
        (b"GET /" + b"a" * MOST_LINE, 414), (b"\0" * 70_000, 414),
        (b"GET /large?" + b"a" * 4000 + b" HTTP/1.0\r\n\r\n", 200),
        (A_LINE + b"x: " + b"a" * MOST_HEAD, 431), (A_LINE + b"x: y\r\n" * MOST_HEAD, 431),
        (A_LINE + b"x: " + b"a" * (MOST_HEAD - 100) + b"\r\n\r\n", 200),
    ],
)  # fmt: skip
def test_requests_that_are_none_or_too_long(server: Server, octets: bytes, status: int) -> None:
    """The status arrives, also where more was sent than is read."""
    assert int(sent(server, octets).split()[1]) == status
    assert got(server, "/large")[1] == LARGE.body


def test_a_head_without_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, not stored; of one that goes on the rest is not read."""
    assert sent(server, A_LINE + b"x: " + b"a" * (64 << 20)) == b""
    assert b" 431 " in sent(server, A_LINE + b"x: " + b"a" * 200_000)
    monkeypatch.setattr(module, "measured", lambda head: None)  # planted
    assert sent(server, A_LINE + b"x: " + b"a" * (1 << 20), closes=True) == b""


@pytest.mark.parametrize("octets", [b"", b"\0" * 100, b"G" * 70_000, b"GET /" + b"a" * 70_000])
def test_garbage_is_answered_or_dropped(server: Server, octets: bytes) -> None:
    sent(server, octets, closes=True)
    assert got(server, "/large")[1] == LARGE.body


def silent(server: Server, count: int, octets: bytes = b"") -> list[socket.socket]:
    """Clients that send no more than some octets, and read nothing."""
    clients = []
    for _ in range(count):
        clients.append(socket.create_connection(("127.0.0.1", port(server)), PATIENCE))
        clients[-1].sendall(octets)
    return clients


def ended(clients: list[socket.socket]) -> int:
    """How many of these connections the server has ended; reads nothing that was sent."""
    count = 0
    for client in select.select(clients, [], [], 0)[0]:
        try:
            count += not client.recv(1, socket.MSG_PEEK)
        except ConnectionError:
            count += 1
    return count


@pytest.mark.parametrize(
    "octets", [b"", b"GET /metrics HTTP/1.0\r\nX-Slow: ", b"GET /huge HTTP/1.0\r\n\r\n"]
)
def test_clients_that_are_silent_make_room(server: Server, octets: bytes) -> None:
    """On as many connections as there can be: others are served while these are connected."""
    server.asking = server.taking = PATIENCE
    first, *others = clients = silent(server, server.most, octets)
    try:
        if b"huge" in octets:
            wait(lambda: all(client.recv(1, socket.MSG_PEEK) for client in clients))
        assert got(server, "/large")[1] == LARGE.body
        assert ended(others) == 0
        assert got(server, "/large")[1] == LARGE.body
        if b"huge" not in octets:
            assert ended([first]) == 1, "the one that was silent longest"
    finally:
        for client in clients:
            client.close()


def wait(condition: Callable[[], object]) -> None:
    """Wait for something."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_slow_clients_are_sent_away(server: Server) -> None:
    """Those that ask for ever, and those that take for ever, when their time is over."""
    server.asking = server.taking = 0.5
    clients = silent(server, 2, b"GET /metrics HTTP/1.0\r\nX-Slow: ")
    clients += silent(server, 2, b"GET /huge HTTP/1.0\r\n\r\n")
    wait(lambda: all(client.recv(1, socket.MSG_PEEK) for client in clients[2:]))
    wait(lambda: ended(clients) == 2 and not server._clients)
    for client in clients[2:]:
        with client:
            assert taken(client) < HUGE_SIZE
    for client in clients[:2]:
        client.close()


def taken(client: socket.socket) -> int:
    """How many octets of its answer a client gets."""
    count = 0
    with contextlib.suppress(ConnectionError):
        while piece := client.recv(1 << 20):
            count += len(piece)
    return count


def test_answers_that_no_client_takes_are_bounded(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that wait longest make room for others, which are sent whole; clients of one page
    share it."""
    assert most_taken(server) < HUGE_SIZE
    monkeypatch.setattr(Server, "_bound", lambda *_: None)  # planted
    assert most_taken(server) >= HUGE_SIZE


def most_taken(server: Server) -> int:
    """The most octets that any of the clients gets which were the first to leave theirs."""
    server.most_held = HUGE_SIZE + 100
    huge = Answer("text/plain", bytes(HUGE_SIZE))
    server.pages["/shared"] = lambda: always(huge)
    shared = silent(server, 9, b"GET /shared HTTP/1.0\r\n\r\n")
    wait(lambda: all(client.recv(1, socket.MSG_PEEK) for client in shared))
    assert ended(shared) == 0
    own = silent(server, 1, b"GET /huge HTTP/1.0\r\n\r\n")
    assert own[0].recv(1) == b"H", "both of them wait"
    response, body = got(server, "/huge")
    assert (response.status, len(body)) == (200, HUGE_SIZE)
    most = max(map(taken, shared))
    for client in (*shared, *own):
        client.close()
    return most


class Numbered:
    """A page with the number of pages made; making it takes until it is released."""

    def __init__(self, server: Server) -> None:
        self.made, self.begun, self.release = 0, threading.Event(), threading.Event()
        server.pages["/numbered"] = self

    def __call__(self) -> Edition:
        self.made += 1
        number = self.made
        self.begun.set()
        assert self.release.wait(PATIENCE)
        return always(Answer("text/plain", b"%d" % number))


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
        answers.append(got(server, "/numbered", Accept=("", OPENMETRICS)[number % 2])[1])

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


def test_a_failure_of_a_page(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    page = Numbered(server)
    page.release.wait = lambda timeout=None: False  # type: ignore[method-assign]
    for _ in range(2):
        assert got(server, "/numbered")[0].status == 500
    assert capfd.readouterr().err.count("AssertionError") == 2, "operators see why"
    assert got(server, "/large")[1] == LARGE.body


@pytest.mark.parametrize(
    "bug", ["a page each", "an end of file ends headers", "all are there", "none makes room"]
)
def test_planted_bugs_of_waiting_clients_are_seen(
    server: Server, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if bug == "a page each":
        found = Server._page
        monkeypatch.setattr(Server, "_page", lambda *words: partial(found(*words)))
        assert scraped(server, gone=0)[0] == SCRAPERS
    elif bug == "an end of file ends headers":
        receive = server._loop.sock_recv

        async def ends(client: socket.socket, size: int) -> bytes:
            return await receive(client, size) or b"\n\n"

        monkeypatch.setattr(server._loop, "sock_recv", ends)
        monkeypatch.setattr(module._Client, "connected", lambda _: True)
        assert pages_of_a_cut_request(server) == 2
    elif bug == "all are there":
        page = Numbered(server)
        page.release.set()
        monkeypatch.setattr(module._Client, "connected", lambda _: True)
        with socket.create_connection(("127.0.0.1", port(server)), PATIENCE) as client:
            client.sendall(GONE[1])
        assert page.begun.wait(PATIENCE)
    else:
        monkeypatch.setattr(Server, "_evict", lambda _: False)
        server.asking = PATIENCE
        clients = silent(server, server.most)
        with pytest.raises(TimeoutError):
            got(server, "/large", patience=JOIN)
        for client in clients:
            client.close()


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
    assert request.accepted(header) == found


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

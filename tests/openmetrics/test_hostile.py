# SPDX-License-Identifier: BSD-3-Clause
"""Hostile clients of the server in the process: while they are there, each scrape arrives, whole;
updates go on, and memory is bounded."""

import contextlib
import socket
import ssl
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live import lab
from tests.openmetrics.lab import OPENMETRICS, Serving, parsed, program, read, serving
from tests.openmetrics.test_requests import certificate
from tests.segment.lab import HERE
from tests.support.cbuild import QUICK, Workshop

Hostile = Callable[[Serving], contextlib.AbstractContextManager[None]]
HEAD = b"GET /metrics HTTP/1.0\r\n"
GOOD = b"GET /metrics HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n"
ALL = HERE / "all.yaml"
MOST = 24 << 20
"""Bytes of memory that hostile clients may take."""
LATE = 15
"""How often the time of a quiet scrape one may take on a busy machine."""


def clients(count: int, octets: bytes) -> Hostile:
    """So many connections that send some octets and read nothing."""

    @contextlib.contextmanager
    def hostile(served: Serving) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            for _ in range(count):
                client = socket.create_connection(("127.0.0.1", served.port), lab.PATIENCE)
                stack.enter_context(contextlib.closing(client))
                with contextlib.suppress(ConnectionError):
                    client.sendall(octets)
            yield

    return hostile


def hello() -> bytes:
    """The first octets of a handshake of TLS."""
    sent = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), sent, server_hostname="x")
    with contextlib.suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return sent.read()


HOSTILE: dict[str, Hostile] = {
    "silent": clients(600, b""),
    "slow senders": clients(600, HEAD + b"X-Slow: "),
    "slow readers": clients(300, HEAD + b"\r\n"),
    "slow readers of gzip": clients(300, GOOD),
    "1,000 at once": clients(1000, HEAD),
    "1,000 refused at once": clients(1000, b"POST / HTTP/1.1\r\nHost: x\r\n\r\n"),
    "handshakes that stop": clients(1000, hello()),
    "handshakes that stop earlier": clients(1000, hello()[:100]),
    "giant headers": clients(64, HEAD + b"X: y\r\n" * 50_000),
    "a giant header": clients(64, HEAD + b"X: " + b"y" * (1 << 20)),
    "a giant request line": clients(64, b"GET /" + b"y" * (1 << 20)),
    "an endless body": clients(64, HEAD + b"Content-Length: 99999999\r\n\r\n" + b"y" * 99999),
}


def large(workshop: Workshop, flags: tuple[str, ...] = QUICK) -> Path:
    """A program whose response is larger than all buffers of a connection."""

    def make(path: Path) -> None:
        text = ALL.read_text("utf-8")
        assert "max: 600" in text
        path.write_text(text.replace("max: 600", "max: 20000"), "utf-8")

    return program(workshop, flags, schema=workshop.once("all-large.yaml", make))


@pytest.fixture(params=["plain", "tls"])
def served(request: pytest.FixtureRequest, workshop: Workshop, tmp_path: Path) -> Iterator[Serving]:
    more: dict[str, object] = {"all": 1, "deadline_ms": 8000}
    if request.param == "tls":
        more["certificate"], more["key"] = certificate(tmp_path)
    with serving(large(workshop), **more) as found:
        if request.param == "tls":
            found.tls = ssl.create_default_context(cafile=str(tmp_path / "crt.pem"))
        yield found


def scraped(served: Serving) -> tuple[int, float]:
    """Lines of a scrape, which is whole, and its seconds."""
    begin = time.monotonic()
    answer = served.get(Accept=OPENMETRICS)
    assert answer.status == 200
    assert answer.body.endswith(b"# EOF\n")
    return answer.body.count(b"\n"), time.monotonic() - begin


@pytest.mark.one_in(8)
@pytest.mark.parametrize("kind", HOSTILE)
def test_the_next_scrape_arrives(kind: str, served: Serving) -> None:
    (usual, quiet), before = scraped(served), lab.memory(served.app.process.pid, "VmRSS")
    served.app.do("run")
    with HOSTILE[kind](served):
        lines, seconds = zip(*(scraped(served) for _ in range(3)), strict=True)
        assert lines == (usual,) * 3
        # The ratio is at most 2 on an idle machine; it was 90 where all wait in turn.
        assert statistics.median(seconds) < LATE * quiet
        assert lab.memory(served.app.process.pid, "VmRSS") < before + MOST
        served.app.do("halt")
    assert scraped(served)[0] == usual


@pytest.mark.parametrize("served", ["tls"], indirect=True)
def test_a_remote_client_has_time_for_its_handshake(served: Serving) -> None:
    """Others take responses in the time that its octets need."""
    assert served.tls is not None
    arrived, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    remote = served.tls.wrap_bio(arrived, sent, server_hostname="localhost")
    with socket.create_connection(("127.0.0.1", served.port), lab.PATIENCE) as client:
        while True:
            with contextlib.suppress(ssl.SSLWantReadError):
                remote.do_handshake()
                break
            client.sendall(sent.read())
            begin = time.monotonic()
            while time.monotonic() - begin < 0.6:
                scraped(served)
            assert arrived.write(client.recv(1 << 16))
        remote.write(HEAD + b"\r\n")
        client.sendall(sent.read())
        answer = b""
        while not answer:
            assert arrived.write(client.recv(1 << 16))
            with contextlib.suppress(ssl.SSLWantReadError):
                answer = remote.read(12)
        assert answer == b"HTTP/1.1 200"


def test_one_that_asks_for_nothing_gets_408(workshop: Workshop) -> None:
    with serving(program(workshop), deadline_ms=400) as served:
        for octets in (b"", b"GET /metrics"):
            with served.connect() as client:
                client.sendall(octets)
                assert parsed(read(client)).status == 408


def test_a_response_has_a_deadline(workshop: Workshop) -> None:
    """One that reads slowly loses its connection, and sees that its response is not whole."""
    with serving(large(workshop), all=1, deadline_ms=1000) as served, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", served.port))
        client.settimeout(lab.PATIENCE)
        client.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        begin, found = time.monotonic(), b""
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(256):
                found += piece
                time.sleep(0.02)
        assert time.monotonic() - begin < lab.PATIENCE
        assert found.startswith(b"HTTP/1.1 200") and not found.endswith(b"0\r\n\r\n")


def test_too_many_that_take(workshop: Workshop) -> None:
    """A client next to as many as there may be: one that takes nothing gives way, others do not.

    It takes nothing after 10 ms, which may pass before the other asks: then again.
    """
    request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(large(workshop), all=1, connections=1) as served:
        for _ in range(100):
            with served.connect() as slow:
                slow.sendall(request)
                if slow.recv(12) != b"HTTP/1.1 200":  # The one before has not gone yet.
                    continue
                with served.connect() as other:
                    other.sendall(request)
                    refused = parsed(read(other))
                if refused.status == 200:
                    continue
                assert (refused.status, refused.headers["retry-after"]) == (503, "1")
                time.sleep(0.3)
                assert served.get().status == 200
                with contextlib.suppress(ConnectionError):
                    assert not read(slow).endswith(b"0\r\n\r\n")
                return
        pytest.fail("no client was refused")


def test_a_copy_that_is_overwritten_ends_its_readers(workshop: Workshop) -> None:
    """Never are values of two copies in one response."""
    request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(large(workshop), all=1) as served, served.connect() as slow:
        slow.sendall(request)
        assert slow.recv(12) == b"HTTP/1.1 200"
        for _ in range(3):
            time.sleep(1.1)
            assert served.get().status == 200
        with contextlib.suppress(ConnectionError):
            assert not read(slow).endswith(b"0\r\n\r\n")

# SPDX-License-Identifier: BSD-3-Clause
"""Requests that are served, and those that are refused, with their status; addresses, TLS,
authentication."""

import base64
import contextlib
import gzip
import re
import resource
import shutil
import socket
import ssl
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.openmetrics.lab import OPENMETRICS, Serving, parsed, program, read, serving
from tests.segment.lab import Application
from tests.support.cbuild import SANITIZED, Build, Workshop
from tests.support.process import run, succeed
from tests.support.schemas import STARTER

GET = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture
def served(workshop: Workshop) -> Iterator[Serving]:
    with serving(program(workshop), host="stats.example", deadline_ms=8000) as found:
        yield found


@pytest.mark.parametrize(
    ("octets", "status"),
    [
        (GET + b"\r\n", 200),
        (b"HEAD /metrics HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 200),
        (b"GET /metrics HTTP/1.0\r\n\r\n", 200),
        (b"GET /metrics?x=1 HTTP/1.1\r\nHost: 127.0.0.7:9\r\n\r\n", 200),
        (b"GET /metrics HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n", 200),  # translated
        (b"GET /metrics HTTP/1.1\r\nHost: STATS.example:80\r\n\r\n", 200),
        (GET + b"Content-Length: 0\r\n\r\n", 200),
        (b"GET http://127.0.0.1:80/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        (b"GET HTTP://Stats.Example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        (b"GET http://evil.example/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
        (b"GET http:///metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
        (b"GET http://" + b"x" * 400 + b"/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
        (b"GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"GET /metrics HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"GET /metrics/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"GET /%2e%2e/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        (b"POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        (b"DELETE /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        (GET + b"Content-Length: 1\r\n\r\nx", 413),
        (GET + b"Content-Length: 99999999999999999999\r\n\r\n", 413),
        (GET + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 413),
        (b"GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        (b"GET /metrics HTTP/1.1\r\nHost: localhost:80:80\r\n\r\n", 421),
        (b"GET /metrics HTTP/1.1\r\nHost: user@localhost\r\n\r\n", 421),
        (b"GET /metrics HTTP/1.1\r\nHost: [::1\r\n\r\n", 421),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 421),
        (GET + b"X: " + b"x" * 40000 + b"\r\n\r\n", 431),
        (GET + b"X: x\r\n" * 10000 + b"\r\n", 431),
        (b"GET /" + b"x" * 40000 + b" HTTP/1.1\r\n\r\n", 414),
    ],
)
def test_status(served: Serving, octets: bytes, status: int) -> None:
    answer = served.send(octets)
    if status == 413:
        assert answer.status in (400, 413)  # 400: libmicrohttpd reads no such length
    else:
        assert answer.status == status, answer
    assert answer.headers["connection"].lower() == "close"
    if status == 405:
        assert answer.headers["allow"] == "GET, HEAD"
    assert served.get().status == 200


@pytest.mark.parametrize(
    "octets", [b"nothing\r\n\r\n", b"\0" * 100, b"\x16\x03\x01", b"\n" * 50000]
)
def test_no_request(served: Serving, octets: bytes) -> None:
    """Octets that are no request: the connection ends, at the latest when its time is over."""
    with served.connect() as client:
        with contextlib.suppress(OSError):
            client.sendall(octets)
            client.shutdown(socket.SHUT_WR)
        found = read(client)
    assert not found or parsed(found).status in (400, 408, 414, 431), found
    assert served.get().status == 200


def test_health(served: Serving) -> None:
    answer = served.get("/healthz")
    assert (answer.status, answer.body) == (200, b"ok\n")


@pytest.mark.parametrize(
    ("accept", "strict"),
    [
        ("", False),
        ("text/plain", False),
        (OPENMETRICS, True),
        ("text/html, application/openmetrics-text ;q=0.5", True),
        ("Application/OpenMetrics-Text; Version=1.0.0", True),
        ("application/openmetrics-text;Q=0", False),
        ("application/openmetrics-text;q=0.1;version=0.0.1", False),
        ("not-application/openmetrics-text", False),
        ("application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4", False),
        ("application/openmetrics-text2", False),
        ("application/openmetrics-text;q=0", False),
        ("application/openmetrics-text; q=0.000 ,text/plain", False),
        ("text/plain;q=0,application/openmetrics-text; q=0.001", True),
        ("x" * 2000 + ",application/openmetrics-text", True),
    ],
)
def test_format(served: Serving, accept: str, strict: bool) -> None:
    answer = served.get(Accept=accept)
    assert ("openmetrics" in answer.headers["content-type"]) is strict
    assert answer.body.endswith(b"# EOF\n") is strict
    assert "all_pkts" in answer.families()


def test_encoding(served: Serving) -> None:
    """What a client gets compressed it has asked for, and is the same; `HEAD` tells no size that is
    wrong."""

    def lines(text: bytes) -> list[bytes]:
        """But for those about the server itself."""
        return [line for line in text.splitlines() if b"ctrgen_" not in line]

    plain = served.get()
    assert plain.body.startswith(b"# HELP") and "content-encoding" not in plain.headers
    for accept in ("gzip", "GZip", "br;q=0, gzip;q=0.5", "identity,,gzip"):
        answer = served.get(Accept_Encoding=accept)
        assert answer.headers["content-encoding"] == "gzip"
        assert lines(gzip.decompress(answer.body)) == lines(plain.body), accept
        assert len(plain.body) > 4 * len(answer.body)
    for accept in (
        "gzip2", "br, xgzip;q=1", "gzip;Q=0", "gzip ; q=0.0", "gzip;q=0, identity", "identity",
    ):  # fmt: skip
        answer = served.get(Accept_Encoding=accept)
        assert answer.body.startswith(b"# HELP") and "content-encoding" not in answer.headers
    answer = served.get(method="HEAD")
    assert answer.body == b"" and "content-length" not in answer.headers


def test_authentication(workshop: Workshop) -> None:
    def basic(text: str) -> str:
        return "Basic " + base64.b64encode(text.encode()).decode()

    options = {"user": "prom", "password": "s3cret", "token": "t0ken"}
    with serving(program(workshop), **options) as served:
        good = (basic("prom:s3cret"), "Bearer t0ken", "bearer t0ken")
        bad = (
            *map(basic, ("prom:s3cre", "prom:s3crett", "pro:s3cret", ":", "prom", "prom:")),
            "Bearer t0ke", "Bearer t0kenn", "Bearer ", "Basic", "Basic !!", "s3cret", "",
        )  # fmt: skip
        for word in good:
            assert served.get(Authorization=word).status == 200, word
        for word in bad:
            answer = served.get(Authorization=word)
            assert answer.status == 401, word
            assert b"all_" not in answer.body
        assert served.get().status == 401
        assert served.get("/healthz").status == 200
    with serving(program(workshop), token="t") as served:
        assert served.get(Authorization=basic("prom:s3cret")).status == 401
        assert served.get().headers["www-authenticate"].startswith("Bearer")


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of localhost, and its key."""
    crt, key = folder / "crt.pem", folder / "key.pem"
    succeed(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", crt,
        "-days", "1", "-subj", "/CN=localhost",
    )  # fmt: skip
    return crt, key


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl")
def test_tls(workshop: Workshop, tmp_path: Path) -> None:
    crt, key = certificate(tmp_path)
    with serving(program(workshop), certificate=crt, key=key, deadline_ms=2000) as served:
        client = ssl.create_default_context(cafile=str(crt))
        # One that does not go on with its handshake, and one that speaks plainly, hold up no other.
        plain, silent = served.connect(), served.connect()
        plain.sendall(GET + b"\r\n")
        served.tls = client
        assert "all_pkts" in served.get().families()
        assert silent.recv(1) == b""
        for each in (plain, silent):
            each.close()
        served.tls = ssl.create_default_context()
        with pytest.raises(ssl.SSLCertVerificationError):
            served.get()


def test_unix_socket(workshop: Workshop, tmp_path: Path) -> None:
    path = tmp_path / "om.sock"
    with serving(program(workshop), address=f"unix:{path}", mode="0600") as served:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert served.port == 0
        assert served.get(Host="anything").status == 200
        second = Application(program(workshop), "-")
        second.tell(f"serve unix:{path}")
        assert second.answer().startswith("-98 ")  # EADDRINUSE: it is not taken from the first
        assert second.end() == 0
        assert served.get().status == 200
        served.app.kill()
        assert path.exists()
        with serving(program(workshop), address=f"unix:{path}") as heir:
            assert heir.get().status == 200
        assert not path.exists()
        served.app = Application(program(workshop), "-")


def test_addresses(workshop: Workshop, tmp_path: Path) -> None:
    app = Application(program(workshop), "-")

    def start(words: str) -> tuple[int, int]:
        app.tell(f"serve {words}")
        rc, port = map(int, app.answer().split())
        return rc, port

    def stop() -> None:
        assert app.do("leave") == "0"

    invalid, missing = (-22, 0), (-2, 0)
    refused = (
        "", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:99999999999",
        "[::1]", "::1:80", "example.com:80", "256.0.0.1:80", "1:2:3", "unix:", f"unix:{'x' * 200}",
        "0:80", "127.1:80", "[127.0.0.1]:80",
    )  # fmt: skip
    for address in filter(None, refused):
        assert start(address) == invalid, address
    for options in ("modules=0", "user=x", "password=x", "certificate=x", "key=x",
                    "token=", "user= password=x", "user=x password=",
                    "connections=1001"):  # fmt: skip
        assert start(f"127.0.0.1:0 {options}") == invalid, options
    assert start("127.0.0.1:0 certificate=/nowhere key=/nowhere") == missing
    assert start("127.0.0.1:0 certificate=/dev/null key=/dev/null")[0] == -71  # EPROTO
    (tmp_path / "om.sock").write_text("a file")
    no_certificate = f"certificate={tmp_path}/om.sock key={tmp_path}/om.sock"
    assert start(f"127.0.0.1:0 {no_certificate}")[0] == -71
    assert start(f"unix:{tmp_path}/om.sock")[0] == -98  # no socket: it stays
    assert (tmp_path / "om.sock").read_text() == "a file"
    for address in ("127.0.0.1:0", ":0", "localhost:0", "[::1]:0"):
        rc, port = start(address)
        assert rc == 0 and port > 0, address
        assert start(address) == (-114, port)  # EALREADY
        stop()
        stop()
        assert start(f"127.0.0.1:{port}") == (0, port)
        stop()
    assert app.end() == 0


def test_no_descriptors(workshop: Workshop) -> None:
    app = Application(program(workshop), "-")
    pid = app.process.pid
    used = {int(entry.name) for entry in Path(f"/proc/{pid}/fd").iterdir()}
    lowest = min(set(range(len(used) + 1)) - used)
    former = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    found = []
    for free in range(5):
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (lowest + free, former[1]))
        app.tell("serve 127.0.0.1:0")
        found.append(int(app.answer().split()[0]))
        app.do("leave")
    assert set(found[:3]) == {-24} and set(found) <= {-24, 0}, found  # EMFILE
    resource.prlimit(pid, resource.RLIMIT_NOFILE, former)
    assert app.end() == 0


@pytest.mark.parametrize(("address", "code"), [("127.0.0.1:0", 0), ("nowhere", 1)])
def test_what_init_shows(workshop: Workshop, tmp_path: Path, address: str, code: int) -> None:
    """The program that `ctrgen init` writes, with the lines of its comment."""
    text = STARTER.with_name("main.c").read_text("utf-8")
    include, *start = re.findall(r"^ \*\t(.+\n)", text, re.MULTILINE)
    before, init, after = text.partition("\tapp_stats_set_running(true);\n")
    after, fini, end = after.partition("\tapp_stats_fini();\n")
    assert init and fini and len(start) == 4
    first, last = "\t".join(("", *start)), "\tctr_openmetrics_stop();\n"
    lines = (include, before, first, init, after, last, fini, end)
    main = tmp_path / "main.c"
    main.write_text("".join(lines).replace("127.0.0.1:9464", address), "utf-8")
    build = Build(STARTER, sources=(main,), parts=("openmetrics",), flags=SANITIZED)
    assert run(workshop.program(build)).returncode == code

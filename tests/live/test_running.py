# SPDX-License-Identifier: BSD-3-Clause
"""Running applications through the real exporter and `ctrgen top`: what they show is what the
application says that it has counted, and nothing that becomes of one harms the others."""

import contextlib
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live import lab
from tests.support.capabilities import PORTS
from tests.support.cbuild import Workshop
from tests.support.process import run, succeed, until

MORE = ("      sessions:    {unit", "      extra: {unit: packets, description: More.}\n"
        "      sessions:    {unit")  # fmt: skip


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose name is short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        yield Path(name)


@pytest.fixture
def exporter(folder: Path) -> Iterator[lab.Exporter]:
    found = lab.Exporter(folder)
    yield found
    assert found.end() == 0


@pytest.fixture(params=PORTS)
def port(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def posix(workshop: Workshop) -> Path:
    return lab.program(workshop, "posix")


def top(path: Path, *words: str) -> dict[str, Any]:
    """What `ctrgen top --once --json` prints."""
    command = (sys.executable, "-m", "ctrgen", "top", path, "--all", "--once", "--json", *words)
    found: dict[str, Any] = json.loads(succeed(*command))
    return found["applications"]


def topped(scopes: dict[str, Any]) -> dict[str, Any]:
    """The values of `ctrgen top` as the application has them."""
    (total,) = scopes["global"]["instances"]
    sessions = {one["labels"]["session"]: one["values"] for one in scopes["session"]["instances"]}
    return {"global": total["values"], "session": sessions}


@pytest.mark.one_in(2)
def test_what_it_has_counted(workshop: Workshop, port: str, folder: Path) -> None:
    """Frozen: equal numbers in C, OpenMetrics, the page and the terminal, item by item."""
    dpdk = "edge" if port == "dpdk" else ""
    app = lab.Application(lab.program(workshop, port), folder / "edge.seg", 50000, dpdk)
    exporter = lab.Exporter(app.path)
    try:
        until(lambda: app.sent() > 20000)
        assert app.sent("stop") == app.values()["global"]["total_pkts"] > 20000
        values = app.values()
        samples = exporter.scrape()
        assert lab.up(samples) == {"edge": 1}
        assert lab.of("edge", samples) == lab.expected("edge", values)
        shown = json.loads(exporter.get("/values.json"))["applications"]["edge"]
        scope = shown["modules"]["ep"]["scopes"]["session"]
        assert (len(scope["instances"]), scope["more"]) == (500, 500)
        for one in scope["instances"]:
            assert one["values"] == values["session"][one["labels"]["session"]]
        least = min(one["values"]["pkts"] for one in scope["instances"])
        assert sorted(n["pkts"] for n in values["session"].values())[500] == least
        (total,) = shown["modules"]["ep"]["scopes"]["global"]["instances"]
        assert total["values"] == values["global"]
        printed = topped(top(app.path, "--interval", "0.1")["edge"]["modules"]["ep"]["scopes"])
        assert printed["global"] == values["global"]
        assert printed["session"] == values["session"]
    finally:
        assert exporter.end() == 0
        assert app.end() == 0


def test_over_otlp(posix: Path, folder: Path) -> None:
    """A collector has the same, from the exporter and from `--once`."""
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="no ctrgen[otlp]")
    from tests.live.collector import Collector, numbers

    app = lab.Application(posix, folder / "edge.seg")
    app.sent("stop")
    values = app.values()
    for words in (["--once"], ["--listen", "127.0.0.1:0"]):
        with Collector() as collector:
            options = [folder, "--all", "--otlp", collector.url, *words]
            if words == ["--once"]:
                succeed(sys.executable, "-m", "ctrgen", "export", *options)
            else:
                exporter = lab.Exporter(*options)
                until(lambda: ("edge", "ep.session.bytes") in collector.metrics())
                assert exporter.end() == 0
            found = collector.metrics()
        for name, value in values["global"].items():
            assert numbers(found["edge", f"ep.{name}"]) == {(): value}
        for name in ("pkts", "bytes"):
            wanted = {(("session", n),): one[name] for n, one in values["session"].items()}
            assert numbers(found["edge", f"ep.session.{name}"]) == wanted
    assert app.end() == 0


@pytest.mark.one_in(2)
def test_a_restart_and_another_layout(workshop: Workshop, posix: Path, folder: Path) -> None:
    """Of one that ends and of one that is killed; the exporter goes on."""
    first, other = posix, lab.program(workshop, "posix", MORE)
    exporter = lab.Exporter(folder / "edge.seg")
    assert lab.up(exporter.scrape()) == {"edge": 0}
    for number, program in enumerate((first, first, other, first)):
        app = lab.Application(program, folder / "edge.seg")
        until(lambda app=app: app.sent() > 0)
        app.sent("stop")
        wanted = lab.expected("edge", app.values())
        extra = {("ep_extra", (("application", "edge"),)): 0.0} if number == 2 else {}
        samples = exporter.scrape()
        assert lab.of("edge", samples) == wanted | extra
        if number == 1:
            app.kill()
        else:
            assert app.end() == 0
        samples = exporter.scrape()
        assert lab.up(samples) == {"edge": 0}
        assert lab.of("edge", samples) == {}
    assert exporter.end() == 0


def test_one_that_is_killed_and_another_one(
    posix: Path, exporter: lab.Exporter, folder: Path
) -> None:
    apps = {name: lab.Application(posix, folder / f"{name}.seg") for name in ("east", "west")}
    sent = {name: app.sent("stop") for name, app in apps.items()}
    samples = exporter.scrape()
    assert lab.up(samples) == {"east": 1, "west": 1}
    for name, count in sent.items():
        assert samples["ep_total_pkts_total", (("application", name),)] == count
        assert lab.of(name, samples) == lab.expected(name, apps[name].values())
    apps["east"].kill()
    samples = exporter.scrape()
    assert lab.up(samples) == {"east": 0, "west": 1}
    assert lab.of("east", samples) == {}
    assert lab.of("west", samples) == lab.expected("west", apps["west"].values())
    found = top(folder, "--interval", "0.1")
    assert "killed or crashed" in found["east"]["error"]
    assert found["west"]["modules"]
    assert apps["west"].end() == 0


def test_one_that_hangs_behind_its_segment(posix: Path, folder: Path) -> None:
    """Stopped: it is stale and its age is there; it goes on, and so does what is shown of it."""
    app = lab.Application(posix, folder / "edge.seg")
    exporter = lab.Exporter(folder, "--stale", "3")
    age = ("ctrgen_published_age_seconds", (("application", "edge"),))
    until(lambda: lab.up(exporter.scrape()) == {"edge": 1})
    app.process.send_signal(signal.SIGSTOP)
    until(lambda: lab.up(exporter.scrape()) == {"edge": 0})
    samples = exporter.scrape()
    assert samples[age] > 3
    assert lab.of("edge", samples) == {}
    words = ("top", folder, "--once", "--json", "--interval", "0.1", "--stale", "3")
    shown = run(sys.executable, "-m", "ctrgen", *words)
    assert "stale for" in json.loads(shown.stdout)["applications"]["edge"]["error"]
    assert shown.returncode == 1, "nothing can be read"
    app.process.send_signal(signal.SIGCONT)
    until(lambda: lab.up(exporter.scrape()) == {"edge": 1})
    assert exporter.end() == 0
    assert app.end() == 0


def test_a_locale_without_a_letter(posix: Path, folder: Path) -> None:
    """OpenMetrics is UTF-8 nevertheless; a terminal shows an escape."""
    app = lab.Application(posix, folder / "\u03a9.seg")
    for verb, name in (("export", "\u03a9"), ("top", r"\u03a9")):
        command = (sys.executable, "-m", "ctrgen", verb, "--once", folder / "\u03a9.seg")
        done = run(
            *command, folder / "no.seg", env={"PYTHONIOENCODING": "latin-1"}, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        assert name in done.stdout
    assert app.end() == 0


@pytest.mark.parametrize("kind", ["xterm", "dumb", "pipe"])
def test_a_terminal_is_left_as_it_was(folder: Path, kind: str) -> None:
    """By a SIGTERM, too. Where no screen can be shown, a message says so."""
    ours, theirs = pty.openpty()
    command = (sys.executable, "-m", "ctrgen", "top", "--interval", "0.1", str(folder))
    output = subprocess.PIPE if kind == "pipe" else theirs
    variables = {**os.environ, "TERM": kind}
    with subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, env=variables) as made:
        os.close(theirs)
        found = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while kind == "xterm" and (more := os.read(ours, 65536)):
                if b"no application" in more and b"no application" not in found:
                    made.terminate()
                found += more
        errors = made.communicate(timeout=lab.PATIENCE)[1].decode()
    os.close(ours)
    if kind == "xterm":
        assert found.count(b"\x1b[?1049h") == found.count(b"\x1b[?1049l") == 1, "two screens"
        assert made.returncode == 128 + signal.SIGTERM
    else:
        assert made.returncode == 2 and "hint: add --once" in errors


def test_segments_cut_short(posix: Path, exporter: lab.Exporter, folder: Path) -> None:
    """And made long again, also to a tebibyte, while they are read: others are read as ever."""
    app = lab.Application(posix, folder / "good.seg")
    app.sent("stop")
    whole = (folder / "good.seg").read_bytes()
    sizes = {folder / f"bad{size}.seg": size for size in (0, 1, 64, 4096, 1 << 16, 1 << 40)}
    stop = threading.Event()

    def harm() -> None:
        while not stop.is_set():
            for path, size in sizes.items():
                os.truncate(path, size)
                os.truncate(path, len(whole))

    for path, size in sizes.items():
        path.write_bytes(whole)
        (folder / f"still-{path.name}").write_bytes(whole)
        os.truncate(folder / f"still-{path.name}", size)
    thread = threading.Thread(target=harm)
    thread.start()
    try:
        for _ in range(3):
            samples = exporter.scrape()
            assert lab.of("good", samples) == lab.expected("good", app.values())
            assert lab.up(samples)["good"] == 1
    finally:
        stop.set()
        thread.join(lab.PATIENCE)
        assert app.end() == 0


def test_hostile_clients_take_no_memory(posix: Path, exporter: lab.Exporter, folder: Path) -> None:
    """Headers without end, requests whose answers nobody reads, and more clients than there may
    be: others are served, and what the exporter holds does not grow with them."""
    app = lab.Application(posix, folder / "edge.seg")
    app.sent("stop")
    wanted = lab.expected("edge", app.values())
    exporter.scrape()
    before = exporter.memory()
    for _ in range(4):
        clients = [socket.create_connection(("127.0.0.1", exporter.port)) for _ in range(30)]
        for number, client in enumerate(clients):
            client.settimeout(lab.PATIENCE)
            with contextlib.suppress(OSError):
                if number % 3 == 0:
                    client.sendall(b"GET /metrics HTTP/1.0\r\n" + b"X: y\r\n" * 50_000)
                elif number % 3 == 1:
                    client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")  # and reads nothing
                else:
                    client.sendall(b"GET /metrics HTTP/1.0\r\nX: " + b"y" * 60_000)
        for client in clients:
            client.close()
        assert lab.of("edge", exporter.scrape()) == wanted
    assert exporter.memory() < before + (64 << 20)
    assert app.end() == 0


def test_nothing_is_listened_at_but_loopback(exporter: lab.Exporter) -> None:
    """In /proc/net/tcp, by the sockets of the process."""
    mine = set()
    for descriptor in Path(f"/proc/{exporter.process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            mine.add(os.readlink(descriptor))  # noqa: PTH115
    listening = []
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/net/{table}").read_text("ascii").splitlines()[1:]:
                words = line.split()
                if words[3] == "0A" and f"socket:[{words[9]}]" in mine:
                    listening.append(words[1].partition(":")[0])
    assert listening == ["0100007F" if sys.byteorder == "little" else "7F000001"]

# SPDX-License-Identifier: BSD-3-Clause
"""What Prometheus makes of a process that serves itself; what a day of scrapes costs."""

import contextlib
import itertools
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fleet import lab as fleet
from tests.live.lab import memory
from tests.openmetrics.lab import OPENMETRICS, program, read, serving
from tests.openmetrics.test_segments import Tool
from tests.segment.lab import Application
from tests.support.capabilities import needs
from tests.support.cbuild import QUICK, Workshop
from tests.support.process import until
from tests.support.servers import Server, free_port

CONFIG = """\
global: {{scrape_interval: 1s}}
scrape_configs:
  - job_name: app
    authorization: {{credentials: t0ken}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""
Serves = Callable[[Application, Path, int], contextlib.AbstractContextManager[None]]
"""Serves an application that has a segment in a folder at a port."""


@needs("promtool")
def test_promtool_accepts_it(workshop: Workshop) -> None:
    with serving(program(workshop, QUICK), all=1) as served:
        text = served.get().body
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    # It also has opinions on names, such as metrics without a unit; these are not errors.
    assert b"error while linting" not in done.stderr and done.returncode in (0, 3), done.stderr


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A Prometheus that scrapes `port` of the folder."""
    (tmp_path / "app.yml").write_text(CONFIG.format(port=free_port()), "utf-8")
    with fleet.prometheus(tmp_path, "app.yml", free_port()) as server:
        yield server


@contextlib.contextmanager
def from_the_process(app: Application, _: Path, port: int) -> Iterator[None]:
    app.tell(f"serve 127.0.0.1:{port} all=1 application=a token=t0ken")
    assert app.answer() == f"0 {port}"
    yield
    if app.process.poll() is None:
        assert app.do("leave") == "0"


@contextlib.contextmanager
def from_its_segment(app: Application, folder: Path, port: int) -> Iterator[None]:
    app.do("publish", "start")
    yield


@needs("prometheus")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("how", ["killed", "handed over"])
@pytest.mark.parametrize("of", [from_the_process, from_its_segment])
def test_prometheus_follows(
    how: str, of: Serves, workshop: Workshop, tmp_path: Path, server: Server
) -> None:
    """After kill -9 the count begins at 0, later; after a hand-over it goes on, as old as before.
    Prometheus sees a reset of the former, none of the latter, and as much as was counted."""
    port = int((tmp_path / "app.yml").read_text("utf-8").rpartition(":")[2].strip('"]}\n'))
    code, folder = program(workshop, QUICK), tmp_path / "run"
    folder.mkdir()
    words = (folder / "a.seg", *(["takes over"] if how == "handed over" else []))
    name = 'all_pair_pkts%s{application="a",pair="1"}'

    def is_shown(query: str, *values: float) -> None:
        until(lambda: tuple(fleet.asked(server, query).values()) == values)

    with contextlib.ExitStack() as stack:
        if of is from_its_segment:
            (folder.parent / "token").write_text("t0ken")
            found = Tool(workshop, "--all", "--token-file", tmp_path / "token", folder, port=port)
            stack.callback(found.end)
        first = Application(code, folder / "a.seg")
        with of(first, folder, port):
            is_shown(name % "_total", 1)
            first.do("count 1000")
            is_shown(name % "_total", 1001)
            (created,) = fleet.asked(server, name % "_created").values()
            if how == "killed":
                first.kill()
                is_shown(f"count({name % '_total'}) or vector(0)", 0)
                second = Application(code, *words)
            else:
                second = Application(code, *words, waits=True)
                first.do("final")
                assert second.answer() == "0"
        if first.process.poll() is None:
            assert first.end() == 0
        with of(second, folder, port):
            second.do("count 10")
            is_shown(name % "_total", 11 if how == "killed" else 1012)
            (later,) = fleet.asked(server, name % "_created").values()
            ((_, values),) = fleet.samples(server, name % "_total").items()
            (increase,) = fleet.asked(server, f"increase({name % '_total'}[10m])").values()
            is_shown(f"resets({name % '_total'}[10m])", how == "killed")
        assert second.end() == 0
    # Each process adds the time of day to its clock once: microseconds apart.
    assert later > created if how == "killed" else abs(later - created) < 1e-3
    counts = [value for _, value in values]
    grown = sum(b - a if b >= a else b for a, b in itertools.pairwise(counts))
    assert grown == 1011 and min(counts) == 1
    assert increase == pytest.approx(grown, rel=0.3)  # of a window that is longer than the series


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def test_an_hour_of_scrapes_takes_nothing(workshop: Workshop, pytestconfig: pytest.Config) -> None:
    """As many as in an hour of one a second, or without --long in ten minutes, back to back, while
    threads count."""
    many = 600 if pytestconfig.getoption("--long") else 100
    with serving(program(workshop, QUICK), all=1) as served:
        pid = served.app.process.pid
        served.app.do("run")
        sizes, rest = [], descriptors(pid)
        for _ in range(6):
            for number in range(many):
                more = {"Accept_Encoding": "gzip"} if number % 2 else {}
                accept = OPENMETRICS if number % 3 else ""
                assert served.get(Accept=accept, **more).status == 200
            until(lambda: descriptors(pid) <= rest)  # the last connection is closed
            sizes.append(memory(pid, "VmRSS"))
        served.app.do("halt")
        assert sizes[-1] - sizes[1] < 128 << 10, sizes
        # Nor do they delay those that count, which have all been answered.
        assert served.app.do("drops") == "0"


def test_requests_with_anything(workshop: Workshop) -> None:
    """Random octets, and requests with some that were changed: always an end, and the next request
    is served. With sanitizers."""
    chance = random.Random(11)
    whole = (
        b"GET /metrics?a=%41 HTTP/1.1\r\nHost: localhost:80\r\nAccept: a/b;q=1,text/plain\r\n"
        b"Accept-Encoding: gzip;q=0.1\r\nAuthorization: Basic cHJvbTpzM2NyZXQ=\r\n"
        b"Content-Length: 0\r\nTransfer-Encoding: identity\r\n\r\n"
    )
    options = {"user": "prom", "password": "s3cret", "token": "t", "deadline_ms": 400}
    with serving(program(workshop), **options) as served:
        begin = time.monotonic()
        for _ in range(400):
            octets = bytearray(whole)
            for _ in range(chance.randint(0, 6)):
                at = chance.randrange(len(octets))
                size = chance.choice((0, 1, 1, 4, 300))
                octets[at : at + chance.choice((0, 1, 8))] = chance.randbytes(size)
            with served.connect() as client:
                client.sendall(octets)
                found = read(client)
            assert not found or found.startswith(b"HTTP/1."), octets
        assert served.get("/healthz").status == 200
        assert time.monotonic() - begin < 300

# SPDX-License-Identifier: BSD-3-Clause
"""What Prometheus makes of a process that serves itself; what a day of scrapes costs."""

import random
import subprocess
import time
from pathlib import Path

from tests.fleet import lab as fleet
from tests.live.lab import memory, until
from tests.openmetrics.lab import OPENMETRICS, program, read, serving
from tests.support.capabilities import needs
from tests.support.cbuild import QUICK, Workshop
from tests.support.servers import Server, free_port

CONFIG = """\
global: {{scrape_interval: 1s}}
scrape_configs:
  - job_name: app
    authorization: {{credentials: t0ken}}
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


@needs("promtool")
def test_promtool_accepts_it(workshop: Workshop) -> None:
    with serving(program(workshop, QUICK), all=1) as served:
        text = served.get().body
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    # It also has opinions on names, such as metrics without a unit; these are not errors.
    assert b"error while linting" not in done.stderr and done.returncode in (0, 3), done.stderr


@needs("prometheus")
def test_prometheus_follows_a_restart(workshop: Workshop, tmp_path: Path) -> None:
    """kill -9 and a start on the same port: the count goes on from 0, as an increase sees it."""
    port = free_port()
    (tmp_path / "app.yml").write_text(CONFIG.format(port=port), "utf-8")
    query = 'all_pair_pkts_total{pair="1"}'

    def shown(server: Server, text: str) -> list[float]:
        return list(fleet.asked(server, text).values())

    with fleet.prometheus(tmp_path, "app.yml", free_port()) as server:
        created = []
        for _ in range(2):
            options = {"token": "t0ken", "all": 1, "application": "a"}
            with serving(program(workshop, QUICK), address=f"127.0.0.1:{port}", **options) as one:
                until(lambda: shown(server, "up") == [1])
                until(lambda: shown(server, query) == [1])
                name = "all_pair_pkts"
                found = one.get(Accept=OPENMETRICS, Authorization="Bearer t0ken").families()[name]
                created.append(next(s.value for s in found.samples if s.name.endswith("_created")))
                one.app.kill()
                until(lambda: shown(server, "up") == [0])
                one.app = type(one.app)(program(workshop, QUICK), "-")
        assert created[1] > created[0]


def test_many_scrapes_take_no_memory(workshop: Workshop) -> None:
    with serving(program(workshop, QUICK), all=1) as served:
        served.app.do("run")
        sizes = []
        for _ in range(4):
            for number in range(250):
                more = {"Accept_Encoding": "gzip"} if number % 2 else {}
                accept = OPENMETRICS if number % 3 else ""
                assert served.get(Accept=accept, **more).status == 200
            sizes.append(memory(served.app.process.pid, "VmRSS"))
        served.app.do("halt")
        assert sizes[3] - sizes[1] < 256 << 10, sizes
        # Nor do they hold up those that count, which have all been answered.
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

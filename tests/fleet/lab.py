# SPDX-License-Identifier: BSD-3-Clause
"""A fleet on one machine: two applications, two exporters, the servers of docs/operations.md."""

import http.server
import json
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.docs.test_docs import blocks
from tests.support.cbuild import QUICK, Build, shared
from tests.support.dialogue import Dialogue
from tests.support.planted import PROJECT
from tests.support.servers import Server, exporter, free_port

HERE = Path(__file__).parent
PAGE = "operations.md"
PROMETHEUS = shutil.which("prometheus")
ALERTMANAGER = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
VICTORIA = shutil.which("victoria-metrics")

HURRY = {"15s": "1s", "30s": "1s", "5m": "1s"}
"""Times of the page, and what they are here: a test cannot wait as a fleet does."""


def shown() -> dict[str, str]:
    """The files that the page shows, by name."""
    return {b.word: b.text for b in blocks(PAGE) if b.language == "yaml" and b.word}


def hurried(text: str) -> str:
    """A configuration with short times. Fails for a time that is not known."""
    times = r"(?<=: )\d+[smh]\b"
    assert set(re.findall(times, text)) <= {*HURRY, "4h"}
    return re.sub(times, lambda match: HURRY.get(match[0], match[0]), text)


def configured(folder: Path, places: Mapping[str, str]) -> None:
    """Write the files of the page into a folder, hurried, with other addresses."""
    for name, text in shown().items():
        for place, ours in places.items():
            text = text.replace(place, ours)
        (folder / name).write_text(hurried(text) if name.endswith(".yml") else text, "utf-8")


def build(folder: Path) -> Path:
    """The application, and the rules, of the schema of the page."""
    (folder / "edge.yaml").write_text(shown()["edge.yaml"], "utf-8")
    PROJECT.succeed("build", folder / "edge.yaml", "-o", folder, "--only", "c,prometheus")
    made = Build(parts=("segment",), flags=QUICK)
    shared().link(folder / "app", made, [HERE / "app.c", folder / "edge_stats.c"], [folder])
    return folder / "app"


class Sender(Dialogue):
    """A running application that sends packets at a steady rate."""

    def __init__(self, program: Path, segment: Path, rate: int) -> None:
        super().__init__(program, segment, str(rate))
        assert self.answer() == "0"

    def sent(self) -> tuple[int, int]:
        """How many packets were sent, and when that was in ns."""
        sent, at = map(int, self.do("sent").split())
        return sent, at

    def stop(self) -> None:
        self.process.communicate(timeout=60)
        assert self.process.returncode == 0


class Webhook:
    """Takes what an alertmanager tells."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        webhook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                webhook.told += json.loads(body)["alerts"]
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                return

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server.server_port}"

    def stop(self) -> None:
        self.server.shutdown()
        self.thread.join(60)
        self.server.server_close()


def prometheus(folder: Path, config: str, port: int, *more: str) -> Server:
    """A Prometheus with a configuration in the folder."""
    assert PROMETHEUS is not None
    words = [PROMETHEUS, f"--config.file={folder / config}", "--log.level=warn"]
    words += [f"--storage.tsdb.path={folder / Path(config).stem}-data", *more]
    return Server([*words, f"--web.listen-address=127.0.0.1:{port}"], port, folder)


def alertmanager(folder: Path, port: int) -> Server:
    """An alertmanager that is alone."""
    assert ALERTMANAGER is not None
    words = [ALERTMANAGER, f"--config.file={folder}/alertmanager.yml", "--cluster.listen-address="]
    words += [f"--storage.path={folder}/alerts", f"--web.listen-address=127.0.0.1:{port}"]
    return Server(words, port, folder)


def victoria(folder: Path, port: int) -> Server:
    """A VictoriaMetrics of one node."""
    assert VICTORIA is not None
    words = [VICTORIA, f"-storageDataPath={folder}/victoria", f"-httpListenAddr=127.0.0.1:{port}"]
    return Server(words, port, folder, "/health")


Series = dict[frozenset[tuple[str, str]], list[tuple[float, float]]]
"""Samples by labels: time in seconds, value."""


def asked(server: Server, query: str) -> dict[frozenset[tuple[str, str]], float]:
    """What a PromQL query gives now."""
    data = server.json("/api/v1/query", query=query)["data"]["result"]
    return {frozenset(one["metric"].items()): float(one["value"][1]) for one in data}


def samples(server: Server, selector: str) -> Series:
    """The samples that a Prometheus has of series, as they are."""
    data = server.json("/api/v1/query", query=f"{selector}[1h]")["data"]["result"]
    return {
        frozenset(one["metric"].items()): [(at, float(value)) for at, value in one["values"]]
        for one in data
    }


def exported(server: Server, selector: str) -> Series:
    """The samples that a VictoriaMetrics has; what says that a series has ended is none."""
    server.get("/internal/force_flush")
    lines = server.get("/api/v1/export", **{"match[]": selector}).decode().splitlines()
    found = {}
    for one in map(json.loads, lines):
        pairs = zip(one["timestamps"], one["values"], strict=True)
        found[frozenset(one["metric"].items())] = [
            (at / 1000, float(n)) for at, n in pairs if n is not None
        ]
    return found


@dataclass
class Fleet:
    """All of it, running."""

    senders: tuple[Sender, ...]
    exporters: tuple[Server, ...]
    site: Server
    region: Server
    store: Server
    webhook: Webhook


@contextmanager
def fleet(folder: Path, program: Path, rates: tuple[int, ...]) -> Iterator[Fleet]:
    """Two applications, one sending more than the other, and all that watches them."""
    with ExitStack() as stack:

        def kept(one: Any) -> Any:
            stack.callback(one.stop)
            return one

        webhook = kept(Webhook())
        senders, exporters = [], []
        for name, rate in zip("ab", rates, strict=True):
            place = folder / name
            place.mkdir()
            senders.append(kept(Sender(program, place / f"{name}.seg", rate)))
            exporters.append(kept(exporter(folder, place)))
        ports = {name: free_port() for name in ("site", "alerts", "store", "region")}
        places = {
            "edge1.example:9464": f"127.0.0.1:{exporters[0].port}",
            "edge2.example:9464": f"127.0.0.1:{exporters[1].port}",
            "alerts.example:9093": f"127.0.0.1:{ports['alerts']}",
            "store.example:8428": f"127.0.0.1:{ports['store']}",
            "pager.example:8000": webhook.place,
            "site1.example:9090": f"127.0.0.1:{ports['site']}",
        }
        configured(folder, places)
        shutil.copy(program.with_name("edge_stats_rules.yml"), folder)
        store = kept(victoria(folder, ports["store"]))
        kept(alertmanager(folder, ports["alerts"]))
        site = kept(prometheus(folder, "site.yml", ports["site"]))
        region = kept(prometheus(folder, "region.yml", ports["region"]))
        yield Fleet(tuple(senders), tuple(exporters), site, region, store, webhook)

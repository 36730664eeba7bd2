# SPDX-License-Identifier: BSD-3-Clause
"""A real Prometheus asks the demo: rates in PromQL are those of the packets that were sent."""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ctrgen.pipeline.build import BuildRequest, build
from tests.fleet import lab
from tests.support.capabilities import needs, needs_dpdk
from tests.support.paths import EP, ROOT
from tests.support.process import until
from tests.support.servers import Server, free_port

DEMO = ROOT / "schemas" / "apps" / "ep" / "demo.py"
RATE = 20_000
PKTS = "ep_total_pkts_total"
PERCENT = 2
PATIENCE = 240
"""Seconds after which something will never be."""
CONFIG = """\
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [ep_stats_rules.yml]
scrape_configs: [{{job_name: ctrgen, static_configs: [{{targets: ["{target}"]}}]}}]
"""


@contextlib.contextmanager
def demo(folder: Path, port: str) -> Iterator[Path]:
    """The demo as people run it; the file that says how much was sent."""
    words = [sys.executable, DEMO, "--live", *(["--posix"] if port == "posix" else [])]
    words += ["--work", folder, "--port", "0", "--rate", RATE]
    with (folder / "demo.log").open("w") as log:
        process = subprocess.Popen(
            list(map(str, words)), stdin=subprocess.PIPE, stdout=log, stderr=log
        )
    try:
        path = folder / "live.json"
        until(lambda: path.exists() or process.poll() is not None, "live.json", PATIENCE)
        assert path.exists(), (folder / "demo.log").read_text()
        yield path
    finally:
        process.communicate()
    assert process.returncode == 0, (folder / "demo.log").read_text()


def facts(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def within(server: Server, query: str, wanted: float) -> bool:
    """Whether a query gives one number that is nearly that."""
    found = list(lab.asked(server, query).values())
    return len(found) == 1 and abs(found[0] / wanted - 1) <= PERCENT / 100


@pytest.mark.deep
@needs("prometheus", "promtool", "gcc")
@pytest.mark.parametrize(
    "port",
    [
        pytest.param("posix"),
        pytest.param("dpdk", marks=(pytest.mark.dpdk, pytest.mark.deep, needs_dpdk)),
    ],
)
@pytest.mark.parametrize("of", ["url", "metrics"], ids=["exporter", "application"])
def test_prometheus_sees_the_rate_that_is_sent(port: str, of: str) -> None:
    """From `ctrgen export`, or from the application itself."""
    with tempfile.TemporaryDirectory(prefix="ctr") as name, demo(Path(name), port) as path:
        folder = Path(name)
        request = BuildRequest(str(EP), str(folder / "rules"), only=("prometheus",))
        assert build(request).exit_code == 0
        (folder / "rules" / "ep_stats_rules.yml").rename(folder / "ep_stats_rules.yml")
        target = facts(path)[of].removeprefix("http://").rstrip("/")
        (folder / "demo.yml").write_text(CONFIG.format(target=target), "utf-8")
        with lab.prometheus(folder, "demo.yml", free_port()) as server:
            judge(server, path)


def judge(server: Server, path: Path) -> None:
    """Ask until rates are within two percent of what was sent meanwhile."""
    first = facts(path)
    deadline = time.monotonic() + PATIENCE
    while True:
        now = facts(path)
        passed = now["seconds"] - first["seconds"]
        rate = (now["sent"] - first["sent"]) / passed if passed > 6 else 0
        if rate and within(server, f"rate({PKTS}[8s])", rate):
            break
        assert time.monotonic() < deadline, (rate, lab.asked(server, f"rate({PKTS}[8s])"))
        time.sleep(0.25)
    assert abs(rate / RATE - 1) <= PERCENT / 100
    assert within(server, "sum(rate(ep_session_pkts_total[8s]))", rate)
    assert not within(server, f"rate({PKTS}[8s])", rate * 1.05)
    assert not within(server, "rate(ep_total_bytes_total[8s])", rate)
    rules = server.json("/api/v1/rules")["data"]["groups"][0]["rules"]
    assert {rule["health"] for rule in rules} == {"ok"}
    assert "application:ep_total_pkts:rate5m" in {rule["name"] for rule in rules}

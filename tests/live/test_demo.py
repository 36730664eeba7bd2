# SPDX-License-Identifier: BSD-3-Clause
"""`./dev demo --live`: the application, the exporter, and what it says of them."""

import json
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live import lab
from tests.support import process
from tests.support.capabilities import PORTS
from tests.support.process import until

DEMO = lab.APPS / "ep" / "demo.py"


SOURCE = (("application", "demo"),)
"""Labels of what the demo counts."""


def scraped(url: str) -> lab.Samples:
    """What its exporter says."""
    request = urllib.request.Request(f"{url}metrics", headers={"Accept": lab.OPENMETRICS})
    with urllib.request.urlopen(request, timeout=lab.PATIENCE) as response:
        return lab.parsed(response.read().decode())


@pytest.fixture
def work() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        yield Path(name)


@pytest.mark.deep
@pytest.mark.parametrize("port", PORTS[::-1])
def test_until_it_is_told_to_end(port: str, work: Path) -> None:
    """By SIGINT, or the end of its input. It says where everything is, and what was sent."""
    options = ["--posix"] if port == "posix" else []
    command = [sys.executable, DEMO, "--live", "--work", work, "--port", "0", *options]
    demo = subprocess.Popen(
        list(map(str, command)), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env=process.environment(),
    )  # fmt: skip
    state = work / "live.json"
    until(lambda: state.exists() or demo.poll() is not None)
    if demo.poll() is None:
        facts = json.loads(state.read_text("utf-8"))
        until(lambda: scraped(facts["url"])["ep_total_pkts_total", SOURCE] > 0)
        assert lab.up(scraped(facts["url"])) == {"demo": 1}
        own = scraped(f"http://{facts['metrics']}/")
        assert own["ep_total_pkts_total", SOURCE] > 0
        if port == "dpdk":
            demo.send_signal(signal.SIGINT)
    text, _ = demo.communicate(timeout=lab.PATIENCE)
    assert demo.returncode == 0, text
    assert facts["url"] in text
    assert "20,000 packets a second" in text
    assert f'targets: ["{facts["metrics"]}"]' in text
    assert "Every count is right." in text
    sent = json.loads(state.read_text("utf-8"))
    assert f"Sent {sent['sent']:,} packets" in text
    assert abs(sent["sent"] - sent["seconds"] * 20000) <= 20000


@pytest.mark.deep
def test_it_ends_by_itself(work: Path) -> None:
    command = [sys.executable, DEMO, "--live", "--posix", "--work", work, "--port", "0"]
    text = process.succeed(*command, "--seconds", "0.5", "--rate", "1000")
    assert "Every count is right." in text and "1,000 packets a second" in text

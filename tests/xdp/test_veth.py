# SPDX-License-Identifier: BSD-3-Clause
"""The example application on a pair of network namespaces: every packet is counted once."""

import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import cbuild, process
from tests.support.capabilities import needs
from tests.support.paths import APPS
from tests.xdp import lab

pytestmark = [lab.needs_bpf, needs("ip", "python3"), pytest.mark.slow]

HERE = APPS / "xdp"
PORTS, PACKETS = (5000, 5001, 5002), 2000
HEADERS = 14 + 20 + 8
SEND = f"""
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for n in range({PACKETS}):
    for port in {PORTS}:
        s.sendto(bytes(100 + port - 5000), ("10.9.0.2", port))
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the application."""
    out = lab.generate(HERE / "flows.yaml", tmp_path_factory.mktemp("flows"))
    lab.compiled(HERE / "flows.bpf.c", out)
    own = [HERE / "flows.c", out / "flows_stats_xdp.c"]
    build = cbuild.Build(flags=lab.FLAGS, parts=("xdp", "segment"))
    cbuild.shared().link(out / "flows", build, own, [out])
    return out


@pytest.fixture
def link() -> Iterator[tuple[str, str]]:
    """Two namespaces with a pair of interfaces, `left` and `right`; the test is skipped where the
    machine has none."""
    left, right = (f"ctrgen-{side}-{os.getpid()}" for side in ("l", "r"))
    made = process.run("ip", "netns", "add", left)
    if made.returncode != 0:
        pytest.skip(f"no network namespaces: {made.stderr.strip()}")
    try:
        process.succeed("ip", "netns", "add", right)
        pair = ("link", "add", "left", "type", "veth", "peer", "name", "right", "netns", right)
        done = process.run("ip", "-n", left, *pair)
        if done.returncode != 0:
            pytest.skip(f"no veth: {done.stderr.strip()}")
        for number, (space, name) in enumerate(((left, "left"), (right, "right")), 1):
            process.succeed("ip", "-n", space, "addr", "add", f"10.9.0.{number}/24", "dev", name)
            process.succeed("ip", "-n", space, "link", "set", name, "up")
        yield left, right
    finally:
        for space in (left, right):
            process.run("ip", "netns", "del", space)


def values(segment: Path) -> dict[str, float]:
    """All values that Prometheus would get, by name and labels."""
    lines = process.succeed("ctrgen", "export", "--once", segment).splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if line.startswith("flows_"))
    return {re.sub(r'\{application="flows",?', "{", name).removesuffix("{}"): float(n)
            for name, n in pairs}  # fmt: skip


def test_packets_of_flows_are_counted(program: Path, link: tuple[str, str], tmp_path: Path) -> None:
    """Packets of three flows: those before an instance was made are in `unknown`, all others in
    that of the flow, and all are in the global counters."""
    left, right = link
    segment = tmp_path / "flows.seg"
    words = ("ip", "netns", "exec", right, program / "flows", "right", program / "flows.bpf.o")
    command = [*map(str, words), str(segment)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        try:
            process.succeed("ip", "netns", "exec", left, "python3", "-c", SEND)
            time.sleep(1)
            found = values(segment)
        finally:
            running.terminate()
    assert running.returncode == 0
    sent = PACKETS * len(PORTS)
    sizes = {port: HEADERS + 100 + port - PORTS[0] for port in PORTS}
    assert found['flows_protocol_pkts_total{protocol="udp"}'] == sent, found
    known = 0.0
    for port, size in sizes.items():
        at = f'{{source="10.9.0.1",destination="10.9.0.2",port="{port}"}}'
        packets = found[f"flows_flow_pkts_total{at}"]
        assert 0 < packets <= PACKETS
        assert found[f"flows_flow_bytes_total{at}"] == packets * size
        known += packets
    others = found["flows_pkts_total"] - sent  # of the kernel itself
    assert known + found["flows_unknown_total"] == sent + others
    assert found["flows_largest"] >= max(sizes.values())
    assert found["flows_late_updates_total"] == found["flows_dropped_updates_total"] == 0

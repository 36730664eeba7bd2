# SPDX-License-Identifier: BSD-3-Clause
"""The example application on a pair of network namespaces: every packet is counted once."""

import os
import re
import signal
import subprocess
import time
from collections import Counter
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
import socket, struct
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for n in range({PACKETS}):
    for port in {PORTS}:
        s.sendto(bytes(100 + port - 5000), ("10.9.0.2", port))
s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_TCP)
for flags in 2, 1:  # SYN, FIN
    tcp = struct.pack("!HHIIBBHHH", 1, 7, 0, 0, 0x50, flags, 0, 0, 0)
    s.sendto(tcp, ("10.9.0.2", 0))
"""
LINE = re.compile(r"(period|end) port (\d+): (\d+) packets, (\d+) bytes")
RESET = "flows_stats_flow_reset(flow, &last)"


def program(out: Path, planted: tuple[str, str] = ("", "")) -> Path:
    """The application, in a folder; with what is `planted` in it."""
    lab.generate(HERE / "flows.yaml", out)
    lab.compiled(HERE / "flows.bpf.c", out)
    text = (HERE / "flows.c").read_text("utf-8")
    assert planted[0] in text
    (out / "flows.c").write_text(text.replace(*planted) if planted[0] else text, "utf-8")
    build = cbuild.Build(flags=cbuild.QUICK, own_flags=lab.OWN, parts=("xdp", "segment"))
    cbuild.shared().link(out / "flows", build, [out / "flows.c", out / "flows_stats_xdp.c"], [out])
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


def count(folder: Path, link: tuple[str, str]) -> tuple[dict[str, float], Counter, Counter]:
    """What Prometheus gets when all packets were sent, and the sums of what was printed by port,
    packets and bytes: there was a reset every 10 ms."""
    left, right = link
    segment = folder / "flows.seg"
    words = ("ip", "netns", "exec", right, folder / "flows", "right", folder / "flows.bpf.o")
    command = [*map(str, words), str(segment)]
    packets, octets = Counter[int](), Counter[int]()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        try:
            sending = ("ip", "netns", "exec", left, "python3", "-c", SEND)
            with subprocess.Popen(sending) as sender:
                while sender.poll() is None:
                    running.send_signal(signal.SIGUSR1)
                    time.sleep(0.01)
            assert sender.returncode == 0
            time.sleep(1)
            found = values(segment)
        finally:
            running.terminate()
        for _, port, n, size in LINE.findall(running.stdout.read()):
            packets[int(port)] += int(n)
            octets[int(port)] += int(size)
    assert running.returncode == 0
    return found, packets, octets


def wrong(found: dict[str, float], packets: Counter, octets: Counter) -> list[str]:
    """Which counts are not what was sent: each packet is in one period of its flow."""
    sent = PACKETS * len(PORTS)
    expected = {
        'flows_protocol_pkts_total{protocol="udp"}': sent,
        'flows_protocol_pkts_total{protocol="tcp"}': 2,
        "flows_unknown_total": 0, "flows_late_updates_total": 0, "flows_dropped_updates_total": 0,
    }  # fmt: skip
    said = [name for name, value in expected.items() if found[name] != value]
    for port in PORTS:
        at = f'{{source="10.9.0.1",destination="10.9.0.2",port="{port}"}}'
        n = found[f"flows_flow_pkts_total{at}"] + packets[port]
        size = found[f"flows_flow_bytes_total{at}"] + octets[port]
        if (n, size) != (PACKETS, PACKETS * (HEADERS + 100 + port - PORTS[0])):
            said.append(f"{port}: {n} packets, {size} bytes")
    if (packets[7], octets[7]) != (2, 2 * (14 + 20 + 20)) or any('"7"' in name for name in found):
        said.append("the flow that ended")
    return said


def test_packets_of_flows_are_counted(link: tuple[str, str], tmp_path: Path) -> None:
    """Packets of three flows, with resets in between, and of one that ends."""
    found, packets, octets = count(program(tmp_path), link)
    assert not wrong(found, packets, octets)
    assert found["flows_largest"] >= HEADERS + 100 and sum(packets.values()) > PACKETS // 2


def test_a_reset_that_resets_nothing_is_seen(link: tuple[str, str], tmp_path: Path) -> None:
    """Planted: each period has all packets so far, maybe also those of the flow that ends."""
    planted = (RESET, RESET.replace("reset", "read"))
    assert len(wrong(*count(program(tmp_path, planted), link))) >= len(PORTS)

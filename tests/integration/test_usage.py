# SPDX-License-Identifier: BSD-3-Clause
"""Usage reports of a capture by schemas/apps/upf/usage.c, and what Prometheus has of it meanwhile,
compared with an independent count."""

import importlib.util
import os
import socket
import subprocess
from pathlib import Path

import pytest

from tests.integration.apps import CAPTURE, succeed
from tests.openmetrics.lab import OPENMETRICS, parsed, read
from tests.support.cbuild import QUICK, Build, shared
from tests.support.paths import APPS, SCHEMAS
from tests.support.process import until
from tests.support.strategies import CONSISTENT, STRATEGIES, UNLIKE, usually

pytestmark = pytest.mark.slow

# Of the rules of a session, as usage.c has them: threshold and quota in octets; 0: none.
RULES = ((400, 0), (300, 1300), (1000, 0), (0, 2500))
FIT = [name for name in STRATEGIES if name in CONSISTENT]
"""Those that promise what the schema requires."""


class Rule:
    """A rule of a session: octets in all, those reported, and where the next report is due."""

    def __init__(self, number: int) -> None:
        self.number, (self.volume, self.quota) = number, RULES[number]
        self.total = self.reported = 0

    def report(self, kind: str) -> str:
        """The end of the line of a report."""
        used, self.reported = self.total - self.reported, self.total
        return f"{self.number} {kind} {used} {self.total}"


class Usage:
    """All reports of the packets of a capture, and the packets dropped."""

    def __init__(self) -> None:
        self.open: dict[int, list[Rule]] = {}
        self.stopped: set[int] = set()
        self.lines: list[str] = []
        self.unknown = self.refused = self.number = 0

    def say(self, session: int, rule: Rule, kind: str) -> None:
        self.lines.append(f"{self.number} {session} {rule.report(kind)}")

    def close(self, session: int) -> None:
        for rule in self.open.pop(session):
            self.say(session, rule, "final")

    def count(self, session: int, size: int) -> None:
        """Count a packet of an open session for its rules, unless a quota is less."""
        rules = self.open[session]
        full = [rule for rule in rules if rule.quota and rule.total + size > rule.quota]
        if session in self.stopped or full:
            self.refused += 1
            if session not in self.stopped:
                self.say(session, full[0], "quota")
                self.stopped.add(session)
            return
        for rule in rules:
            rule.total += size
            if rule.volume and rule.total - rule.reported >= rule.volume:
                self.say(session, rule, "volume")

    def packet(self, session: int, kind: int, size: int) -> None:
        """Count a packet: 1 opens its session, 3 closes it."""
        self.number += 1
        if kind == 1 and session not in self.open:
            self.open[session] = [Rule(number) for number in range(session % 5)]
            self.stopped.discard(session)
        if session not in self.open:
            self.unknown += 1
            return
        self.count(session, size)
        if kind == 3:
            self.close(session)


def counted(capture: bytes) -> Usage:
    """The independent count; it shares the parser of count.py, nothing with usage.c."""
    spec = importlib.util.spec_from_file_location("count", APPS / "ep" / "count.py")
    assert spec is not None and spec.loader is not None
    count = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(count)
    usage = Usage()
    for frame in count.frames(capture):
        datagram = count.ep_datagram(frame)
        packet = count.parse(datagram) if datagram is not None else None
        if datagram is not None and packet is not None and packet[0] < 1000:
            usage.packet(*packet, len(datagram))
    return usage


def expected(capture: bytes) -> Usage:
    """Likewise, after the end of all sessions."""
    usage = counted(capture)
    for session in sorted(usage.open):
        usage.close(session)
    return usage


def test_the_capture_has_each_kind_of_report() -> None:
    """Several thresholds of one rule, quotas, ends; no empty capture agrees with anything."""
    usage = expected(CAPTURE.read_bytes())
    kinds = [line.split()[3] for line in usage.lines]
    assert usage.number == 1753
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "final": 506, "quota": 27, "volume": 250,
    }  # fmt: skip


def built(sync: str, folder: Path) -> Path:
    """usage.c with its statistics under a strategy."""
    out, binary = folder / "out", folder / "usage"
    schema = SCHEMAS / "upf" / "usage.yaml"
    succeed("ctrgen", "build", schema, "--sync", sync, "-o", out, cwd=folder)
    sources = [APPS / "upf" / "usage.c", out / "usage_stats.c"]
    build = Build(parts=("openmetrics", "segment"), flags=QUICK)
    shared().link(binary, build, sources, [out])
    return binary


@pytest.mark.parametrize("sync", usually(FIT, UNLIKE))
def test_reports_are_those_of_an_independent_count(sync: str, tmp_path: Path) -> None:
    """Each one, at the same packet, to the octet; also by several processes, each of which goes on
    where the one before it ended."""
    binary = built(sync, tmp_path)
    usage = expected(CAPTURE.read_bytes())
    for processes in ([], [1, 500, 501, 1200, 1752, 9999]):
        counts = [[tmp_path / "segment", str(last)] for last in processes] or [[]]
        texts = [succeed(binary, CAPTURE, *more, cwd=tmp_path) for more in counts]
        *lines, dropped = "".join(texts).splitlines()
        assert sorted(lines) == sorted(usage.lines)
        assert dropped == f"dropped {usage.unknown} {usage.refused}"


def samples(address: Path) -> dict[tuple[str, ...], float]:
    """The counters of a scrape: a name, and the numbers of a session and a rule."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(address))
        client.sendall(f"GET /metrics HTTP/1.0\r\nAccept: {OPENMETRICS}\r\n\r\n".encode())
        families = parsed(read(client)).families()
    names = {
        f"usage_{name}_total" for name in ("pkts", "drop_no_session", "drop_stopped", "urr_bytes")
    }
    return {
        (sample.name, *(sample.labels.get(key, "") for key in ("session", "rule"))): sample.value
        for family in families.values()
        for sample in family.samples
        if sample.name in names
    }


def test_scrapes_while_a_capture_is_replayed(tmp_path: Path) -> None:
    """The counters of each open session, after some packets of a capture that comes in pieces."""
    capture, whole = tmp_path / "capture", CAPTURE.read_bytes()
    os.mkfifo(capture)
    ends, at = [24], 24
    while at < len(whole):
        at += 16 + int.from_bytes(whole[at + 8 : at + 12], "little")
        ends.append(at)
    address, seen = tmp_path / "socket", set()
    command = (built(FIT[0], tmp_path), capture, f"unix:{address}")
    with (
        subprocess.Popen(command, stdout=subprocess.DEVNULL) as process,
        capture.open("wb") as pipe,
    ):
        begin = 0
        for end in ends[:: len(ends) // 9]:
            pipe.write(whole[begin:end])
            pipe.flush()
            begin, usage = end, counted(whole[:end])
            wanted = {
                ("usage_pkts_total", "", ""): usage.number,
                ("usage_drop_no_session_total", "", ""): usage.unknown,
                ("usage_drop_stopped_total", "", ""): usage.refused,
            }
            for session, rules in usage.open.items():
                for rule in rules:
                    key = ("usage_urr_bytes_total", str(session), str(rule.number))
                    wanted[key] = rule.total
            until(lambda wanted=wanted: address.exists() and samples(address) == wanted)
            seen.add(len(wanted))
        assert len(seen) > 3 and max(seen) > 400
    assert process.returncode == 0

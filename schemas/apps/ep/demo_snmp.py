# SPDX-License-Identifier: BSD-3-Clause
"""The part of demo.py that shows the values to an SNMP manager: `demo.py --snmp`.

Debian's snmpd, without privileges on a loopback port; the EP application on DPDK with the
generated agent in a thread of its own; snmpwalk and snmpget as managers.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

ROOT = "1.3.6.1.4.1.32473.1"
TOTAL = f"{ROOT}.1.1.1.0"
JUMP = f"{ROOT}.1.1.5.0"
NEEDED = ("snmpwalk", "net-snmp-config")


def missing() -> list[str]:
    """Programs that are not there."""
    return [name for name in NEEDED if not shutil.which(name)] + ([] if snmpd() else ["snmpd"])


def snmpd() -> str | None:
    """The master agent, which is not on every user's PATH."""
    return shutil.which("snmpd", path=os.environ.get("PATH", "") + ":/usr/sbin")


class Manager:
    """An snmpd, and the tools of a manager that ask it."""

    def __init__(self, demo: Any) -> None:
        self.demo = demo
        work: Path = demo.work
        self.socket = f"unix:{work}/agentx.sock"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self.agent = f"127.0.0.1:{probe.getsockname()[1]}"
        (work / "snmpd.conf").write_text(
            f"agentAddress udp:{self.agent}\nrocommunity public 127.0.0.1\nmaster agentx\n"
            f"agentXSocket {self.socket}\nagentXPerms 0600 0700\ndontLogTCPWrappersConnects yes\n"
        )
        self.environment = {**os.environ, "MIBS": "", "SNMP_PERSISTENT_DIR": str(work / "kept")}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start snmpd."""
        command = [snmpd() or "snmpd", "-f", "-Lf", "snmpd.log", "-C", "-c", "snmpd.conf"]
        print(f"\n$ {' '.join([*command, '-I', '-smux'])} &", flush=True)
        self.process = subprocess.Popen(
            [*command, "-I", "-smux"], cwd=self.demo.work, env=self.environment
        )

    def stop(self) -> None:
        """End snmpd."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)

    def get(self, oid: str) -> int | None:
        """A number; None when there is no answer, or no such object."""
        command = ["snmpget", "-v2c", "-cpublic", "-t1", "-r0", "-OqvUt", self.agent, oid]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        text = done.stdout.strip()
        return int(text) if text.isdigit() else None

    def wait(self) -> float:
        """Wait for the values; how long it took."""
        began = time.monotonic()
        while self.get(TOTAL) is None:
            if time.monotonic() - began > 10:
                raise SystemExit("demo: snmpd does not show the values")
            time.sleep(0.05)
        return time.monotonic() - began

    def walk(self) -> dict[str, int]:
        """All numbers of the module."""
        command = ["snmpbulkwalk", "-v2c", "-cpublic", "-Cr50", "-OnqUt", self.agent, ROOT]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        lines = (line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
        return {name.removeprefix(f".{ROOT}."): int(value) for name, value in lines}


class Application:
    """The EP application, with packets without end on its second port."""

    def __init__(self, demo: Any, master: str) -> None:
        cores = ",".join(str(core) for core in sorted(os.sched_getaffinity(0)))
        queues = "rx_pcap=ep-loopback.pcap,rx_pcap=ep-loopback.pcap"
        command = (
            "./ep-app --no-huge --no-pci --no-shconf --no-telemetry --log-level=error -m 256"
            f" --lcores=(0-2)@({cores}) --vdev=net_pcap0,{queues}"
            f" --vdev=net_pcap1,{queues},infinite_rx=1 -- --share --json counted.json"
            f" --agentx {master}"
        )
        print(f"\n$ {command}", flush=True)
        self.process = subprocess.Popen(
            command.split(), cwd=demo.work, env=demo.env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._until("serving")

    def _until(self, word: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == word:
                return
        raise SystemExit("demo: the application ended")

    def do(self, command: str) -> None:
        """Give a command and wait until it is done."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        self._until("done")

    def end(self) -> None:
        """End it."""
        self.process.communicate(timeout=20)


def expected(counted: dict[str, Any]) -> dict[str, int]:
    """What a walk has to show of what the application wrote."""
    shown = {"1.1.1.0": counted["total_pkts"], "1.1.2.0": counted["total_bytes"]}
    shown["1.1.3.0"] = counted["sessions"]
    for session in range(1000):
        seen = counted["session"].get(str(session), {"pkts": 0, "bytes": 0})
        shown[f"1.2.1.2.{session + 1}"] = seen["pkts"]
        shown[f"1.2.1.3.{session + 1}"] = seen["bytes"]
    return shown


def must(condition: bool, what: str) -> None:
    """Say what holds; SystemExit when it does not."""
    print(f"  {'yes' if condition else 'NO'}: {what}", flush=True)
    if not condition:
        raise SystemExit("demo: failed")


def show(application: Application, manager: Manager, demo: Any) -> None:
    """The whole story, with a manager and an application that are there."""
    manager.wait()
    print("\n=== Packets flow, and the manager sees it\n")
    first = manager.get(TOTAL) or 0
    time.sleep(1)
    second = manager.get(TOTAL) or 0
    must(second > first, f"epStatsTotalPkts went from {first} to {second} in a second")
    print("\n=== A reset shows as a discontinuity\n")
    must(manager.get(JUMP) == 0, "epStatsDiscontinuityTime is 0")
    application.do("reset")
    jump, now = manager.get(JUMP) or 0, manager.get("1.3.6.1.2.1.1.3.0") or 0
    must(0 < jump <= now, f"after a reset it is {jump}, and sysUpTime {now}")
    print("\n=== The traffic stops; every value is that of the C API\n")
    application.do("stop")
    application.do("write")
    wanted = expected(json.loads((demo.work / "counted.json").read_text("utf-8")))
    got = manager.walk()
    right = sum(got.get(name) == value for name, value in wanted.items())
    must(right == len(wanted), f"{right} of {len(wanted)} values of snmpbulkwalk are equal")
    print("\n=== snmpd is restarted")
    manager.stop()
    manager.start()
    took = manager.wait()
    print()
    must(took < 2, f"the values are back after {took:.2f} s")
    got = manager.walk()
    must(all(got.get(name) == value for name, value in wanted.items()), "they are the same")


def run(demo: Any) -> None:
    """Build, start, show, end."""
    for name in ("ep.yaml", "apps/ep/main.c", "apps/ep/ep_proto.h", "apps/ep/ep-loopback.pcap"):
        demo.copy(name)
    demo.run("ctrgen build ep.yaml -o out --only c,mib,agentx")
    demo.run(
        f"{demo.compiler} -std=gnu11 -O2 -Wall -Wextra -DEP_AGENTX -Iout main.c out/ep_stats.c"
        " out/ep_stats_agentx.c"
        " $(ctrgen runtime --port dpdk --with agentx --cflags --sources --libs) -pthread -o ep-app"
    )
    manager = Manager(demo)
    manager.start()
    try:
        application = Application(demo, manager.socket)
        try:
            show(application, manager, demo)
        finally:
            application.end()
    finally:
        manager.stop()

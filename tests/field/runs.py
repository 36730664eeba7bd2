# SPDX-License-Identifier: BSD-3-Clause
"""l2fwd as it runs, told through report.c what to do."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.support.process import until

PATIENCE = 60
"""Seconds after which an example hangs."""
PROCESSORS = 2
"""As many as are used, whatever the machine has."""
WORKERS = (1, 2, 4)
"""Numbers of lcores that forward."""
RESETS, APART = 100, 0.001
"""Resets under load of a check, and the seconds between two."""
EAL = ("--no-huge", "--no-pci", "--log-level", "error", "-m", "256")


def arguments(workers: int, second: str = "net_null") -> list[str]:
    """Of EAL and of l2fwd: a port for each lcore, but two at least, where each one's packets go to
    the next one; `second` is the driver of that.

    Lcores are on the processors by turns. Where they may be preempted in the middle of a mempool's
    ring, others do not wait for them (ring_mt_rts)."""
    count = max(2, workers)
    lcores = ",".join(f"{lcore}@{lcore % PROCESSORS}" for lcore in range(workers))
    words = [*EAL, "--lcores", lcores]
    words += ["--mbuf-pool-ops-name=ring_mt_rts"] if workers > PROCESSORS else []
    drivers = ["net_null", second, "net_null", "net_null"]
    words += [f"--vdev={driver}{at}" for at, driver in enumerate(drivers[:count])]
    mask = f"{(1 << count) - 1:x}"
    return [*words, "--", "-p", mask, "-q", str(count // workers), "-T", "0"]


class BrokenRunError(Exception):
    """An example has ended, or does not answer; the text has what it said."""


@dataclass(frozen=True)
class Devices:
    """What all ports of an example have counted, by ethdev."""

    received: int
    sent: int
    errors: int


class Run:
    """A program that runs from the first command on."""

    def __init__(self, program: Path, words: list[str], folder: Path) -> None:
        """`words` as of arguments(); `folder` gets what the program prints."""
        self.prefix = f"ctrgen_field_{os.getpid()}_{id(self):x}"
        ours, theirs = socket.socketpair()
        command = [program, f"--file-prefix={self.prefix}", *words]
        environment = {**os.environ, "FIELD_SOCKET": str(theirs.fileno())}
        self._said = folder / f"{self.prefix}.log"
        with self._said.open("w") as log:
            self.process = subprocess.Popen(
                command, env=environment, pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
            )  # fmt: skip
        theirs.close()
        ours.settimeout(PATIENCE)
        self._socket = ours
        self._answers = ours.makefile("r")

    def said(self) -> str:
        """The end of what it has printed."""
        return self._said.read_text("utf-8", "replace")[-2000:]

    def do(self, command: str) -> list[str]:
        """Give a command; the words of the answer."""
        try:
            self._socket.sendall(f"{command}\n".encode())
            answer = self._answers.readline()
        except OSError as error:
            raise BrokenRunError(f"{command}: {error}\n{self.said()}") from error
        if not answer:
            raise BrokenRunError(f"{command}: it has ended\n{self.said()}")
        return answer.split()

    def wait(self) -> None:
        """Wait until packets are sent."""
        until(lambda: self.devices().sent > 0, "packets that are sent", PATIENCE)

    def reset(self, times: int, seconds: float) -> int:
        """Reset its counters so many times, with so much time between; how often it did."""
        return int(self.do(f"reset {times} {seconds * 1e6:.0f}")[0])

    def drain(self) -> None:
        """Let its ports receive nothing more, and wait until nothing moves."""
        self.do("drain")

    def devices(self) -> Devices:
        """What its ports have counted."""
        return Devices(*map(int, self.do("devices")))

    def counters(self) -> dict[str, int]:
        """What it has counted on all ports, with what resets have taken: `port.rx` ..."""
        words = (word.split("=") for word in self.do("counters"))
        return {name: int(value) for name, value in words}

    def finish(self) -> int:
        """End it as an operator does; its exit code."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired as late:
            raise BrokenRunError(f"does not end\n{self.said()}") from late

    def close(self) -> None:
        """End it, however it is."""
        self.process.kill()
        self.process.wait()
        self._answers.close()
        self._socket.close()
        self._said.unlink(missing_ok=True)
        base = "var/run" if os.geteuid() == 0 else os.environ.get("XDG_RUNTIME_DIR", "/tmp")
        shutil.rmtree(Path("/") / base / "dpdk" / self.prefix, ignore_errors=True)

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()


def differences(counters: Mapping[str, int], devices: Devices) -> list[str]:
    """Where the counts of the port are not what ethdev says, in words."""
    rx, tx, dropped = (counters[f"port.{name}"] for name in ("rx", "tx", "dropped"))
    equal = {
        "received": (rx, devices.received), "sent": (tx, devices.sent),
        "dropped": (dropped, devices.received - devices.sent),
    }  # fmt: skip
    return [f"{name}: {got}, not {is_}" for name, (got, is_) in equal.items() if got != is_]


def check(run: Run) -> tuple[list[str], int]:
    """Reset the counters of a running port again and again, let its packets run out, and compare
    the sum of all that was taken with ethdev's; the differences, and the packets sent."""
    run.reset(RESETS, APART)
    run.drain()
    devices = run.devices()
    return differences(run.counters(), devices), devices.sent

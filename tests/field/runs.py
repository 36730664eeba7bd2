# SPDX-License-Identifier: BSD-3-Clause
"""A running example, told through report.c what to do; one that waits costs nothing."""

from __future__ import annotations

import collections
import os
import shutil
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.field.apps import Case

PATIENCE = 60
"""Seconds after which an example hangs."""
SLOWER = 10
"""By how much longer one takes that another program runs (callgrind)."""
EAL = ("--no-huge", "--no-pci", "--log-level", "error", "-m")


class BrokenRunError(Exception):
    """An example has ended, or does not answer; the text has what it said."""


@dataclass(frozen=True)
class Turn:
    """What an example did for a while: cycles, packets received, packets sent."""

    cycles: int
    received: int
    sent: int


@dataclass(frozen=True)
class Devices:
    """What all ports of an example have counted, by ethdev."""

    received: int
    sent: int
    errors: int


class Run:
    """A program that runs from the first command on, and stops and continues when it is told."""

    def __init__(
        self, program: Path, case: Case, folder: Path, under: tuple[str, ...] = ()
    ) -> None:
        """`folder` gets what the program prints; `under`: words of a command that runs it."""
        self.prefix = f"ctrgen_field_{os.getpid()}_{id(self):x}"
        ours, theirs = socket.socketpair()
        command = [*under, *self.command(program, case)]
        environment = {**os.environ, "FIELD_SOCKET": str(theirs.fileno())}
        self._said = folder / f"{self.prefix}.log"
        with self._said.open("w") as log:
            self.process = subprocess.Popen(
                command, env=environment, pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
            )  # fmt: skip
        theirs.close()
        ours.settimeout(PATIENCE * SLOWER if under else PATIENCE)
        self._socket = ours
        self._answers = ours.makefile("r")

    def command(self, program: Path, case: Case) -> list[str | Path]:
        """The command that starts it."""
        eal = [*EAL, str(case.memory), "--lcores", case.lcores, f"--file-prefix={self.prefix}"]
        return [program, *eal, *case.arguments()]

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
        for _ in range(PATIENCE * 50):
            if self.turn(0.02).sent:
                return
        raise BrokenRunError(f"sends nothing\n{self.said()}")

    def turn(self, seconds: float) -> Turn:
        """Let it work for a while, and say what it did."""
        return Turn(*map(int, self.do(f"turn {seconds * 1e6:.0f}")))

    def hertz(self) -> float:
        """Of the time stamp counter."""
        return float(self.do("hertz")[0])

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
        """What it has counted, with what resets have taken: `scope.item`, over all instances."""
        found: collections.Counter[str] = collections.Counter()
        for word in self.do("counters"):
            name, value = word.split("=")
            found[name] += int(value)
        return dict(found)

    def pause(self) -> None:
        """Stop all of its threads."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let them go on."""
        self.process.send_signal(signal.SIGCONT)

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

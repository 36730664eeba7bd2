# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for the programs that `ctrgen bench` builds and asks, so that it can be fuzzed."""

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO
from unittest import mock

from ctrgen.tools.bench import machine, programs
from ctrgen.tools.bench.result import Build
from tests.support.strategies import BUFFERING, LOCKING, USUAL

BRIEF = ["--rounds", "2", "--ms", "1", "-o", "out"]

WORDS = [
    *("ep.yaml", "zoo.yaml", "bad.yaml", "--quick", "--lcores", "1", "1,2", "--flows"),
    *("1,64", "1M", "--vary", "api=batch,bulk", "api=single", "work=0,1000"),
    *("0,1000", "reads=100", "resets=10", "--strategies", USUAL),
    *(f"{USUAL},{LOCKING}:lock=mcs", BUFFERING, "--updates", "packet", "0"),
    *("1M", "0-3", "session", "-1", "x", "1e9", "--mib-path", ".", "--rounds", "--ms"),
]  # fmt: skip
"""Words of a command line; schemas and axes that are soon measured."""

INFO = {
    "version": "DPDK 22.11.0",
    "tsc_hz": 2_000_000_000,
    "heap": 4096,
    "ways": ["none", "hand", "single", "batch", "bulk"],
}


def answer(command: str) -> dict[str, Any]:
    """What a program that works says to a command."""
    verb, *words = command.split()
    if verb == "info":
        return dict(INFO)
    if verb != "run":
        return {"cycles": 30.5}
    cycles = 10.0 + len(words[0]) + int(words[2]) % 7
    count = {"expected": 5000, "counted": 5000, "exact": True, "bare": 8.0, "clock": 0.7, "ms": 1.5}
    count |= {"slice": cycles, "bare_slice": 8.0}
    count |= {"reads": {"count": 1, "ms": 0.5}, "resets": {"count": 0, "ms": 0.0}}
    return {"cycles": cycles, **count}


Fault = Callable[[dict[str, Any]], object]

FAULTS: list[Fault] = [
    lambda said: {**said, "cycles": 0 if "expected" in said else 0.001},
    lambda said: {**said, "cycles": 1e300},
    lambda said: {**said, "counted": 0, "exact": False},
    lambda said: {**said, "expected": 0, "counted": 0},
    lambda said: {**said, "bare": 1e6},
    lambda said: {**said, "clock": 0.001},
    lambda said: {"error": "no memory"},
]
"""Answers that a program of ours can give when it goes wrong; others would be a bug of it."""


class Process:
    """A program: two pipes, and a thread that answers what comes in. Octets of `noise` under 8
    are the fault in an answer, 9 ends the program."""

    def __init__(self, noise: Iterator[int]) -> None:
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()
        self.stdin: BinaryIO = os.fdopen(self._to, "wb")
        self.stdout: BinaryIO = os.fdopen(self._from, "rb")
        self.stderr: BinaryIO = open(os.devnull, "rb")  # noqa: SIM115, PTH123
        self._thread = threading.Thread(target=self._serve, args=(commands, answers, noise))
        self._thread.start()

    def _serve(self, commands: int, answers: int, noise: Iterator[int]) -> None:
        with (
            contextlib.suppress(OSError),
            os.fdopen(answers, "w") as out,
            os.fdopen(commands, "r") as lines,
        ):
            for line in lines:
                kind = next(noise, 255)
                if kind == 9:
                    break
                said: object = answer(line)
                if kind < len(FAULTS):
                    said = FAULTS[kind](answer(line))
                out.write(f"EAL: something\n{json.dumps(said)}\n")
                out.flush()

    def kill(self) -> None:
        """It ends by itself when its input does."""

    returncode = 1
    pid = 0  # of which the system tells nothing

    def communicate(self, timeout: float | None = None) -> tuple[bytes, bytes]:
        for stream in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                stream.close()
        self._thread.join(timeout)
        return b"", b""


@contextlib.contextmanager
def programs_with(noise: bytes) -> Iterator[None]:
    """Nothing is compiled, and every program answers with faults as in `noise`."""
    octets = iter(noise)

    def start(command: list[str], **_: object) -> Process:
        return Process(octets)

    built = Build(compiler="gcc 12.2", cflags=["-O3"], dpdk="")
    module = mock.Mock(wraps=subprocess, Popen=start, PIPE=subprocess.PIPE)
    module.TimeoutExpired = subprocess.TimeoutExpired
    with (
        mock.patch.object(programs, "compile_all", lambda *_: built),
        mock.patch.object(programs, "static_bytes", lambda *_: 1024),
        mock.patch.object(programs, "subprocess", module),
        mock.patch.object(machine, "usable", lambda: [0, 1]),
        mock.patch.object(machine, "available", lambda: 1 << 34),
    ):
        yield

# SPDX-License-Identifier: BSD-3-Clause
"""A running benchmark program: commands in, one line of JSON back for each."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import selectors
import subprocess
from pathlib import Path
from typing import Any

from ..findings.usage import UsageError, reason
from . import machine

ANSWER_SECONDS = 120
"""Longest time that a command may take beside the time that it measures."""

_numbers = itertools.count()


def lcore_map(workers: int, cores: list[int]) -> str:
    """EAL's --lcores: lcore 0 waits and reads, 1 to `workers` count.

    A worker has a processor of its own; with more workers than processors all
    of them may run on all of these.
    """
    every = f"({','.join(map(str, cores))})"
    if workers > len(cores):
        return f"0@{every},(1-{workers})@{every}"
    pairs = [f"{n + 1}@{cores[n]}" for n in range(workers)]
    return ",".join([f"0@{every}", *pairs])


def memory_arguments(megabytes: int) -> list[str]:
    """Huge pages where there are enough; else ordinary memory."""
    free = sum(size * count for size, count in machine.hugepages().items())
    pages = ["--in-memory"] if free >= megabytes * 2**20 else ["--no-huge", "--no-shconf"]
    return [*pages, "-m", str(megabytes)]


class Program:
    """One program on `workers` lcores; sleeps between commands."""

    def __init__(self, path: Path, workers: int, cores: list[int], megabytes: int) -> None:
        self.workers = workers
        command = [
            str(path), "--no-pci", "--no-telemetry", "--log-level=error",
            f"--file-prefix=ctrgen-bench-{os.getpid()}-{next(_numbers)}",
            "--lcores", lcore_map(workers, cores), "--vdev=event_dsw0",
            *memory_arguments(megabytes),
        ]  # fmt: skip
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise UsageError(f"{path}: cannot be run: {reason(error)}") from error
        self._rest = b""
        try:
            self.info = self.ask("info")
        except BaseException:
            self._process.kill()
            self.close()
            raise

    def ask(self, command: str, seconds: float = 0) -> dict[str, Any]:
        """The answer to one command that measures for `seconds`. Raises UsageError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command.encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._died() from error
        answer = json.loads(self._line(seconds + ANSWER_SECONDS))
        if "error" in answer:
            raise UsageError(f"{answer['error']} ({command})")
        assert isinstance(answer, dict)
        return answer

    def figures(self, command: str, count: int = 9) -> list[float]:
        """The cycles that a command answers with, asked for several times."""
        return [float(self.ask(command)["cycles"]) for _ in range(count)]

    def run(self, way: str, ms: float, **options: object) -> dict[str, Any]:
        """Measure one way of counting for `ms` milliseconds."""
        words = [f"{key}={value}" for key, value in options.items()]
        return self.ask(" ".join(["run", f"way={way}", f"ms={ms}", *words]), ms / 1000)

    def _line(self, seconds: float) -> bytes:
        """The next line that is JSON; libraries may print others."""
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while True:
                line, newline, rest = self._rest.partition(b"\n")
                if newline:
                    self._rest = rest
                    if line.startswith(b"{"):
                        return line
                    continue
                if not selector.select(seconds):
                    raise UsageError(f"the benchmark program did not answer in {seconds:.0f} s")
                chunk = os.read(self._process.stdout.fileno(), 65536)
                if not chunk:
                    raise self._died()
                self._rest += chunk

    def _died(self) -> UsageError:
        with contextlib.suppress(OSError):
            self._process.kill()
        output = b"" if self._process.stderr is None else self._process.stderr.read()
        lines = output.decode("utf-8", "replace").strip().splitlines()
        reason = "; ".join(lines[-3:]) or f"it ended with {self._process.wait()}"
        return UsageError(f"the benchmark program ended: {reason}")

    def close(self) -> None:
        """End the program."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

# SPDX-License-Identifier: BSD-3-Clause
"""Programs that serve HTTP on loopback, started by a test and ended by it."""

from __future__ import annotations

import json
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support.planted import PROJECT, Tree

PATIENCE = 120
"""Seconds after which something hangs; beside much else, servers start slowly."""


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A program that serves at 127.0.0.1:`port`; it is asked for `ready` until it answers."""

    def __init__(
        self, command: Sequence[str | Path], port: int, folder: Path, ready: str = "/-/ready",
        env: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        """`folder` gets what the program says, and is where it works."""
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        self._log = folder / f"{Path(command[0]).name}-{port}.log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                list(map(str, command)), stdout=log, stderr=log, cwd=folder, env=env
            )
        try:
            self._wait(ready)
        except BaseException:
            self.stop()
            raise

    def _wait(self, path: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.said()
            try:
                self.get(path)
                return
            except OSError:
                time.sleep(0.05)
        raise TimeoutError(self.said())

    def said(self) -> str:
        """What it has written."""
        return self._log.read_text("utf-8", "replace")

    def get(self, path: str, accept: str = "*/*", **query: object) -> bytes:
        """The body of a page. Raises OSError."""
        words = urllib.parse.urlencode(query, doseq=True)
        url = f"{self.url}{path}{'?' * bool(words)}{words}"
        request = urllib.request.Request(url, headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=PATIENCE) as page:
            return bytes(page.read())

    def json(self, path: str, **query: object) -> Any:
        """A page that is JSON."""
        return json.loads(self.get(path, **query))

    def stop(self) -> None:
        """End it; again does nothing."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.stop()


def exporter(
    folder: Path,
    *targets: str | Path,
    port: int = 0,
    tree: Tree = PROJECT,
    more: Sequence[str] = (),
) -> Server:
    """`ctrgen export` of all instances of targets; at any port, unless one is given."""
    port = port or free_port()
    words = ("export", "--all", *targets, "--listen", f"127.0.0.1:{port}", "--timeout", "60", *more)
    return Server(tree.command(*words), port, folder, "/", tree.environment())

# SPDX-License-Identifier: BSD-3-Clause
"""An application with telemetry, of real DPDK, and what it may be asked."""

import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any

from tests.support.dialogue import Dialogue

HERE = Path(__file__).parent
EAL = ("--no-huge", "--no-pci", "-m", "256", "--lcores", "0@0", "--log-level", "error")


class Application(Dialogue):
    """A running application."""

    def __init__(self, program: Path, *words: str) -> None:
        self.prefix = f"ctrgen_test_{os.getpid()}_{id(self):x}"
        base = "/var/run" if os.geteuid() == 0 else os.environ.get("XDG_RUNTIME_DIR") or "/tmp"
        self.folder = Path(base) / "dpdk" / self.prefix
        self.socket = self.folder / "dpdk_telemetry.v2"
        super().__init__(program, *EAL, f"--file-prefix={self.prefix}", "--", *words)
        self.block()

    def end(self) -> int:
        """End it; its exit code."""
        if self.process.poll() is None:
            self.process.communicate("quit\n", timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.process.returncode


class Asker:
    """Asks as plainly as can be."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.greeting = json.loads(self.socket.recv(4096))

    def raw(self, text: bytes) -> bytes:
        self.socket.send(text)
        return self.socket.recv(1 << 20)

    def ask(self, text: str) -> Any:
        """What is replied to a command."""
        reply = json.loads(self.raw(text.encode()))
        (value,) = reply.values()
        return value

    def pages(self, command: str, *parameters: str) -> list[Any]:
        """The replies that a command takes."""
        found = [self.ask(",".join((command, *parameters)))]
        while "/next" in found[-1]:
            assert len(found) < 1000
            found.append(self.ask(f"{command},{found[-1]['/next']}"))
        return found

    def whole(self, command: str, *parameters: str) -> dict[str, Any]:
        """All pages together; no name comes twice."""
        pages = self.pages(command, *parameters)
        together = {name: value for page in pages for name, value in page.items()}
        together.pop("/next", None)
        assert len(together) == sum(len(page.keys() - {"/next"}) for page in pages)
        return together

    def close(self) -> None:
        self.socket.close()

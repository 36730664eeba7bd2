# SPDX-License-Identifier: BSD-3-Clause
"""An application with telemetry, of real DPDK, and what it may be asked."""

import json
import os
import shutil
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.support.cbuild import QUICK, Build, shared
from tests.support.dialogue import Dialogue
from tests.support.planted import PROJECT, Tree

HERE = Path(__file__).parent
EAL = ("--no-huge", "--no-pci", "-m", "256", "--lcores", "0@0", "--log-level", "error")
WIDE, LINKS, ROWS = 1000, 1000, 500
"""Counters of the global scope, and instances of two and of four counters."""


LONG = tuple(f"{name}_of_those_whose_names_fill_a_reply_soon" for name in "wxyz")
"""Names of which a reply has room for less than its other limits allow."""
LARGE = (2**64 - 1) // ROWS
"""What makes numbers of 20 digits."""


def _many() -> str:
    def counters(names: Iterable[str]) -> str:
        return "".join(f"      {name}: {{unit: packets, description: It.}}\n" for name in names)

    return (
        f"scopes:\n  global:\n    counters:\n{counters(f'c{n}' for n in range(WIDE))}"
        f"  link:\n    max: {LINKS}\n    counters:\n{counters('ab')}"
        f"  row:\n    max: {ROWS}\n    counters:\n{counters(LONG)}"
    )


def _fill() -> str:
    def adds(scope: str, names: Iterable[str], each: int) -> str:
        line = "\t\ttel_stats_{}_add_{}(i, i * UINT64_C({}) + {});\n"
        return "".join(line.format(scope, name, each, k) for k, name in enumerate(names))

    wide = "".join(f"\ttel_stats_add_c{n}({n + 1});\n" for n in range(WIDE))
    return (
        f"static void\nfill(void)\n{{\n\tuint32_t i;\n\n{wide}"
        f"\tfor (i = 0; i < {LINKS}; i++) {{\n{adds('link', 'ab', 3)}\t}}\n"
        f"\tfor (i = 0; i < {ROWS}; i++) {{\n{adds('row', LONG, LARGE)}\t}}\n}}\n"
    )


def generate(folder: Path, many: bool, tree: Tree = PROJECT) -> Path:
    """Generated code of tel.yaml; with 5,000 counters more if there are to be many."""
    schema = folder / "tel.yaml"
    shutil.copy(HERE / "tel.yaml", schema)
    if many:
        schema.write_text(f"{schema.read_text('utf-8')}include: [many.yaml]\n", "utf-8")
        (folder / "many.yaml").write_text(_many(), "utf-8")
        (folder / "fill.h").write_text(_fill(), "utf-8")
    tree.succeed("build", schema, "-o", folder / "out", "--only", "c")
    return folder / "out"


def build(folder: Path, many: bool = False, tree: Tree = PROJECT) -> Path:
    """The application, made in a folder."""
    out = generate(folder, many, tree)
    more = ("-Wno-overlength-strings", "-DMANY") if many else ()
    made = Build(port="dpdk", parts=("telemetry",), flags=(*QUICK, *more), tree=tree)
    shared().link(folder / "main", made, [HERE / "main.c", out / "tel_stats.c"], [out, folder])
    return folder / "main"


class Application(Dialogue):
    """A running application."""

    def __init__(self, program: Path, *words: str) -> None:
        self.prefix = f"ctrgen_test_{os.getpid()}_{id(self):x}"
        base = "/var/run" if os.geteuid() == 0 else os.environ.get("XDG_RUNTIME_DIR") or "/tmp"
        self.folder = Path(base) / "dpdk" / self.prefix
        self.socket = self.folder / "dpdk_telemetry.v2"
        super().__init__(program, *EAL, f"--file-prefix={self.prefix}", "--", *words)
        self.block()

    def values(self) -> dict[tuple[str, ...], int]:
        """All that the C API says, by scope, indexes and item."""
        split = (line.split() for line in self.lines("dump"))
        return {tuple(words[:-1]): int(words[-1]) for words in split}

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

# SPDX-License-Identifier: BSD-3-Clause
"""A real snmpd without privileges, and an application with the agent."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tests.agentx.snmp import GET, NO_OBJECT, Manager, Oid
from tests.support.capabilities import SNMPD
from tests.support.cbuild import QUICK, Build, shared
from tests.support.dialogue import Dialogue
from tests.support.planted import PROJECT, Tree

HERE = Path(__file__).parent
UPTIME: Oid = (1, 3, 6, 1, 2, 1, 1, 3, 0)


class Master:
    """An snmpd on a free loopback port; `modules` says what it serves itself, `more` are lines of
    its configuration. When it is started again it keeps port and socket."""

    def __init__(self, folder: Path, modules: str = "-smux", more: str = "") -> None:
        self.folder, self.modules = folder, modules
        self.socket = f"unix:{folder}/agentx.sock"
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (folder / "snmpd.conf").write_text(
            f"agentAddress udp:127.0.0.1:{self.port}\nrocommunity public 127.0.0.1\n"
            f"rwcommunity secret 127.0.0.1\nmaster agentx\nagentXSocket {self.socket}\n"
            "agentXPerms 0600 0700\ndontLogTCPWrappersConnects yes\n"
            f"{more}"
        )
        self.process: subprocess.Popen[bytes] | None = None
        self.manager = Manager(self.port)
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        assert SNMPD is not None
        command = [SNMPD, "-f", "-Lf", str(self.folder / "snmpd.log"), "-C", "-c"]
        command += [str(self.folder / "snmpd.conf"), "-I", self.modules]
        environment = {**os.environ, "MIBS": "", "SNMP_PERSISTENT_DIR": str(self.folder / "kept")}
        self.process = subprocess.Popen(command, env=environment)
        self.manager.socket.settimeout(0.2)
        self.wait(UPTIME, 10)
        self.manager.socket.settimeout(5)

    def stop(self) -> None:
        """End it. A signal that comes right before it waits for requests goes unnoticed."""
        while self.process is not None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
                self.process = None

    def wait(self, oid: Oid, seconds: float = 5) -> float:
        """Wait until an object is there; how long that took."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            try:
                status, binds = self.manager.ask(GET, [oid])
                if status == 0 and binds[0].tag < NO_OBJECT:
                    return time.monotonic() - began
            except (TimeoutError, ConnectionRefusedError):
                pass
            time.sleep(0.02)
        raise TimeoutError(f"no {oid}\n" + (self.folder / "snmpd.log").read_text())


class Application(Dialogue):
    """tests/agentx/main.c, or another that serves; it answers with 0 or a negative errno."""

    def __init__(
        self, program: Path, *words: str, log: IO[str] | None = None, forgive: str = ""
    ) -> None:
        """`forgive`: a library that may leak memory (a line of LeakSanitizer's suppressions)."""
        environment = dict(os.environ)
        if forgive:
            place = program.with_name("forgiven")
            place.write_text(f"leak:{forgive}\n", "utf-8")
            environment["LSAN_OPTIONS"] = f"suppressions={place}:print_suppressions=0"
        super().__init__(program, *words, env=environment, stderr=log)
        assert self.answer() == "0"

    def end(self) -> int:
        """End it; its exit code."""
        if self.process.poll() is None:
            self.do("quit")
        self.process.communicate(timeout=20)
        return self.process.returncode


def generate(schema: Path, folder: Path, sync: str = "", tree: Tree = PROJECT) -> Path:
    """The generated code of a copy of a schema, under another strategy if one is given."""
    if schema.parent != folder:
        shutil.copy(schema, folder)
    out = folder / "out"
    options = ["--only", "c,mib,agentx", *(["--sync", sync] if sync else [])]
    tree.succeed("build", folder / schema.name, "-o", out, *options)
    return out


def build(
    folder: Path,
    sources: list[Path],
    flags: tuple[str, ...] = QUICK,
    tree: Tree = PROJECT,
    parts: tuple[str, ...] = ("agentx",),
) -> Path:
    """The application, from generated code in `folder`/out."""
    program = folder / "application"
    made = Build(parts=parts, flags=flags, tree=tree)
    own = [*sources, *sorted((folder / "out").glob("*.c"))]
    shared().link(program, made, own, [folder / "out"])
    return program


@contextlib.contextmanager
def serving(
    folder: Path,
    name: str,
    first: Oid,
    sync: str = "",
    tree: Tree = PROJECT,
    flags: tuple[str, ...] = QUICK,
    more: str = "",
    forgive: str = "",
) -> Iterator[tuple[Master, Application]]:
    """The program and the schema of a name, behind a master of its own, as soon as an object is
    there; `more` and `forgive` as of Master and Application."""
    generate(HERE / f"{name}.yaml", folder, sync, tree)
    program = build(folder, [HERE / f"{name}_main.c"], flags=flags, tree=tree)
    master = Master(folder, more=more)
    try:
        application = Application(program, master.socket, forgive=forgive)
        master.wait(first)
        yield master, application
        assert application.end() == 0
    finally:
        master.stop()

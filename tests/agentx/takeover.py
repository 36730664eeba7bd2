# SPDX-License-Identifier: BSD-3-Clause
"""Processes with the same module at one master: starts them, and reads what they serve."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.agentx import lab
from tests.agentx.model import FIRST, FLOW, PORT, QUEUE
from tests.agentx.snmp import BULK, GET, NO_OBJECT, Manager, Oid
from tests.support.cbuild import QUICK
from tests.support.planted import PROJECT, Tree

WAITING, REGISTERED, STANDBY = "0", "1", "2"
OLD, NEW, NEXT_ONE = 1_000_000_007, 7_000_000, 5_000_000_029
"""What the processes count is multiples of these."""
PATIENCE = 10
"""Seconds after which nothing is going to happen any more."""


def made(folder: Path, tree: Tree = PROJECT, flags: tuple[str, ...] = QUICK) -> Path:
    """The program, from generated code in a folder of its own."""
    place = folder / "made"
    place.mkdir()
    lab.generate(lab.HERE / "agx.yaml", place, tree=tree)
    parts = ("agentx", "segment")
    return lab.build(place, [lab.HERE / "takeover_main.c"], flags=flags, tree=tree, parts=parts)


class Agents:
    """Processes with the same module behind one master."""

    def __init__(self, program: Path, master: lab.Master) -> None:
        self.program, self.master = program, master
        self.started: list[lab.Application] = []

    def start(
        self, number: int, log: Path | None = None, segment: Path | None = None
    ) -> lab.Application:
        words = [self.master.socket, str(number), *([str(segment)] if segment else [])]
        if log is None:
            self.started.append(lab.Application(self.program, *words))
        else:
            with log.open("w") as file:
                self.started.append(lab.Application(self.program, *words, log=file))
        return self.started[-1]

    def end(self) -> None:
        for one in self.started:
            if one.process.poll() is None:
                one.process.kill()
            one.process.communicate()


def status(application: lab.Application) -> set[tuple[str, str, str]]:
    """Standings, priorities and reasons of all groups."""
    lines = [line.split(None, 3) for line in application.lines("status")]
    assert len(lines) == 7  # of the scopes of the schema, and what the module reports of itself
    return {(standing, priority, reason) for _, standing, priority, reason in lines}


def becomes(application: lab.Application, *wanted: str) -> None:
    """Wait until all groups have a standing, priority and reason."""
    began = time.monotonic()
    while status(application) != {wanted}:
        assert time.monotonic() - began < PATIENCE, status(application)
        time.sleep(0.02)


def stands_by(application: lab.Application, priority: int = 128) -> None:
    becomes(application, STANDBY, str(priority), "duplicate registration")


def serves(application: lab.Application) -> None:
    becomes(application, REGISTERED, "127", "none")


def number_of(manager: Manager) -> int:
    """Who answers, after a look at all rows; 0 for nobody.

    One answer may have parts of two processes, but each value is that of its row.
    """
    _, binds = manager.ask(GET, [FIRST])
    if binds[0].tag >= NO_OBJECT or not isinstance(binds[0].value, int):
        return 0
    _, rows = manager.ask(BULK, [(*PORT, 2), (*QUEUE, 2)], 0, 35)
    for bind in rows:
        index: Oid = ()
        if bind.name[: len(PORT) + 1] == (*PORT, 2):
            index = bind.name[len(PORT) + 1 :]
        elif bind.name[: len(QUEUE) + 1] == (*QUEUE, 2):
            index = bind.name[len(QUEUE) + 1 :]
        if index:
            product = index[0] * (index[1] if len(index) == 2 else 1)
            assert bind.value in [each * product for each in (OLD, NEW, NEXT_ONE)], bind
    assert binds[0].value in (OLD, NEW, NEXT_ONE)
    return binds[0].value


def dark(master: lab.Master, number: int, after: Callable[[], object]) -> float:
    """Seconds from an event until a process answers; what others answer first is right too."""
    manager = Manager(master.port, timeout=0.3)
    after()
    began = time.monotonic()
    try:
        while time.monotonic() - began < PATIENCE:
            try:
                if number_of(manager) == number:
                    return time.monotonic() - began
            except (TimeoutError, ConnectionRefusedError):
                pass
            time.sleep(0.005)
        raise TimeoutError(f"{number} does not serve")
    finally:
        manager.close()


class Jump(NamedTuple):
    """What a manager is shown of a row: a counter, the time of its discontinuity, sysUpTime."""

    frames: int
    time: int
    now: int


def jump_of(manager: Manager, entry: Oid = PORT, column: int = 4, row: int = 1) -> Jump:
    _, binds = manager.ask(GET, [(*entry, 2, row), (*entry, column, row), lab.UPTIME])
    assert all(isinstance(bind.value, int) for bind in binds), binds
    return Jump(*(int(bind.value) for bind in binds))  # type: ignore[arg-type]


def uptime(manager: Manager) -> int:
    value = manager.ask(GET, [lab.UPTIME])[1][0].value
    assert isinstance(value, int)
    return value


SLACK = 4
"""Hundredths of a second by which an agent may reckon the time of the master wrongly."""


def jumps(manager: Manager, number: int, least: int) -> Jump:
    """All that is served is of one process, and its discontinuity was after a time: of a static
    instance, and of one with a time of creation."""
    found, flow = jump_of(manager), jump_of(manager, FLOW, 6)
    for each in (found, flow):
        assert each.frames == number, each
        assert least - SLACK <= each.time <= each.now + SLACK, (least, each)
    return found

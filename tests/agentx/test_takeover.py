# SPDX-License-Identifier: BSD-3-Clause
"""Several agents at one master, and masters that end or hang: who serves, and what it says.

Times are printed, not asserted: how long no agent answered (`pytest -s -k takeover`).
"""

import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.model import FIRST, FLOW, PORT
from tests.agentx.snmp import GET, NO_OBJECT, Oid
from tests.agentx.takeover import (
    NEW,
    NEXT_ONE,
    OLD,
    PATIENCE,
    SLACK,
    WAITING,
    Agents,
    becomes,
    dark,
    jump_of,
    jumps,
    made,
    number_of,
    serves,
    stands_by,
    uptime,
)
from tests.agentx.test_types import SCALARS
from tests.support.capabilities import needs_agentx
from tests.support.cbuild import SANITIZED
from tests.support.planted import Edit, planted
from tests.support.process import until

pytestmark = needs_agentx

CLAIMS, SERVE, SESSION = (
    f"runtime/src/parts/agentx/ctr_agentx_{name}.c" for name in ("claims", "serve", "session")
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("takeover"), flags=SANITIZED)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[lab.Master]:
    found = lab.Master(tmp_path)
    yield found
    if found.process is not None:
        found.process.send_signal(signal.SIGCONT)
    found.stop()


@pytest.fixture
def agents(served: Path, own: lab.Master) -> Iterator[Agents]:
    found = Agents(served, own)
    yield found
    found.end()


def restart(agents: Agents) -> None:
    """A process counts, is killed and started again behind a master that stays."""
    manager = agents.master.manager
    time.sleep(0.2)
    for number in (OLD, NEW):
        began = uptime(manager)
        process = agents.start(number)
        serves(process)
        first = jumps(manager, number, began)
        time.sleep(0.2)
        assert jump_of(manager).time == first.time  # it stays what it is
        process.process.kill()
        process.process.wait()


def test_a_restart_is_a_discontinuity(agents: Agents) -> None:
    restart(agents)


def test_counts_that_are_handed_over_go_on(agents: Agents) -> None:
    """Those of a process that has said what it counted, not those of one that was killed."""
    manager = agents.master.manager
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        segment = Path(folder) / "segment"
        old = agents.start(OLD, segment=segment)
        serves(old)
        before = jump_of(manager)
        time.sleep(0.2)
        assert old.end() == 0
        new = agents.start(NEW, segment=segment)
        serves(new)
        after = jump_of(manager)
        assert after.frames == before.frames == OLD
        assert abs(after.time - before.time) <= SLACK, (before, after)
        began = uptime(manager)
        new.process.kill()
        new.process.wait()
        serves(agents.start(NEXT_ONE, segment=segment))
        jumps(manager, OLD, began)


def hand_over(agents: Agents, folder: Path) -> None:
    """The successor waits for the counts, then stands by until its predecessor is killed: a row
    that was reset when it waited goes on, as one from before; its own begins."""
    manager, log = agents.master.manager, folder / "log"
    old = agents.start(OLD, segment=folder / "segment")
    serves(old)
    with ThreadPoolExecutor(1) as pool:
        starts = pool.submit(agents.start, NEW, log, folder / "segment")
        until(lambda: log.exists() and log.read_text() != "", "initialised")
        assert old.do("reset") == "0"
        before = [jump_of(manager), jump_of(manager, FLOW, 6)]
        assert old.do("final") == "0"
        new = starts.result()
    stands_by(new)
    assert new.do("create") == "0"
    time.sleep(0.2)
    began = uptime(manager)
    dark(agents.master, OLD, old.process.kill)
    serves(new)
    for former, now in zip(before, [jump_of(manager), jump_of(manager, FLOW, 6)], strict=True):
        assert now.frames == former.frames == OLD
        assert abs(now.time - former.time) <= SLACK, (former, now)
    own = jump_of(manager, FLOW, 6, 2)
    assert own.frames == NEW and own.time >= began - SLACK, (began, own)


def test_counts_that_are_handed_over_to_one_that_stands_by_go_on(agents: Agents) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        hand_over(agents, Path(folder))


def take_over(agents: Agents, how: str, log: Path) -> None:
    """An old version ends beside a new one, and that beside the next one."""
    old = agents.start(OLD)
    serves(old)
    new = agents.start(NEW, log)
    stands_by(new)
    for _ in range(50):
        assert number_of(agents.master.manager) == OLD
    end = old.process.kill if how == "kill" else old.end
    began = uptime(agents.master.manager)
    print(f"no answer for {dark(agents.master, NEW, end):.3f} s after the end by {how}")
    jumps(agents.master.manager, NEW, began)
    serves(new)
    assert int(new.do("told")) == 14  # seven groups stand by, then they are registered
    after = agents.start(NEXT_ONE)
    stands_by(after, 129)
    assert number_of(agents.master.manager) == NEW
    print(f"no answer for {dark(agents.master, NEXT_ONE, new.process.kill):.3f} s again")
    serves(after)
    lines = log.read_text().splitlines()
    lines = [line for line in lines if "_callback_lock" not in line]
    print("\n".join(lines))
    assert len(lines) == 2 and "7 wait for" in lines[0] and "7 groups reg" in lines[1], lines


@pytest.mark.one_in(2)
@pytest.mark.parametrize("how", ["kill", "stop"])
def test_takeover(agents: Agents, how: str, tmp_path: Path) -> None:
    take_over(agents, how, tmp_path / "log")


def test_one_that_stands_by_ends_quietly(agents: Agents) -> None:
    """Its end does not take away what the first one has registered."""
    serves(agents.start(OLD))
    for _ in range(2):
        new = agents.start(NEW)
        stands_by(new)
        assert new.end() == 0
        for _ in range(20):
            assert number_of(agents.master.manager) == OLD
            time.sleep(0.01)


def test_takeover_after_a_restart(agents: Agents) -> None:
    """Both register with the new master, in any order; one serves, the other stands by."""
    old, new = agents.start(OLD), agents.start(NEW)
    serves(old)
    stands_by(new)
    agents.master.stop()
    for each in (old, new):
        becomes(each, WAITING, "0", "no master")
    agents.master.start()
    print(f"no answer for {agents.master.wait(FIRST, PATIENCE):.2f} s after the start")
    first = number_of(agents.master.manager)
    waits = new if first == OLD else old
    serves(old if first == OLD else new)
    stands_by(waits)
    assert number_of(agents.master.manager) == first
    for entry, column in ((PORT, 4), (FLOW, 6)):  # both began before this master did
        assert jump_of(agents.master.manager, entry, column).time == 0
    time.sleep(0.1)
    began = uptime(agents.master.manager)
    serving, waiting = (old, NEW) if first == OLD else (new, OLD)
    dark(agents.master, waiting, serving.process.kill)
    jumps(agents.master.manager, waiting, began)


def hang(agents: Agents) -> None:
    """Agents say so, go on afterwards in the same session, and end meanwhile at once."""
    old, new = agents.start(OLD), agents.start(NEW)
    serves(old)
    stands_by(new)
    process = agents.master.process
    assert process is not None
    process.send_signal(signal.SIGSTOP)
    late = agents.start(NEXT_ONE)
    for each in (old, new, late):
        becomes(each, WAITING, "0", "the master does not answer")
    time.sleep(9)  # enough for connections to fill the master's queue, if there were any
    assert late.end() == 0
    assert new.end() == 0
    cont = lambda: process.send_signal(signal.SIGCONT)  # noqa: E731
    print(f"no answer for {dark(agents.master, OLD, cont):.3f} s after it went on")
    serves(old)


@pytest.mark.deep
def test_takeover_and_a_master_that_hangs(agents: Agents) -> None:
    hang(agents)


def test_agents_of_different_modules(agents: Agents, tmp_path: Path) -> None:
    """Each serves its own, and the end of one is nothing to the other."""
    place = tmp_path / "types"
    place.mkdir()
    lab.generate(lab.HERE / "types.yaml", place)
    other = lab.build(place, [lab.HERE / "types_main.c"])
    serves(agents.start(OLD))
    alone = lab.Application(other, agents.master.socket)
    text = (place / "out" / "AGT-STATS-MIB.txt").read_text("ascii")
    arc = re.findall(r"agtStatsCold OBJECT-TYPE.*?agtStatsScalars ([0-9]+)", text, re.DOTALL)[0]
    cold: Oid = (*SCALARS, int(arc), 0)
    agents.master.wait(cold)
    _, binds = agents.master.manager.ask(GET, [cold, FIRST])
    assert [bind.value for bind in binds] == [-40, OLD]
    alone.process.kill()
    alone.process.communicate()
    for _ in range(20):
        assert number_of(agents.master.manager) == OLD
    assert agents.master.manager.ask(GET, [cold])[1][0].tag >= NO_OBJECT


BUGS = {
    "refused-instead-of-standing-by": Edit(CLAIMS, "#define LAST 142u", "#define LAST 127u"),
    "does-not-move-up": Edit(
        CLAIMS, "(asked && claim->held > FIRST)", "(asked && claim->held < 9)"
    ),
    "a-take-over-is-no-discontinuity": Edit(
        SERVE, "served->served_ns = ctr_time_ns()", "served->served_ns = 0"
    ),
    "a-row-has-an-older-discontinuity": Edit(
        SERVE,
        "    values->discontinuity_ns < served->served_ns)",
        "    values->discontinuity_ns == (*source->module->began_ns | CTR_OWN_TIME))",
    ),
    "told-again-and-again": Edit(CLAIMS, "status->priority == held)", "status->priority != held)"),
}
RESTART_BUGS = {
    "a-restart-is-no-discontinuity": Edit(
        SERVE, "if (values->discontinuity_ns == 0)", "if (values->discontinuity_ns == 1)"
    )
}
"""What the test of a restart must see."""
HAND_OVER_BUGS = {
    "a-time-that-was-handed-over-is-raised": Edit(
        SERVE, "(values->discontinuity_ns & CTR_OWN_TIME) != 0", "served->served_ns != 0"
    ),
    "a-group-without-requests-is-not-taken-over": Edit(
        CLAIMS, "(claim->held != 0 && claim->served->stands_by)", "(claim->held == 255)"
    ),
}
"""What the test of a hand-over to one that stands by must see."""
HANGS = {
    "connects-to-a-master-that-hangs": Edit(SESSION, "!master.local && owed > LOST_NS", "owed > 1"),
    "silence-is-not-shown": Edit(SESSION, "(2 * CTR_SECOND_NS)", "(900 * CTR_SECOND_NS)"),
}
"""What the tests of take-over, and of a master that hangs, must see."""


@pytest.mark.deep
@pytest.mark.parametrize("name", [*BUGS, *RESTART_BUGS, *HAND_OVER_BUGS, *HANGS])
def test_planted_bugs_are_seen(name: str, tmp_path: Path, own: lab.Master) -> None:
    tree = planted(tmp_path, [{**BUGS, **RESTART_BUGS, **HAND_OVER_BUGS, **HANGS}[name]])
    agents = Agents(made(tmp_path, tree), own)
    try:
        with pytest.raises((AssertionError, TimeoutError, subprocess.TimeoutExpired)):
            if name in HANGS:
                hang(agents)
            elif name in RESTART_BUGS:
                restart(agents)
            elif name in HAND_OVER_BUGS:
                hand_over(agents, tmp_path)
            else:
                take_over(agents, "kill", tmp_path / "log")
    finally:
        agents.end()

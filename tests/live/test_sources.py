# SPDX-License-Identifier: BSD-3-Clause
"""Applications that hang, end, answer without end, or are planted by another user: they are
reported as what they are, and no other application is affected."""

import contextlib
import itertools
import os
import socket
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ctrgen.tools.live import readers
from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import Instance, LiveError, Module, Scope, Source
from ctrgen.tools.live.readers import Limits, Readers
from ctrgen.tools.live.targets import MOST_GONE, Targets
from ctrgen.tools.live.telemetry import Telemetry
from ctrgen.tools.live.wire import SOCKET, find
from tests.live.made import Made, collected, usual
from tests.telemetry.test_client import INFO, REPLIES, reply, serving

PATIENCE = 60
Up = dict[str, float]


def scraped(made: Applications, name: str = "ctrgen_application_up") -> Up:
    """The samples of a metric about applications, by application."""
    (metric,) = (metric for metric in collected(made) if metric.name == name)
    return {sample.labels["application"]: sample.value for sample in metric.samples}


def endless(command: str, ended: threading.Event, number: Iterator[int]) -> bytes | None:
    """Each reply names a next one."""
    if command.startswith("/m/info") and not ended.is_set():
        return reply({"/m/info": {**INFO, "/next": f"{next(number)}"}})("/m/info")
    return None if ended.is_set() else reply(REPLIES)(command)


def look_at_endless() -> None:
    """It is late, another one is read, and its thread ends."""
    ended, number = threading.Event(), itertools.count()
    with serving(lambda command: endless(command, ended, number)) as path:
        sources: list[tuple[str, Source]] = [("bad", Telemetry(path)), ("good", usual())]
        made = Applications(lambda: sources, readers=Readers(Limits(seconds=0.3)))
        before = set(threading.enumerate())
        try:
            assert scraped(made) == {"bad": 0, "good": 1}
            assert scraped(made, "ctrgen_application_late") == {"bad": 1}
            for thread in set(threading.enumerate()) - before:
                thread.join(5)
            assert set(threading.enumerate()) <= before, "its thread has ended"
        finally:
            ended.set()


def test_an_answer_without_end() -> None:
    look_at_endless()


def test_a_deadline_that_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: each reply is in time, so that it goes on for ever."""
    monkeypatch.setattr(readers, "within", lambda end: contextlib.nullcontext())
    with pytest.raises(AssertionError, match="its thread has ended"):
        look_at_endless()


def look_at_silent() -> tuple[Up, Up, Up]:
    """Of an application that fails, hangs, and then answers, next to another one: whether they are
    up while it hangs, whether it is late, and whether both are up when it has answered."""
    answers, calls = threading.Event(), itertools.count()

    def wait() -> None:
        if next(calls) == 0:
            raise threading.BrokenBarrierError
        answers.wait(PATIENCE)

    sources: list[tuple[str, Source]] = [("bad", waiting(wait)), ("good", usual())]
    made = Applications(lambda: sources, readers=(used := Readers(Limits(seconds=1))))
    assert scraped(made) == {"bad": 0, "good": 1}
    while_it_hangs = scraped(made)
    late = scraped(made, "ctrgen_application_late")
    tasks = [*used._running.values()]
    answers.set()
    for task in tasks:
        task.join(PATIENCE)
    return while_it_hangs, late, scraped(made)


def test_one_that_hangs_is_not_awaited_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrapes do not wait for it, and it is read again as soon as it has answered."""
    monkeypatch.setattr(readers, "_BRIEF", 0)
    assert look_at_silent() == ({"bad": 0, "good": 1}, {}, {"bad": 1, "good": 1})
    monkeypatch.setattr(readers, "_BRIEF", PATIENCE)  # planted: it is awaited
    assert look_at_silent()[1] == {"bad": 1}


def look_at_new() -> list[Up]:
    """Of an application that appears next to another one, and takes until others are shown."""
    shown = threading.Event()
    sources: list[tuple[str, Source]] = [("good", usual())]
    made = Applications(lambda: sources, readers=(used := Readers(Limits(seconds=2))))
    found = [scraped(made)]
    sources.insert(0, ("new", waiting(lambda: shown.wait(PATIENCE))))
    found.append(scraped(made))
    shown.set()
    for task in [*used._running.values()]:
        task.join(PATIENCE)
    return [*found, scraped(made)]


def test_a_new_one_does_not_hold_up_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not reported as down either, and is shown by the next scrape."""
    assert look_at_new() == [{"good": 1}, {"good": 1}, {"good": 1, "new": 1}]
    monkeypatch.setattr(readers, "_NEW", PATIENCE)  # planted: it is awaited
    assert look_at_new()[1] == {"good": 1, "new": 0}


def test_many_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than there may be threads: all are read, those that were read before first."""
    assert most_at_a_time(300) <= readers.MOST_THREADS
    monkeypatch.setattr(readers, "MOST_THREADS", 1000)  # planted
    assert most_at_a_time(300) > 32


def most_at_a_time(count: int) -> int:
    """The most applications of these that are read at a time."""
    inside, most, lock = 0, 0, threading.Lock()

    def read() -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.05)
        with lock:
            inside -= 1

    sources: list[tuple[str, Source]] = [(f"{n}", waiting(read)) for n in range(count)]
    made = Applications(lambda: sources, readers=Readers(Limits(PATIENCE)))
    assert set(scraped(made).values()) == {1}
    return most


class Waiting(Made):
    """An application that is read when `wait` returns."""

    wait: Callable[[], object]

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        try:
            self.wait()
        except threading.BrokenBarrierError:
            raise LiveError("alone") from None
        return super().read(module, scope)


def waiting(wait: Callable[[], object]) -> Waiting:
    made = Waiting(instances=usual().instances)
    made.wait = wait
    return made


def look_at_blocked() -> int:
    """How many threads read an application that blocks, in three scrapes."""
    release, entered = threading.Event(), []

    def block() -> None:
        entered.append(threading.current_thread())
        release.wait(PATIENCE)

    sources: list[tuple[str, Source]] = [("bad", waiting(block)), ("good", usual())]
    made = Applications(lambda: sources, readers=Readers(Limits(seconds=0.3)))
    try:
        for _ in range(3):
            assert scraped(made) == {"bad": 0, "good": 1}
            assert scraped(made, "ctrgen_application_late") == {"bad": 1}
        count = len(entered)
    finally:
        release.set()
    for thread in entered:
        thread.join(PATIENCE)
    assert scraped(made) == {"bad": 1, "good": 1}, "it is read again"
    return count


def test_one_that_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system call that does not return takes one thread, not one for each scrape."""
    monkeypatch.setattr(readers, "_GRACE", 0)
    assert look_at_blocked() == 1
    read = readers.Readers.read

    def forgetful(self: readers.Readers, *words: Any) -> Any:
        self._running.clear()
        self._slow.clear()
        self._proven.clear()
        return read(self, *words)

    monkeypatch.setattr(readers.Readers, "read", forgetful)  # planted
    assert look_at_blocked() > 1


def look_side_by_side() -> Up:
    """Two applications, each of which is read only while the other one is."""
    barrier = threading.Barrier(2, timeout=5)
    made = Made(instances=usual().instances)
    sources: list[tuple[str, Source]] = [(name, waiting(barrier.wait)) for name in "ab"]
    return scraped(Applications(lambda: [*sources, ("c", made)], readers=Readers(Limits(PATIENCE))))


def test_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_side_by_side() == {"a": 1, "b": 1, "c": 1}

    def start(task: threading.Thread) -> None:
        threading.Thread.start(task)
        task.join()

    monkeypatch.setattr(readers._Task, "start", start)  # planted: one after the other
    assert look_side_by_side() == {"a": 0, "b": 0, "c": 1}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which applications are searched for."""
    with tempfile.TemporaryDirectory(prefix="ctr") as folder:
        (Path(folder) / "dpdk").mkdir()
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def listening(path: Path) -> socket.socket:
    """A socket that accepts connections to its backlog only, as a stopped process."""
    path.parent.mkdir(exist_ok=True)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    made.bind(str(path))
    made.listen(1)
    return made


def below(run: Path, found: Up) -> set[str]:
    """Names and values of applications in a folder; this machine may have others."""
    return {f"{name.rpartition('/')[2]} {value:g}" for name, value in found.items()
            if name.startswith("mine") or str(run) in name}  # fmt: skip


def look_at_its_end(run: Path, *words: str) -> None:
    """Of an application: it hangs, is killed, and its socket is removed."""
    path = run / "dpdk" / "mine" / SOCKET
    with Targets(words) as targets:
        made = Applications(targets.found, readers=Readers(Limits(seconds=1)))
        with listening(path):
            for _ in range(4):  # in the end the backlog is full
                assert below(run, scraped(made)) == {"mine 0"}, "it hangs"
        assert below(run, scraped(made)) == {"mine 0"}, "it was killed"
        with Targets(words) as later:
            assert below(run, scraped(Applications(later.found))) == {"mine 0"}, "its socket stays"
        path.unlink()
        for _ in range(3):
            assert below(run, scraped(made)) == {"mine 0"}, "it is gone"
        with Targets(words) as later:
            assert below(run, scraped(Applications(later.found))) == set()


def test_what_was_seen_and_does_not_answer(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ctrgen_application_up` is 0 as long as the exporter runs or the socket is there, with
    sockets that are searched for and those in a folder that is named."""
    look_at_its_end(run)
    (run / "dpdk" / "mine").rmdir()
    (run / "dpdk" / "mine").mkdir()
    look_at_its_end(run, str(run / "dpdk" / "mine"))
    monkeypatch.setattr(Targets, "_gone", lambda targets, here: [])  # planted
    with pytest.raises(AssertionError, match="it is gone"):
        look_at_its_end(run)


def test_a_segment_that_has_another_name_is_not_gone(tmp_path: Path) -> None:
    """It is made under a name of its own and renamed when it is complete."""
    segment = tmp_path / "app.seg.aB3xYz"
    segment.write_bytes(b"ctrgen\n\0")
    with Targets([str(tmp_path)]) as targets:
        assert [name for name, _ in targets.found()] == ["app.seg"]
        segment.rename(tmp_path / "app.seg")
        assert [name for name, _ in targets.found()] == ["app"]


def test_those_that_are_gone_are_bounded(tmp_path: Path) -> None:
    with Targets([str(tmp_path)]) as targets:
        for number in range(MOST_GONE + 9):
            path = tmp_path / f"{number}.seg"
            path.write_bytes(b"ctrgen\n\0")
            list(targets.found())
            path.unlink()
        names = [name for name, _ in targets.found()]
    assert names == [str(number) for number in range(9, MOST_GONE + 9)], "the latest"


def test_names_are_unique(tmp_path: Path) -> None:
    """Of sockets in one folder, too: series of the same name and labels are no exposition."""
    folders = [tmp_path / name / "dpdk" / "rte" for name in "ab"]
    paths = [folder / f"{SOCKET}{more}" for folder in folders for more in ("", ":1")]
    for folder in folders:
        folder.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        for path in paths:
            stack.enter_context(listening(path))
        targets = stack.enter_context(Targets([str(folder) for folder in folders]))
        assert [name for name, _ in targets.found()] == list(map(str, paths))


root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user")
OTHER = 65534


@root
@pytest.mark.parametrize("planted", ["socket", "folder", "base", "link"])
def test_sockets_of_other_users(run: Path, planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not found, if the socket, its folder, that one's folder or a link to it is of another
    user."""
    path = run / "dpdk" / "mine" / SOCKET
    with listening(path):
        assert path in find()
        if planted == "link":
            (run / "dpdk").rename(run / "other")
            (run / "dpdk").symlink_to(run / "other")
            assert path in find()
        what = {"socket": path, "folder": path.parent}.get(planted, run / "dpdk")
        os.lchown(what, OTHER, -1)
        assert path not in find()
        with Targets([str(path.parent)]) as targets:
            assert len(list(targets.found())) == 1, "who names a folder trusts it"
        monkeypatch.setattr("ctrgen.tools.live.wire.trusted", lambda path: True)  # planted
        assert path in find()


@root
def test_a_folder_that_everybody_can_write_to(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as /tmp: only sockets of this user."""
    folder = run / "dpdk" / "mine"
    with listening(folder / SOCKET), listening(folder / f"{SOCKET}:1"):
        os.chown(folder / SOCKET, OTHER, -1)
        folder.chmod(0o777 | stat.S_ISVTX)

        def found() -> int:
            with Targets([str(folder)]) as targets:
                return len(list(targets.found()))

        assert found() == 1
        monkeypatch.setattr("ctrgen.tools.live.targets.trusted", lambda path: True)  # planted
        assert found() == 2


def test_one_that_is_stale() -> None:
    """It has counters and hangs; it is down, and its age is there."""
    for seconds, up in ((0, 1), (59, 1), (61, 0), (2**31, 0)):
        made = Applications(lambda seconds=seconds: [("a", Made(published=seconds))])  # type: ignore[misc]
        assert scraped(made) == {"a": up}
        assert scraped(made, "ctrgen_published_age_seconds") == {"a": seconds}
    assert scraped(Applications({"a": Made()}.items), "ctrgen_published_age_seconds") == {}

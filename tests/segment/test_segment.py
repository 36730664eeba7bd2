# SPDX-License-Identifier: BSD-3-Clause
"""Shared segments: what is published is what is read, in C and in Python, whatever becomes of the
application."""

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.tools.live.model import LiveError
from ctrgen.tools.live.segment import Segment
from tests.segment.lab import Application, application, peek, python_dump
from tests.support.cbuild import Workshop, figures
from tests.support.process import run, succeed, until
from tests.support.strategies import LOCKING, SEQUENCED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "app.seg"


@pytest.fixture
def app(workshop: Workshop, path: Path) -> Iterator[Application]:
    found = Application(application(workshop), path)
    assert found.created == "0"
    yield found
    if found.process.poll() is None:
        assert found.end() == 0


def test_every_reader_finds_the_same(app: Application, workshop: Workshop, path: Path) -> None:
    for command in ("publish", "reset", "destroy", "rekey"):
        app.do(command, "publish")
        wanted = app.dump()
        assert succeed(peek(workshop), "dump", path).splitlines() == wanted, command
        assert python_dump(path) == wanted, command
    assert any("mode=busy" in line and "prefix=2001:db8::" in line for line in wanted)
    assert "bearer|new|voice|2001:db8::1|a1a1a1 pkts=8" in wanted
    assert app.do("drops") == "0"


def test_the_directory_is_the_schema(app: Application, path: Path) -> None:
    source = Segment(path)
    (module,) = source.modules()
    assert [scope.name for scope in module.scopes] == [
        "global", "session", "bearer", "drop", "eternal", "pair", "_module",
    ]  # fmt: skip
    assert (module.name, module.views) == ("all", ("raw", "default", "cli", "billing"))
    top, session, bearer, drop, *_ = module.scopes
    assert top.items[0].description == 'Packets, "quoted".'
    assert {item.type for item in top.items} >= {"u64", "u32", "bool", "enum", "string", "ipv6"}
    (sizes,) = top.histograms
    assert (sizes.bounds, sizes.sum - sizes.first) == ((64, 512, 1518), 4)
    assert session.names == ("imsi", "kind")
    assert bearer.names == ("imsi", "kind", "peer", "token")
    assert drop.indexes[0].labels == ("vlan", "ttl", "acl")
    assert source.header().pid == app.process.pid


def test_discontinuities(app: Application, path: Path) -> None:
    began = time.time()
    source = Segment(path)
    (module,) = source.modules()
    session = module.scopes[1]
    before = {each.names[0]: each.since for each in source.read(module, session)}
    app.do("reset", "publish")
    after = {each.names[0]: each.since for each in source.read(module, session)}
    assert before.keys() == after.keys()
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"262011234567890"}
    assert abs(after["262011234567890"] - began) < 60


@pytest.mark.parametrize("sync", [SEQUENCED, LOCKING])
def test_never_torn(workshop: Workshop, path: Path, sync: str) -> None:
    app = Application(application(workshop, sync), path)
    app.do("run", "start")
    seen = figures(succeed(peek(workshop), "torn", path, "200000"))
    assert seen["wrong"] == 0 and seen["changes"] > 0, seen
    source = Segment(path)
    (module,) = source.modules()
    for _ in range(20):
        for each in source.read(module, module.scopes[5]):
            pkts, octets = each.values
            assert pkts is None or octets == pkts * 100, each  # type: ignore[operator]
    app.do("halt", "final")
    assert python_dump(path) == app.dump()
    assert app.end() == 0
    assert path.exists()


def test_killed_while_it_publishes(workshop: Workshop, path: Path) -> None:
    for pause in (0.01, 0.02, 0.03):
        app = Application(application(workshop), path)
        app.do("run")
        app.tell("spin")
        time.sleep(pause)
        app.kill()
        assert succeed(peek(workshop), "alive", path) == "0 0\n"
        seen = figures(succeed(peek(workshop), "torn", path, "8"))
        assert seen["wrong"] == 0, seen
        with pytest.raises(LiveError, match=r"process \d+\) exited without publishing"):
            Segment(path).modules()
        assert len(python_dump(path, dead=True)) > 600


def records(path: Path, scope: str) -> int:
    """Where the records of a scope begin in the file."""
    file = Segment(path, dead=True)._current()
    module, places = file.modules["all"]
    return places[[each.name for each in module.scopes].index(scope)].records


def odd(path: Path, at: int) -> None:
    """Make a sequence count odd, as a writer leaves it that is killed in the middle."""
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte | 1]))


def test_killed_in_the_middle_of_a_record(app: Application, workshop: Workshop, path: Path) -> None:
    wanted = app.dump()
    app.kill()
    odd(path, records(path, "eternal"))
    left = [line for line in wanted if not line.startswith("eternal|0 ")]
    assert succeed(peek(workshop), "dump", path).splitlines() == left
    assert [line for line in python_dump(path, dead=True) if "pkts=None" not in line] == left
    assert "eternal|0 pkts=None" in python_dump(path, dead=True)


def test_lives_and_ends(app: Application, workshop: Workshop, path: Path) -> None:
    assert succeed(peek(workshop), "alive", path) == "1 0\n"
    assert oct(path.stat().st_mode & 0o777) == "0o640"
    app.do("fork")
    app.do("final")
    assert succeed(peek(workshop), "alive", path) == "1 1\n"
    app.tell("publish")
    assert int(app.answer()) < 0
    assert app.end() == 0
    with pytest.raises(LiveError, match="exited after publishing final values"):
        Segment(path).modules()


def test_the_file_goes_with_the_application(app: Application, path: Path) -> None:
    assert app.end() == 0
    assert not path.exists()
    with pytest.raises(LiveError, match=r"app\.seg: No such file"):
        Segment(path).modules()


def test_killed_before_it_is_complete(app: Application, workshop: Workshop, path: Path) -> None:
    """A process that is killed while it waits for the former one leaves no file behind."""
    successor = Application(application(workshop), path, "former", waits=True)
    opened, ours = Path(f"/proc/{successor.process.pid}/fd"), f"{path.parent}/"
    until(lambda: any(str(one.readlink()).startswith(ours) for one in opened.iterdir()))
    successor.kill()
    assert list(path.parent.iterdir()) == [path]


def test_a_restart_is_found(app: Application, workshop: Workshop, path: Path) -> None:
    source = Segment(path)
    (module,) = source.modules()
    generation = source.header().generation
    app.kill()
    with pytest.raises(LiveError, match="without publishing"):
        next(source.read(module, module.scopes[0]))
    second = Application(application(workshop), path)
    (again,) = source.modules()
    assert again == module and source.header().generation != generation
    assert len(list(source.read(module, module.scopes[5]))) == 600
    assert second.end() == 0


def test_memory_without_a_name(workshop: Workshop) -> None:
    app = Application(application(workshop), "-")
    app.tell("fd")
    place = f"/proc/{app.process.pid}/fd/{app.answer()}"
    assert python_dump(place) == app.dump()
    assert succeed(peek(workshop), "dump", place).splitlines() == app.dump()
    with pytest.raises(OSError), Path(place).open("r+b") as file:
        os.ftruncate(file.fileno(), 100)
    with pytest.raises(OSError), Path(place).open("r+b") as file:
        file.write(b"x")
        file.flush()
    assert app.end() == 0


def test_no_room_and_no_folder(workshop: Workshop, tmp_path: Path) -> None:
    app = Application(application(workshop), tmp_path / "none" / "app.seg")
    assert int(app.created) < 0
    app.end()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("where", ["/dev/shm/none.seg", "-"])
def test_a_limit_of_file_sizes(workshop: Workshop, where: str) -> None:
    """The kernel would end the process, by SIGXFSZ."""
    app = Application(Path("prlimit"), "--fsize=4096", application(workshop), where)
    assert app.created == str(-errno.EFBIG)
    assert app.end() == 0


def test_the_thread_publishes(app: Application, path: Path) -> None:
    source = Segment(path)
    before = source.header().publications
    app.do("start")
    deadline = time.monotonic() + 60
    while source.header().publications < before + 3 and time.monotonic() < deadline:
        time.sleep(0.005)
    assert source.header().publications >= before + 3
    app.do("stop", "start", "stop")


def test_peek_says_what_is_wrong(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no segment" * 100)
    (tmp_path / "empty").touch()
    for name in ("text", "empty", "none", "."):
        done = run(peek(workshop), "dump", tmp_path / name)
        assert done.returncode == 0 and int(done.stdout) < 0, name

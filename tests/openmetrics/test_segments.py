# SPDX-License-Identifier: BSD-3-Clause
"""`ctr-openmetrics`: the segments of a folder, as `ctrgen export` has them; of processes that end,
are killed, start again; and of those that publish anything."""

import contextlib
import fcntl
import os
import random
import resource
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import Metric

from ctrgen.tools.live.metrics import OPENMETRICS as TYPE
from ctrgen.tools.live.metrics import PLAIN, Applications
from ctrgen.tools.live.targets import Targets
from tests.live.lab import fetched
from tests.openmetrics.lab import OPENMETRICS, Answer, read
from tests.openmetrics.test_same import facts, samples
from tests.segment.lab import Application, application
from tests.segment.test_corrupt import summed
from tests.support.cbuild import SANITIZED, Build, Workshop
from tests.support.planted import PROJECT
from tests.support.process import run

_FLOCK = struct.Struct("@hhqqi0q")


def tool(workshop: Workshop) -> Path:
    """The program, with sanitizers."""

    def make(target: Path) -> None:
        own = sorted((PROJECT.runtime() / "src" / "programs" / "ctr-openmetrics").glob("*.c"))
        build = Build(flags=SANITIZED, parts=("segment", "openmetrics"))
        workshop.link(target, build, own, [])

    return workshop.once("ctr-openmetrics", make)


class Tool:
    """The program, while it serves; its exit code must be 0."""

    def __init__(self, workshop: Workshop, *words: object, port: int = 0) -> None:
        command = [tool(workshop), "--listen", f"127.0.0.1:{port}", *words]
        self.process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.port = int(self.process.stderr.readline().split()[1])

    def families(self, accept: str = OPENMETRICS) -> dict[str, Metric]:
        body = fetched(self.port, "/metrics", Accept=accept)
        return Answer(200, {"content-type": TYPE if accept else PLAIN}, body).families()

    def up(self) -> dict[str, float]:
        found = self.families()["ctrgen_application_up"].samples
        return {sample.labels["application"]: sample.value for sample in found}

    def value(self, name: str, **labels: str) -> float:
        (found,) = (
            sample.value
            for family in self.families().values()
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )
        return found

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        _, text = self.process.communicate(timeout=60)
        assert (self.process.returncode, text) == (0, "")


@pytest.fixture
def serve(workshop: Workshop) -> Iterator[type[Tool]]:
    """Starts the program; ends it, too."""
    started = []

    def start(*words: object) -> Tool:
        started.append(Tool(workshop, *words))
        return started[-1]

    yield start  # type: ignore[misc]
    for each in started:
        each.end()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("every", [True, False], ids=["all", "touched"])
@pytest.mark.parametrize("accept", ["", OPENMETRICS])
def test_the_same_as_export(
    serve: type[Tool], workshop: Workshop, tmp_path: Path, every: bool, accept: str
) -> None:
    names = ("one.seg", "two.seg", "two.other")
    apps = [Application(application(workshop), tmp_path / name) for name in names]
    (tmp_path / "not-a-segment").write_text("x" * 5000)
    found = serve(*(["--all"] if every else []), tmp_path)
    with Targets([str(tmp_path)], every=every) as targets:
        theirs = Applications(targets.found)
        for commands in (("publish",), ("reset",), ("destroy",), ("rekey",)):
            for app in apps:
                app.do(*commands, "publish")
            answer = theirs()("application/openmetrics-text" if accept else "")
            other = Answer(200, {"content-type": answer.type}, answer.body).families()
            ours = found.families(accept)
            assert samples(ours) == pytest.approx(samples(other), rel=1e-15, abs=1e-6)
            assert facts(ours) == facts(other)
    assert len(found.up()) == 3
    for app in apps:
        assert app.end() == 0


def test_a_segment_that_is_named_twice(
    serve: type[Tool], workshop: Workshop, tmp_path: Path
) -> None:
    """By itself and by its folder, however that is spelt: it is one application."""
    app = Application(application(workshop), tmp_path / "a.seg")
    found = serve(
        tmp_path / "a.seg", f"{tmp_path}/", tmp_path, f"{tmp_path}//", "/nowhere", "/nowhere",
        tmp_path / ".." / tmp_path.name,
    )  # fmt: skip
    assert found.up() == {"a": 1, "nowhere": 0}
    assert app.end() == 0


def test_an_application_that_starts_again(
    serve: type[Tool], workshop: Workshop, tmp_path: Path
) -> None:
    """kill -9: its counters are not shown any more; after a start they begin later."""
    path, program = tmp_path / "a.seg", application(workshop)
    found = serve(tmp_path, "--all", tmp_path / "nowhere.seg")
    assert found.up() == {"nowhere": 0}
    app = Application(program, path)
    assert found.up() == {"a": 1, "nowhere": 0}
    labels = {"imsi": "262011234567890"}
    before = found.value("all_session_pkts_created", **labels)
    assert found.value("ctrgen_published_age_seconds", application="a") < 60
    app.kill()
    assert found.up() == {"a": 0, "nowhere": 0}
    assert not samples(found.families())
    time.sleep(0.01)
    app = Application(program, path)
    assert found.up()["a"] == 1
    assert found.value("all_session_pkts_created", **labels) > before
    assert found.value("all_session_pkts_total", **labels) == 64
    app.do("final")
    assert app.end() == 0
    assert found.up()["a"] == 0
    path.unlink()
    assert found.up() == {"nowhere": 0}


def test_a_segment_that_is_cut_short(serve: type[Tool], workshop: Workshop, tmp_path: Path) -> None:
    """All of its samples are shown, or none, and then it is not up."""
    path = tmp_path / "a.seg"
    app = Application(application(workshop), path)
    app.do("final")
    assert app.end() == 0
    with alive(path):
        found = serve("--all", path)
        whole = samples(found.families())
        states = []
        for size in (path.stat().st_size, 60000, 30000, 20000, 10000, 8000, 5000, 4096, 500, 0):
            os.truncate(path, size)
            families = found.families()
            states.append(found.up()["a"])
            assert samples(families) == (whole if states[-1] else {}), size
            ages = families["ctrgen_published_age_seconds"].samples
            assert all(age.value < 3600 for age in ages), size
    assert states[0] == 1 and states[-1] == 0 == states[4]


def test_a_segment_that_could_not_be_opened(
    serve: type[Tool], workshop: Workshop, tmp_path: Path
) -> None:
    """It is served once there are descriptors for it, although no file has changed."""
    found = serve(tmp_path / "a.seg")
    assert found.up() == {"a": 0}
    pid = found.process.pid
    limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    app = Application(application(workshop), tmp_path / "a.seg")
    with contextlib.closing(socket.create_connection(("127.0.0.1", found.port))) as waiting:
        time.sleep(0.2)
        used = {int(one.name) for one in Path(f"/proc/{pid}/fd").iterdir()}
        few = min(set(range(len(used) + 1)) - used)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, limits[1]))
        waiting.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        assert b'application="a"} 0' in read(waiting)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
    assert found.up() == {"a": 1}
    assert app.end() == 0


@contextlib.contextmanager
def alive(*paths: Path) -> Iterator[None]:
    """As if their applications ran: each has its lock."""
    files = [os.open(path, os.O_RDWR) for path in paths]
    for file in files:
        lock = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, lock)
    yield
    for file in files:
        os.close(file)


def changed(whole: bytes, chance: random.Random) -> bytearray:
    """A segment with a directory or records that no application writes, and a sum that fits."""
    data = bytearray(whole)
    used = sum(struct.unpack_from("=II", data, 64))
    for _ in range(chance.randint(0, 3)):
        size = chance.choice((1, 4, 8))
        at = chance.randrange(96, used if chance.random() < 0.9 else len(data)) // size * size
        value = chance.choice((chance.randrange(256), 2**31, 2**32 - 1, 2**64 - 1, 0))
        data[at : at + size] = (value % 2 ** (8 * size)).to_bytes(size, "little")
    if chance.random() < 0.9:
        summed(data)
    return data


def test_segments_with_anything(serve: type[Tool], workshop: Workshop, tmp_path: Path) -> None:
    """Each scrape can be parsed, and has all of the sound application, whose names come first."""
    good = Application(application(workshop), tmp_path / "a-good.seg")
    chance = random.Random(7)
    found = serve("--series", 700, tmp_path)

    def scrape() -> dict[str, Metric]:
        """All metrics; the sound application has published less than a minute ago."""
        good.do("publish")
        return found.families()

    wanted = {key for key in samples(scrape()) if ("application", "a-good") in key[1]}
    assert len(wanted) > 100
    ups = 0
    for _ in range(4):
        whole = (tmp_path / "a-good.seg").read_bytes()
        paths = [tmp_path / f"bad{n}.seg" for n in range(16)]
        for path in paths:
            path.unlink(missing_ok=True)
            path.write_bytes(changed(whole, chance))
        with alive(*paths):
            families = scrape()
            assert wanted <= samples(families).keys()
            ups += sum(sample.value for sample in families["ctrgen_application_up"].samples)
            for path in paths[::3]:
                os.truncate(path, chance.choice((0, 1, 4096, 65536, len(whole) * 2)))
            assert wanted <= samples(scrape()).keys()
    assert ups > 30, "few were read at all"
    assert good.end() == 0


NAMES = {
    "all": "\0ll", "small": "smal\"", "session": "sess on", "reason": "9eason", "imsi": "ims\n",
    "sizes": "siz\u00e9", "units": "9nits",
}  # fmt: skip
"""Names of a module, an item, a scope, an index, a part of a key, a histogram and a metric, and
others that are none."""


def test_names_that_are_none(serve: type[Tool], workshop: Workshop, tmp_path: Path) -> None:
    """`ctrgen export` and the program refuse the same segments."""
    good = Application(application(workshop), tmp_path / "good.seg")
    whole = (tmp_path / "good.seg").read_bytes()
    paths = [tmp_path / f"{name}.seg" for name in NAMES]
    for path, (name, other) in zip(paths, NAMES.items(), strict=True):
        before, after = (b"\0" + text.encode() + b"\0" for text in (name, other))
        assert before in whole and len(before) == len(after)
        path.write_bytes(summed(bytearray(whole.replace(before, after))))
    found = serve(tmp_path)
    with alive(*paths), Targets([str(tmp_path)]) as targets:
        theirs = Applications(targets.found)
        assert theirs.text().endswith("# EOF\n")
        assert {path.stem for path in paths} == theirs.reasons.keys()
        assert all("is no name" in reason for reason in theirs.reasons.values())
        assert found.up() == {"good": 1, **dict.fromkeys(NAMES, 0)}
    assert good.end() == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "no path"),
        (("--series", "0", "."), "not a number"),
        (("--series", "x", "."), "not a number"),
        (("--listen", "nowhere", "."), "nowhere"),
        (("--unknown", "."), "usage"),
        (("--token-file", "/nowhere", "."), "/nowhere"),
        (("--user", "x", "."), "--password-file"),
        (("--key", "x", "."), "--certificate"),
        (("--connections", "1001", "."), "at most 1000"),
    ],
)
def test_mistakes(workshop: Workshop, words: tuple[str, ...], says: str) -> None:
    done = run(tool(workshop), *words)
    assert done.returncode == 2 and says in done.stderr, done.stderr


def test_an_empty_token(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("\n")
    done = run(tool(workshop), "--token-file", tmp_path / "token", ".")
    assert done.returncode == 2 and "its first line is empty" in done.stderr

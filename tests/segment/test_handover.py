# SPDX-License-Identifier: BSD-3-Clause
"""Counts go on in the next process: nothing is lost or counted twice, and what was renamed,
added, removed or changed is told."""

import collections
import errno
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import Value
from ctrgen.tools.live.segment import Segment
from ctrgen.tools.live.targets import Targets
from tests.run.variants import HARNESS
from tests.segment.lab import HERE, Application, segment_sources
from tests.support.cbuild import QUICK, Build, Workshop, figures
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import run, succeed
from tests.support.strategies import BUFFERING, LOCKING, OWN_LOCKS, SEQUENCED, SHARED, USUAL

SAME = (
    "kept", "narrow", "renamed", "sessions", "lanes", "default", "billing", "vlan", "ports", "torn",
)  # fmt: skip
"""What a process has in the end, and the next one in the beginning."""
SYNCS = (USUAL, SEQUENCED, BUFFERING, SHARED)
TOLD = {
    "before": {
        *("new:global.only_before", "removed:global.only_after", "changed:global.other"),
        "lost:drop.*",
    },
    "after": {"new:global.only_after", "removed:global.only_before", "changed:global.other"},
}
BEFORE = HERE / "before.yaml"
AFTER = {
    "only_before: {unit: packets, description: In this one": (
        "only_after: {unit: packets, description: In that one"
    ),
    "before: {unit: packets, description: Has": "after: {unit: packets, description: Has",
    "renamed_from: after": "renamed_from: before",
    "other: {unit: packets,": "other: {unit: By,",
    "{idle: 1, busy: 2}": "{busy: At work, idle: 2, gone: 3}",
    "max: 100\n": "max: 120\n",
    "name: subscriber,": "name: imsi,",
    "renamed_from: imsi": "renamed_from: subscriber",
    "[vlan, ttl, acl]": "{acl: ACL, ttl: TTL, new: new, vlan: VLAN}",
}
"""What is different in the schema of the next process."""


def schema(workshop: Workshop, name: str) -> Path:
    """A version of the schema."""
    if name == "before":
        return BEFORE
    text = BEFORE.read_text("utf-8")
    for old, new in AFTER.items():
        text = Edit("", old, new).applied(text)
    return workshop.once("ho-after.yaml", lambda path: path.write_text(text, "utf-8"))


def program(
    workshop: Workshop, name: str, sync: str, tree: Tree = PROJECT, port: str = "posix"
) -> Path:
    """The program of a version of the schema."""
    flags = (*QUICK, *(("-DAFTER",) if name == "after" else ()))
    return workshop.program(
        Build(
            schema(workshop, name), sync, (HERE / "handover.c",), tuple(segment_sources(tree)),
            flags=flags, tree=tree, port=port,
        )
    )  # fmt: skip


def exposed(path: Path) -> float:
    """What a scraper is told of `kept`."""
    with Targets([str(path)]) as targets:
        lines = Applications(targets.found).text().splitlines()
    (line,) = (line for line in lines if line.startswith("ho_kept_total{"))
    return float(line.split()[1])


def seen(path: Path, *, dead: bool = False) -> Value:
    """The Unix time at which the first process began, as the segment has it."""
    source = Segment(path, dead=dead)
    (module,) = source.modules()
    (values,) = (instance.values for instance in source.read(module, module.scopes[0]))
    return dict(zip((item.name for item in module.scopes[0].items), values, strict=True))["seen"]


class Chain:
    """Processes that hand over, and what all of them have counted."""

    def __init__(self, path: Path, more: tuple[str, ...] = ()) -> None:
        self.path, self.more = path, more
        self.now: Application | None = None
        self.apps: list[Application] = []
        self.sums: collections.Counter[str] = collections.Counter()
        self.billed = self.reset = 0

    def ask(self, app: Application, command: str) -> int:
        app.tell(command)
        return figures(app.answer())["kept"]

    def next(self, program: Path) -> tuple[set[str], dict[str, int]]:
        """Hand over to a new process; what it was told, and what it found."""
        former = self.now
        app = Application(program, self.path, *self.more, waits=former is not None)
        self.apps.append(app)
        if former is not None:
            self.billed += self.ask(former, "bill")
            self.reset += self.ask(former, "reset")
            former.tell("final")
            self.sums.update(figures(former.answer()))
            final = former.answer()
            assert former.answer() == "done"
            app.created = app.answer()
        told, _, result = app.created.partition("| ")
        assert result, f"the new process ended with {app.process.wait(60)}"
        assert result.split()[0] == "0", result
        found = app.answer()
        if former is not None:
            assert result.split()[1:3] == ["0", "1"], result
            for name in SAME:
                assert figures(found)[name] == figures(final)[name], (name, final, found)
            assert former.end() == 0
        self.now = app
        return set(told.split()), figures(found)

    def release(self) -> None:
        """End all that is left."""
        for app in self.apps:
            app.process.kill()
            app.process.wait()
            app.release()


@pytest.fixture
def chain(tmp_path: Path) -> Iterator[Chain]:
    found = Chain(tmp_path / "app.seg")
    yield found
    found.release()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("sync", SYNCS)
def test_handed_over(
    workshop: Workshop, chain: Chain, sync: str, request: pytest.FixtureRequest
) -> None:
    programs = {name: program(workshop, name, sync) for name in ("before", "after")}
    rounds = 100 if request.config.getoption("--long") else 3
    chain.next(programs["before"])
    began = None
    for i in range(1, rounds + 1):
        version = ("before", "after")[i % 2]
        time.sleep(0.003)
        told, found = chain.next(programs[version])
        assert told == TOLD[version], told
        sums = chain.sums
        assert {name: found[name] for name in ("kept", "renamed", "sessions", "vlan")} == dict(sums)
        assert found["lanes"] == found["sessions"]  # only an orderly end has both of one time
        assert found["narrow"] == sums["kept"] % 2**32 and found["sizes"] == sums["kept"]
        assert found["billing"] == sums["kept"] - chain.billed
        assert found["default"] == sums["kept"] - chain.reset
        assert (found["level"], found["busy"], found["titled"]) == (i, 1, 1)
        assert found["shown"] == found["ports"] > 0
        now = (Segment(chain.path).header().start_ns, seen(chain.path))
        began = began or now
        assert now == began
    assert chain.sums["kept"] > 100
    assert chain.now is not None and chain.now.end() == 0


def restarted(workshop: Workshop, chain: Chain, tree: Tree = PROJECT) -> tuple[Value, Value]:
    """Hand over as after a restart of the machine, whose clock begins at 0 again: the Unix time of
    an event before and after it."""
    first = program(workshop, "before", USUAL, tree)
    chain.next(first)
    assert chain.now is not None
    chain.now.tell("final")
    assert [chain.now.answer() for _ in range(3)][-1] == "done"
    assert chain.now.end() == 0
    clock_ns = Segment(chain.path, dead=True).header().clock_ns
    octets = chain.path.read_bytes()
    assert octets.count(struct.pack("<Q", clock_ns)) == 1
    moved = octets.replace(*(struct.pack("<Q", n) for n in (clock_ns, clock_ns - 10**15)))
    chain.path.write_bytes(moved)
    before = seen(chain.path, dead=True)
    app = Application(first, chain.path)
    chain.apps.append(app)
    assert app.created.split("| ")[1].split()[:3] == ["0", "0", "1"]
    app.tell("final")
    assert [app.answer() for _ in range(4)][-1] == "done"
    assert app.end() == 0
    return before, seen(chain.path, dead=True)


def test_times_are_those_of_the_calendar_after_a_restart(workshop: Workshop, chain: Chain) -> None:
    before, after = restarted(workshop, chain)
    assert before == after


@pytest.mark.deep
def test_times_of_another_clock(workshop: Workshop, chain: Chain, tmp_path: Path) -> None:
    """A planted bug: a time is taken over as it is."""
    edit = Edit(
        "runtime/src/parts/segment/ctr_segment_carry.c",
        "word != 0 ? clock_ns : 0",
        "word != 0 ? 0 * clock_ns : 0",
    )
    before, after = restarted(workshop, chain, planted(tmp_path / "tree", [edit]))
    assert before != after


@pytest.mark.deep
def test_lanes_of_sessions_that_never_were(
    workshop: Workshop, chain: Chain, tmp_path: Path
) -> None:
    """A planted bug: what is inside of no instance is reported as lost."""
    edit = Edit(
        "runtime/src/parts/segment/ctr_segment_handover.c",
        "else if (ctr_segment_was_inside(match, at))", "else",
    )  # fmt: skip
    chain.next(program(workshop, "before", USUAL))
    told, _ = chain.next(program(workshop, "after", USUAL, planted(tmp_path, [edit])))
    assert "lost:lane.*" in told


SHRUNK = """\
ctrgen: 1
module: sh
scopes:
  port: {max: 4, counters: {pkts: {unit: packets, description: Packets.}}}
  queue: {max: %d, counters: {pkts: {unit: packets, description: Packets.}}}
"""


def test_a_second_scope_with_fewer_instances(workshop: Workshop, tmp_path: Path) -> None:
    """What has no place in the next process is lost, and nothing else has its counts."""
    told = []
    for most in (8, 4):
        schema = tmp_path / str(most) / "sh.yaml"
        schema.parent.mkdir()
        schema.write_text(SHRUNK % most, "utf-8")
        own, part = (HERE / "shrunk.c",), tuple(segment_sources())
        made = workshop.program(Build(schema, USUAL, own, part, flags=QUICK))
        told.append(succeed(made, tmp_path / "app.seg").splitlines())
    assert told == [["0"], ["queue 4", "queue 5", "queue 6", "queue 7", "0"]]


EXACT = (OWN_LOCKS, LOCKING, *SYNCS)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("sync", EXACT)
def test_resets_in_a_view(
    workshop: Workshop, chain: Chain, sync: str, request: pytest.FixtureRequest
) -> None:
    """The deltas of views that are reset beside traffic are what was added, before and after a
    hand-over, and a scraper sees nothing of those of billing."""
    marks = 10000 if request.config.getoption("--long") else 100
    chain.next(program(workshop, "before", sync))
    for command, version in (("marks", "after"), ("mark ", "before")):
        assert chain.now is not None
        seen = [exposed(chain.path)]
        chain.now.tell(f"{command}{marks}")
        if command == "mark ":
            seen += [exposed(chain.path) for _ in range(3)]
        made = figures(chain.now.answer())
        if command == "mark ":
            assert made["reset"] == 0 and sorted(seen) == seen, seen
        chain.billed += made["billed"]
        chain.reset += made["reset"]
        _, found = chain.next(program(workshop, version, sync))
        assert found["kept"] == chain.sums["kept"] > 0
        assert found["billing"] + chain.billed == found["default"] + chain.reset == found["kept"]
    chain.now.tell("final")
    added, final = figures(chain.now.answer()), figures(chain.now.answer())
    assert chain.now.answer() == "done"
    assert final["kept"] == found["kept"] + added["kept"]
    assert exposed(chain.path) == final["default"]
    assert chain.now.end() == 0


def test_a_former_process_that_was_killed(workshop: Workshop, chain: Chain) -> None:
    first = program(workshop, "before", USUAL)
    chain.next(first)
    former = chain.apps[0]
    deadline = time.monotonic() + 60
    source = Segment(chain.path)
    (module,) = source.modules()
    while time.monotonic() < deadline:
        (before,) = source.read(module, module.scopes[0])
        if isinstance(before.values[0], int) and before.values[0] > 1000:
            break
    former.process.kill()
    former.process.wait()
    app = Application(first, chain.path)
    chain.apps.append(app)
    assert app.created.split("| ")[1].split()[:3] == ["0", "0", "0"]
    assert figures(app.answer())["kept"] > 1000
    (after,) = source.read(module, module.scopes[0])
    assert after.since > before.since


def test_a_former_process_that_goes_on(
    workshop: Workshop, chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = program(workshop, "before", USUAL)
    chain.next(first)
    monkeypatch.setenv("WAIT_MS", "10")
    app = Application(first, chain.path)
    chain.apps.append(app)
    assert app.created == f"| {-errno.ETIMEDOUT} 0 0 0"
    assert len(list(Segment(chain.path).modules())) == 1  # of the first, which is still there
    assert list(chain.path.parent.iterdir()) == [chain.path]


LOST = {
    "a former name of a part is forgotten": (
        "sessions",
        Edit("runtime/src/parts/segment/ctr_segment_match.c",
             "index, part->name);", "index, NULL);"),
    ),
    "views are not made anew": (
        "default",
        Edit("runtime/src/parts/segment/ctr_segment_carry.c",
             "rc = scope->view_reset(view, index, NULL);", "rc = 0;"),
    ),
}  # fmt: skip
"""What is not the same in the next process with a bug."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bug", LOST)
def test_planted(workshop: Workshop, chain: Chain, tmp_path: Path, bug: str) -> None:
    wrong, edit = LOST[bug]
    chain.next(program(workshop, "before", USUAL))
    time.sleep(0.003)
    with pytest.raises(AssertionError, match=wrong):
        chain.next(program(workshop, "after", USUAL, planted(tmp_path / "bug", [edit])))


def parked(workshop: Workshop, tree: Tree = PROJECT) -> Path:
    """The program of parked.c."""
    return workshop.program(
        Build(
            BEFORE, SEQUENCED, (HERE / "parked.c",),
            (*segment_sources(tree), *HARNESS), flags=QUICK, tree=tree,
        )
    )  # fmt: skip


@pytest.mark.deep
def test_what_did_not_belong_together(workshop: Workshop, tmp_path: Path) -> None:
    """A view whose last reset took one half of an update says so until it is reset, in the next
    process as well; the raw view never does."""
    succeed(parked(workshop), "torn", cwd=tmp_path)
    edit = Edit(
        "runtime/src/parts/segment/ctr_segment_handover.c", "scope->tear(index);", "(void)0;"
    )
    done = run(parked(workshop, planted(tmp_path / "bug", [edit])), "torn", cwd=tmp_path)
    assert done.returncode != 0 and "VIEW_DEFAULT, 1) == -EAGAIN" in done.stderr

# SPDX-License-Identifier: BSD-3-Clause
"""Instances that have counted nothing are left out, until they have."""

import dataclasses
import sys
import tempfile
from pathlib import Path

import pytest

from ctrgen.tools.live import targets
from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import Index, Instance, Item, LiveError, Module, Scope, Value
from ctrgen.tools.live.screen import screen
from ctrgen.tools.live.targets import Shown, Touched
from ctrgen.tools.live.watch import Watch, as_json
from tests.live import lab
from tests.live.made import Made
from tests.live.test_watch import shown as printed
from tests.support.cbuild import Workshop
from tests.support.planted import Edit, fails
from tests.support.process import succeed

PKTS = Item("pkts", "counter", "u64", "packets", "Packets.", 64)
LABELS = (("closed", 0), ("opened", 1))
ITEMS = (
    PKTS, Item("load", "gauge", "u64", "%", "Load.", 64), Item("up", "state", "bool", "", "Up."),
    Item("phase", "state", "enum", "", "Phase.", labels=LABELS),
    Item("mode", "state", "enum", "", "Mode.", labels=(("a", 1),)),
    Item("at", "state", "ipv6", "", "Address."), Item("title", "state", "string", "", "Title."),
    Item("seen", "state", "timestamp", "", "Seen."),
)  # fmt: skip
NOTHING: tuple[Value, ...] = (0, 0, False, "closed", None, "::", "", None)


def port(maximum: int = 1024, *more: Index, **of_scope: bool) -> Scope:
    return Scope("port", "Ports.", (Index("port", maximum), *more), ITEMS, **of_scope)


def rows(scope: Scope, *busy: int) -> list[Instance]:
    """The instances of a scope of one index; those that are busy have counted."""
    return [
        Instance((n,), (str(n),), (7 if n in busy else 0, *NOTHING[1:]), 0)
        for n in range(scope.indexes[0].maximum)
    ]


def application(scope: Scope, instances: list[Instance]) -> Made:
    return Made(Module("ep", "Example.", (scope,)), {scope.name: instances})


def seen(made: Made, memory: Shown | None = None) -> list[tuple[int, ...]]:
    source = Touched(made, {} if memory is None else memory)
    (scope,) = made.module.scopes
    return [one.indexes for one in source.read(made.module, scope)]


def test_one_port_of_many() -> None:
    made = application(port(), rows(port(), 17))
    text = Applications(lambda: [("a", Touched(made, {}))]).text()
    found = lab.parsed(text)
    left = ("application", "a"), ("module", "ep"), ("scope", "port")
    assert found["ctrgen_instances_left_out", left] == 1023
    assert found["ep_port_pkts_total", (("application", "a"), ("port", "17"))] == 7
    assert len(found) < 20
    watch = Watch()
    looked = watch.look([("a", Touched(made, {}))])
    assert {row.instance.indexes for row, *_ in looked} == {(17,)}
    assert as_json(looked, watch)["applications"]["a"]["left_out"] == {"ep.port": 1023}
    text = printed(looked, watch, 100)
    assert "a: without 1,023 of ep.port, which counted nothing (--all)" in text
    none = watch.look([("b", Touched(application(port(), rows(port())), {}))])
    assert none == [] and as_json(none, watch)["applications"]["b"]["left_out"]
    assert screen(none, watch, 5, 80)


@pytest.mark.parametrize("at", range(len(ITEMS)))
@pytest.mark.parametrize("amount", [1, 2**16 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1])
def test_any_value_shows_an_instance(at: int, amount: int) -> None:
    some: dict[str, Value] = {
        "bool": True, "enum": "opened" if ITEMS[at].name == "phase" else "a", "ipv6": "::1",
        "string": "x",
    }  # fmt: skip
    values = list(NOTHING)
    values[at] = some.get(ITEMS[at].type, amount)
    none = Instance((0,), ("0",), NOTHING, 1.7e9)
    made = application(port(), [none, Instance((1,), ("1",), tuple(values), 0)])
    assert seen(made) == [(1,)]


def test_what_was_shown_stays() -> None:
    """When it is reset, when its gauge is 0 again, and after a restart; not in another layout."""
    memory: Shown = {}
    made = application(port(9), rows(port(9), 2, 5))
    assert seen(made, memory) == [(2,), (5,)]
    made.instances["port"] = rows(port(9), 5)
    assert seen(made, memory) == [(2,), (5,)]
    made.broken = frozenset(["port"])
    with pytest.raises(LiveError):
        seen(made, memory)
    made.broken = frozenset()
    made.instances["port"] = rows(port(9))
    source = Touched(made, memory)
    assert next(source.read(made.module, made.module.scopes[0])).indexes == (2,)
    assert seen(application(port(9), rows(port(9), 1)), memory) == [(1,), (2,), (5,)]
    made.module = dataclasses.replace(made.module, layout="other")
    assert seen(made, memory) == []


def test_what_is_shown_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "MOST_RETAINED", 3)
    memory: Shown = {}
    assert len(seen(application(port(9), rows(port(9), *range(9))), memory)) == 9
    assert sum(map(len, memory.values())) == 3


REASONS = Index("reason", 5, ("a", "b", "c", "d", "e"))


@pytest.mark.parametrize(
    ("scope", "always"),
    [
        (Scope("port", "One.", (), ITEMS), True),
        (port(1024, dynamic=True), True),
        (port(2), False),
        (Scope("port", "Reasons.", (REASONS,), ITEMS), True),
        (Scope("port", "Reasons.", (Index("r", 64, ("x",) * 64),), ITEMS), True),
        (Scope("port", "Reasons.", (Index("r", 65, ("x",) * 65),), ITEMS), False),
        (Scope("port", "Reasons.", (REASONS, Index("port", 3)), ITEMS), False),
        (port(3, REASONS), False),
    ],
)
def test_which_scopes_are_whole(scope: Scope, always: bool) -> None:
    """Those with one instance, with a few labels, and those whose instances are created."""
    first = Instance((0,) * len(scope.indexes), ("0",) * len(scope.indexes), NOTHING, 0)
    assert bool(seen(application(scope, [first]))) == always


def test_labels_of_one_thing_are_shown_together() -> None:
    """A reason that did not occur is 0 at a port that has others: its rate is known."""
    names = [(n, r) for n in range(3) for r in range(5)]
    made = application(
        port(3, REASONS),
        [Instance(at, ("", ""), (int(at == (1, 4)), *NOTHING[1:]), 0) for at in names],
    )
    assert seen(made) == [(1, r) for r in range(5)]


def test_a_running_application(workshop: Workshop) -> None:
    """The real exporter and `ctrgen top`: nothing is sent, so no session has counted."""
    left = ("application", "edge"), ("module", "ep"), ("scope", "session")
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        app = lab.Application(lab.program(workshop, "posix"), Path(name) / "edge.seg", rate=1)
        app.sent("stop")
        busy = sum(any(session.values()) for session in app.values()["session"].values())
        exporter = lab.Exporter(app.path, every=False)
        samples = exporter.scrape()
        text = succeed(sys.executable, "-m", "ctrgen", "top", app.path, "--once")
        every = succeed(sys.executable, "-m", "ctrgen", "top", app.path, "--once", "--all")
        assert exporter.end() == 0
        assert app.end() == 0
    assert samples["ctrgen_instances_left_out", left] == 1000 - busy
    assert len([1 for key, _ in samples if key == "ep_session_pkts_total"]) == busy < 100
    assert ("ep_total_pkts_total", left[:1]) in samples, "there is one of it"
    sizes = {kind: samples["ctrgen_segment_bytes", (left[0], ("kind", kind))]
             for kind in ("apparent", "allocated")}  # fmt: skip
    assert 0 < sizes["allocated"] <= sizes["apparent"] + 4096
    assert f"edge: without {1000 - busy:,} of ep.session" in " ".join(text.split())
    assert len(every.splitlines()) > 2000 > 220 > len(text.splitlines())


TOUCHED = "generator/tools/live/targets.py"
BUGS = {
    "what was shown goes": Edit(TOUCHED, "if indexes not in before and", "if"),
    "labels are judged each": Edit(TOUCHED, "return count if group", "return count if 0 > group"),
    "every label is shown": Edit(TOUCHED, "if group <= GROUP else", "if group else"),
    "gauges do not count": Edit(TOUCHED, "if not any(values):", "if not values[0]:"),
    "addresses are values": Edit(TOUCHED, "if rest[at] in none:", "if False:"),
    "created ones are judged": Edit(TOUCHED, "if scope.dynamic or not levels:", "if not levels:"),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", BUGS)
def test_planted(name: str, tmp_path: Path) -> None:
    """The tests above, with a bug."""
    fails(tmp_path, BUGS[name], __file__, "-k", "not running and not planted")

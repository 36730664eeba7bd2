# SPDX-License-Identifier: BSD-3-Clause
"""Rates of what is watched, and how a terminal shows them."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable

import pytest
from rich.console import Console

from ctrgen.live import watch as watching
from ctrgen.live.model import Index, Instance, Item, LiveError, Module, Scope
from ctrgen.live.page import fastest
from ctrgen.live.screen import ordered, screen
from ctrgen.live.watch import HISTORY, Row, Share, Watch, as_json
from tests.live.made import EP, SESSION, Made, by_lcore, instance, usual

NARROW = Module(
    "ep", "Narrow.",
    (Scope("flow", "Flows.", (Index("flow", 9),), (Item("n", "counter", "u32", "", "N.", 32),)),),
)  # fmt: skip


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock that only goes when told so."""
    now = [100.0]
    monkeypatch.setattr(watching.time, "monotonic", lambda: now[0])

    def advance(seconds: float) -> None:
        now[0] += seconds

    return advance


def rates(rows: list[Row], item: str, **labels: str) -> tuple[float | None, ...]:
    (row,) = (
        row
        for row in rows
        if row.item.name == item
        and dict(zip(row.scope.names, row.instance.names, strict=True)) == labels
    )
    return row.rates


def looks(made: Made, watch: Watch) -> list[Row]:
    return watch.look([("a", made)])


def test_a_rate_is_over_the_time_that_passed(pass_time: Callable[[float], None]) -> None:
    made, watch = usual(100), Watch()
    assert rates(looks(made, watch), "pkts", session="3") == ()
    for pkts, seconds in ((150, 2.0), (150, 1.0), (1150, 0.5)):
        pass_time(seconds)
        made.instances = usual(pkts).instances
        rows = looks(made, watch)
    assert rates(rows, "pkts", session="3") == (25, 0, 2000)
    assert rates(rows, "load", session="3") == (), "a gauge has no rate"


def test_no_rate_behind_a_discontinuity(pass_time: Callable[[float], None]) -> None:
    made, watch = usual(100), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances["session"][0] = made.instances["session"][0]._replace(since=1.8e9)
    assert rates(looks(made, watch), "pkts", session="3") == (None,)
    pass_time(1)
    first = made.instances["session"][0]
    made.instances["session"][0] = first._replace(values=(99, *first.values[1:]))
    assert rates(looks(made, watch), "pkts", session="3") == (None, None), "it went back"


def test_narrow_counters_wrap(pass_time: Callable[[float], None]) -> None:
    made, watch = Made(NARROW, {"flow": [instance(0, 2**32 - 3)]}), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances["flow"] = [instance(0, 7)]
    assert rates(looks(made, watch), "n", flow="0") == (10,)


def test_history_is_bounded_and_what_is_gone_is_forgotten(
    pass_time: Callable[[float], None],
) -> None:
    made, watch = usual(), Watch()
    for _ in range(HISTORY + 20):
        pass_time(1)
        rows = looks(made, watch)
    assert len(rates(rows, "pkts", session="3")) == HISTORY
    made.instances["session"] = []
    looks(made, watch)
    made.instances = usual().instances
    assert rates(looks(made, watch), "pkts", session="3") == ()


def test_of_many_instances_the_first_are_shown() -> None:
    made = Made(NARROW, {"flow": [instance(n, n) for n in range(50)]})
    watch = Watch(most=10)
    assert len(looks(made, watch)) == 10
    assert watch.cut == {("a", "ep", "flow")}
    found = as_json(looks(made, watch), watch)["applications"]["a"]["modules"]["ep"]["scopes"]
    assert found["flow"]["cut"] == 10


def test_what_each_lcore_has_counted(pass_time: Callable[[float], None]) -> None:
    made, watch = by_lcore(), Watch(spread=1)
    (row,) = looks(made, watch)
    assert row.lcores == {
        "1": Share(300, None), "7": Share(90, None), "non_lcore": Share(10, None),
    }  # fmt: skip
    pass_time(2)
    made.by_lcore["7"]["global"] = [Instance((), (), (110,), 0)]
    (row,) = looks(made, watch)
    assert row.lcores["7"] == Share(110, 10)
    assert row.lcores["1"] == Share(300, 0)
    told = as_json([row], watch)["applications"]["a"]["modules"]["ep"]["scopes"]["global"]
    assert told["lcores"] is True
    assert told["instances"][0]["lcores"]["events"]["7"] == {"value": 110, "rate": 10}
    assert looks(made, Watch())[0].lcores == {}, "it is not asked unless wanted"


def test_lcores_are_not_asked_of_many_instances() -> None:
    scope = dataclasses.replace(NARROW.scopes[0], lcores=True)
    made = Made(Module("ep", "", (scope,)), {"flow": [instance(n, n) for n in range(3)]})
    made.by_lcore = {"1": {"flow": [instance(n, n) for n in range(3)]}}
    assert {bool(row.lcores) for row in looks(made, Watch(spread=2))} == {False}
    lcores = [row.lcores for row in looks(made, Watch(spread=3))]
    assert lcores == [{}, {"1": Share(1, None)}, {"1": Share(2, None)}]


def test_the_fastest_are_kept_for_a_page(pass_time: Callable[[float], None]) -> None:
    made = Made(NARROW, {"flow": [instance(n, n * 100) for n in range(9)]})
    watch = Watch()
    looks(made, watch)
    pass_time(1)
    made.instances["flow"] = [instance(n, n * 100 + (n in (2, 5)) * (n + 1)) for n in range(9)]
    rows, slower = fastest(looks(made, watch), 4)
    assert [row.instance.indexes[0] for row in rows] == [2, 5, 7, 8]
    assert slower == {("a", "ep", "flow"): 5}


def test_instances_stay_together_on_a_screen(pass_time: Callable[[float], None]) -> None:
    made, watch = usual(100), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances = usual(200).instances
    names = [(row.scope.name, row.item.name) for row in ordered(looks(made, watch))]
    assert names[:2] == [("global", "events"), ("session", "pkts")]
    assert names[1:9] == [("session", item.name) for item in SESSION.items][:8]


def test_json_has_every_value() -> None:
    watch = Watch()
    rows = watch.look([("a", usual()), ("b", LiveError("it is gone"))])
    found = json.loads(json.dumps(as_json(rows, watch)))["applications"]
    assert found["b"] == {"modules": {}, "error": "it is gone"}
    session = found["a"]["modules"]["ep"]["scopes"]["session"]["instances"]
    assert [one["labels"] for one in session] == [{"session": "3"}, {"session": "9"}]
    assert session[1]["values"]["pkts"] == 2**64 - 1
    assert list(session[0]["values"]) == [item.name for item in SESSION.items]
    assert EP.scopes[0].name in found["a"]["modules"]["ep"]["scopes"]


def shown(rows: list[Row], watch: Watch, width: int, lines: int = 50) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(screen(rows, watch, lines, width))
    return console.export_text()


@pytest.mark.parametrize("width", [160, 80, 40])
def test_a_screen(pass_time: Callable[[float], None], width: int) -> None:
    made, watch = usual(100, text="[red]x"), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances = usual(1_000_100, text="[red]x").instances
    text = shown(watch.look([("a", made), ("b", LiveError("[b]gone[/b]"))]), watch, width)
    assert "[b]gone[/b]" in text.replace("\n", "")
    assert max(map(len, text.splitlines())) <= width
    if width >= 80:
        first = text.splitlines()[1]
        assert "ep.events" in first or "ep.session[3].pkts" in first, "the fastest are first"
        assert "1M" in first
    if width == 160:
        assert "[red]x" in text, "text of an application is no markup"


def test_nothing_to_show() -> None:
    watch = Watch()
    assert "no application" in shown(watch.look([]), watch, 80)


def test_an_instance_may_have_no_values() -> None:
    none = Instance((0,), ("0",), (None,), 0)
    made, watch = Made(NARROW, {"flow": [none]}), Watch()
    looks(made, watch)
    assert rates(looks(made, watch), "n", flow="0") == (None,)

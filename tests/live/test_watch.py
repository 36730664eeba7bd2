# SPDX-License-Identifier: BSD-3-Clause
"""Rates of what is watched, and how a terminal shows them."""

import io
import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from ctrgen.model.ir import HEALTH
from ctrgen.tools.live import watch as watching
from ctrgen.tools.live.exporter import fastest
from ctrgen.tools.live.model import NO_INSTANCE, Index, Instance, Item, Module, Scope
from ctrgen.tools.live.screen import arranged, quantile, quantity, screen
from ctrgen.tools.live.watch import Rows, Watch, as_json
from tests.live.made import EP, SESSION, Gone, Made, instance, usual
from tests.support.process import run

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


def rate(instances: list[Rows], item: str, **labels: str) -> float | None:
    (row,) = (
        row
        for rows in instances
        for row in rows
        if row.item.name == item
        and dict(zip(row.scope.names, row.instance.names, strict=True)) == labels
    )
    return row.rate


def looks(made: Made, watch: Watch) -> list[Rows]:
    return watch.look([("a", made)])


def test_a_rate_is_over_the_time_that_passed(pass_time: Callable[[float], None]) -> None:
    made, watch = usual(100), Watch()
    assert rate(looks(made, watch), "pkts", session="3") is None
    for pkts, seconds, found in ((150, 2.0, 25), (150, 1.0, 0), (1150, 0.5, 2000)):
        pass_time(seconds)
        made.instances = usual(pkts).instances
        rows = looks(made, watch)
        assert rate(rows, "pkts", session="3") == found
    assert rate(rows, "load", session="3") is None, "a gauge has no rate"


def test_no_rate_behind_a_discontinuity(pass_time: Callable[[float], None]) -> None:
    made, watch = usual(100), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances["session"][0] = made.instances["session"][0]._replace(since=1.8e9)
    assert rate(looks(made, watch), "pkts", session="3") is None
    pass_time(1)
    first = made.instances["session"][0]
    made.instances["session"][0] = first._replace(values=(99, *first.values[1:]))
    assert rate(looks(made, watch), "pkts", session="3") is None, "it went back"


def test_narrow_counters_wrap(pass_time: Callable[[float], None]) -> None:
    made, watch = Made(NARROW, {"flow": [instance(0, 2**32 - 3)]}), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances["flow"] = [instance(0, 7)]
    assert rate(looks(made, watch), "n", flow="0") == 10


def test_what_is_gone_is_forgotten(pass_time: Callable[[float], None]) -> None:
    made, watch = usual(), Watch()
    for _ in range(2):
        pass_time(1)
        rows = looks(made, watch)
    assert rate(rows, "pkts", session="3") == 0
    made.instances["session"] = []
    looks(made, watch)
    made.instances = usual().instances
    assert rate(looks(made, watch), "pkts", session="3") is None


def test_of_many_instances_the_first_are_shown() -> None:
    made = Made(NARROW, {"flow": [instance(n, n) for n in range(50)]})
    watch = Watch(most=10)
    assert len(looks(made, watch)) == 10
    assert (look := watch.readings[0].result) and look.cut == {("ep", "flow")}
    found = as_json(looks(made, watch), watch)["applications"]["a"]["modules"]["ep"]["scopes"]
    assert found["flow"]["cut"] == 10


def test_the_fastest_are_kept_for_a_page(pass_time: Callable[[float], None]) -> None:
    made = Made(NARROW, {"flow": [instance(n, n * 100) for n in range(9)]})
    watch = Watch()
    looks(made, watch)
    pass_time(1)
    made.instances["flow"] = [instance(n, n * 100 + (n in (2, 5)) * (n + 1)) for n in range(9)]
    rows, slower = fastest(looks(made, watch), 4)
    assert [row.instance.indexes[0] for row, *_ in rows] == [2, 5, 7, 8]
    assert slower == {("a", "ep", "flow"): 5}


def test_instances_stay_together_on_a_screen(pass_time: Callable[[float], None]) -> None:
    made, watch = usual(100), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances = usual(200).instances
    names = [line.name for line in arranged(looks(made, watch), 50)]
    items = [item.name for item in SESSION.items if not item.name.startswith("sizes_")]
    items.insert(items.index("up"), "sizes")
    assert names == [
        "ep.events", *(f"ep.session[{n}].{item}" for n in (3, 9) for item in items)
    ]  # fmt: skip


BUSY = Item("busy", "counter", "u64", "ns", "Time.", 64)
PKTS = Item("pkts", "counter", "u64", "packets", "Packets.", 64)
LOAD = Item("load", "gauge", "u64", "%", "Load.", 64)
PAIR = Module(
    "ep", "Two scopes.",
    (
        Scope("global", "All.", (), (LOAD, PKTS, BUSY)),
        Scope("flow", "Flows.", (Index("flow", 90),), (PKTS, BUSY)),
        Scope("port", "Ports.", (Index("port", 90),), (BUSY,)),
    ),
)  # fmt: skip


def test_a_scope_after_the_other(pass_time: Callable[[float], None]) -> None:
    """In the order of the schema, whatever the units: nanoseconds do not go before packets, and no
    scope hides the others."""

    def counted(n: int) -> dict[str, list[Instance]]:
        return {
            "global": [Instance((), (), (50, n, n * 10**9), 0)],
            "flow": [instance(at, at * n, at * 10**6 * n) for at in range(40)],
            "port": [instance(at, 10**9 * n) for at in range(40)],
        }

    made, watch = Made(PAIR, counted(0)), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances = counted(1)
    rows = looks(made, watch)
    names = [line.name for line in arranged(rows, sum(map(len, rows)))]
    assert names[:6] == [
        "ep.pkts", "ep.busy", "ep.flow[39].pkts", "ep.flow[39].busy", "ep.flow[38].pkts",
        "ep.flow[38].busy",
    ]  # fmt: skip
    assert names[80:82] == ["ep.port[0].busy", "ep.port[1].busy"]
    assert sorted(names[-3:]) == ["ep.flow[0].busy", "ep.flow[0].pkts", "ep.load"]
    few = [line.name.partition("[")[0] for line in arranged(rows, 12)]
    assert few == ["ep.pkts", "ep.busy", *["ep.flow"] * 6, *["ep.port"] * 4]


def test_quantiles_of_a_histogram(pass_time: Callable[[float], None]) -> None:
    """Of the last interval; since the start on the first view, and while nothing is observed."""
    made, watch = usual(), Watch()

    def line() -> tuple[str, str, float | None]:
        (found,) = (
            one for one in arranged(looks(made, watch), 99) if one.name == "ep.session[3].sizes"
        )
        return found.value, found.unit, found.rate

    made.instances["session"][0] = with_sizes(made, 1, 5, 0)
    assert line() == ("p50 243 bytes, p99 507 bytes since start", "packets", None)
    pass_time(2)
    assert line() == ("p50 243 bytes, p99 507 bytes since start", "packets", 0)
    pass_time(2)
    made.instances["session"][0] = with_sizes(made, 11, 5, 0)
    assert line() == ("p50 32 bytes, p99 63.4 bytes", "packets", 5)


def with_sizes(made: Made, *counts: int) -> Instance:
    """The first session with other buckets."""
    first = made.instances["session"][0]
    return first._replace(values=(*first.values[:4], *counts, *first.values[7:]))


def test_json_has_every_value() -> None:
    watch = Watch()
    rows = watch.look([("a", usual()), ("b", Gone("it is gone"))])
    found = json.loads(json.dumps(as_json(rows, watch)))["applications"]
    assert found["b"] == {"modules": {}, "error": "it is gone"}
    session = found["a"]["modules"]["ep"]["scopes"]["session"]["instances"]
    assert [one["labels"] for one in session] == [{"session": "3"}, {"session": "9"}]
    assert session[1]["values"]["pkts"] == 2**64 - 1
    assert list(session[0]["values"]) == [item.name for item in SESSION.items]
    assert EP.scopes[0].name in found["a"]["modules"]["ep"]["scopes"]


def shown(rows: list[Rows], watch: Watch, width: int, lines: int = 50) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(screen(rows, watch, lines, width))
    return console.export_text()


@pytest.mark.parametrize("width", [160, 80, 40])
def test_a_screen(pass_time: Callable[[float], None], width: int) -> None:
    made, watch = usual(100, text="[red]x"), Watch()
    looks(made, watch)
    pass_time(1)
    made.instances = usual(1_000_100, text="[red]x").instances
    text = shown(watch.look([("a", made), ("b", Gone("[b]gone[/b]"))]), watch, width)
    assert "[b]gone[/b]" in text.replace("\n", "")
    assert max(map(len, text.splitlines())) <= width
    if width >= 80:
        first = text.splitlines()[1]
        assert "ep.events" in first or "ep.session[3].pkts" in first, "the fastest are first"
        assert "1M" in first
    if width == 160:
        assert "[red]x" in text, "text of an application is no markup"


def test_texts_do_not_control_the_terminal() -> None:
    """Nor do keys, and names of files."""
    watch = Watch()
    made = usual(text="\x1b[2J\u202e")
    text = shown(watch.look([("a", made), ("b\x1b[1m", Gone("gone\x07"))]), watch, 160)
    assert r"\u001b[2J\u202e" in text and r"b\u001b[1m: gone\u0007" in text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_a_long_text_leaves_names_their_place() -> None:
    watch = Watch()
    text = shown(watch.look([("a", usual(text="x" * 255))]), watch, 100)
    assert "ep.session[3].pkts" in text and "xxx…" in text


def test_how_full_scopes_are() -> None:
    """A line for each dynamic scope; an application without anything else has no instance."""
    names = ("session_instances", "session_instances_max", "late_updates")
    items = tuple(Item(name, "gauge", "u64", "", "N.", 64) for name in names)
    own = Scope(HEALTH, "Reports.", (), items)
    made = Made(Module("ep", "E.", (own,)), {HEALTH: [Instance((), (), (1203, 65536, 0), 0)]})
    watch = Watch()
    text = shown(looks(made, watch), watch, 100)
    assert "a: ep.session: 1,203 of 65,536 alive" in text and text.count("alive") == 1
    assert "ep.late_updates" in text and f"a: {NO_INSTANCE}" in text


def test_one_that_is_stale() -> None:
    """Its values are shown for what they are; past the bound there are none."""
    for age, text in (
        (1, ""),
        (12, "a: stale for 12 s"),
        (61, "a: stale for 61 s: the application"),
    ):
        made, watch = usual(), Watch()
        made.published = age
        rows = looks(made, watch)
        assert bool(rows) == (age < 60)
        screen_text = shown(rows, watch, 80)
        assert text in screen_text and ("stale" in screen_text) == bool(text)
        assert as_json(rows, watch)["applications"]["a"]["published_age_seconds"] == age


def test_nothing_to_show() -> None:
    watch = Watch()
    assert "no application" in shown(watch.look([]), watch, 80)
    text = shown(watch.look([("edge", Made())]), watch, 160)
    assert "edge: no instance" in text and "no application" not in text
    untouched = Made(left_out={("ep", "session"): 9})
    text = shown(watch.look([("edge", untouched)]), watch, 160)
    assert "no instance" not in text and "without 9 of ep.session" in text
    text = shown(watch.look([("edge", usual())]), watch, 160)
    assert "no instance" not in text


def test_an_instance_may_have_no_values() -> None:
    none = Instance((0,), ("0",), (None,), 0)
    made, watch = Made(NARROW, {"flow": [none]}), Watch()
    looks(made, watch)
    assert rate(looks(made, watch), "n", flow="0") is None


@pytest.mark.parametrize(
    ("number", "unit", "text"),
    [
        (1500, "ns", "1.5 us"), (999, "ns", "999 ns"), (0, "us", "0 ns"), (2.5e6, "us", "2.5 s"),
        (3600, "seconds", "3600 s"), (64, "bytes", "64 bytes"), (1.5e6, "bytes", "1.5 Mbytes"),
        (7, "1", "7"), (2**64 - 1, "ns", "18446744074 s"), (0.5, "packets", "0.5 packets"),
    ],
)  # fmt: skip
def test_quantities(number: float, unit: str, text: str) -> None:
    assert quantity(number, unit) == text


QUANTILES = [
    ((64, 512), (1, 2, 4)), ((64, 512), (0, 0, 9)), ((64, 512), (5, 0, 0)), ((64,), (1, 0)),
    ((1, 10, 100, 1000), (2**31, 1, 0, 2**32 - 1, 7)), ((0, 10), (3, 4, 1)),
]  # fmt: skip


@pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool: ./dev setup")
def test_quantiles_are_those_of_prometheus(tmp_path: Path) -> None:
    """Prometheus itself computes the same."""
    series, wanted = [], []
    for n, (bounds, counts) in enumerate(QUANTILES):
        sums = itertools.accumulate(counts)
        for bound, total in zip((*map(str, bounds), "+Inf"), sums, strict=True):
            name = f'x_bucket{{n="{n}", le="{bound}"}}'
            series.append({"series": name, "values": str(total)})
        for q in (0.5, 0.99):
            sample = {"labels": f'{{n="{n}"}}', "value": quantile(q, bounds, counts)}
            expr = f'histogram_quantile({q}, x_bucket{{n="{n}"}})'
            wanted.append({"expr": expr, "eval_time": "0s", "exp_samples": [sample]})
    test = {"interval": "15s", "input_series": series, "promql_expr_test": wanted}
    (tmp_path / "tests.yml").write_text(json.dumps({"tests": [test]}))
    done = run("promtool", "test", "rules", tmp_path / "tests.yml")
    assert done.returncode == 0, done.stdout + done.stderr

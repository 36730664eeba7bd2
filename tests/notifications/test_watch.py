# SPDX-License-Identifier: BSD-3-Clause
"""What is told of conditions, and when, on a clock that moves as the test says; each guarantee with
a bug that the test sees."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.notifications.scenarios import SCENARIOS
from tests.support.cbuild import QUICK, SANITIZED, Build, Workshop
from tests.support.planted import PROJECT, Bug, Edit, Tree, planted
from tests.support.process import succeed

HERE = Path(__file__).parent
JUDGE, WATCH = "runtime/src/parts/watch/ctr_watch_eval.c", "runtime/src/parts/watch/ctr_watch.c"
FIRST = ["+spare_low 0"]
"""What the first evaluation tells: no buffers are free."""

Run = Callable[..., list[str]]


def of_gw(tree: Tree = PROJECT, flags: tuple[str, ...] = SANITIZED) -> Build:
    """The program, with a clock of its own."""
    own = (HERE / "watch_main.c",)
    clock = ("-Wl,--wrap=ctr_time_ns",)
    return Build(HERE / "gw.yaml", sources=own, flags=flags, link=clock, tree=tree)


UNCHECKED = (*QUICK, "-w")
"""How programs with a bug are compiled."""


def told(program: Path, *steps: str) -> list[str]:
    """What is told, each step being some commands before an evaluation, a second after another;
    `skip` is a second without."""
    lines = [
        line
        for number, step in enumerate(steps, 1)
        if step != "skip"
        for line in (f"at {1000 * number - 500}", *step.split("; "), f"at {1000 * number}", "run")
    ]
    return succeed(program, input="\n".join([*lines, ""])).splitlines()


@pytest.fixture(scope="session")
def run(workshop: Workshop) -> Run:
    program = workshop.program(of_gw())
    return lambda *steps: told(program, *steps)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(run: Run, name: str) -> None:
    scenario = SCENARIOS[name]
    assert run(*scenario.steps) == [*FIRST, *scenario.told]


def bug(name: str, path: str, old: str, new: str) -> Bug:
    return Bug(name, (Edit(path, old, new),))


BUGS = [
    ("hysteresis", bug("no-hysteresis", JUDGE, "if (!raised || what", "if (raised || what")),
    ("falls",
     bug("falling-is-rising", JUDGE, "CTR_FALLS_BELOW ? -1 : 1", "CTR_FALLS_BELOW ? 1 : 1")),
    ("negative", bug("negative-is-huge", JUDGE, "!is_signed && now", "now")),
    ("rate over the time that passed",
     bug("rate-of-a-second", JUDGE, "/ (double)passed_ns", "/ (double)CTR_SECOND_NS")),
    ("first reading is no rate",
     bug("rate-since-nothing", JUDGE, "!known || passed_ns == 0 || ", "")),
    ("reset is no rate",
     bug("reset-unnoticed", JUDGE, "row->discontinuity_ns >= before_ns", "false")),
    ("creation again is no rate",
     bug("creation-unnoticed", JUDGE, "row->discontinuity_ns >= before_ns", "false")),
    ("another instance in its place",
     bug("alarm-of-the-one-before", JUDGE, "if (group->scope->reset == NULL)", "if (false)")),
    ("wrap is a rate",
     bug("wrap-is-a-reset", JUDGE, "(item->width != 32 && now < before)", "now < before")),
    ("a break begins it anew", bug("break-unnoticed", JUDGE, "\tif (!now)\n", "\tif (false)\n")),
    ("limit", bug("limit-is-never-over", JUDGE, "tick - ticks[i] >", "false && tick - ticks[i] >")),
    ("limit", bug("no-limit", JUDGE, "ticks == NULL) {", "false) {")),
    ("what was so at the start did not become so",
     bug("start-is-a-change", JUDGE, "*flags |= QUIET; /*", "; /*")),
    ("gone is not cleared", bug("gone-stays-known", WATCH, "followed->flags[at] != 0", "false")),
    ("many rows", bug("first-section-only", WATCH, "end < group->total", "false")),
    ("period is not over", bug("one-period-for-all", WATCH, " && group->every_ns == every_ns", "")),
    ("told later", bug("told-once", JUDGE, "if (rc == -EAGAIN)", "if (false)")),
    ("labels", bug("first-label-only", JUDGE, "i < what->num_values", "i < 1")),
    ("lost", bug("lost-uncounted", JUDGE, "(flags & (NOTIFIED | QUIET)) == 0", "false")),
]  # fmt: skip
"""Bugs, and a scenario that ends otherwise with them."""


@pytest.mark.one_in(24)
@pytest.mark.parametrize(("name", "planted_bug"), BUGS, ids=[b.name for _, b in BUGS])
def test_a_bug_is_seen(workshop: Workshop, tmp_path: Path, name: str, planted_bug: Bug) -> None:
    program = workshop.program(of_gw(planted(tmp_path, planted_bug.edits), UNCHECKED))
    scenario = SCENARIOS[name]
    assert told(program, *scenario.steps) != [*FIRST, *scenario.told]

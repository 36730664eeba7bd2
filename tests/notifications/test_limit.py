# SPDX-License-Identifier: BSD-3-Clause
"""The limit of what is told in a second, with 100,000 instances."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.notifications.test_watch import HERE, UNCHECKED, of_gw
from tests.support.cbuild import Workshop
from tests.support.planted import Edit, planted
from tests.support.process import succeed

ALL, MOST, DEFAULT = 100_000, 5_000, 100
JUDGE, WATCH = "runtime/src/parts/watch/ctr_watch_eval.c", "runtime/src/parts/watch/ctr_watch.c"

Run = Callable[..., list[tuple[int, ...]]]
FLOOD: dict[str, object] = {
    "schema": HERE / "flood.yaml", "sources": (HERE / "flood_main.c",),
}  # fmt: skip
"""A program of its own, compiled as the other."""


def answers(program: Path, *commands: str) -> list[tuple[int, ...]]:
    """The lines that it prints."""
    printed = succeed(program, input="\n".join([*commands, ""])).splitlines()
    return [tuple(map(int, line.split())) for line in printed]


@pytest.fixture(scope="session")
def run(workshop: Workshop) -> Run:
    program = workshop.program(of_gw().but(**FLOOD))
    return lambda *commands: answers(program, *commands)


def test_a_flood_is_told_bit_by_bit(run: Run) -> None:
    """Each of 100,000 once, at most so many in a second."""
    seconds = ALL // MOST
    *told, total = run(f"limit {MOST}", "run 1", f"deep 0 {ALL} 10", f"run {seconds + 2}", "sum")
    assert told == [(0, 0, 0, 0), *[(MOST, 0, 0, 0)] * seconds, *[(0, 0, 0, 0)] * 2]
    assert total == (ALL, 0, 0, 0), "all of them, none twice, none limited or lost"


def test_the_limit_that_there_is_without_one(run: Run) -> None:
    told = run("run 1", f"deep 0 {ALL} 10", "run 3")
    assert told == [(0, 0, 0, 0), *[(DEFAULT, 0, 0, 0)] * 3]


def test_no_limit(run: Run) -> None:
    assert run("limit 0", "run 1", f"deep 0 {ALL} 10", "run 1")[1] == (ALL, 0, 0, 0)


def test_others_get_through(run: Run) -> None:
    """A notification of another scope, and another one of the same scope, behind a flood."""
    told = run(
        "limit 100", "run 1", f"deep 0 {ALL} 10", "run 2", "busy 0 4 10", "slow 99990 10 10",
        "run 3",
    )  # fmt: skip
    assert [line[0] for line in told[1:4]] == [100, 100, 100], "nobody knew that others wait"
    assert told[4] == (33, 0, 10, 4), "each a third; the rest of it is for one that told nothing"
    assert told[5] == (100, 0, 0, 0)


def test_floods_share(run: Run) -> None:
    told = run("limit 100", "run 1", f"deep 0 {ALL} 10", f"slow 0 {ALL} 10", "run 6")
    assert all(sum(line) == 100 for line in told[1:])
    assert [line[2] for line in told[3:]] == [50] * 4


@pytest.mark.parametrize(("limit", "sums"), [(1, [4, 0, 4, 4]), (2, [12, 0, 8, 4])])
def test_more_notifications_than_may_be_told(run: Run, limit: int, sums: list[int]) -> None:
    """Fewer in a second than the three that always have something to tell: they take turns."""
    floods = ("deep 0 50 10", "slow 0 50 10", "busy 0 4 10")
    told = run(f"limit {limit}", "run 1", *floods, "run 12")
    assert all(sum(line) == limit for line in told[1:])
    assert [sum(column) for column in zip(*told, strict=True)] == sums


def test_what_comes_again_and_again_does_not_hold_up_the_rest(run: Run) -> None:
    """The first instances are raised and clear every second; those behind are told all the same."""
    commands = ["limit 100", "run 1", "deep 1000 100 10"]
    for _ in range(6):
        commands += ["deep 0 100 10", "run 1", "deep 0 100 0", "run 1"]
    once, *_ = run(*commands, "sum")[-1]
    assert once == 200


def test_what_is_over_is_counted(run: Run) -> None:
    """Of what has cleared while it was held back nothing is told; that others have cleared is."""
    *told, total = run(
        "limit 100", "run 1", "deep 0 300 10", "run 2", "deep 0 300 0", "run 4", "sum"
    )
    assert told[1:3] == [(100, 0, 0, 0)] * 2
    assert told[3:] == [(0, 0, 0, 0), *[(0, 100, 0, 0)] * 2, (0, 0, 0, 0)], "first those behind"
    assert total == (200, 0, 100, 0)


BUGS = {
    "no-limit": (Edit(JUDGE, "if (!permitted_now(", "if (false && !permitted_now("),
                 test_a_flood_is_told_bit_by_bit),
    "limit-is-never-over": (Edit(JUDGE, "now_ns >= last_ns + CTR_SECOND_NS", "false"),
                            test_a_flood_is_told_bit_by_bit),
    "begins-at-the-front": (
        Edit(WATCH, "group->followed[i].first = group->followed[i].next;", ""),
        test_what_comes_again_and_again_does_not_hold_up_the_rest,
    ),
    "no-shares": (Edit(JUDGE, "watch->most / sharing + (ahead", "watch->most + (ahead"),
                  test_others_get_through),
    "first-come": (Edit(JUDGE, "(ahead < watch->most % sharing)", "1"),
                   test_more_notifications_than_may_be_told, 1, [4, 0, 4, 4]),
    "last-come": (Edit(JUDGE, "followed->sent = ++watch->sent", "followed->sent = now_ns"),
                  test_more_notifications_than_may_be_told, 2, [12, 0, 8, 4]),
}  # fmt: skip
"""Bugs, and a test that fails with them."""


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_seen(workshop: Workshop, tmp_path: Path, name: str) -> None:
    edit, test, *given = BUGS[name]
    program = workshop.program(of_gw(planted(tmp_path, [edit]), UNCHECKED).but(**FLOOD))
    with pytest.raises(AssertionError):
        test(lambda *commands: answers(program, *commands), *given)

# SPDX-License-Identifier: BSD-3-Clause
"""figures.md is true, and shows what a change costs."""

from pathlib import Path

import pytest

from tests.figures import __main__ as figures
from tests.figures import table
from tests.figures.measure import GCC, GROUPS, Bench, Group
from tests.support.planted import Edit, planted
from tests.support.strategies import LOCKING, USUAL

pytestmark = pytest.mark.slow

CODE, *_, STRUCTS, MEMORY, _, CALLS = GROUPS


def checked_in() -> dict[str, table.Table]:
    return table.read(figures.PAGE.read_text("utf-8"))


def comparable(group: Group) -> table.Table:
    """The table as it is checked in; skips what cannot be compared on this machine."""
    was = checked_in().get(group.title, table.Table(group.title))
    why = figures.other(group, was if was.cells else None)
    if why:
        pytest.skip(f"{group.title}: {why}")
    return was


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.title)
def test_figures_are_as_they_are_checked_in(bench: Bench, group: Group) -> None:
    changed = table.differences(comparable(group), group.table(bench))
    assert not changed, "\n".join([*changed, "if this is meant, run ./dev figures"])


def test_what_is_not_inlined_counts_with_each_that_calls_it(tmp_path: Path) -> None:
    """Compilers turn a last call into a jump: an update was one instruction then."""
    source = tmp_path / "fast.c"
    source.write_text(
        "static __attribute__((noinline)) int ep_stats_one(int *a) { return ++*a; }\n"
        "int hot_jumps(int *a); int hot_jumps(int *a) { return ep_stats_one(a); }\n"
        "int all_calls(int *a); int all_calls(int *a) { return ep_stats_one(a) + *a; }\n"
    )
    found = Bench(tmp_path).instructions(GCC, source, tmp_path)
    assert found.keys() == {"jumps", "calls"}
    one = found["jumps"] - 1
    assert one >= 3 and found["calls"] > one + 2


def test_the_page_is_as_it_is_written() -> None:
    """With all tables, in order: ./dev figures changes nothing but figures."""
    found = checked_in()
    assert list(found) == [group.title for group in GROUPS], "run ./dev figures"
    text = table.page(figures.HEAD, found.values())
    assert text == figures.PAGE.read_text("utf-8"), "run ./dev figures"


PLANTED = {
    "an instruction": (
        CODE,
        Edit("runtime/include/ctr_word.h", 'CTR_ASM_CHANGE("add{q}", "e"',
             '__asm__ volatile("nop");\n\tCTR_ASM_CHANGE("add{q}", "e"'),
        f"update_packet, {USUAL}:",
        4,
    ),
    "a byte": (
        STRUCTS,
        Edit("templates/c/items.j2", "\tuint64_t {{ m.member.start_ns }};",
             "\tuint8_t planted[8];\n\tuint64_t {{ m.member.start_ns }};"),
        f"ep_stats_snapshot, {LOCKING}:",
        8,
    ),
    "a call": (
        CALLS,
        Edit("generator/output/render.py", "    return normalise(environment()",
             "    (lambda: None)()\n    return normalise(environment()"),
        "output, ep:",
        None,
    ),
}  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_change_is_shown(what: str, tmp_path: Path) -> None:
    group, edit, row, more = PLANTED[what]
    was = comparable(group)
    now = group.table(Bench(tmp_path, planted(tmp_path, [edit])))
    (shown,) = [line for line in table.differences(was, now) if f": {row} " in line]
    _, _, before, _, after = shown.rsplit(" ", 4)
    assert int(after) - int(before.rstrip(",")) == more if more else int(after) > int(before[:-1])


def test_a_figure_that_is_new_or_gone_is_shown() -> None:
    was = table.Table("T", "", {("gone", "a"): 1, ("same", "a"): 2})
    now = table.Table("T", "", {("same", "a"): 2, ("new", "a"): 3})
    assert table.differences(was, now) == [
        "T: gone, a: was 1, is gone",
        "T: new, a: was not there, is 3",
    ]


def test_tables_of_another_compiler_are_not_compared() -> None:
    was = table.Table(CODE.title, "gcc 1.2.3")
    if CODE.lacking():
        pytest.skip(f"no {CODE.lacking()}")
    assert figures.other(CODE, was) == f"with gcc 1.2.3, not {CODE.tool()}"

# SPDX-License-Identifier: BSD-3-Clause
"""Real programs that became slower: `ctrgen bench --compare` sees it, and nothing where all is as
before. For a machine that does little else.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support import huge_pages
from tests.support.capabilities import needs, needs_dpdk
from tests.support.paths import EP
from tests.support.planted import LOCK, PROJECT, WORD, Edit, Tree, planted

pytestmark = [
    pytest.mark.deep,
    pytest.mark.slow,
    pytest.mark.dpdk,
    pytest.mark.native,
    needs_dpdk,
    needs("meson", "ninja"),
]

SELVES = 20
"""Comparisons of programs with themselves."""

PAGES = 320
"""Huge pages that a million flows need."""


@pytest.fixture(autouse=True)
def pages() -> Iterator[None]:
    with huge_pages.set_aside(PAGES):
        yield


def chain(cycles: int, value: str) -> str:
    """C that makes a value take so many cycles more: adds that wait for each other."""
    return (
        f'__asm__ volatile(".rept {cycles}\\n\\tadd\\t$0, %0\\n\\t.endr" : "+r"({value}) : : "cc");'
    )


@dataclass(frozen=True)
class Slower:
    """A regression: where it is planted, what is measured, and the strategies that have it."""

    name: str
    edits: tuple[Edit, ...]
    options: tuple[str, ...]
    strategies: tuple[str, ...]


# A load, two adds and a store instead of one add in memory, which the next packet waits for.
TWO_CYCLES = Slower(
    "2 cycles a packet in the tight loop",
    (
        Edit(
            WORD,
            '\tCTR_ASM_CHANGE("add{q}", "e", word, n);',
            "\tuint64_t sum = *word;\n\n\t"
            + chain(1, "sum")
            + "\n\t__atomic_store_n(word, sum + n, __ATOMIC_RELAXED);",
        ),
    ),
    ("--lcores", "1", "--vary", "work=0", "--strategies", "per_core,per_core_seqcount"),
    ("per_core",),  # 0.29 cycles of an update under the other are about what counts at all
)
_OWN = (
    '({{ type }} *)ctr_slots_{{ "mine" if d.pointed else "own" }}'
    '(&{{ d.sym.slots }}{{ ", &" ~ d.sym.mine if d.pointed }});'
)
# Cycles of a packet of 1,000 of work and some 560 of misses, during which nothing else goes on.
TENTH = Slower(
    "10 % at 1 M flows with work",
    (
        Edit(
            "templates/c/lcores.j2",
            f"\treturn {_OWN}",
            f"\t{{{{ type }}}} *self = {_OWN}\n\n"
            f'\t__asm__ volatile("lfence");\n\t{chain(150, "self")}\n'
            '\t__asm__ volatile("lfence");\n\treturn self;',
        ),
    ),
    ("--lcores", "1", "--vary", "work=1000", "--flows", "1M", "--strategies",
     "per_core,per_core_seqcount,shared_unsync,per_core_lock", "--rounds", "32", "--ms", "20"),
    ("per_core", "per_core_seqcount"),
)  # fmt: skip
# Two workers wait for a lock that each holds longer, and for a second line that both write.
DOUBLED = Slower(
    "twice under contention",
    (
        Edit(
            LOCK,
            "{\n\t__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);",
            f"{{\n\tuint32_t nobody = 0;\n\n\t{chain(100, 'nobody')}\n"
            "\t__atomic_store_n(&lock->held, nobody, __ATOMIC_RELEASE);",
        ),
        Edit(
            WORD,
            '\tCTR_ASM_CHANGE("lock add{q}", "e", word, n);',
            "\tstatic struct ctr_line64 other;\n\n"
            '\tCTR_ASM_CHANGE("lock add{q}", "e", word, n);\n'
            '\tCTR_ASM_CHANGE("lock add{q}", "e", &other.word, n);',
        ),
    ),
    ("--lcores", "2", "--vary", "work=0", "--strategies", "shared_atomic,shared_lock"),
    ("shared_atomic", "shared_lock"),
)
REGRESSIONS = (TWO_CYCLES, TENTH, DOUBLED)


def measured(tree: Tree, folder: Path, name: str, options: Iterable[str]) -> Path:
    """The result of a run in `folder`, kept under a name."""
    done = tree.run("bench", EP, *options, "-o", folder, timeout=300)
    assert done.returncode == 0, done.stderr
    return (folder / "bench.json").rename(folder / f"{name}.json")


def compared(before: Path, after: Path) -> dict[str, Any]:
    """What `--compare` says."""
    done = PROJECT.run("bench", "--compare", before, after, "--format", "json")
    found = json.loads(done.stdout)
    assert isinstance(found, dict) and done.returncode == int(found["worse"])
    return found


def seen(found: dict[str, Any]) -> dict[str, float]:
    """The strategies of which it says that they changed, and to how much of what they were."""
    return {
        change["strategy"]: change["after"] / change["before"]
        for change in found["changes"]
        if change["significant"]
    }


def told(found: dict[str, Any]) -> str:
    """Each figure, how probable its change is by chance, and from what change on it counts."""
    return "\n".join(
        f"{change['strategy']}: {change['before']:.2f} -> {change['after']:.2f}, "
        f"p {change['probability']:.2g}, counts from {change['limit']:.2f}"
        for change in found["changes"]
    )


@pytest.mark.parametrize("slower", REGRESSIONS, ids=lambda slower: slower.name)
def test_what_became_slower_is_seen(
    slower: Slower, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Under each strategy that the regression names."""
    tree = planted(tmp_path, slower.edits)
    before = measured(PROJECT, tmp_path / "before", "run", slower.options)
    after = measured(tree, tmp_path / "after", "run", slower.options)
    found = compared(before, after)
    request.node.user_properties.append(("figures", f"{slower.name}:\n{told(found)}"))
    ratios = seen(found)
    assert all(ratios.get(name, 0) > 1 for name in slower.strategies), told(found)


def test_programs_are_as_fast_as_themselves(tmp_path: Path) -> None:
    """In so many comparisons of two runs each, of the three kinds in turn, nothing changed."""
    before: dict[str, Path] = {}
    changed = []
    for number in range(SELVES + len(REGRESSIONS)):
        slower = REGRESSIONS[number % len(REGRESSIONS)]
        after = measured(PROJECT, tmp_path / slower.name, f"run{number}", slower.options)
        if slower.name in before:
            found = compared(before[slower.name], after)
            changed += [(slower.name, *one) for one in seen(found).items()]
        before[slower.name] = after
    assert not changed

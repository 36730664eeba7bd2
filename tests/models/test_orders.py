# SPDX-License-Identifier: BSD-3-Clause
"""Narrow words in all executions that C11 permits (orders.h), as shipped and with planted bugs.

Takes a compiler only. Every order of ctr_narrow.h is relaxed by a bug here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support import process
from tests.support.planted import relaxed

HERE = Path(__file__).parent
NARROW = "ctr_narrow.h"

TWO = ("OWNERS=2", "ADDS=5,7", "READS=2")
TWICE = ("OWNERS=2", "ADDS=7,6,6", "READS=1")
SHARED = ("OWNERS=3", "ADDS=3,2", "SHARE=2", "READS=1")
HANDED_OVER = ("OWNERS=3", "COPIES=2", "ADDS=4,5", "READS=1")
MUCH = ("OWNERS=1", "ADDS=7,7,7,7", "SPILLED=1", "READS=2")
LARGE = ("OWNERS=2", "ADDS=17", "SPILLED=1", "READS=1")
UNITS = ("OWNERS=1", "ADDS=7,15,7,15", "SPILLED=1", "READS=1")
EXACTLY = ("OWNERS=2", "ADDS=3,5,3,5", "READS=1")
MODELS = [TWO, TWICE, SHARED, HANDED_OVER, MUCH, LARGE, UNITS, EXACTLY]
FIRST = "CTR_NARROW_ADDS_FIRST=1"
"""Owners add and look then, as under the DPDK port."""

FENCE = "__atomic_thread_fence(__ATOMIC_RELEASE);"
TRY = "{\n\tctr_narrow_from(read, ctr_load_acquire(sum));"
END = "__atomic_thread_fence(__ATOMIC_ACQUIRE);\n\treturn ctr_narrow_moved(read, ctr_load64"
ORDERS = {
    "landed-relaxed": (TWO, "__ATOMIC_RELEASE, __ATOMIC_RELAXED"),
    "no-fence-behind-a-landing": (TWICE, f"\t\t{FENCE}  "),
    "no-fence-of-the-next-owner": (HANDED_OVER, f"{{\n\t{FENCE}"),
    "no-fence-behind-the-narrow-words": (TWICE, END),
}
"""Orders that are relaxed, and the model that sees it."""
BUGS = {
    **{name: (model, order, relaxed(order)) for name, (model, order) in ORDERS.items()},
    "wide-word-loaded-relaxed": (TWO, TRY, TRY.replace("ctr_load_acquire", "ctr_load64")),
    "landings-are-not-noticed": (TWICE, "if (ctr_likely(sum == read->sum))", "if (true)"),
    "too-little-has-landed": (MUCH, "if (landed < 2 * (uint64_t)read->parts)", "if (landed < 1)"),
    "units-on-their-way-are-forgotten": (TWO, "value += unit * (", "value += 0 * ("),
    "two-units-on-their-way": (UNITS, "left < unit ? left : unit;", "left;"),
    "an-overflow-is-missed": (EXACTLY, "if (low >= unit) ", "if (low > unit) "),
    "a-number-does-not-count": (SHARED, "((before + one) & mask);", "(before & mask);"),
    "all-copies-have-one-number": (TWO, "return number % ", "return 0 * number % "),
    "more-than-a-word-holds-is-cut": (LARGE, "if (left != n) ", "if (false) "),
    "what-is-there-is-added-again": ((*EXACTLY, FIRST), "_FIRST && n < unit)", "_FIRST && false)"),
    "more-than-a-unit-is-added-first": ((*LARGE, FIRST), "if (ctr_unlikely(n >= unit))", "if (0)"),
    "an-overflow-is-not-looked-for": ((*EXACTLY, FIRST), "(now & (unit - 1)) >= n;", "true;"),
}


def run(folder: Path, defines: tuple[str, ...], header: str | None = None) -> tuple[int, str]:
    """Run all executions of the model; its exit code and what it says."""
    if header is not None:
        (folder / NARROW).write_text(header, "utf-8")
    include = [f"-I{folder}", f"-I{runtimeinfo.path() / 'include'}", f"-I{HERE}"]
    flags = ["-std=gnu11", "-O2", *(f"-D{define}" for define in defines)]
    program = folder / "model"
    process.succeed("gcc", *flags, *include, HERE / "narrow.c", "-o", program)
    done = process.run(program, timeout=120)
    return done.returncode, done.stdout + done.stderr


def shipped() -> str:
    return (runtimeinfo.path() / "include" / NARROW).read_text("utf-8")


@pytest.mark.parametrize("defines", MODELS + [(*model, FIRST) for model in MODELS], ids=" ".join)
def test_model_holds(tmp_path: Path, defines: tuple[str, ...]) -> None:
    code, text = run(tmp_path, defines)
    assert code == 0, text


def test_every_order_is_relaxed_by_a_bug() -> None:
    text = shipped()
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = len(re.findall("__ATOMIC_(?:ACQUIRE|RELEASE)", code))
    # The functions of 32 bits differ from those of 64 in nothing else.
    assert found == len(ORDERS) + 1
    assert all(text.count(order) == 1 for _, order in ORDERS.values())


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_seen(tmp_path: Path, name: str) -> None:
    defines, old, new = BUGS[name]
    text = shipped()
    assert old in text
    assert run(tmp_path, defines, text.replace(old, new))[0] == 1


@pytest.mark.parametrize("name", ORDERS)
def test_an_order_is_needed_where_adds_are_first(tmp_path: Path, name: str) -> None:
    defines, old, new = BUGS[name]
    assert run(tmp_path, (*defines, FIRST), shipped().replace(old, new))[0] == 1

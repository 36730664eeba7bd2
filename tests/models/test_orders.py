# SPDX-License-Identifier: BSD-3-Clause
"""Narrow words in all executions that C11 permits (orders.h), as shipped and with planted bugs.

Every order of ctr_narrow.h is relaxed by a bug here, and that of the first
try of a read, which is in the strategy's operations.
"""

import re
from pathlib import Path

import pytest

from tests.models.executions import run
from tests.support.paths import ROOT
from tests.support.planted import Edit, relaxed

NARROW = "runtime/include/ctr_narrow.h"
OPERATIONS = "runtime/include/ctr_narrow_read.h"

TWO = ("OWNERS=2", "ADDS=5,7", "READS=2")
TWICE = ("OWNERS=2", "ADDS=7,6,6", "READS=1")
SHARED = ("OWNERS=3", "ADDS=3,2", "SHARE=2", "READS=1")
HANDED_OVER = ("OWNERS=3", "COPIES=2", "ADDS=4,5", "READS=1")
MUCH = ("OWNERS=1", "ADDS=7,7,7,7", "SPILLED=1", "READS=2")
LARGE = ("OWNERS=2", "ADDS=17", "SPILLED=1", "READS=1")
TURN = ("OWNERS=1", "COPIES=2", "ADDS=5,16,1", "READS=1")
"""An amount that goes to the wide word at once, between others that do not."""
UNITS = ("OWNERS=1", "ADDS=7,15,7,15", "SPILLED=1", "READS=1")
EXACTLY = ("OWNERS=2", "ADDS=3,5,3,5", "READS=1")

BITS = ("BITS=32", "RANGE=5")
"""A unit is 8, and an add of less than 4 is done before anybody looks."""
MOVED = (*BITS, "OWNERS=2", "ADDS=3,3,3", "READS=2")
STEPS = (*BITS, "OWNERS=2", "ADDS=3,7,3", "READS=1")
AGAIN = (*BITS, "OWNERS=2", "ADDS=3,6,3,6", "SPILLED=1", "READS=1")
GROUP = (BITS[0], "RANGE=6", "OWNERS=2", "ADDS=7,3,3", "SHARE=2", "READS=1")
NEXT = (*BITS, "OWNERS=3", "COPIES=2", "ADDS=3,6", "READS=1")
WHOLE = (*BITS, "OWNERS=1", "ADDS=7,7,7,7", "SPILLED=1", "READS=2")
TURN32 = (*BITS, "OWNERS=1", "COPIES=2", "ADDS=3,16,1", "READS=1")
TURNS = (*BITS, "OWNERS=2", "ADDS=37", "SPILLED=1", "READS=1")
JUST = (*BITS, "OWNERS=2", "ADDS=3,3,2,3", "READS=1")
MANY = (*BITS, "OWNERS=1", "ADDS=3,3,3,3,3,3", "SPILLED=1", "READS=1")
FORKED = (*BITS, "OWNERS=2", "LEFT=11", "ADDS=3", "READS=1")
FORKED_STEPS = (*BITS, "OWNERS=1", "LEFT=11", "ADDS=7,7", "SPILLED=1", "READS=1")
SHORT = [TWO, TWICE, SHARED, HANDED_OVER, MUCH, LARGE, TURN, UNITS, EXACTLY]
LONG = [
    MOVED, STEPS, AGAIN, GROUP, NEXT, WHOLE, TURN32, TURNS, JUST, MANY, FORKED, FORKED_STEPS
]  # fmt: skip
FIRST = [(*model, "LIBRARY") for model in (TWO, TWICE, TURN, UNITS, EXACTLY, STEPS, NEXT)]
"""Reads of the strategy's operations."""
LONGEST = [AGAIN, (*EXACTLY, "LIBRARY")]
MODELS = [
    *(model for model in SHORT + LONG + FIRST if model not in LONGEST),
    *(pytest.param(model, marks=pytest.mark.deep) for model in LONGEST),
]
FENCE = "ctr_fence(__ATOMIC_RELEASE);"
TRY = "return ctr_load_acquire(sum);"
END = "ctr_fence(__ATOMIC_ACQUIRE);\n\tnow = ctr_narrow_wide(sum);"
ORDERS = {
    "landed-relaxed": (TWO, "after, true, __ATOMIC_RELEASE"),
    "no-fence-behind-a-landing": (TWICE, f"__ATOMIC_RELAXED));\n\t{FENCE}"),
    "no-fence-of-the-next-owner": (HANDED_OVER, f"{{\n\t{FENCE}"),
    "no-fence-behind-the-narrow-words": (TWICE, END),
    "a-turn-is-relaxed": (TURN, "n - left, __ATOMIC_RELEASE);"),
    "no-fence-behind-a-turn": (TURN32, f"\t\t\t{FENCE}  "),
}
"""Orders that are relaxed, and the model that sees it."""
BUGS = {
    **{name: (model, order, relaxed(order)) for name, (model, order) in ORDERS.items()},
    "wide-word-loaded-relaxed": (TWO, TRY, TRY.replace("ctr_load_acquire", "ctr_load64")),
    "landings-are-not-noticed": (TWICE, "if (ctr_likely(now == read->sum))", "if (true)"),
    "too-little-has-landed": (MUCH, "if (landed < 2 * (uint64_t)read->parts)", "if (landed < 1)"),
    "units-on-their-way-are-forgotten": (TWO, "landed += unit * (", "landed += 0 * ("),
    "two-units-on-their-way": (UNITS, "left < unit ? left : unit;", "left;"),
    "an-overflow-is-missed": (EXACTLY, "return low >= unit;", "return low > unit;"),
    "a-unit-moves-and-stays": (JUST, "(low - unit) << share", "low << share"),
    "a-unit-moves-uncounted": (MOVED, "ctr_narrow_number(32, share, *word + 1)", "0 * share"),
    "half-a-unit-is-added-at-once": (STEPS, "n >= ctr_narrow_unit(32, share) / 2", "false"),
    "a-unit-stays-in-the-low-part": (MANY, "if (ctr_narrow_step##bits(word, share, 0))", "if (0)"),
    "what-was-added-is-added-again": (JUST, "if (n < unit / 2) ", "if (false) "),
    "a-number-is-in-the-count": (
        MOVED,
        "bits == 32 ? word >> share : ",
        "bits == 32 ? word >> 0 : ",
    ),
    "a-number-does-not-count": (SHARED, "((before + one) & mask);", "(before & mask);"),
    "all-copies-have-one-number": (TWO, "return number % ", "return 0 * number % "),
    "more-than-a-word-holds-is-cut": (LARGE, "if (left != n) ", "if (false) "),
}
_LOADED = "ctr_narrow_wide(word.wide) == sum"
_FENCED = f"ctr_fence(__ATOMIC_ACQUIRE);\n\tif (ctr_likely({_LOADED}"
FIRST_BUGS = {
    "no-fence-behind-the-first-try": (TWICE, _FENCED, relaxed(_FENCED)),
    "landings-are-not-noticed-at-once": (TWICE, _LOADED, "true"),
    "units-are-not-looked-for": (
        TWO,
        "(((even ^ sum) & shape->even) | ((odd ^ sum) & shape->odd)) == 0",
        "true",
    ),
}
"""Of the first try of a read, in the strategy's operations."""


@pytest.mark.parametrize("defines", MODELS, ids=" ".join)
def test_model_holds(tmp_path: Path, defines: tuple[str, ...]) -> None:
    code, text = run(tmp_path, "narrow.c", defines)
    assert code == 0, text


def test_every_order_is_relaxed_by_a_bug() -> None:
    text = (ROOT / NARROW).read_text("utf-8")
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found = len(re.findall("__ATOMIC_(?:ACQUIRE|RELEASE)", code))
    assert found == len(ORDERS)
    assert all(text.count(order) == 1 for _, order in ORDERS.values())


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_seen(tmp_path: Path, name: str) -> None:
    defines, old, new = BUGS[name]
    assert run(tmp_path, "narrow.c", defines, [Edit(NARROW, old, new)])[0] == 1


@pytest.mark.parametrize("name", FIRST_BUGS)
def test_a_bug_of_the_first_try_is_seen(tmp_path: Path, name: str) -> None:
    defines, old, new = FIRST_BUGS[name]
    assert (ROOT / OPERATIONS).read_text("utf-8").count(old) == 1
    edit = Edit(OPERATIONS, old, new)
    assert run(tmp_path, "narrow.c", (*defines, "LIBRARY"), [edit])[0] == 1

# SPDX-License-Identifier: BSD-3-Clause
"""Which models there are, and for each the bugs that it must see.

A model is a C program (MODEL.c); those under a strategy are in its folder of tests. A bug is a
replacement in a file of the runtime or of the generated code, so a model is checked against just
what the product ships, and is trusted only as long as it sees its bugs.
"""

import importlib

from tests.models import (
    bugs,
    bugs_limits,
    bugs_lives,
    bugs_peaks,
    bugs_readers,
    bugs_threads,
)
from tests.models.bugs import FREED, RACE, seen
from tests.models.cases import IMM, Case, Model
from tests.support.strategies import FACTS, FOLDER

_PEAK = "the next epoch of a peak beside a gauge that"

LOCKS = (
    Model("locks", "spin lock", bugs=seen(RACE, *bugs.SPIN)),
    Model("locks", "spin lock, tried", "", ("MODEL_TRY",), seen(RACE, *bugs.SPIN, bugs.TRIED)),
    Model("locks", "ticket lock", "", ("MODEL_TICKET",), seen(RACE, *bugs.TICKET)),
    Model("locks", "queue lock", "", ("MODEL_MCS",),
          (*seen(RACE, *bugs.MCS), *seen(FREED, *bugs.MCS_LINKS))),
    Model("owned", "the lock of an owner, who ends and has a successor, and of nonowners",
          bugs=seen(RACE, *bugs.OWNED, *bugs.VISITED, *bugs.REPAIRED)),
    Model("owned", "the same; the owner ends with the lock", defines=("MODEL_DIES",),
          bugs=bugs.NOT_REPAIRED),
)  # fmt: skip
OTHERS = (
    Model("slots", "sums beside threads that register and leave",
          bugs=(bugs_threads.LOADED, bugs_threads.UNREGISTERED, bugs_threads.COUNTS_GO)),
    Model("slots", "a look at one slot beside them", "", ("MODEL_LOOK",),
          (bugs_threads.LOADED, bugs_threads.SLOT_PUBLISHED)),
    Model("mine", "pointers of threads whose ids pass on", bugs=bugs_threads.POINTERS),
    Model("mine", "a set that ends before a thread with a pointer", "", ("MODEL_CLOSED",),
          (bugs_threads.POINTER_STAYS,)),
    Model("quiescent", "an instance that is freed beside an lcore", bugs=bugs_threads.REPORTS),
    Model("quiescent", "the same beside one that sleeps meanwhile", "", ("MODEL_SLEEPS",),
          bugs_threads.SLEEPS),
    Model(
        "quiescent", "the same by one of two who ask", "", ("MODEL_ASKERS",), bugs_threads.ASKERS
    ),
    Model("settled", "an end beside an lcore that holds back", bugs=bugs_threads.TOLD),
    Model("settled", "the same beside one that goes to sleep", "", ("MODEL_SLEEPS",),
          bugs_threads.TOLD_OFFLINE),
    Model(
        "settled", "the same beside one that leaves", "", ("MODEL_LEAVES",), bugs_threads.LEFT_TOLD
    ),
    Model("readers", "memory that is given back beside reads",
          bugs=(*bugs_readers.ORDERS, bugs_readers.ONE_COUNTER)),
    Model("readers", "the same of what was taken back meanwhile", "", ("MODEL_AGAIN",),
          (bugs_readers.ONE_COUNTER, bugs_readers.KEPT_FROM_BEFORE)),
    Model("limits", "a quota that two lcores use up", bugs=bugs_limits.RETURNS),
    Model(
        "limits", "a threshold that two lcores cross", "", ("MODEL_THRESHOLD",), bugs_limits.REPORTS
    ),
    Model("limits", "the same beside an lcore that leaves", "", ("MODEL_THRESHOLD", "MODEL_LEAVES"),
          bugs_limits.LEAVES, imm=False),
    Model("limits", "a threshold that is due", "", ("MODEL_DUE=20u",),
          (*bugs_limits.REPORTS[1:3], *bugs_limits.DUE), imm=False),
    Model("limits", "one that is due and crossed", "", ("MODEL_DUE=1990u",),
          bugs_limits.REPORTS[:3:2], imm=False),
    Model("limits", "one that is due and set again", "", ("MODEL_DUE=20u", "MODEL_SETS"),
          bugs_limits.SETS, imm=False),
    Model("limits", "a life that ends with a rest", "", ("MODEL_ENDS",), bugs_limits.ENDS,
          imm=False),
    Model("limits", "shares of two instances that are recalled", "", ("MODEL_TWO",),
          bugs_limits.RECALLS, imm=False),
    Model("ceiling", "a gauge that two lcores raise", bugs=bugs_limits.RAISES),
    Model("ceiling", "one whose ceiling is set", "", ("MODEL_SETS",), bugs_limits.CEILINGS),
    Model("ceiling", "one whose peak is reset", "", ("MODEL_PEAK",), bugs_limits.PEAKS),
    Model("left", "an lcore that leaves beside one who has the lock", bugs=bugs.LEFT),
    Model("left", "one that leaves and comes back", "", ("MODEL_ADOPT",),
          (bugs.ADOPTED, bugs.NOT_ADOPTED)),
    Model("open", "two modules that start beside a thread that registers",
          bugs=(bugs_threads.FORGOTTEN, bugs_threads.OPENED)),
    Model("bits", "which instances exist", bugs=bugs_lives.BITS),
    Model("bits", "the next that exists", "", ("MODEL_NEXT",), seen(RACE, bugs_threads.LOADED)),
    Model("cell", "a read of a text beside two who set it", bugs=bugs.CELLS),
    Model("peaks", f"{_PEAK} is set", bugs=bugs_peaks.SETS),
    Model("peaks", f"{_PEAK} is added to", "", ("MODEL_ADD",), bugs_peaks.ADDS),
    Model("peaks", f"{_PEAK} is subtracted from", "", ("MODEL_SUB",), bugs_peaks.SUBS),
    Model("peaks", "a reset beside two who observe", "", ("MODEL_OBSERVED",), bugs_peaks.OBSERVED),
)  # fmt: skip

UNDER = tuple(
    model
    for name in FACTS
    if (FOLDER / name / "models.py").exists()
    for model in importlib.import_module(f"tests.strategies.{name}.models").MODELS
)
"""Those under a strategy."""

MODELS = (*LOCKS, *UNDER, *OTHERS)
"""All of them."""


CASES = [
    *(Case(model, bug) for model in MODELS for bug in (None, *model.bugs)),
    *(Case(model, memory=IMM) for model in MODELS if model.imm),
]
"""Bugs are seen under RC11; what holds holds under IMM too."""
VERDICTS = [case for case in CASES if case.model.genmc]
"""Those of which there is a verdict of GenMC."""

UNSEEN = (
    *(f"locks MODEL_MCS: {bug.name}" for bug in bugs.MCS_LINKS),
    f"cell: {bugs.CELLS[0].name}",
    f"limits MODEL_THRESHOLD MODEL_LEAVES: {bugs_limits.LEAVES[1].name}",
)
"""Bugs that only GenMC sees. In explore.c the stores to a word are in the order in which they are
executed, so none is overwritten by one that was executed before it."""

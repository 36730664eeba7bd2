# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of who gives memory back beside reads, that a model must see."""

from tests.models.bugs import GRACE, RACE, Bug, Edit, bug, relaxed, seen

READERS = "runtime/include/ctr_read_ctx.h"

_FENCE = "\tctr_fence(__ATOMIC_SEQ_CST);\n"
_ASKED = "if (ctr_load_acquire(&readers->inside[idle].word) != 0)"
NOT_ASKED = bug("reads are not waited for", RACE, GRACE, _ASKED, "if (idle > 1)")
ORDERS = seen(
    RACE,
    relaxed("read entered relaxed", READERS, "inside[phase].word, 1, __ATOMIC_SEQ_CST);"),
    relaxed("read left relaxed", READERS,
            "__atomic_fetch_sub(&readers->inside[phase].word, 1, __ATOMIC_RELEASE);"),
    relaxed(
        "pointer loaded relaxed",
        READERS,
        "#define ctr_srcu_dereference(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)",
    ),
    relaxed("out of sight without a fence", GRACE, "ctr_fence(__ATOMIC_SEQ_CST);"),
    bug("out of sight with a fence for release", RACE, GRACE, _FENCE,
        _FENCE.replace("SEQ_CST", "RELEASE")),
    bug("reads asked relaxed", RACE, GRACE, _ASKED,
        "if (ctr_load64(&readers->inside[idle].word) != 0)"),
    NOT_ASKED,
)  # fmt: skip
ONE_COUNTER = bug(
    "one counter of two is asked",
    RACE,
    GRACE,
    "while (!grace->outside[0] || !grace->outside[1]) {",
    "while (!grace->outside[0] && !grace->outside[1]) {",
)
KEPT_FROM_BEFORE = Bug(
    "what was seen before it was hidden again",
    verdict=RACE,
    edits=(Edit(GRACE, "\tgrace->outside[0] = grace->outside[1] = false;\n", ""),),
)

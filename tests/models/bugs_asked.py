# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of lcores that copy their own counters, and of who asks them, that a model must see."""

from __future__ import annotations

from tests.models.bugs import RACE, bug, relaxed, seen

ASK = "runtime/include/ctr_ask.h"
WAIT = "runtime/src/ctr_ask.c"

_WITHDRAWN = "\tuint32_t state = CTR_ASK_ASKED;\n\n\treturn __atomic_compare"

ASKED = seen(
    RACE,
    relaxed("accepted relaxed", ASK, "__ATOMIC_ACQUIRE, __ATOMIC_RELAXED"),
    bug(
        "asked relaxed",
        RACE,
        ASK,
        "ctr_store_release(&asks->of[lcore].state, CTR_ASK_ASKED)",
        "ctr_store32(&asks->of[lcore].state, CTR_ASK_ASKED)",
    ),
    bug(
        "answered relaxed",
        RACE,
        ASK,
        "ctr_store_release(&asks->of[lcore].state, CTR_ASK_DONE)",
        "ctr_store32(&asks->of[lcore].state, CTR_ASK_DONE)",
    ),
    bug(
        "answer taken relaxed",
        RACE,
        ASK,
        "ctr_load_acquire(&asks->of[lcore].state)",
        "ctr_load32(&asks->of[lcore].state)",
    ),
    bug(
        "taken back from who has accepted it",
        RACE,
        ASK,
        _WITHDRAWN,
        _WITHDRAWN.replace("CTR_ASK_ASKED", "ctr_load32(&asks->of[lcore].state)"),
    ),
    bug(
        "who copies is not waited for",
        RACE,
        WAIT,
        "state == CTR_ASK_ASKED || state == CTR_ASK_COPYING",
        "state == CTR_ASK_ASKED",
    ),
)
ACCEPTED_ANYWAY = bug(
    "accepted without an exchange",
    RACE,
    ASK,
    "!__atomic_compare_exchange_n(&asks->of[lcore].state, &state, CTR_ASK_COPYING, false,\n"
    "\t\t\t\t\t __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))",
    "ctr_load_acquire(&asks->of[lcore].state) != state)",
)

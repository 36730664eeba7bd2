# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of lives, views and creation that models must see."""

from __future__ import annotations

from tests.models.bugs import (
    CHANGED,
    CONTROLLED,
    NOT_VALIDATED,
    QUIESCENT,
    RACE,
    READING,
    THINGS,
    VIEWED,
    WRONG,
    Bug,
    Edit,
    bug,
    relaxed,
    seen,
)
from tests.support.planted import SLOTS

_BEGUN = "\tctr_period_begin(period);\n\tthings_stats_thing_settle(thing, &late);\n"
_SET = "\tctr_bit_set(things_stats_thing_live, at);\n"
_LIVES = "\tctr_store32(&things_stats_thing_ledger_at(thing)->life, CTR_LIVES);\n"
LIVE_EARLY = Bug(
    "updates let in before the baseline",
    verdict=WRONG,
    edits=(
        Edit(THINGS, _SET, ""),
        Edit(THINGS, _BEGUN, f"{_LIVES}{_SET}{_BEGUN}"),
    ),
)
SAID_EARLY = bug(
    "said to exist before updates are let in",
    WRONG,
    THINGS,
    "\tif (!ctr_bit(things_stats_thing_live, thing))\n\t\treturn false;\n",
    "",
)
NOT_WAITED = Bug(
    "count taken before the lcores report",
    verdict=WRONG,
    edits=(
        Edit(
            THINGS,
            "!ctr_quiescent_passed(moment)",
            "moment == 0",
        ),
    ),
)
NO_BASELINE = bug(
    "next life has the same baseline",
    WRONG,
    THINGS,
    "\t\tctr_store64(base, sum);\n",
    "\t\t(void)sum;\n",
)
NOT_LATE = bug(
    "updates let in after the end",
    WRONG,
    THINGS,
    "\tctr_bit_clear(things_stats_thing_live, at);\n",
    "",
)
NOT_TOLD = bug(
    "any report settles what is held back",
    WRONG,
    THINGS,
    "!ctr_settled_since(&things_stats_told, moment)",
    "false",
)
HELD_BACK = bug(
    "report keeps the buffer",
    WRONG,
    THINGS,
    "\t\tctr_wb_flush(&things_stats_pool, things_stats_wb());\n\t\tctr_settled_tell(",
    "\t\tctr_settled_tell(",
)
PLAIN_LIFE = bug(
    "end noted with a plain store",
    RACE,
    THINGS,
    "ctr_store_release(&record->life, (uint32_t)life);",
    "record->life = (uint32_t)life;",
)
NO_LIVES = Bug(
    "lives change no period",
    verdict=WRONG,
    edits=(
        Edit(READING, CHANGED, "(void)period;"),
        Edit(READING, "\tctr_seq_write_end(period);\n", "\t(void)period;\n"),
    ),
)
ENDS = (NO_LIVES, NOT_VALIDATED)
LEFT_BEHIND = bug(
    "what a thread left behind is applied after the end",
    WRONG,
    THINGS,
    "\tctr_wb_settle(&things_stats_pool, things_stats_read_depth != 0);\n\tthings_stats_thing_c",
    "\tthings_stats_thing_c",
)
SETTLED = (NOT_TOLD, HELD_BACK)
_BIT = "(&bits[at / 64], bits[at / 64] "
_BIT_SET = f"{_BIT}| UINT64_C(1) << at % 64"
_BIT_CLEARED = f"{_BIT}& ~(UINT64_C(1) << at % 64)"


def stored_relaxed(name: str, path: str, what: str) -> Bug:
    """What is published is stored relaxed."""
    old, new = f"ctr_store_release{what});", f"__atomic_store_n{what}, __ATOMIC_RELAXED);"
    return bug(name, RACE, path, old, new)


BIT_TESTED = bug(
    "tested relaxed",
    RACE,
    READING,
    "uint64_t word = ctr_load_acquire(&bits[at / 64]);",
    "uint64_t word = ctr_load64(&bits[at / 64]);",
)
BITS = (
    stored_relaxed("set relaxed", READING, _BIT_SET),
    stored_relaxed("cleared relaxed", READING, _BIT_CLEARED),
    BIT_TESTED,
)
OTHER_VIEW = bug(
    "reset takes the baseline of another view",
    WRONG,
    VIEWED,
    "uint64_t *base = &CTR_MEMBER(uint64_t, record->base[view], field->base);\n"
    "\t\tuint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);\n\n\t\t*value = ctr_rebase64",
    "uint64_t *base = &CTR_MEMBER(uint64_t, record->base[1], field->base);\n"
    "\t\tuint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);\n\n\t\t*value = ctr_rebase64",
)
TAKES_ALL = bug(
    "reset in a view takes the counts",
    WRONG,
    VIEWED,
    "*value = ctr_rebase64(base, *value);",
    "*value = ctr_rebase64(base, *value);\n"
    "\t\tctr_store64(&CTR_MEMBER(uint64_t, record->base[3], field->base),\n"
    "\t\t\tctr_load64(base));",
)
NOT_COMPLETED = bug(
    "memory only for lcores that come later",
    WRONG,
    THINGS,
    "\t\t\tctr_store_release(own, chunk[lcore]);\n",
    "\t\t\t(void)own;\n",
)
NOT_AWAITED = Bug(
    "lcores come while memory is made",
    verdict=WRONG,
    edits=(
        Edit(THINGS, " records of. */\n\tctr_slots_lock();\n", " records of. */\n"),
        Edit(THINGS, "\tctr_slots_unlock();\n\treturn rc;\n", "\treturn rc;\n"),
    ),
)
ADDED_UNSEEN = Bug(
    "slot added while others are completed",
    verdict=WRONG,
    edits=(
        Edit(SLOTS, "\t(void)pthread_mutex_lock(&memory_lock);\n\tif (slots", "\tif (slots"),
        Edit(
            SLOTS,
            "rc = allocate(slots, lcore);\n\t(void)pthread_mutex_unlock(&memory_lock);",
            "rc = allocate(slots, lcore);",
        ),
    ),
)
NOT_GROWN = bug(
    "no memory for any lcore",
    WRONG,
    THINGS,
    "rc = things_stats_thing_grow(self->thing, lcore);",
    "rc = 0;",
)

VIEWS = (OTHER_VIEW, TAKES_ALL, CONTROLLED)
_QUIET = "return lcore < CTR_MAX_LCORE && ("
WIPED = seen(
    RACE,
    bug(
        "what an lcore has is wiped that never reported",
        RACE,
        SLOTS,
        _QUIET,
        "return lcore < CTR_MAX_LCORE && (true || ",
    ),
    relaxed(
        "first report seen relaxed",
        QUIESCENT,
        "__atomic_load_n(&reports[lcore], __ATOMIC_ACQUIRE);",
    ),
    relaxed(
        "first report relaxed",
        QUIESCENT,
        "__atomic_store_n(&reports[lcore], true, __ATOMIC_RELEASE);",
    ),
)
LEFT_AND_WIPED = seen(
    RACE,
    relaxed(
        "out of use relaxed", SLOTS, "__atomic_store_n(&in_use[lcore], false, __ATOMIC_RELEASE);"
    ),
    relaxed("out of use seen relaxed", SLOTS, "__atomic_load_n(&in_use[lcore], __ATOMIC_ACQUIRE)"),
)

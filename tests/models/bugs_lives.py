# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of lives, views and creation that models must see."""

from tests.models.bugs import (
    BEGIN,
    BIT_H,
    CONTROLLED,
    END,
    EXISTS,
    MEMORY,
    RACE,
    READING,
    RESET,
    SETTLE,
    WRONG,
    Bug,
    Edit,
    bug,
)
from tests.models.bugs_library import AGAIN, CHANGED
from tests.support.planted import SLOTS

_BEGUN = "\tctr_epoch_write_begin(epoch);\n\tctr_core_settle_counts(table, at, last);\n"
_SET = "\tif (table->dynamic)\n\t\tctr_bit_set(table->live, at);\n"
_LIVES = (
    "\tif (table->dynamic)\n\t\tctr_store32(&ctr_core_record(table, at)->life, CTR_LIFE_LIVE);\n"
)
LIVE_EARLY = Bug(
    "updates let in before the baseline",
    verdict=WRONG,
    edits=(Edit(BEGIN, _SET, ""), Edit(BEGIN, _BEGUN, f"{_LIVES}{_SET}{_BEGUN}")),
)
SAID_EARLY = bug(
    "said to exist before updates are let in",
    WRONG,
    EXISTS,
    "if (at >= table->max || !ctr_bit(table->live, at))",
    "if (at >= table->max)",
)
NOT_WAITED = bug(
    "count taken before the lcores report",
    WRONG,
    END,
    "if (!ctr_quiescent_passed(token))\n\t\treturn -EINPROGRESS;",
    "if (token == 0)\n\t\treturn -EINPROGRESS;",
)
NO_BASELINE = bug(
    "next life has the same baseline",
    WRONG,
    SETTLE,
    "ctr_core_begin_epoch(table, bases, (char *)out);",
    "ctr_core_subtract(table, bases, 1, out);",
)
NOT_LATE = bug(
    "updates let in after the end", WRONG, END, "\tctr_bit_clear(table->live, at);\n", ""
)
NOT_TOLD = bug(
    "any report settles what is held back",
    WRONG,
    END,
    "!ctr_drained_since(table->ending[i]->drain_tokens, token)",
    "false",
)
PLAIN_LIFE = bug(
    "end noted with a plain store",
    RACE,
    END,
    "ctr_store_release(&record->life, (uint32_t)life);",
    "record->life = (uint32_t)life;",
)
NO_LIVES = Bug(
    "lives change no epoch",
    verdict=WRONG,
    edits=(Edit(READING, CHANGED, "(void)epoch;"),
           Edit(READING, "\tctr_seq_write_end(epoch);\n", "\t(void)epoch;\n")),
)  # fmt: skip
ENDS = (NO_LIVES, AGAIN.left_out)
LEFT_BEHIND = bug(
    "what a thread left behind is applied after the end",
    WRONG,
    END,
    "\t\tctr_core_settle(table->ending[i]);\n\tclose_life(",
    "\t\t(void)i;\n\tclose_life(",
)
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
    BIT_H,
    "uint64_t word = ctr_load_acquire(&bits[at / 64]);",
    "uint64_t word = ctr_load64(&bits[at / 64]);",
)
BITS = (
    stored_relaxed("set relaxed", BIT_H, _BIT_SET),
    stored_relaxed("cleared relaxed", BIT_H, _BIT_CLEARED),
    BIT_TESTED,
)
_REBASED = "\t\tctr_core_begin_epoch(table, ctr_core_base(table, at, view), out);\n"
OTHER_VIEW = bug(
    "reset takes the baseline of another view",
    WRONG,
    RESET,
    _REBASED,
    _REBASED.replace("view)", "1)"),
)
TAKES_ALL = bug(
    "reset in a view takes the counts",
    WRONG,
    RESET,
    _REBASED,
    f"{_REBASED}"
    "\t\tfor (uint32_t i = 0; i < table->base_size; i += 8)\n"
    "\t\t\tctr_core_store(ctr_core_base(table, at, 3) + i, 64,\n"
    "\t\t\t\tctr_core_word(ctr_core_base(table, at, view) + i, 64));\n",
)
NOT_COMPLETED = bug(
    "memory only for lcores that come later",
    WRONG,
    MEMORY,
    "rc = reserve_chunk(chunk, copy_size(table), lcore);",
    "(void)chunk;",
)
_PROVIDED = "\trc = reserve_chunk(&record, "
NOT_AWAITED = Bug(
    "lcores come while memory is made",
    verdict=WRONG,
    edits=(Edit(MEMORY, f"\tctr_slots_lock();\n{_PROVIDED}", _PROVIDED),
           Edit(MEMORY, "\tctr_slots_unlock();\n\treturn rc;\n", "\treturn rc;\n")),
)  # fmt: skip
ADDED_UNSEEN = Bug(
    "slot added while others are completed",
    verdict=WRONG,
    edits=(
        Edit(SLOTS, "\t(void)pthread_mutex_lock(&memory_lock);\n\tif (slots", "\tif (slots"),
        Edit(SLOTS, "rc = allocate(slots, lcore);\n\t(void)pthread_mutex_unlock(&memory_lock);",
             "rc = allocate(slots, lcore);"),
    ),
)  # fmt: skip
NOT_GROWN = bug(
    "no memory for any lcore",
    WRONG,
    "runtime/src/core/ctr_slots.c",
    "rc = table->chunk_ops->grow(table, slot, lcore);",
    "rc = 0;",
)

VIEWS = (OTHER_VIEW, TAKES_ALL, CONTROLLED)

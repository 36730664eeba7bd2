# SPDX-License-Identifier: BSD-3-Clause
"""The bugs that models must see: replacements in files of the runtime or generated code."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.support import planted
from tests.support.planted import LOCK, SLOTS, WORD, Edit
from tests.support.planted import SEQCOUNT as SEQ

WB = "runtime/src/ctr_wb.c"
CELL = "runtime/src/ctr_cell.c"
CONTROL = "runtime/src/ctr_control.c"
QUIESCENT = "runtime/src/posix/ctr_quiescent.c"
READING = "runtime/include/ctr_reading.h"
REPORT = "runtime/include/ctr_quiescent_posix.h"
THREAD = "runtime/src/posix/ctr_thread.c"
SOURCE = "tiny_stats.c"
HEADER = "tiny_stats.h"
THINGS = "things_stats.c"

OK = "ok"
WRONG = "wrong"
"""An assertion of the model fails."""
RACE = "race"
"""Two threads access plain data, one of them writes: undefined behaviour."""
FREED = "freed"
"""A thread uses memory, such as a place on another's stack, before or after it is there."""


@dataclass(frozen=True)
class Bug(planted.Bug):
    """A bug of the runtime or of generated code, and what GenMC says of it."""

    verdict: str


def bug(name: str, verdict: str, path: str, old: str, new: str) -> Bug:
    """A bug of one edit."""
    return Bug(name, (Edit(path, old, new),), verdict)


def relaxed(name: str, path: str, old: str) -> Bug:
    """An ordering that becomes relaxed."""
    return bug(name, WRONG, path, old, planted.relaxed(old))


def unlocked(name: str, path: str, old: str, verdict: str = RACE) -> Bug:
    """All lines of `old` but the last are left out; their lock is no longer taken."""
    return bug(name, verdict, path, old, old[old.rindex("\n") + 1 :])


def seen(verdict: str, *bugs: Bug) -> tuple[Bug, ...]:
    """The same bugs in a model that sees another of their effects first."""
    return tuple(replace(bug, verdict=verdict) for bug in bugs)


READS = (
    relaxed("read begins relaxed", SEQ, "__atomic_load_n(seq, __ATOMIC_ACQUIRE);"),
    relaxed("read without its fence", SEQ, "__atomic_thread_fence(__ATOMIC_ACQUIRE);"),
    bug("odd count taken", WRONG, SEQ, "(begin & 1) != 0 || ", ""),
    bug(
        "words under the count are plain",
        RACE,
        WORD,
        "ctr_load64(const uint64_t *word)\n{\n\treturn __atomic_load_n(word, __ATOMIC_RELAXED);",
        "ctr_load64(const uint64_t *word)\n{\n\treturn *word;",
    ),
)
SEQCOUNT = (
    relaxed("write without its fence", SEQ, "__atomic_thread_fence(__ATOMIC_RELEASE);"),
    relaxed("write ends relaxed", SEQ, "*seq + 1, __ATOMIC_RELEASE);"),
    *READS,
)
CELLS = (
    relaxed("set begins relaxed", CELL, "even + 1, false, __ATOMIC_ACQUIRE,"),
    relaxed("set without its fence", CELL, "__atomic_thread_fence(__ATOMIC_RELEASE);"),
    relaxed("set ends relaxed", CELL, "even + 2, __ATOMIC_RELEASE);"),
    *READS,
)

SPIN = (
    relaxed(
        "taken relaxed",
        LOCK,
        "while (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))",
    ),
    relaxed("given back relaxed", LOCK, "__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);"),
)
OWNED = (
    relaxed("taken relaxed", LOCK, "&held, who, false,\n\t\t\t\t\t\t\t __ATOMIC_ACQUIRE,"),
    SPIN[1],
)
TICKET = (
    relaxed("taken relaxed", LOCK, "__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE)"),
    relaxed("given back relaxed", LOCK, "serving + 1, __ATOMIC_RELEASE);"),
)
MCS = (
    relaxed("queued relaxed", LOCK, "__atomic_exchange_n(&lock->tail, me, __ATOMIC_ACQ_REL)"),
    relaxed("given back relaxed", LOCK, "false, __ATOMIC_RELEASE, __ATOMIC_RELAXED"),
    relaxed("taken relaxed", LOCK, "__atomic_load_n(&me->waiting, __ATOMIC_ACQUIRE)"),
    relaxed("handed over relaxed", LOCK, "&behind->waiting, 0, __ATOMIC_RELEASE);"),
)
MCS_LINKS = (
    relaxed("linked relaxed", LOCK, "__atomic_store_n(&before->next, me, __ATOMIC_RELEASE);"),
    relaxed(
        "link loaded relaxed",
        LOCK,
        "*behind = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE);",
    ),
    relaxed(
        "link awaited relaxed",
        LOCK,
        "(behind = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE))",
    ),
)
TRIED = relaxed(
    "tried relaxed", LOCK, "&&\n\t\t__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE)"
)
CONTROLLED = bug(
    "control lock taken while another thread holds it",
    RACE,
    CONTROL,
    "if (__atomic_load_n(&control->owner, __ATOMIC_RELAXED) != me) {",
    "if (__atomic_load_n(&control->owner, __ATOMIC_RELAXED) == 0) {",
)

_SINCE = (
    "\tuint64_t base, now;\n\n"
    "\tdo {\n"
    "\t\tbase = __atomic_load_n(offset, __ATOMIC_ACQUIRE);\n"
    "\t\tnow = __atomic_load_n(count, __ATOMIC_ACQUIRE);\n"
    "\t} while (ctr_load64(offset) != base);\n"
    "\treturn now - base;"
)
OFFSET_LOADED = relaxed(
    "offset loaded relaxed",
    WORD,
    "uint64_t base, now;\n\n\tdo {\n\t\tbase = __atomic_load_n(offset, __ATOMIC_ACQUIRE);",
)
OFFSET_AGAIN = bug(
    "offset not looked at again",
    WRONG,
    WORD,
    _SINCE,
    "\tuint64_t base = __atomic_load_n(offset, __ATOMIC_ACQUIRE);\n\n"
    "\treturn ctr_load64(count) - base;",
)
COUNT_LOADED = relaxed(
    "count loaded relaxed",
    WORD,
    "now = __atomic_load_n(count, __ATOMIC_ACQUIRE);\n\t} while (ctr_load64",
)
COUNT_AFTER = relaxed(
    "updates not ordered behind the offset",
    WORD,
    "__atomic_thread_fence(__ATOMIC_RELEASE);\n\treturn now - base;\n}\n\n/* ---- words of 32 bits",
)
PERIODS = (OFFSET_AGAIN, COUNT_LOADED, COUNT_AFTER)
OFFSET_PUBLISHED = relaxed(
    "offset published relaxed",
    WORD,
    "uint64_t base = *offset;\n\n\t__atomic_store_n(offset, now, __ATOMIC_RELEASE);",
)
COUNT_FIRST = bug(
    "count loaded before the offset",
    WRONG,
    WORD,
    _SINCE,
    "\tuint64_t now = ctr_load64(count);\n\n"
    "\treturn now - __atomic_load_n(offset, __ATOMIC_ACQUIRE);",
)
OFFSETS = (OFFSET_LOADED, OFFSET_PUBLISHED, COUNT_FIRST)
CLAMPED = bug(
    "difference clamped to 0",
    WRONG,
    WORD,
    _SINCE,
    "\tuint64_t base = __atomic_load_n(offset, __ATOMIC_ACQUIRE);\n"
    "\tuint64_t now = ctr_load64(count);\n\n"
    "\treturn now > base ? now - base : 0;",
)
_ZERO = Edit(
    SOURCE,
    "*value += ctr_rebase64(base, ctr_load64(word));",
    "(void)base;\n\t\t*value += ctr_take64(word);",
)
_OWN_ADD = '("add{q}", "e", word, n);\n#else\n\t__atomic_store_n(word, '
ZEROING = (
    Bug("reset stores 0", (_ZERO,), RACE),
    Bug(
        "reset stores 0, and the owner loads with an atomic",
        (_ZERO, Edit(WORD, f"{_OWN_ADD}*word + n", f"{_OWN_ADD}ctr_load64(word) + n")),
        WRONG,
    ),
)
TAKEN = bug(
    "reset loads, then stores 0",
    WRONG,
    SOURCE,
    "*value += ctr_exchange64(",
    "*value += ctr_take64(",
)

ADDED = bug(
    "added without atomics",
    WRONG,
    WORD,
    '("lock add{q}", "e", word, n);\n#else\n\t(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);',
    '("lock add{q}", "e", word, n);\n#else\n\tctr_store64(word, ctr_load64(word) + n);',
)
_OTHER_SLOT = Edit(HEADER, "tiny_stats_slots.slot[lcore]", "tiny_stats_slots.slot[0]")
OTHER_SLOT = Bug("all write the slot of lcore 0", (_OTHER_SLOT,), RACE)
_UPDATE = (
    "tiny_stats_update_both(void)\n{\n\tstruct tiny_stats_instance *self = tiny_stats_self();\n\n"
)
UPDATE_UNLOCKED = bug(
    "updates without the lock",
    RACE,
    HEADER,
    f"{_UPDATE}\tctr_spin_lock_as(&self->lock, CTR_SPIN_OWNER);\n",
    _UPDATE,
)
OTHER_UNLOCKED = Bug(
    "all write the slot of lcore 0, without its lock",
    verdict=RACE,
    edits=(_OTHER_SLOT, *UPDATE_UNLOCKED.edits),
)
FOREIGN_UNLOCKED = unlocked(
    "foreign threads without the lock",
    SOURCE,
    "\tctr_spin_lock(&tiny_stats_non_lcore_lock);\n\tctr_seq_update_begin(",
)
FOREIGN_NO_COUNT = Bug(
    "foreign threads without the sequence count",
    verdict=WRONG,
    edits=(
        Edit(SOURCE, "\tctr_seq_update_begin(&tiny_stats_non_lcore()->seq);\n", ""),
        Edit(SOURCE, "\tctr_seq_update_end(&tiny_stats_non_lcore()->seq);\n", ""),
    ),
)
RESETS_IGNORED = bug(
    "reads ignore resets",
    WRONG,
    SOURCE,
    "&&\n\t\t    !ctr_seq_read_retry(&self->reset_seq, reset_seq)",
    "",
)
_LAST = "*copy = ctr_since64(word, base);\n\t\t\t}\n"
GIVES_UP_SILENTLY = bug(
    "read gives up silently", WRONG, SOURCE, f"{_LAST}\t\t\trc = -EAGAIN;\n", _LAST
)
RESETS_ANYWAY = bug(
    "reset that gives up takes torn counts", WRONG, SOURCE, "\t\t\treturn -EAGAIN;", "\t\t\tbreak;"
)
AT_ONCE = Edit(SOURCE, "tries >= 1000000", "tries >= 0")
"""The first attempt is the last."""
RESET_TORN = bug(
    "reset takes torn counts",
    WRONG,
    SOURCE,
    "if (!ctr_seq_read_retry(&self->seq, seq) || idle)",
    "if (idle || !idle)",
)
FLUSHED = bug(
    "flushed without the lock",
    RACE,
    WB,
    "\tctr_wb_lock(pool);\n\tctr_wb_apply(pool, wb);\n\tctr_wb_unlock(pool);",
    "\tctr_wb_apply(pool, wb);",
)
_LOOKED = "__atomic_thread_fence(__ATOMIC_SEQ_CST);\n\t} while"
_LEFT = "__atomic_thread_fence(__ATOMIC_SEQ_CST);\n\tif (ctr_spin_trylock"
LEFT = (
    bug(
        "lock given back without a fence",
        WRONG,
        WB,
        _LOOKED,
        _LOOKED.replace("SEQ_CST", "RELAXED"),
    ),
    bug("left without a fence", WRONG, WB, _LEFT, _LEFT.replace("SEQ_CST", "RELAXED")),
    bug(
        "not looked at again when the lock is free",
        WRONG,
        WB,
        "while (ctr_unlikely(has_left(pool)) && ctr_spin_trylock(&pool->lock));",
        "while (0);",
    ),
)
ADOPTED = bug(
    "taken over without its lock",
    RACE,
    WB,
    "\tctr_spin_lock(&pool->leaving);\n\tfor (at = &pool->left;",
    "\tfor (at = &pool->left;",
)
NOT_ADOPTED = bug(
    "taken over, and still with those left",
    RACE,
    WB,
    "\t\t__atomic_store_n(at, wb->next, __ATOMIC_RELAXED);",
    "\t\t(void)at;",
)
KEPT = bug(
    "leaving thread keeps its buffer",
    WRONG,
    SLOTS,
    "slots->down(slots->slot[lcore], lcore);",
    "(void)slots;",
)


def _taken(lock: str, values: str) -> str:
    """Where the lock is taken for what goes to `values`."""
    return (
        f"\t{lock};\n\tfor (unsigned int i = 0; i < 2; i++) {{\n"
        "\t\tconst struct ctr_field *field = &tiny_stats_global_fields64[i];\n"
        "\t\tuint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);\n"
        f"\t\tuint64_t *value = &CTR_MEMBER(uint64_t, *{values}, field->value);\n"
    )


def read_unlocked(lock: str) -> Bug:
    """Reads no longer take the lock, but give it back."""
    taken = _taken(lock, "out")
    return bug("read without the lock", WRONG, SOURCE, taken, taken.partition("\n")[2])


def reset_unlocked(lock: str) -> Bug:
    """Resets no longer take the lock, but give it back."""
    taken = _taken(lock, "last")
    return bug("reset without the lock", RACE, SOURCE, taken, taken.partition("\n")[2])


_USED = "(&slots->used[lcore / 64],\n\t\t\t\tslots->used[lcore / 64] | UINT64_C(1) << lcore % 64"
_SLOT = "(&slots->slot[lcore], slot"
LOADED = bug(
    "slot and its bit loaded relaxed",
    RACE,
    WORD,
    "#define ctr_load_acquire(at) __atomic_load_n(at, __ATOMIC_ACQUIRE)",
    "#define ctr_load_acquire(at) __atomic_load_n(at, __ATOMIC_RELAXED)",
)
BIT_PUBLISHED = bug(
    "bit of the slot published relaxed",
    WRONG,
    SLOTS,
    f"ctr_store_release{_USED});",
    f"__atomic_store_n{_USED}, __ATOMIC_RELAXED);",
)
SLOT_PUBLISHED = bug(
    "slot published relaxed",
    RACE,
    SLOTS,
    f"ctr_store_release{_SLOT});",
    f"__atomic_store_n{_SLOT}, __ATOMIC_RELAXED);",
)
_SEARCH = "\tfor (lcore = 0; lcore < CTR_MAX_LCORE && taken[lcore]; lcore++)"
_KEPT = "\t\t(void)pthread_setspecific(at_exit, &taken[lcore]);\n\t}\n"
_OPEN_LOCK = "\t(void)pthread_mutex_lock(&open_lock);\n"
_OPEN_UNLOCK = "\t(void)pthread_mutex_unlock(&open_lock);\n"
_OPENED = "\t\tif (rc != 0)\n\t\t\tunwatch();\n\t}\n"
UNREGISTERED = Bug(
    "id taken without the lock",
    verdict=RACE,
    edits=(
        Edit(THREAD, f"\t(void)pthread_mutex_lock(&lock);\n{_SEARCH}", _SEARCH),
        Edit(THREAD, f"{_KEPT}\t(void)pthread_mutex_unlock(&lock);\n", _KEPT),
    ),
)
FORGOTTEN = bug(
    "who registered before is forgotten",
    WRONG,
    SLOTS,
    "slots->non_lcore : in_use[lcore])",
    "slots->non_lcore : false)",
)
OPENED = Bug(
    "opened without the lock",
    verdict=RACE,
    edits=(
        Edit(SLOTS, f"{_OPEN_LOCK}\trc = watch();", "\trc = watch();"),
        Edit(SLOTS, f"{_OPENED}{_OPEN_UNLOCK}", _OPENED),
    ),
)
COUNTS_GO = bug(
    "counts go with their thread",
    WRONG,
    SLOTS,
    "\tin_use[lcore] = false;\n",
    "\tin_use[lcore] = false;\n"
    "\tfor (slots = opened; slots != NULL; slots = slots->next)\n"
    "\t\tslots->slot[lcore] = NULL;\n",
)
REPORTS = seen(
    RACE,
    relaxed(
        "epoch reported relaxed",
        REPORT,
        "__atomic_load_n(&ctr_quiescent_epoch.epoch, __ATOMIC_ACQUIRE),",
    ),
    relaxed("report relaxed", REPORT, ",\n\t\t\t\t __ATOMIC_RELEASE);"),
    relaxed(
        "online relaxed",
        QUIESCENT,
        "__atomic_fetch_add(&ctr_quiescent_epoch.epoch, 1, __ATOMIC_ACQ_REL);",
    ),
    relaxed(
        "moment relaxed",
        QUIESCENT,
        "__atomic_add_fetch(&ctr_quiescent_epoch.epoch, 1, __ATOMIC_ACQ_REL);",
    ),
    relaxed(
        "asked relaxed",
        QUIESCENT,
        "__atomic_load_n(&ctr_quiescent_slots[lcore].epoch, __ATOMIC_ACQUIRE);",
    ),
)
SLEEPS = seen(
    RACE,
    relaxed("offline relaxed", QUIESCENT, "[lcore].epoch, 0, __ATOMIC_RELEASE);"),
    relaxed("online again relaxed", QUIESCENT, "[lcore].epoch, epoch, __ATOMIC_RELEASE);"),
)
ASKERS = seen(
    RACE,
    relaxed("what is known loaded relaxed", QUIESCENT, "__atomic_load_n(&known, __ATOMIC_ACQUIRE)"),
    relaxed("made known relaxed", QUIESCENT, "(&known, moment, __ATOMIC_RELEASE);"),
)
LIVE_EARLY = bug(
    "said to exist before it is cleared",
    WRONG,
    THINGS,
    "things_stats_thing_clear(thing);\n\t\tctr_seq_write_end(live);",
    "ctr_seq_write_end(live);\n\t\tthings_stats_thing_clear(thing);",
)
NOT_COMPLETED = bug(
    "memory only for lcores that come later",
    WRONG,
    THINGS,
    "\t\tCTR_SLOTS_FOREACH(lcore, &things_stats_slots)\n"
    "\t\t\tctr_store_release(&things_stats_slot(lcore)->thing[at / 2], chunk[lcore]);\n",
    "",
)
NOT_AWAITED = Bug(
    "lcores come while memory is made",
    verdict=WRONG,
    edits=(
        Edit(THINGS, "\tctr_slots_lock();\n", ""),
        Edit(THINGS, "\tctr_slots_unlock();\n", ""),
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

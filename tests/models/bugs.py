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
MOMENTS = "runtime/include/ctr_quiescent.h"
READING = "runtime/include/ctr_reading.h"
REPORT = "runtime/include/ctr_quiescent_posix.h"
THREAD = "runtime/src/posix/ctr_thread.c"
SOURCE = "tiny_stats.c"
HEADER = "tiny_stats.h"
THINGS = "things_stats.c"
VIEWED = "viewed_stats.c"

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
    relaxed("read without its fence", SEQ, "ctr_fence(__ATOMIC_ACQUIRE);"),
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
    relaxed("write without its fence", SEQ, "ctr_fence(__ATOMIC_RELEASE);"),
    relaxed("write ends relaxed", SEQ, "*seq + 1, __ATOMIC_RELEASE);"),
    *READS,
)
CELLS = (
    relaxed("set begins relaxed", CELL, "even + 1, false, __ATOMIC_ACQUIRE,"),
    relaxed("set without its fence", CELL, "ctr_fence(__ATOMIC_RELEASE);"),
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
_OWNED_LOCK = "runtime/include/ctr_owned.h"
_LEAVES = "\t__atomic_store_n(&lock->visitor, CTR_OWNED_MOVING, __ATOMIC_RELAXED);\n"
OWNED = (
    relaxed(
        "taken relaxed",
        _OWNED_LOCK,
        "if (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))",
    ),
    relaxed(
        "taken relaxed after a wait",
        _OWNED_LOCK,
        "} while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0);",
    ),
    relaxed(
        "given back relaxed",
        _OWNED_LOCK,
        "ctr_owned_unlock(struct ctr_owned *lock)\n{\n"
        "\t__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);",
    ),
)
VISITED = (
    relaxed(
        "visited relaxed",
        _OWNED_LOCK,
        "if (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) == 0)",
    ),
    relaxed(
        "left relaxed",
        _OWNED_LOCK,
        f"{_LEAVES}\t__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);",
    ),
)
READ_OWNED = (VISITED[0], OWNED[2])
REPAIRED = (
    relaxed(
        "a visitor comes relaxed",
        _OWNED_LOCK,
        "false,\n\t\t\t\t\t   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);",
    ),
    relaxed(
        "a visitor goes relaxed",
        _OWNED_LOCK,
        "__atomic_store_n(&lock->visitor, 0, __ATOMIC_RELEASE);",
    ),
    bug(
        "the lock of a visitor is repaired",
        RACE,
        _OWNED_LOCK,
        "== CTR_OWNED_INSIDE)\n\t\t\treturn;",
        "== CTR_OWNED_INSIDE)\n\t\t\tbreak;",
    ),
)
NOT_REPAIRED = (
    bug("a visitor that leaves seems to stay", WRONG, _OWNED_LOCK, _LEAVES, ""),
    bug(
        "what the owner left is not repaired",
        WRONG,
        _OWNED_LOCK,
        "\t\tctr_owned_unlock(lock);\n\tctr_owned_go(lock);",
        "\t\t(void)spins;\n\tctr_owned_go(lock);",
    ),
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
    "if (__atomic_load_n(&control->owner, __ATOMIC_RELAXED) != this_thread) {",
    "if (__atomic_load_n(&control->owner, __ATOMIC_RELAXED) == 0) {",
)

CHANGED = "ctr_add32(period, 1);\n\tctr_fence(__ATOMIC_SEQ_CST);"
_VALIDATED = "ctr_fence(__ATOMIC_SEQ_CST);\n\tif (ctr_likely("
_SAME = "(reading->begin & 1) == 0 && ctr_load32(reading->period) == reading->begin"
PERIOD_FENCES = (
    relaxed("change of a period without its fence", READING, CHANGED),
    bug(
        "change of a period with a fence for stores",
        WRONG,
        READING,
        CHANGED,
        CHANGED.replace("SEQ_CST", "RELEASE"),
    ),
    bug(
        "period looked at behind a fence for loads",
        WRONG,
        READING,
        _VALIDATED,
        _VALIDATED.replace("SEQ_CST", "ACQUIRE"),
    ),
)
PERIOD_LOADED = relaxed("period looked at without a fence", READING, _VALIDATED)
PERIOD_ENDED = relaxed("change of a period ends relaxed", SEQ, "*seq + 1, __ATOMIC_RELEASE);")
PERIOD_BEGUN = relaxed("read begins relaxed", SEQ, "__atomic_load_n(seq, __ATOMIC_ACQUIRE);")
NOT_VALIDATED = bug("period not looked at again", WRONG, READING, _SAME, "reading->begin != 1")
ODD_PERIOD = bug("period under change taken", WRONG, READING, "(reading->begin & 1) == 0 && ", "")
NO_CHANGE = Bug(
    "reset changes no period",
    verdict=WRONG,
    edits=(
        Edit(SOURCE, "\tctr_period_begin(period);\n", "\t(void)period;\n"),
        Edit(SOURCE, "\tctr_period_end(period);\n", ""),
    ),
)
VALIDATED_LATE = bug(
    "period loaded behind the copies",
    WRONG,
    SOURCE,
    "since));\n\t} while (ctr_reading_again(&reading));",
    "since));\n\t\treading.begin = ctr_seq_read_begin(reading.period);\n"
    "\t} while (ctr_reading_again(&reading));",
)
PERIODS = (
    *PERIOD_FENCES,
    PERIOD_LOADED,
    PERIOD_ENDED,
    PERIOD_BEGUN,
    NOT_VALIDATED,
    ODD_PERIOD,
    NO_CHANGE,
)
CLAMPED = bug(
    "difference clamped to 0",
    WRONG,
    WORD,
    "\tctr_store64(base, now);\n\treturn now - before;",
    "\tctr_store64(base, now);\n\treturn now > before ? now - before : 0;",
)
_ZERO = Edit(SOURCE, "*value = ctr_load64(word);", "*value = ctr_take64(word);")
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
    "*value = ctr_exchange64(",
    "*value = ctr_take64(",
)

ADDED = bug(
    "added without atomics",
    WRONG,
    WORD,
    '("lock add{q}", "e", word, n);\n#else\n\t(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);',
    '("lock add{q}", "e", word, n);\n#else\n\tctr_store64(word, ctr_load64(word) + n);',
)
_OTHER_SLOT = Edit(
    HEADER, "ctr_slots_own(&tiny_stats_slots)", "ctr_slots_get(&tiny_stats_slots, 0)"
)
OTHER_SLOT = Bug("all write the slot of lcore 0", (_OTHER_SLOT,), RACE)
_UPDATE = (
    "tiny_stats_update_both(void)\n{\n\tCTR_DEBUG_UPDATE("
    'tiny_stats_read_unlock, "per_core_lock", CTR_DEBUG_OWN);\n'
    "\tstruct tiny_stats_instance *self = tiny_stats_self();\n\n"
    "\tif (ctr_unlikely(self == NULL)) {\n\t\tif (ctr_unlikely(!tiny_stats_ready.set)) {\n"
    "\t\t\ttiny_stats_note_late(1);\n\t\t\treturn;\n\t\t}\n"
    "\t\tself = tiny_stats_non_lcore();\n\t}\n"
)
UPDATE_UNLOCKED = bug(
    "updates without the lock",
    RACE,
    HEADER,
    f"{_UPDATE}\tctr_owned_lock(&self->ctr_lock);\n",
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
    "\tctr_spin_lock(&tiny_stats_non_lcore_lock.lock);\n\tctr_seq_update_begin(",
)
CPU_UNLOCKED = unlocked(
    "threads of a CPU without the lock",
    SOURCE,
    "\tctr_spin_lock(&((struct tiny_stats_cpu *)self)->lock);\n\tctr_seq_update_begin(",
)
NO_CPUS = Bug(
    "reads leave CPUs out",
    verdict=WRONG,
    edits=(
        Edit(
            "runtime/include/ctr_slots.h",
            "ctr_copies_next(slots, cpus, 0); (copy) < CTR_COPIES;",
            "ctr_copies_next(slots, cpus, 0); (copy) < CTR_SLOTS;",
        ),
    ),
)
FOREIGN_NO_COUNT = Bug(
    "foreign threads without the sequence count",
    verdict=WRONG,
    edits=(
        Edit(SOURCE, "\tctr_seq_update_begin(&tiny_stats_non_lcore()->ctr_seq);\n", ""),
        Edit(SOURCE, "\tctr_seq_update_end(&tiny_stats_non_lcore()->ctr_seq);\n", ""),
    ),
)
TORN = bug(
    "torn counts of a copy taken",
    WRONG,
    SOURCE,
    "if (!ctr_seq_read_retry(&self->ctr_seq, seq))",
    "",
)
GIVES_UP_SILENTLY = bug(
    "gives up silently", WRONG, SOURCE, "\t\t\trc = -EAGAIN;\n\t\t\tbreak;", "\t\t\tbreak;"
)
AT_ONCE = Edit(SOURCE, "&tries, 200000)", "&tries, 0)")
"""A copy is read once, and given up."""
LOCKED = Edit(
    READING,
    "ctr_spin_wait(&reading->tries);\n\tif (reading->tries >= CTR_READ_TRIES)",
    "if (reading->tries++ == 0)",
)
"""A reader takes the control lock after its first try."""
NOT_LOCKED = bug(
    "control lock not taken",
    RACE,
    READING,
    "\t\tctr_control_hold(reading->control);\n\t\treading->locked = true;",
    "\t\treading->locked = true;",
)
FLUSHED = bug(
    "flushed without the lock",
    RACE,
    WB,
    "\tctr_wb_lock(pool);\n\tctr_wb_apply(pool, wb);\n\tctr_wb_unlock(pool);",
    "\tctr_wb_apply(pool, wb);",
)
_LOOKED = "ctr_fence(__ATOMIC_SEQ_CST);\n\t} while"
_LEFT = "ctr_fence(__ATOMIC_SEQ_CST);\n\tif (ctr_spin_trylock"
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
    "\t\t__atomic_store_n(at, copy != NULL ? copy : wb->next, __ATOMIC_RELAXED);",
    "\t\t(void)at;",
)
KEPT = bug(
    "leaving thread keeps its buffer",
    WRONG,
    SLOTS,
    "slots->down(slots, slots->slot[lcore], lcore);",
    "(void)slots;",
)


_COPY = "\tstruct tiny_stats_global_data *data = &self->global;\n\n"


def _guarded(lock: str, what: str) -> tuple[str, str]:
    """Where the lock is taken for `what` is done with all words, and the same without it."""
    loop = (
        "\tfor (unsigned int i = 0; i < 2; i++) {\n"
        "\t\tconst struct ctr_field *field = &tiny_stats_global_fields64[i];\n"
        "\t\tuint64_t *word = &CTR_MEMBER(uint64_t, *data, field->data);\n"
        "\t\tuint64_t *value = &CTR_MEMBER(uint64_t, *out, field->value);\n\n"
        f"\t\t*value = {what}(word);"
    )
    return f"{_COPY}{lock}{loop}", f"{_COPY}{loop}"


def read_unlocked(lock: str) -> Bug:
    """Reads no longer take the lock, but give it back."""
    return bug("read without the lock", WRONG, SOURCE, *_guarded(lock, "ctr_load64"))


def reset_unlocked(lock: str) -> Bug:
    """Resets no longer take the lock, but give it back."""
    return bug("reset without the lock", RACE, SOURCE, *_guarded(lock, "ctr_take64"))

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
GET = "runtime/src/core/get.c"
TABLE = "runtime/include/ctr_table.h"
READ = "runtime/src/core/read.c"
RESET = "runtime/src/core/reset.c"
SUM = "runtime/src/core/sum.c"
SNAPSHOT = "runtime/src/core/snapshot.c"
LIFE = "runtime/src/core/life.c"
MEMORY = "runtime/src/core/memory.c"
STRATEGY = "runtime/include/ctr_strategy.h"
_SYNC = "templates/c/sync"
OWNED_COPIES = f"{_SYNC}/per_core_lock/per_core_lock.c"
SEQ_COPIES = f"{_SYNC}/per_core_seqcount/per_core_seqcount.c"
LOCKED_COPY = f"{_SYNC}/shared_lock/shared_lock.c"
BUFFERED = f"{_SYNC}/shared_buffered/shared_buffered.c"
COALESCED = f"{_SYNC}/shared_coalesced/shared_coalesced.c"
SOURCE = "tiny_stats.c"
HEADER = "tiny_stats.h"

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
_SAME = "(reading->begin & 1) == 0 && ctr_load32(reading->period) == reading->begin"
_QUICK = "(begin & 1) == 0 && ctr_load32(period) == begin"
_FENCE = "ctr_fence(__ATOMIC_SEQ_CST);\n\t"


@dataclass(frozen=True)
class Validation:
    """A place where a read looks at the period again."""

    what: str
    path: str
    fence: str
    same: str

    @property
    def late(self) -> Bug:
        """The fence in front is one for loads only."""
        new = self.fence.replace("SEQ_CST", "ACQUIRE")
        return bug(f"{self.what} looked at behind a fence for loads", WRONG, self.path, self.fence, new)

    @property
    def loaded(self) -> Bug:
        """There is no fence in front."""
        return relaxed(f"{self.what} looked at without a fence", self.path, self.fence)

    @property
    def left_out(self) -> Bug:
        """It is another one, and that is not seen; but an odd one is."""
        begin = self.same.rpartition(" ")[2]
        return bug(f"{self.what} not looked at again", WRONG, self.path, self._validated, self._with(f"{begin} != 1"))

    @property
    def odd(self) -> Bug:
        """One under change is taken."""
        even = self.same.partition(" && ")[2]
        return bug(f"{self.what} under change taken", WRONG, self.path, self._validated, self._with(even))

    @property
    def _validated(self) -> str:
        return f"{self.fence}{self.same}"

    def _with(self, same: str) -> str:
        return f"{self.fence}{same}"

    @property
    def bugs(self) -> tuple[Bug, ...]:
        """All of it."""
        return (self.late, self.loaded, self.left_out, self.odd)


AGAIN = Validation("period", READING, f"{_FENCE}if (ctr_likely(", _SAME)
GETTER = Validation("period of a getter", GET, f"{_FENCE}if (ctr_likely(", _QUICK)
ONCE = Validation("period of a read", READ, f"{_FENCE}return ", _QUICK)
ONLY = Validation("period of a read of the only copy", READ, f"{_FENCE}if (ctr_likely(", _QUICK)
PERIOD_FENCES = (
    relaxed("change of a period without its fence", READING, CHANGED),
    bug(
        "change of a period with a fence for stores",
        WRONG,
        READING,
        CHANGED,
        CHANGED.replace("SEQ_CST", "RELEASE"),
    ),
)
PERIOD_ENDED = relaxed("change of a period ends relaxed", SEQ, "*seq + 1, __ATOMIC_RELEASE);")
PERIOD_BEGUN = relaxed("read begins relaxed", SEQ, "__atomic_load_n(seq, __ATOMIC_ACQUIRE);")
NO_CHANGE = Bug(
    "reset changes no period",
    verdict=WRONG,
    edits=(
        Edit(RESET, "\tctr_period_begin(period);\n", "\t(void)period;\n"),
        Edit(RESET, "\tctr_period_end(period);\n", ""),
    ),
)
_BEGIN = "\tbegin = ctr_seq_read_begin(period);\n"
_COUNTED = "\tsum = total(table, at, counter);\n"
VALIDATED_LATE = bug(
    "period loaded behind the copies",
    WRONG,
    GET,
    f"{_BEGIN}{_COUNTED}",
    f"{_COUNTED}{_BEGIN}",
)
_BASE = "\tbase = ctr_core_static_base(table, at, view);\n"
_GATHERED = "\tif (!ctr_core_gather_all(table, at, base, values))\n\t\treturn false;\n"
READ_LATE = bug(
    "period of a read loaded behind the copies",
    WRONG,
    READ,
    f"{_BEGIN}{_BASE}{_GATHERED}",
    f"{_BASE}{_GATHERED}{_BEGIN}",
)
NOT_FETCHED = bug(
    "read of an instance is not of one life",
    WRONG,
    READ,
    "} while (table->periodic && ctr_reading_again(reading));\n\treturn rc;",
    "} while (false);\n\treturn rc;",
)
CHANGES = (*PERIOD_FENCES, PERIOD_ENDED, PERIOD_BEGUN, NO_CHANGE)
NOT_QUICK = Edit(
    GET,
    "if (ctr_likely((begin & 1) == 0 && ctr_load32(period) == begin))\n\t\treturn sum;",
    "(void)sum;",
)
"""A getter does not count on being alone, as those of dynamic scopes."""
CLAMPED = bug(
    "difference clamped to 0",
    WRONG,
    WORD,
    "\tctr_store64(base, now);\n\treturn now - before;",
    "\tctr_store64(base, now);\n\treturn now > before ? now - before : 0;",
)
_ZERO = Edit(
    RESET,
    "\t\tif (!table->gathers || table->offset.size != 0 ||\n"
    "\t\t    !ctr_core_gather_all(table, at, NULL, out))\n"
    "\t\t\trc = sum(table, at, out, view == table->view, reading);\n"
    "\t\tbegin_period(table, ctr_core_base(table, at, view), out);\n",
    "\t\tctr_core_zero(out, table->value_size);\n"
    "\t\tfor (uint32_t i = 0; i < table->domain->slots->num; i++)\n"
    "\t\t\tctr_take_plain(table, ctr_element(table, &table->data,\n"
    "\t\t\t\ttable->domain->slots->copy[i], at), out);\n",
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
    "reset loads, then stores 0", WRONG, RESET, "+= ctr_exchange64(&word64", "+= ctr_take64(&word64"
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
    SEQ_COPIES,
    "\tctr_spin_lock(lock);\n\tctr_seq_update_begin(",
)
NO_CPUS = bug(
    "reads leave CPUs out",
    WRONG,
    GET,
    "if (domain->cpus != NULL && domain->strategy->get == NULL)",
    "if (false)",
)
FOREIGN_NO_COUNT = Bug(
    "foreign threads without the sequence count",
    verdict=WRONG,
    edits=(
        Edit(SEQ_COPIES, "\tctr_seq_update_begin((uint32_t *)copy);\n", ""),
        Edit(SEQ_COPIES, "\tctr_seq_update_end((uint32_t *)copy);\n", ""),
    ),
)
TORN = bug(
    "torn counts of a copy taken",
    WRONG,
    SEQ_COPIES,
    "\t\tif (ctr_unlikely(ctr_seq_read_retry(seq, begin)))\n\t\t\treturn -EAGAIN;\n",
    "\t\t(void)begin;\n",
)
TORN_BLOCK = bug(
    "torn counts of a block taken",
    WRONG,
    SEQ_COPIES,
    "(ctr_unlikely(ctr_seq_read_retry(seq, begin)) &&\n\t\t\t again(table, &tries, rc, reading));\n"
    "\t\tfor (i = 0;",
    "(false);\n\t\tfor (i = 0;",
)
GIVES_UP_SILENTLY = bug(
    "gives up silently", WRONG, SEQ_COPIES, "\t*rc = -EAGAIN;\n\treturn false;", "\treturn false;"
)
AT_ONCE = Edit(SOURCE, ".retries = 200000,", ".retries = 0,")
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


def read_unlocked(path: str, old: str) -> Bug:
    """Reads no longer take the lock, but give it back."""
    return unlocked("read without the lock", path, old, WRONG)


def reset_unlocked(path: str, old: str) -> Bug:
    """Resets no longer take the lock, but give it back."""
    return unlocked("reset without the lock", path, old)


_POOL = "\tif (!locked)\n\t\tctr_wb_lock(pool);\n\t"
READ_OWN = read_unlocked(OWNED_COPIES, "\t\tctr_owned_visit(lock);\n\t\tctr_gather_words(")
BLOCK_OWN = read_unlocked(OWNED_COPIES, "\t\tctr_owned_visit(lock);\n\t\tctr_load_plain(")
READ_ALL = read_unlocked(LOCKED_COPY, "\tacquire(kind, lock, &node);\n\tctr_gather_words(")
READ_POOL = read_unlocked(BUFFERED, f"{_POOL}ctr_gather_words(")
RESET_ALL = reset_unlocked(
    LOCKED_COPY,
    "\tif (lock != NULL)\n\t\tacquire(kind, lock, &node);\n\tctr_take_plain(",
)
RESET_POOL = bug(
    "reset without the lock",
    RACE,
    BUFFERED,
    f"{_POOL}if (element != NULL)\n\t\tctr_take_plain(",
    "\tif (element != NULL)\n\t\tctr_take_plain(",
)

LEFT_OUT = bug(
    "a getter leaves a copy out",
    WRONG,
    GET,
    "\t} else if (counter.bits == 64) {\n\t\tfor (copy = 0;",
    "\t} else if (counter.bits == 64) {\n\t\tfor (copy = 1;",
)
READ_LEFT_OUT = bug(
    "a read leaves a copy out",
    WRONG,
    SUM,
    "\tfor (copy = 0; copy < n; copy++) {\n\t\tconst char *element",
    "\tfor (copy = 1; copy < n; copy++) {\n\t\tconst char *element",
)
BLOCK_LEFT_OUT = bug(
    "a snapshot leaves a copy out",
    WRONG,
    SUM,
    "\tfor (copy = 0; copy < num; copy++)\n\t\tctr_core_load(",
    "\tfor (copy = 1; copy < num; copy++)\n\t\tctr_core_load(",
)
_MINUS = "(base != NULL ? ctr_load64(&base[i]) : 0)"
TWICE = bug("a getter subtracts a baseline twice", WRONG, GET, "\t\tsum -= ", "\t\tsum -= 2 * ")
READ_TWICE = bug("a read subtracts a baseline twice", WRONG, SUM, _MINUS, f"2 * {_MINUS}")
COPIES_TWICE = bug(
    "a read subtracts a baseline twice",
    WRONG,
    STRATEGY,
    "values[0] = sums[0] - (base",
    "values[0] = sums[0] - 2 * (base",
)
_REBASED = "ctr_core_subtract(table, ctr_core_base(table, at, view), table->record_size, n, values);\n"
BLOCK_TWICE = bug(
    "a snapshot subtracts a baseline twice", WRONG, SUM, f"\t{_REBASED}", f"\t{_REBASED}\t{_REBASED}"
)

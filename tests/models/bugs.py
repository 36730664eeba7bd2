# SPDX-License-Identifier: BSD-3-Clause
"""The bugs that models must see: replacements in files of the runtime or generated code."""

from dataclasses import dataclass, replace

from tests.support import planted
from tests.support.planted import LOCK, SLOTS, WORD, Edit
from tests.support.planted import SEQCOUNT as SEQ

WB = "runtime/src/strategies/ctr_wb.c"
CELL = "runtime/src/core/ctr_cell.c"
CONTROL = "runtime/src/core/ctr_control.c"
QUIESCENT = "runtime/src/port/posix/ctr_quiescent.c"
GRACE = "runtime/src/core/ctr_srcu.c"
MOMENTS = "runtime/include/ctr_quiescent.h"
BIT_H = "runtime/include/ctr_bits.h"
READING = "runtime/include/ctr_read_ctx.h"
REPORT = "runtime/include/ctr_port_posix.h"
THREAD = "runtime/src/port/posix/ctr_thread.c"
TABLE = "runtime/include/ctr_table.h"
READ = "runtime/src/core/read.c"
RESET = "runtime/src/core/reset.c"
FEW = "runtime/src/core/few.c"
READ_ANY = "runtime/src/core/read_any.c"
READ_SLOWLY = "runtime/src/core/read_slowly.c"
COPY = "runtime/src/core/copy.c"
TAKE = "runtime/src/core/take.c"
CORE_H = "runtime/src/core/core.h"
SNAPSHOT = "runtime/src/core/snapshot.c"
BEGIN = "runtime/src/core/begin.c"
END = "runtime/src/core/life_end.c"
EXISTS = "runtime/src/core/memory.c"
SETTLE = BEGIN
SETTLED_H = "runtime/include/ctr_quiescent.h"
REBASE = "runtime/include/ctr_peak.h"
MEMORY = "runtime/src/core/memory.c"
STRATEGY = "runtime/include/ctr_strategy.h"
GUARDED = "runtime/include/ctr_guarded.h"
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
    bug("words under the count are plain", RACE, WORD,
        "ctr_load64(const uint64_t *word)\n{\n\treturn __atomic_load_n(word, __ATOMIC_RELAXED);",
        "ctr_load64(const uint64_t *word)\n{\n\treturn *word;"),
)  # fmt: skip
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
    relaxed("taken relaxed", LOCK,
            "while (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))"),
    relaxed(
        "given back relaxed",
        LOCK,
        "ctr_spin_unlock(struct ctr_spin *lock)\n{\n"
        "\t__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);",
    ),
)  # fmt: skip
_LEAVES = "\t__atomic_store_n(&lock->nonowner, CTR_BIASED_TRANSIT, __ATOMIC_RELAXED);\n"
OWNED = (
    relaxed("taken relaxed", LOCK,
            "if (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))"),
    relaxed("taken relaxed after a wait", LOCK,
            "} while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0);"),
    relaxed(
        "given back relaxed",
        LOCK,
        "ctr_biased_unlock(struct ctr_biased *lock)\n{\n"
        "\t__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);",
    ),
)  # fmt: skip
VISITED = (
    relaxed(
        "visited relaxed", LOCK, "if (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) == 0)"
    ),
    relaxed(
        "left relaxed", LOCK, f"{_LEAVES}\t__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);"
    ),
)
READ_OWNED = (VISITED[0], OWNED[2])
REPAIRED = (
    relaxed(
        "a nonowner comes relaxed",
        LOCK,
        "false,\n\t\t\t\t\t   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);",
    ),
    relaxed(
        "a nonowner goes relaxed", LOCK, "__atomic_store_n(&lock->nonowner, 0, __ATOMIC_RELEASE);"
    ),
    bug("the lock of a nonowner is repaired", RACE, LOCK, "== CTR_BIASED_HELD)\n\t\t\treturn;",
        "== CTR_BIASED_HELD)\n\t\t\tbreak;"),
)  # fmt: skip
NOT_REPAIRED = (
    bug("a nonowner that leaves seems to stay", WRONG, LOCK, _LEAVES, ""),
    bug("what the owner left is not repaired", WRONG, LOCK,
        "\t\tctr_biased_unlock(lock);\n\tctr_biased_unclaim(lock);",
        "\t\t(void)spins;\n\tctr_biased_unclaim(lock);"),
)  # fmt: skip
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
    relaxed("link loaded relaxed", LOCK, "*behind = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE);"),
    relaxed(
        "link awaited relaxed", LOCK, "(behind = __atomic_load_n(&me->next, __ATOMIC_ACQUIRE))"
    ),
)
TRIED = relaxed(
    "tried relaxed", LOCK, "&&\n\t\t__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE)"
)
CONTROLLED = bug(
    "control lock taken while another thread holds it",
    RACE,
    CONTROL,
    "return __atomic_load_n(&control->owner, __ATOMIC_RELAXED) == this_thread;",
    "return __atomic_load_n(&control->owner, __ATOMIC_RELAXED) != 0;",
)

ADDED = bug(
    "added without atomics",
    WRONG,
    WORD,
    '("lock add{q}", "e", word, n, __atomic_fetch_add(word, n, __ATOMIC_RELAXED));',
    '("lock add{q}", "e", word, n, ctr_store64(word, ctr_load64(word) + n));',
)
_OTHER_MINE = Edit(
    HEADER,
    "ctr_slots_mine(&tiny_stats_slots, &tiny_stats_mine)",
    "ctr_slots_get(&tiny_stats_slots, 0)",
)
OTHER_SLOT = Bug("all write the slot of lcore 0", (_OTHER_MINE,), RACE)
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
        "lock given back without a fence", WRONG, WB, _LOOKED, _LOOKED.replace("SEQ_CST", "RELAXED")
    ),
    bug("left without a fence", WRONG, WB, _LEFT, _LEFT.replace("SEQ_CST", "RELAXED")),
    bug("not looked at again when the lock is free", WRONG, WB,
        "while (ctr_unlikely(has_left(pool)) && ctr_spin_trylock(&pool->lock));", "while (0);"),
)  # fmt: skip
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
    "slot_down(slots, lcore);",
    "(void)slots;",
)

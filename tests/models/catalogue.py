# SPDX-License-Identifier: BSD-3-Clause
"""Which models there are, and for each the bugs that it must see.

A model is a C program (MODEL.c) under one strategy. A bug is a replacement in a file of
the runtime or of the generated code, so a model is checked against just what the
product ships, and is trusted only as long as it sees its bugs.
"""

from __future__ import annotations

from dataclasses import dataclass

WORD = "include/ctr_word.h"
LOCK = "include/ctr_lock.h"
SEQ = "include/ctr_seqcount.h"
WB = "src/ctr_wb.c"
SLOTS = "src/ctr_slots.c"
CELL = "src/ctr_cell.c"
CONTROL = "src/ctr_control.c"
SOURCE = "tiny_stats.c"
HEADER = "tiny_stats.h"

OK = "ok"
WRONG = "wrong"
"""An assertion of the model fails."""
RACE = "race"
"""Two threads access plain data, one of them writes: undefined behaviour."""


@dataclass(frozen=True)
class Bug:
    """A planted bug: what becomes of `old` in a file, and what GenMC says of it."""

    name: str
    path: str
    old: str
    new: str
    verdict: str
    times: int = 1
    """How often `old` is there."""


@dataclass(frozen=True)
class Model:
    """A program, the strategy of its module if it has one, macros, and its bugs."""

    source: str
    shows: str
    sync: str = ""
    defines: tuple[str, ...] = ()
    bugs: tuple[Bug, ...] = ()

    @property
    def name(self) -> str:
        """Unique, and readable."""
        return " ".join([self.source, self.sync, *self.defines]).replace("  ", " ").strip()


def relaxed(name: str, path: str, old: str, verdict: str, times: int = 1) -> Bug:
    """An ordering that becomes relaxed."""
    new = old
    for order in ("ACQUIRE", "RELEASE", "ACQ_REL"):
        new = new.replace(f"__ATOMIC_{order}", "__ATOMIC_RELAXED")
    return Bug(name, path, old, new, verdict, times)


FENCES = (
    relaxed("writer: no fence", SEQ, "__atomic_thread_fence(__ATOMIC_RELEASE);", WRONG),
    relaxed("writer: end relaxed", SEQ, "*seq + 1, __ATOMIC_RELEASE);", WRONG),
    relaxed("reader: begin relaxed", SEQ, "__atomic_load_n(seq, __ATOMIC_ACQUIRE);", WRONG),
    relaxed("reader: no fence", SEQ, "__atomic_thread_fence(__ATOMIC_ACQUIRE);", WRONG),
    Bug("reader: odd count taken", SEQ, "(begin & 1) != 0 || ", "", WRONG),
    Bug(
        "words under the count are plain",
        WORD,
        "return __atomic_load_n(word, __ATOMIC_RELAXED);",
        "return *word;",
        RACE,
        2,
    ),
)
SPIN = (
    relaxed(
        "taken relaxed",
        LOCK,
        "while (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))",
        WRONG,
    ),
    relaxed(
        "given back relaxed", LOCK, "__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);", WRONG
    ),
)
TICKET = (
    relaxed("taken relaxed", LOCK, "__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE)", RACE),
    relaxed(
        "given back relaxed",
        LOCK,
        "__atomic_store_n(&lock->serving, serving + 1, __ATOMIC_RELEASE);",
        RACE,
    ),
)
MCS = (
    relaxed("taken relaxed", LOCK, "__atomic_load_n(&me->waiting, __ATOMIC_ACQUIRE)", RACE),
    relaxed("queued relaxed", LOCK, "__atomic_exchange_n(&lock->tail, me, __ATOMIC_ACQ_REL)", RACE),
    relaxed(
        "handed over relaxed",
        LOCK,
        "__atomic_store_n(&behind->waiting, 0, __ATOMIC_RELEASE);",
        RACE,
    ),
)
TRY_RELAXED = relaxed(
    "tried without acquire",
    LOCK,
    "&&\n\t\t__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE)",
    RACE,
)
NO_LOCK = Bug(
    "flushed without the lock",
    WB,
    "\tctr_spin_lock(&pool->lock);\n\tctr_wb_apply(wb);\n\tctr_spin_unlock(&pool->lock);",
    "\tctr_wb_apply(wb);",
    RACE,
)
OFFSETS = (
    relaxed(
        "offset loaded relaxed",
        WORD,
        "uint64_t base = __atomic_load_n(offset, __ATOMIC_ACQUIRE);",
        WRONG,
    ),
    relaxed(
        "offset published relaxed",
        WORD,
        "__atomic_store_n(offset, now, __ATOMIC_RELEASE);",
        WRONG,
        2,
    ),
    Bug(
        "count, then offset",
        WORD,
        "\tuint64_t base = __atomic_load_n(offset, __ATOMIC_ACQUIRE);\n\n"
        "\treturn ctr_load64(count) - base;",
        "\tuint64_t now = ctr_load64(count);\n\n"
        "\treturn now - __atomic_load_n(offset, __ATOMIC_ACQUIRE);",
        WRONG,
    ),
)
ZEROING = Bug(
    "reset stores 0",
    SOURCE,
    "ctr_rebase64(&offset->first,\n\t\tctr_load64(&data->first))",
    "ctr_take64(&data->first)",
    RACE,
)
ZEROING_SEEN = Bug(
    "reset stores 0, the owner's load is atomic",
    WORD,
    "\tuint64_t base = *offset;\n\n\t__atomic_store_n(offset, now, __ATOMIC_RELEASE);\n"
    "\treturn now - base;",
    "\t(void)now;\n\treturn __atomic_exchange_n(offset, 0, __ATOMIC_RELAXED);",
    WRONG,
)
PLAIN_FOREIGN = Bug(
    "added without atomics",
    WORD,
    "(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);",
    "ctr_store64(word, ctr_load64(word) + n);",
    WRONG,
    2,
)
FOREIGN = ("WRITER_0=MODEL_FOREIGN", "WRITER_1=MODEL_FOREIGN")

MODELS = (
    Model(
        "conserve",
        "two lcores",
        "per_core",
        bugs=(
            Bug(
                "both write the slot of lcore 0",
                HEADER,
                "tiny_stats_slots.slot[lcore]",
                "tiny_stats_slots.slot[0]",
                RACE,
            ),
        ),
    ),
    Model("conserve", "threads without an lcore id", "per_core", FOREIGN, (PLAIN_FOREIGN,)),
    Model("conserve", "two lcores", "shared_atomic", bugs=(PLAIN_FOREIGN,)),
    Model("conserve", "two lcores", "shared_lock", bugs=()),
    Model("conserve", "two lcores", "shared_buffered", bugs=(NO_LOCK,)),
    Model("whole", "an update is read whole", "per_core_seqcount", bugs=FENCES),
    Model("whole", "an update is read whole", "per_core_lock", bugs=SPIN),
    Model("whole", "an update is read whole", "shared_lock", bugs=SPIN),
)

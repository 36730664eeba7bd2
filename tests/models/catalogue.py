# SPDX-License-Identifier: BSD-3-Clause
"""Which models there are, and for each the bugs that it must see.

A model is a C program (MODEL.c) under one strategy. A bug is a replacement in a file of
the runtime or of the generated code, so a model is checked against just what the
product ships, and is trusted only as long as it sees its bugs.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.models import bugs
from tests.models.bugs import FREED, RACE, WRONG, Bug, seen


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
        return " ".join(word for word in (self.source, self.sync, *self.defines) if word)


FOREIGN = ("WRITER_0=MODEL_FOREIGN", "WRITER_1=MODEL_FOREIGN")
TWO_RESETS = ("RESETTERS=2", "READERS=0")
WRAP = ("MODEL_FROM=UINT64_MAX",)
RESET = ("WITH_RESET",)
TICKET = "shared_lock:lock=ticket"
MCS = "shared_lock:lock=mcs"
BUFFERED = "shared_buffered:buffer=16,soft_threshold=0"
FULL = "shared_buffered:buffer=16,soft_threshold=16"
OWN = "&self->lock"
ALL = "&tiny_stats_shared.lock"
POOL = "&tiny_stats_pool.lock"

LOCKS = (
    Model("locks", "spin lock", bugs=seen(RACE, *bugs.SPIN)),
    Model("locks", "spin lock, tried", "", ("MODEL_TRY",), seen(RACE, *bugs.SPIN, bugs.TRIED)),
    Model("locks", "ticket lock", "", ("MODEL_TICKET",), seen(RACE, *bugs.TICKET)),
    Model("locks", "queue lock", "", ("MODEL_MCS",), seen(RACE, *bugs.MCS)),
)
_TWO = "updates of two lcores"
_NO_ID = "updates of threads without an id"
CONSERVE = (
    Model("conserve", _TWO, "per_core", (), (bugs.OTHER_SLOT,)),
    Model("conserve", _NO_ID, "per_core", FOREIGN, (bugs.ADDED,)),
    Model("conserve", _TWO, "per_core_lock", (), (bugs.OTHER_UNLOCKED,)),
    Model(
        "conserve",
        _NO_ID,
        "per_core_lock",
        FOREIGN,
        (bugs.UPDATE_UNLOCKED, *seen(RACE, *bugs.SPIN)),
    ),
    Model("conserve", _TWO, "per_core_seqcount", (), (bugs.OTHER_SLOT,)),
    Model("conserve", _NO_ID, "per_core_seqcount", FOREIGN, (bugs.FOREIGN_UNLOCKED,)),
    Model("conserve", _TWO, "shared_atomic", (), (bugs.ADDED,)),
    Model("conserve", _TWO, "shared_lock", (), seen(RACE, *bugs.SPIN)),
    Model("conserve", _TWO, TICKET, (), seen(RACE, *bugs.TICKET)),
    Model("conserve", _TWO, MCS, (), seen(RACE, *bugs.MCS)),
    Model(
        "conserve",
        "flushes, tried and not",
        BUFFERED,
        (),
        (bugs.FLUSHED, *seen(RACE, bugs.TRIED, *bugs.SPIN)),
    ),
    Model("conserve", "flushes of a full buffer", FULL, ("MODEL_UPDATES=9",), (bugs.FLUSHED,)),
    Model("conserve", "flushes of lcores that leave", FULL, ("MODEL_LEAVES",), (bugs.KEPT,)),
)
_READS = "reads beside updates"
_BOTH = "reads and resets beside updates"
WHOLE = (
    Model("whole", _READS, "per_core_seqcount", (), bugs.SEQCOUNT),
    Model(
        "whole",
        _BOTH,
        "per_core_seqcount",
        RESET,
        (bugs.RESETS_IGNORED, bugs.RESET_TORN, *bugs.SEQCOUNT),
    ),
    *(
        Model("whole", _READS, sync, (), (bugs.read_unlocked(lock), *locks))
        for sync, lock, locks in (
            ("per_core_lock", OWN, bugs.SPIN),
            ("shared_lock", ALL, bugs.SPIN),
            (BUFFERED, POOL, bugs.SPIN),
        )
    ),
    *(
        Model("whole", _BOTH, sync, RESET, seen(WRONG, bugs.reset_unlocked(lock)))
        for sync, lock in (("per_core_lock", OWN), ("shared_lock", ALL), (BUFFERED, POOL))
    ),
    Model("whole", _READS, TICKET, (), bugs.TICKET),
    Model(
        "whole",
        _READS,
        MCS,
        (),
        (*bugs.MCS[:2], *seen(FREED, *bugs.MCS[2:])),
    ),
)
_READER = "a reset beside updates and reads"
_RESETS = "two resets at once, beside updates"
RESETS = (
    Model("reset", _READER, "per_core", (), (*bugs.OFFSETS, *bugs.ZEROING)),
    Model("reset", _RESETS, "per_core", TWO_RESETS, (bugs.CONTROLLED,)),
    Model("reset", "a reset where the count wraps", "per_core", WRAP, (bugs.CLAMPED,)),
    Model(
        "reset",
        _READER,
        "per_core_seqcount",
        (),
        (bugs.OFFSET_LOADED, bugs.COUNT_FIRST),
    ),
    Model("reset", _RESETS, "per_core_seqcount", TWO_RESETS, (bugs.CONTROLLED,)),
    Model("reset", _READER, "per_core_lock", (), (bugs.reset_unlocked(OWN),)),
    Model("reset", _RESETS, "shared_atomic", TWO_RESETS, (bugs.TAKEN,)),
    Model("reset", _READER, "shared_lock", (), (bugs.reset_unlocked(ALL),)),
    Model("reset", _READER, BUFFERED, (), (bugs.reset_unlocked(POOL),)),
)
_SECTION = "snapshots in a section beside updates and a reset"
SNAPSHOTS = (
    *(
        Model("snapshot", _SECTION, sync, (), (bugs.CONTROLLED,))
        for sync in ("per_core", "per_core_lock", "shared_atomic")
    ),
    Model("snapshot", _SECTION, "per_core_seqcount", (), (bugs.RESET_TORN, bugs.CONTROLLED)),
    *(
        Model("snapshot", _SECTION, sync, (), seen(RACE, *bugs.SPIN))
        for sync in ("shared_lock", BUFFERED)
    ),
)
OTHERS = (
    Model(
        "slots",
        "sums beside threads that register and leave",
        bugs=(bugs.LOADED, bugs.BIT_PUBLISHED, bugs.UNREGISTERED, bugs.COUNTS_GO),
    ),
    Model(
        "slots",
        "a look at one slot beside them",
        "",
        ("MODEL_LOOK",),
        (bugs.LOADED, bugs.SLOT_PUBLISHED),
    ),
    Model("cell", "a read of a text beside two who set it", bugs=bugs.CELLS),
)

MODELS = (*LOCKS, *CONSERVE, *WHOLE, *RESETS, *SNAPSHOTS, *OTHERS)
"""All of them."""

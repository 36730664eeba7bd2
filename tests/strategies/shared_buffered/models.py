# SPDX-License-Identifier: BSD-3-Clause
"""Models under shared_buffered, flushed by each update or when the buffer is full."""

from tests.models import bugs, bugs_library, bugs_lives, subjects
from tests.models.bugs import RACE, WRONG, bug, seen
from tests.models.cases import Model

SYNC = "shared_buffered:buffer=16,soft_threshold=0"
FULL = "shared_buffered:buffer=16,soft_threshold=16"

_KEPT = bug(
    "report keeps the buffer",
    WRONG,
    "templates/c/sync/shared_buffered/shared_buffered.c",
    "\t\tctr_wb_flush(pool, wb);\n\t\tctr_drain_report(",
    "\t\t(void)pool;\n\t\tctr_drain_report(",
)

MODELS = (
    Model("conserve", "flushes, tried and not", SYNC, (),
          (bugs.FLUSHED, *seen(RACE, bugs.TRIED, *bugs.SPIN))),
    Model("conserve", "flushes of a full buffer", FULL, ("MODEL_UPDATES=17",), (bugs.FLUSHED,)),
    Model("conserve", "flushes of lcores that leave", FULL, ("MODEL_LEAVES",), (bugs.KEPT,)),
    Model("whole", subjects.READS, SYNC, (), (bugs_library.READ_UNLOCKED, *bugs.SPIN)),
    Model("whole", subjects.BOTH, SYNC, subjects.RESET, (bugs_library.RESET_UNLOCKED,)),
    Model("reset", subjects.READER, SYNC, (), (bugs_library.RESET_UNLOCKED,)),
    Model("snapshot", subjects.SECTION, SYNC, (), seen(RACE, *bugs.SPIN)),
    Model("lives", subjects.ENDS, FULL, (), (bugs_lives.NOT_TOLD, _KEPT), "things"),
    Model("lives", subjects.OTHER, FULL, ("MODEL_OTHER",), (bugs_lives.NOT_TOLD,), "things"),
    Model("lives", "one that ends beside an lcore that leaves", FULL, ("MODEL_LEAVES",),
          (bugs_lives.LEFT_BEHIND,), "things"),
    Model("lives", subjects.LATE, FULL, ("MODEL_LATE",),
          (bugs_lives.NOT_TOLD, bugs_lives.NOT_LATE), "things"),
    Model("ends", subjects.LIVES, SYNC, (), (bugs_lives.PLAIN_LIFE,), "things"),
)  # fmt: skip

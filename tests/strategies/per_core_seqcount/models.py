# SPDX-License-Identifier: BSD-3-Clause
"""Models under per_core_seqcount."""

from tests.models import bugs, bugs_library, bugs_lives, subjects
from tests.models.bugs import WRONG, Bug, Edit, bug, unlocked
from tests.models.cases import Model

SYNC = "per_core_seqcount"
_COPIES = "templates/c/sync/per_core_seqcount/per_core_seqcount.c"

_FOREIGN_UNLOCKED = unlocked(
    "foreign threads without the lock",
    _COPIES,
    "\tif (lock != NULL)\n\t\tctr_spin_lock(lock);\n\tctr_seq_update_begin(",
)
_FOREIGN_NO_COUNT = Bug(
    "foreign threads without the sequence count",
    verdict=WRONG,
    edits=(Edit(_COPIES, "\tctr_seq_update_begin((uint32_t *)copy);\n", ""),
           Edit(_COPIES, "\tctr_seq_update_end((uint32_t *)copy);\n", "")),
)  # fmt: skip
_TORN_BLOCK = bug(
    "torn counts of a block taken",
    WRONG,
    _COPIES,
    "if (ctr_likely(seqcount_leave(&guard)))",
    "if (seqcount_leave(&guard) || true)",
)
_GIVES_UP_SILENTLY = bug("gives up silently", WRONG, _COPIES, "*rc = -EAGAIN;\n", "(void)rc;\n")

MODELS = (
    Model("conserve", subjects.TWO, SYNC, (), (bugs.OTHER_SLOT,)),
    Model("conserve", subjects.NO_ID, SYNC, subjects.FOREIGN, (_FOREIGN_UNLOCKED,)),
    Model("whole", subjects.READS, SYNC, (), bugs.SEQCOUNT),
    Model("whole", f"{subjects.READS}, of any counters", SYNC, (), (bugs_library.TORN_WORDS,),
          limits=(bugs_library.ANY_COUNTERS,)),
    Model("whole", subjects.BOTH, SYNC, subjects.RESET,
          (bugs_library.TORN, bugs_library.WORDS.left_out, *bugs.SEQCOUNT)),
    Model("whole", subjects.BOTH_OF_TWO, SYNC, subjects.TWO_WRITERS,
          (bugs_library.TORN, bugs_library.WORDS.left_out)),
    Model("whole", f"{subjects.BOTH}, of threads without an id", SYNC,
          (*subjects.RESET, subjects.FOREIGN[0]), (_FOREIGN_NO_COUNT,)),
    Model("whole", f"{subjects.BOTH}, that give up", SYNC, (*subjects.RESET, "MODEL_UPDATES=1"),
          (_GIVES_UP_SILENTLY,), limits=(bugs_library.AT_ONCE,)),
    Model("reset", subjects.READER, SYNC, (), (*bugs_library.CHANGES, *bugs_library.AGAIN.bugs)),
    Model("reset", subjects.RESETS, SYNC, subjects.TWO_RESETS, (bugs.CONTROLLED,)),
    Model("reset", f"{subjects.READER}, that give up", SYNC, (), (bugs_library.AGAIN.left_out,),
          limits=(bugs_library.AT_ONCE,)),
    Model("epochs", subjects.EPOCHS, SYNC, (),
          (bugs_library.WORDS.left_out, bugs_library.WORDS.loaded, bugs_library.WORDS_LATE)),
    Model("epochs", subjects.AND_WITHOUT, SYNC, ("MODEL_COPIES",),
          (bugs_library.WORDS.left_out, bugs_library.WORDS.loaded)),
    Model("epochs", subjects.IN_TURN, SYNC, ("MODEL_HANDOVER",), (bugs_library.WORDS.left_out,)),
    Model("snapshot", subjects.SECTION, SYNC, (), (_TORN_BLOCK, bugs.CONTROLLED)),
    Model("snapshot", f"{subjects.SECTION}, that give up", SYNC, ("MODEL_UPDATES=1",),
          (_GIVES_UP_SILENTLY,), limits=(bugs_library.AT_ONCE,)),
    Model("views", subjects.VIEWS, SYNC, (), (*bugs_lives.VIEWS, bugs_library.READ_TWICE),
          "viewed"),
    Model("lives", subjects.ENDS, SYNC, (), (bugs_lives.NOT_WAITED,), "things"),
    Model("ends", subjects.LIVES, SYNC, (), bugs_lives.ENDS, "things"),
)  # fmt: skip

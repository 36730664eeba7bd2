# SPDX-License-Identifier: BSD-3-Clause
"""Models under per_core."""

from tests.models import bugs, bugs_library, bugs_lives, bugs_threads, subjects
from tests.models.bugs import WRONG, seen
from tests.models.cases import Model

SYNC = "per_core"

MODELS = (
    Model("conserve", subjects.TWO, SYNC, (), (bugs.OTHER_SLOT,)),
    Model("conserve", subjects.NO_ID, SYNC, subjects.FOREIGN, (bugs.ADDED,)),
    Model("reset", subjects.READER, SYNC, (),
          (*bugs_library.CHANGES, *bugs_library.AGAIN.bugs, bugs_library.VALIDATED_LATE,
           bugs_library.TWICE, *bugs_library.ZEROING)),
    Model("reset", f"{subjects.READER} of two lcores", SYNC, ("WRITERS=2", "MODEL_UPDATES=1"),
          (bugs_library.AGAIN.left_out, bugs_library.LEFT_OUT)),
    Model("reset", subjects.RESETS, SYNC, subjects.TWO_RESETS, (bugs.CONTROLLED,)),
    Model("reset", "a reset where the count wraps", SYNC, ("MODEL_FROM=UINT64_MAX",),
          (bugs_library.CLAMPED,)),
    Model("reset", f"{subjects.READER} that take the control lock", SYNC, (),
          (bugs_library.NOT_LOCKED,), limits=(bugs_library.LOCKED,)),
    Model("epochs", subjects.EPOCHS, SYNC, (),
          (bugs_library.FEW_COUNTERS.left_out, bugs_library.FEW_COUNTERS.loaded,
           bugs_library.READ_LATE)),
    Model("epochs", subjects.AND_WITHOUT, SYNC, ("MODEL_COPIES",),
          (bugs_library.FEW_COUNTERS.left_out, bugs_library.FEW_COUNTERS.loaded,
           bugs_library.READ_LEFT_OUT)),
    Model("epochs", subjects.IN_TURN, SYNC, ("MODEL_HANDOVER",),
          (*bugs_library.CHANGES, *bugs_library.FEW_COUNTERS.bugs)),
    Model("epochs", f"{subjects.IN_TURN}; a read of any counters", SYNC, ("MODEL_HANDOVER",),
          bugs_library.WORDS.bugs, limits=(bugs_library.NOT_FEW,)),
    Model("snapshot", subjects.SECTION, SYNC, (),
          (bugs.CONTROLLED, bugs_library.BLOCK_LEFT_OUT, bugs_library.BLOCK_TWICE)),
    Model("views", subjects.VIEWS, SYNC, (), (*bugs_lives.VIEWS, bugs_library.READ_TWICE),
          "viewed"),
    Model("lives", subjects.ENDS, SYNC, (),
          (bugs_lives.NOT_WAITED, bugs_lives.NO_BASELINE,
           *seen(WRONG, *bugs_threads.REPORTS[:4])), "things"),
    Model("lives", subjects.LATE, SYNC, ("MODEL_LATE",),
          (bugs_lives.NOT_WAITED, bugs_lives.NOT_LATE), "things"),
    Model("ends", subjects.LIVES, SYNC, (), bugs_lives.ENDS, "things"),
    Model("ends", f"{subjects.LIVES} of all counters", SYNC, ("MODEL_READ",),
          (bugs_lives.NO_LIVES, bugs_library.NOT_FETCHED, *bugs_library.FEW_FLOW), "things"),
    Model("create", "an instance that is created beside a thread that registers and updates", SYNC,
          (), (bugs_lives.NOT_COMPLETED, bugs_lives.NOT_AWAITED, bugs_lives.ADDED_UNSEEN,
               bugs_lives.NOT_GROWN), "things"),
    Model("create", "the same of one that there was before", SYNC, ("MODEL_AGAIN",),
          (bugs_lives.LIVE_EARLY, bugs_lives.SAID_EARLY), "things"),
)  # fmt: skip

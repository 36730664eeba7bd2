# SPDX-License-Identifier: BSD-3-Clause
"""Models under shared_lock, with several locks."""

from tests.models import bugs, bugs_library, bugs_lives, subjects
from tests.models.bugs import FREED, RACE, seen
from tests.models.cases import Model

SPIN = "shared_lock"
TICKET = f"{SPIN}:lock=ticket"
MCS = f"{SPIN}:lock=mcs"

MODELS = (
    Model("conserve", subjects.TWO, SPIN, (), seen(RACE, *bugs.SPIN)),
    Model("conserve", subjects.TWO, TICKET, (), seen(RACE, *bugs.TICKET)),
    Model("conserve", subjects.TWO, MCS, (), seen(RACE, *bugs.MCS)),
    Model("whole", subjects.READS, SPIN, (), (bugs_library.READ_UNLOCKED, *bugs.SPIN)),
    Model("whole", subjects.READS, TICKET, (), bugs.TICKET),
    Model("whole", subjects.READS, MCS, (), (*bugs.MCS[:2], *seen(FREED, *bugs.MCS[2:]))),
    Model("whole", subjects.BOTH, SPIN, subjects.RESET, (bugs_library.RESET_UNLOCKED,)),
    Model("reset", subjects.READER, SPIN, (), (bugs_library.RESET_UNLOCKED,)),
    Model("epochs", f"{subjects.AND_OTHER}; a read of any counters", SPIN, ("MODEL_APART",),
          (bugs_library.WORDS_UNLOCKED,), limits=(bugs_library.ANY_COUNTERS,)),
    Model("snapshot", subjects.SECTION, SPIN, (), seen(RACE, *bugs.SPIN)),
    Model("snapshot", subjects.SECTION, TICKET, (), seen(RACE, bugs.TICKET[1])),
    Model("snapshot", subjects.SECTION, MCS, (), seen(RACE, bugs.MCS[1])),
    Model("lives", subjects.ENDS, SPIN, (), (bugs_lives.NOT_WAITED,), "things"),
)  # fmt: skip

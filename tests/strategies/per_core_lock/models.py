# SPDX-License-Identifier: BSD-3-Clause
"""Models under per_core_lock."""

from tests.models import bugs, bugs_library, bugs_lives, subjects
from tests.models.bugs import HEADER, RACE, Bug, Edit, bug, seen
from tests.models.cases import Model

SYNC = "per_core_lock"

_UPDATE = (
    "tiny_stats_update_both(void)\n{\n\tCTR_DEBUG_UPDATE("
    'tiny_stats_read_unlock, "per_core_lock", CTR_DEBUG_OWN);\n'
    "\tstruct tiny_stats_instance *self = tiny_stats_self();\n\n"
    "\tif (ctr_unlikely(self == NULL)) {\n"
    "\t\tif (ctr_update_early(&tiny_stats_ready, tiny_stats_note_late, 1))\n\t\t\treturn;\n"
    "\t\tself = tiny_stats_non_lcore();\n\t}\n"
)
_UPDATE_UNLOCKED = bug(
    "updates without the lock",
    RACE,
    HEADER,
    f"{_UPDATE}\tctr_biased_lock(&self->ctr_lock);\n",
    _UPDATE,
)
_OTHER_UNLOCKED = Bug(
    "all write the slot of lcore 0, without its lock",
    verdict=RACE,
    edits=(Edit(HEADER, "ctr_slots_own(&tiny_stats_slots)", "ctr_slots_get(&tiny_stats_slots, 0)"),
           *_UPDATE_UNLOCKED.edits),
)  # fmt: skip

MODELS = (
    Model("conserve", subjects.TWO, SYNC, (), (_OTHER_UNLOCKED,)),
    Model("conserve", subjects.NO_ID, SYNC, subjects.FOREIGN,
          (_UPDATE_UNLOCKED, *seen(RACE, *bugs.OWNED))),
    Model("whole", subjects.READS, SYNC, (), (bugs_library.READ_UNLOCKED, *bugs.READ_OWNED)),
    Model("whole", subjects.BOTH, SYNC, subjects.RESET, (bugs_library.READ_UNLOCKED,)),
    Model("whole", subjects.BOTH_OF_TWO, SYNC, subjects.TWO_WRITERS,
          (bugs_library.READ_UNLOCKED, bugs_library.WORDS.left_out), imm=False),
    Model("reset", subjects.READER, SYNC, (), (bugs_library.AGAIN.left_out,)),
    Model("epochs", subjects.AND_WITHOUT, SYNC, ("MODEL_COPIES",),
          (bugs_library.WORDS.left_out, bugs_library.WORDS.loaded), imm=False),
    Model("epochs", subjects.IN_TURN, SYNC, ("MODEL_HANDOVER",),
          (bugs_library.WORDS.left_out,), imm=False),
    Model("snapshot", subjects.SECTION, SYNC, (),
          (bugs.CONTROLLED, bugs_library.BLOCK_UNLOCKED)),
    Model("lives", subjects.ENDS, SYNC, (), (bugs_lives.NOT_WAITED,), "things"),
)  # fmt: skip

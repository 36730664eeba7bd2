# SPDX-License-Identifier: BSD-3-Clause
"""Models under shared_atomic."""

from tests.models import bugs, bugs_library, bugs_lives, subjects
from tests.models.cases import Model

SYNC = "shared_atomic"

MODELS = (
    Model("conserve", subjects.TWO, SYNC, (), (bugs.ADDED,)),
    Model("reset", subjects.READER, SYNC, (), (bugs_library.TAKEN,)),
    Model("reset", subjects.RESETS, SYNC, subjects.TWO_RESETS, (bugs_library.TAKEN,)),
    Model("epochs", subjects.AND_OTHER, SYNC, ("MODEL_APART",),
          (bugs_library.NO_CHANGE, bugs_library.FEW_COUNTERS.loaded,
           bugs_library.FEW_COUNTERS.left_out, bugs_library.FEW_COUNTERS.odd)),
    Model("epochs", f"{subjects.AND_OTHER}; a read of any counters", SYNC, ("MODEL_APART",),
          (bugs_library.ONLY.loaded, bugs_library.ONLY.left_out, bugs_library.ONLY.odd),
          limits=(bugs_library.NOT_FEW_OF_ONE,)),
    Model("snapshot", subjects.SECTION, SYNC, (), (bugs.CONTROLLED,)),
    Model("views", subjects.VIEWS, SYNC, (), (*bugs_lives.VIEWS, bugs_library.ONLY_TWICE),
          "viewed"),
    Model("lives", subjects.ENDS, SYNC, (), (bugs_lives.NOT_WAITED,), "things"),
    Model("lives", subjects.LATE, SYNC, ("MODEL_LATE",),
          (bugs_lives.NOT_WAITED, bugs_lives.NOT_LATE), "things"),
    Model("ends", f"{subjects.LIVES} of one counter and the other", SYNC,
          ("MODEL_READ", "MODEL_APART"),
          (bugs_lives.NO_LIVES, bugs_library.ONLY_FLOW.loaded, bugs_library.ONLY_FLOW.left_out),
          "twins"),
)  # fmt: skip

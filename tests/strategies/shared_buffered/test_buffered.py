# SPDX-License-Identifier: BSD-3-Clause
"""Write buffers: when what was counted is visible, and never half of an update."""

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from tests.strategies.shared_buffered.programs import trio
from tests.support.cbuild import SANITIZED, Workshop

# Buffers with room for records of one unit and of two, to the last or not; thresholds at both
# ends and between.
TUNABLES = [
    {"buffer": 16, "soft_threshold": 16, "hints": 4},
    {"buffer": 17, "soft_threshold": 17, "hints": 1},
    {"buffer": 18, "soft_threshold": 18, "hints": 3},
    {"buffer": 16, "soft_threshold": 0, "hints": 2},
    {"buffer": 17, "soft_threshold": 8, "hints": 64},
    {"buffer": 1024, "soft_threshold": 512, "hints": 64},
]

pytestmark = pytest.mark.slow


def name(tunables: dict[str, int]) -> str:
    return ",".join(f"{key}={value}" for key, value in tunables.items())


TESTS = ["room", "hints", "taken", "patience", "order"]
# Without a threshold, every update flushes what is there: only room() makes sense.
CASES = [(t, tunables) for tunables in TUNABLES for t in TESTS if tunables["soft_threshold"]]
CASES += [("room", tunables) for tunables in TUNABLES if not tunables["soft_threshold"]]


@pytest.mark.parametrize(
    ("test", "tunables"), CASES, ids=lambda v: v if isinstance(v, str) else name(v)
)
def test_buffer(workshop: Workshop, test: str, tunables: dict[str, int]) -> None:
    buffer, soft, hints = tunables.values()
    build = trio(f"shared_buffered:{name(tunables)}")
    bound = all_strategies()["shared_buffered"].visible_after(tunables)
    workshop.passes(build, test, BUFFER=buffer, SOFT=soft, HINTS=hints, BOUND=bound)


@pytest.mark.native
def test_memory_of_buffers(workshop: Workshop) -> None:
    build = trio(f"shared_buffered:{name(TUNABLES[0])}").but(flags=SANITIZED)
    for test in ("room", "hints", "taken", "order"):
        workshop.passes(build, test, BUFFER=16, SOFT=16, HINTS=4)

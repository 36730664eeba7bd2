# SPDX-License-Identifier: BSD-3-Clause
"""What lcores hold back of some elements: which, when it is visible, and that all of it is."""

import pytest

from tests.strategies.shared_coalesced.programs import coalesced
from tests.support.cbuild import Workshop

TUNABLES = [
    {"entries": 8, "hints": 3},
    {"entries": 8, "hints": 64},
    {"entries": 1, "hints": 1},
    {"entries": 13, "hints": 5},
    {"entries": 256, "hints": 256},
]
"""Powers of two or not, one place for all, and room for everything."""
TESTS = ["sums", "evicted", "hinted"]

pytestmark = pytest.mark.slow


def name(tunables: dict[str, int]) -> str:
    return ",".join(f"{key}={value}" for key, value in tunables.items())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("tunables", TUNABLES, ids=name)
def test_what_is_held(workshop: Workshop, tunables: dict[str, int]) -> None:
    build = coalesced(f"shared_coalesced:{name(tunables)}")
    options = {key.upper(): value for key, value in tunables.items()}
    for test in TESTS:
        workshop.passes(build, test, **options)

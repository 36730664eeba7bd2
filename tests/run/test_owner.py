# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots for which each lcore copies its own counters: all that one has is of one moment."""

from __future__ import annotations

import pytest

from ctrgen.strategies.catalogue import all_strategies
from tests.run.tools import thread
from tests.run.variants import OWNER_TESTS, owner, owner_viewed
from tests.support.cbuild import SANITIZED, Workshop, figures
from tests.support.strategies import STRATEGIES, promise

OWNED = [name for name in STRATEGIES if all_strategies()[name].owned]
ROUNDS = 40

pytestmark = pytest.mark.slow


def options(variant: str) -> dict[str, int]:
    return {"WHOLE": int(promise(variant, "consistency") == "update"), "ROUNDS": ROUNDS}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", OWNED)
def test_copies(workshop: Workshop, variant: str, port: str) -> None:
    for test in OWNER_TESTS:
        done = figures(workshop.passes(owner(variant, port), test, **options(variant)))
        if test == "traffic":
            assert done["owners"] > 0


@pytest.mark.parametrize("variant", ["per_core", "per_core_seqcount"])
def test_two_strategies_and_values_since_a_reset(workshop: Workshop, variant: str) -> None:
    for test in OWNER_TESTS:
        workshop.passes(owner_viewed(variant), test, SINCE=1, **options(variant))


def test_in_a_child_of_fork(workshop: Workshop) -> None:
    workshop.passes(owner("per_core"), "forked")


@pytest.mark.deep
@pytest.mark.native
@pytest.mark.parametrize("variant", OWNED)
def test_sanitizers_have_nothing_to_say(workshop: Workshop, variant: str) -> None:
    for test in OWNER_TESTS:
        workshop.passes(owner(variant).but(flags=SANITIZED), test, 600, **options(variant))
        workshop.passes(thread(owner(variant)), test, 600, **options(variant))

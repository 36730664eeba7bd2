# SPDX-License-Identifier: BSD-3-Clause
"""Counters of 32 and 64 bits go over their wrap, with resets on either side of it."""

import pytest

from tests.run.variants import wrap
from tests.support.cbuild import Workshop
from tests.support.strategies import EXACT, fewer

ROUNDS = 10  # over the wrap, half of them with resets going on
STEPS = 200_000  # of each counter in a round

pytestmark = pytest.mark.slow


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", EXACT)
def test_while_others_read_and_reset(workshop: Workshop, variant: str) -> None:
    rounds, steps = fewer(variant, ROUNDS, 2), fewer(variant, STEPS, 50)
    workshop.passes(wrap(variant), "concurrent", ROUNDS=rounds, STEPS=steps)

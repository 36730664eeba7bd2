# SPDX-License-Identifier: BSD-3-Clause
"""Narrow words of which only some bits are used, so that nearly every update spills."""

from __future__ import annotations

import pytest

from tests.run.variants import torture
from tests.support.cbuild import Workshop, figures

pytestmark = pytest.mark.slow

TORTURED = [(4, "words=u16,lcores=2"), (6, "words=u16,lcores=5"), (4, "words=u32,lcores=2")]
"""Bits, and tunables: with 4 bits each of three copies has a number of its own, with 6 bits three
of six share one."""
ROUNDS = 6


@pytest.mark.parametrize(("bits", "tunables"), TORTURED)
def test_every_value_is_one_that_the_counter_had(
    workshop: Workshop, bits: int, tunables: str
) -> None:
    build = torture(f"per_core_narrow:{tunables}", bits=bits)
    lcores = int(tunables[-1])
    found = figures(workshop.passes(build, "spills", LCORES=lcores))
    assert found["moved"] > 100


@pytest.mark.parametrize(("bits", "tunables"), TORTURED)
def test_step_by_step(workshop: Workshop, bits: int, tunables: str) -> None:
    build = torture(f"per_core_narrow:{tunables}", bits=bits)
    for test in ("every_amount", "resets_around", "value", "sum"):
        workshop.passes(build, test)
    if bits == 4:
        workshop.passes(build, "child_lands")
    workshop.passes(build, "too_many", LCORES=int(tunables[-1]))
    workshop.passes(build, "concurrent", ROUNDS=ROUNDS, STEPS=100_000)

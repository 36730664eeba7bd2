# SPDX-License-Identifier: BSD-3-Clause
"""Narrow words of which only some bits are used, so that nearly every update spills."""

from __future__ import annotations

import pytest

from tests.run.variants import torture
from tests.support.cbuild import Workshop, figures

pytestmark = pytest.mark.slow

TORTURED = [
    (4, "per_core_narrow:words=u16,lcores=2"),
    (6, "per_core_narrow:words=u16,lcores=5"),
    (4, "per_core_narrow:words=u32,lcores=2"),
]
"""Bits, and how narrow words are: with 4 bits each of three copies has a number of its own, with 6
bits three of six share one."""
ROUNDS = 6


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("bits", "sync"), TORTURED)
def test_every_value_is_one_that_the_counter_had(
    workshop: Workshop, bits: int, sync: str, first: int
) -> None:
    build = torture(sync, bits=bits, first=first)
    lcores = int(sync[-1])
    found = figures(workshop.passes(build, "spills", LCORES=lcores))
    assert found["moved"] > 100


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("bits", "sync"), TORTURED)
def test_step_by_step(workshop: Workshop, bits: int, sync: str, first: int) -> None:
    build = torture(sync, bits=bits, first=first)
    for test in ("every_amount", "resets_around", "value", "sum"):
        workshop.passes(build, test)
    if bits == 4:
        workshop.passes(build, "child_lands")
    workshop.passes(build, "too_many", LCORES=int(sync[-1]))
    workshop.passes(build, "concurrent", ROUNDS=ROUNDS, STEPS=100_000)

# SPDX-License-Identifier: BSD-3-Clause
"""Narrow words of which only some bits are used, so that nearly every update spills."""

import pytest

from tests.run.amount_scripts import FIXED, THREADS
from tests.run.variants import amounts
from tests.strategies.per_core_narrow.programs import torture
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop, figures

pytestmark = pytest.mark.slow

TORTURED = [
    (4, "per_core_narrow:words=u16,lcores=2"),
    (6, "per_core_narrow:words=u16,lcores=5"),
    (4, "per_core_narrow:words=u32,lcores=1"),
    (6, "per_core_narrow:words=u32,lcores=2"),
    (7, "per_core_narrow:words=u32,lcores=5"),
]
"""Bits, and how narrow words are: first each of three copies has a number of its own, then three of
six share one."""
FORKED = [
    (4, "per_core_narrow:words=u16,lcores=2"),
    (6, "per_core_narrow:words=u32,lcores=2"),
    (32, "per_core_narrow:words=u32,lcores=2"),
]


@pytest.mark.parametrize(("bits", "sync"), TORTURED)
def test_every_value_is_one_that_the_counter_had(workshop: Workshop, bits: int, sync: str) -> None:
    build = torture(sync, bits=bits)
    lcores = int(sync[-1])
    found = figures(workshop.passes(build, "spills", LCORES=lcores))
    assert found["moved"] > 100


@pytest.mark.parametrize(("bits", "sync"), TORTURED)
def test_step_by_step(workshop: Workshop, bits: int, sync: str) -> None:
    build = torture(sync, bits=bits)
    workshop.passes(build, "every_amount")
    workshop.passes(build, "too_many", LCORES=int(sync[-1]))


@pytest.mark.parametrize(("bits", "sync"), [TORTURED[0], TORTURED[3]])
def test_amounts(workshop: Workshop, bits: int, sync: str) -> None:
    """All that test_amounts.py tries."""
    build = amounts(sync)
    build = build.but(flags=(*build.flags, f"-DCTR_NARROW_RANGE(bits)={bits}"))
    for script in (FIXED, THREADS):
        workshop.passes(build, "amounts", SCRIPT=script)


@pytest.mark.parametrize(("bits", "sync"), FORKED)
def test_fork(workshop: Workshop, bits: int, sync: str) -> None:
    build = torture(sync, bits=bits)
    workshop.passes(build, "child_lands")
    if "u32" in sync:
        workshop.passes(build, "child_has_room")


@pytest.mark.dpdk
@needs_dpdk
def test_too_many_on_dpdk(workshop: Workshop) -> None:
    """DPDK says -ENOMEM to whom a callback refuses an id, whatever the reason was. Four lcores are
    there when it starts."""
    build = torture("per_core_narrow:words=u16,lcores=5", "dpdk", bits=6)
    workshop.passes(build, "too_many", LCORES=5, TAKEN=4)


def test_whole_words(workshop: Workshop) -> None:
    workshop.passes(torture("per_core_narrow", bits=32), "whole_words")

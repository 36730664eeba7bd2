# SPDX-License-Identifier: BSD-3-Clause
"""Amounts at the bounds of their types, in every kind of call, under every strategy.

amounts.c performs the calls of a script; amounts.py has what reads must give. Corners are always
tried (amount_scripts.py): each pair of corner amounts in each two places of an update, by a single
call, a bulk call and a batch. Hypothesis adds sequences of calls, resets and threads.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.run.amount_scripts import (
    EACH,
    EARLY,
    FIXED,
    IN_ORDER,
    MERGED,
    READS,
    THREADS,
    fit,
    several,
    ways,
)
from tests.run.amounts import BILL, CORNERS, DEFAULT, WIDTHS, Line, indexes, text
from tests.run.variants import DEBUG, LIGHT, amounts
from tests.support.capabilities import needs, needs_dpdk
from tests.support.cbuild import Build, Workshop
from tests.support.strategies import EXACT, STRATEGIES, UNLIKE, VARIANTS, at_most, promise, usually

SEQUENCES = 20
ALWAYS = [*STRATEGIES, *(name for name in VARIANTS if "words=u16" in name)]
"""What changes the arithmetic."""

pytestmark = pytest.mark.slow


@st.composite
def lines(draw: st.DrawFn, *, ordered: bool, thread: str = "m") -> Line:
    """Any call."""
    amount = st.one_of(st.sampled_from(CORNERS), st.integers(0, 2**64 - 1))
    names = sorted((EACH | IN_ORDER) if ordered else EACH)
    updates = sorted(WIDTHS if ordered else WIDTHS.keys() - {"gauge", "own", *MERGED})
    if draw(st.booleans()):
        call = draw(st.sampled_from(names))
        places = (EACH | IN_ORDER)[call]
        value = draw(amount) % 2 ** (32 if call == "set_short_level" else 64)
        return Line(call, ((1,) * places + (value,)) if places >= 0 else (), thread)
    update = draw(st.sampled_from(updates))
    way = draw(st.sampled_from(ways(update)))
    numbers: list[int] = []
    for _ in range(draw(st.integers(1, 34)) if several(way) else 1):
        index = (1,) * indexes(update) if update != "four" else (draw(st.integers(0, 4)),)
        numbers += [*index, *fit(update, [draw(amount) for _ in WIDTHS[update]])]
    return Line(way, tuple(numbers), thread)


@st.composite
def sequences(draw: st.DrawFn) -> list[Line]:
    """Calls of one thread and of two, with resets and reads in between."""
    script = [Line("restart"), Line("create", (1,))]
    for _ in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(("calls", "calls", "threads", "reset", "module")))
        if kind == "calls":
            script += draw(st.lists(lines(ordered=True), min_size=1, max_size=8))
        elif kind == "threads":
            for thread in "ab":
                script += draw(st.lists(lines(ordered=False, thread=thread), max_size=8))
            script.append(Line("run", (draw(st.integers(0, 3)),)))
        elif kind == "reset":
            script.append(Line("reset", (draw(st.sampled_from((DEFAULT, BILL))),)))
        else:
            script.append(Line("reset_module"))
        script += READS
    return script


def plain(variant: str) -> Build:
    """The program of most of these tests; optimised it is on DPDK and with the other compiler."""
    return amounts(at_most(variant)).but(flags=LIGHT)


def check(workshop: Workshop, build: Build, *, exact: bool = True) -> None:
    """What is read is what the model has, of two threads as well where that is exact."""
    for script in (FIXED, THREADS)[: 1 + exact]:
        workshop.passes(build, "amounts", SCRIPT=script)


@pytest.mark.parametrize("variant", usually(VARIANTS, ALWAYS))
def test_corners(workshop: Workshop, variant: str) -> None:
    check(workshop, plain(variant), exact=bool(promise(variant, "exact")))


@pytest.mark.parametrize("variant", usually(VARIANTS, STRATEGIES))
def test_before_and_after(workshop: Workshop, variant: str) -> None:
    """What comes before P_init() or after P_fini() counts nothing but in P_late()."""
    workshop.passes(plain(variant), "amounts", SCRIPT=EARLY)


@pytest.mark.parametrize("strategy", usually(STRATEGIES, UNLIKE))
def test_before_and_after_in_debug_builds(workshop: Workshop, strategy: str) -> None:
    workshop.passes(amounts(strategy).but(flags=DEBUG), "amounts", SCRIPT=EARLY)


@pytest.mark.parametrize("variant", usually(EXACT, STRATEGIES))
def test_sequences(workshop: Workshop, tmp_path: Path, variant: str) -> None:
    build, path = plain(variant), tmp_path / "script"

    @settings(
        max_examples=SEQUENCES,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(script=sequences())
    def sequence(script: list[Line]) -> None:
        path.write_text(text(script), "ascii")
        workshop.passes(build, "amounts", SCRIPT=path)

    sequence()


@needs("clang")
@pytest.mark.parametrize("strategy", usually([s for s in STRATEGIES if s in EXACT], UNLIKE))
def test_with_the_other_compiler(workshop: Workshop, strategy: str) -> None:
    check(workshop, amounts(strategy).but(compiler="clang"))


@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("strategy", usually([s for s in STRATEGIES if s in EXACT], UNLIKE))
def test_on_dpdk(workshop: Workshop, strategy: str) -> None:
    check(workshop, amounts(strategy, "dpdk"))
    workshop.passes(amounts(strategy, "dpdk"), "amounts", SCRIPT=EARLY)

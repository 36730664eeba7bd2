# SPDX-License-Identifier: BSD-3-Clause
"""Updates in a signal handler that interrupts an update of its thread: promised, or refused."""

import platform

import pytest

from tests.run.variants import signalled
from tests.support.capabilities import have
from tests.support.cbuild import Workshop
from tests.support.strategies import BUFFERING, DELTAS, DRAINED, USUAL, VARIANTS, by_cpu, promise

X86_64 = platform.machine() == "x86_64"
PROMISED = [
    variant
    for variant in VARIANTS
    if promise(variant, "signals") in ("any", *(["x86-64"] if X86_64 else []))
]
WRONG = [BUFFERING, f"{DELTAS}:entries=1", DRAINED]
"""Strategies that do not promise it, and do not hang: they count wrongly, or crash."""
TESTS = [
    "by_a_timer",
    *([pytest.param("step_by_step", marks=pytest.mark.native)] if X86_64 else []),
]

pytestmark = pytest.mark.slow


@pytest.mark.one_in(0.5)  # every strategy, and each compiler
@pytest.mark.parametrize("variant", PROMISED)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("test", TESTS)
def test_a_handler_counts(
    workshop: Workshop, request: pytest.FixtureRequest, test: str, variant: str, compiler: str
) -> None:
    if not have(compiler):
        pytest.skip(f"no {compiler}")
    if test == "step_by_step" and by_cpu(variant):
        pytest.skip("each step cuts a section, which then begins again: its own cpu.c cuts once")
    # One pair of 11 still has each amount in the thread and in the handler, with both sessions.
    each = 1 if request.config.getoption("--long") else 11
    for registered in (0, 1):
        build = signalled(variant).but(compiler=compiler)
        workshop.passes(build, test, REGISTERED=registered, EACH=each)


@pytest.mark.native
@pytest.mark.skipif(not X86_64, reason="steps are those of x86-64")
@pytest.mark.parametrize("variant", WRONG)
def test_what_is_not_promised_is_wrong(workshop: Workshop, variant: str) -> None:
    """So that the steps can fail, and the promise is no worse than it has to be."""
    assert promise(variant, "signals") == "none"
    done = workshop.attempt(signalled(variant), "step_by_step", 60)
    assert done.returncode != 0, done.stderr


@pytest.mark.native
def test_in_several_instructions_it_is_wrong(workshop: Workshop) -> None:
    """Without the assembly an add is several instructions: what the header refuses."""
    build = signalled(USUAL)
    done = workshop.attempt(build.but(flags=(*build.flags, "-DCTR_NO_ASM")), "step_by_step", 60)
    assert done.returncode != 0 and "instead of" in done.stderr, done.stderr

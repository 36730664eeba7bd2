# SPDX-License-Identifier: BSD-3-Clause
"""Barriers are in the machine code where the runtime needs them, and nowhere else."""

from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.machine import code, orders
from tests.run import mutants
from tests.run.mutants import Mutant
from tests.support.cbuild import Workshop
from tests.support.planted import planted

THERE = [target for target in code.TARGETS if target.there]


@code.each()
@pytest.mark.parametrize("level", ["-O2", "-O3"])
def test_primitives(tmp_path: Path, target: code.Target, level: str) -> None:
    flags = runtimeinfo.cflags("posix")
    assert (
        orders.problems(target, tmp_path, flags, runtimeinfo.path() / "src" / "core", level) == []
    )


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize("mutant", mutants.of("orders"), ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, mutant: Mutant) -> None:
    """Weak machines would count wrong; on x86-64 no run could show it."""
    if not any(target.arch == "aarch64" for target in THERE):
        pytest.skip("no compiler for aarch64")
    tree = planted(tmp_path, mutant.edits)
    flags = workshop.runtime_flags("cflags", "posix", tree)
    sources = Path(workshop.runtime_flags("sources", "posix", tree)[0]).parent
    assert any(
        mutant.says in problem
        for target in reversed(THERE)
        for problem in orders.problems(target, tmp_path, flags, sources)
    )

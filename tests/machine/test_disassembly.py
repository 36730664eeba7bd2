# SPDX-License-Identifier: BSD-3-Clause
"""What the compilers make of an update: as much as of the pattern by hand, and a branch.

The hot path of a function is what lies before its first return; compilers put the
path of threads without an lcore id behind it.
"""

import functools
import re
import tempfile
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build
from tests.machine import code
from tests.support.paths import EP, GENERATED, ROOT
from tests.support.strategies import FACTS, LOSSY, STRATEGIES, fact, lcore_values, promise

# Compare and jump: the thread has no lcore id. gcc for aarch64 moves a register more.
BRANCH = {"x86_64": 2, "aarch64": 3}

BARRIERS = fact("barriers")
OWN = [name for name in STRATEGIES if lcore_values(name) and promise(name, "waits") == "never"]
"""Strategies whose owners store each counter as a whole, without a vector operation."""


@functools.cache
def paths(target: code.Target, level: str, strategy: str) -> dict[str, list[str]]:
    """The hot paths of paths.c; that by hand only of strategies that have a pattern by hand."""
    by_hand = (ROOT / "templates" / "c" / "sync" / strategy / "hand.j2").exists()
    source = Path(__file__).with_name("paths.c")
    with tempfile.TemporaryDirectory() as folder:
        flags = [*runtimeinfo.cflags("posix"), f"-I{GENERATED / strategy}", f"-I{folder}/bench"]
        if by_hand:
            request = BuildRequest(str(EP), folder, sync=strategy, only=("bench",))
            assert build(request).exit_code == 0
        else:
            flags.append("-DNO_HAND")
        made = code.compiled(target, source, Path(folder) / "paths.o", flags, level)
        return {name: code.hot(lines) for name, lines in code.functions(target, made).items()}


both_levels = pytest.mark.parametrize("level", ["-O2", "-O3"])


@code.each()
@both_levels
@pytest.mark.parametrize("strategy", OWN)
def test_update_costs_one_branch_over_the_pattern_by_hand(
    target: code.Target, level: str, strategy: str
) -> None:
    found = paths(target, level, strategy)
    generated, hand = found["path_generated"], found["path_hand"]
    shown = "\n".join(["generated:", *generated, "hand:", *hand])
    most = len(hand) + BRANCH[target.arch] + FACTS[strategy].fences.get(target.arch, 0)
    assert len(generated) <= most, shown


@code.each()
@both_levels
@pytest.mark.parametrize("strategy", BARRIERS)
def test_update_has_the_barriers_it_needs(target: code.Target, level: str, strategy: str) -> None:
    lines = paths(target, level, strategy)["path_generated"]
    got = code.shape(target, lines)
    assert re.fullmatch(BARRIERS[strategy][target.arch], got), "\n".join([got, *lines])


@code.each()
@both_levels
@pytest.mark.parametrize("strategy", OWN)
def test_words_are_stored_one_by_one(target: code.Target, level: str, strategy: str) -> None:
    lines = paths(target, level, strategy)["path_generated"]
    assert code.vector(target, lines) == []


@pytest.mark.skipif(not code.TARGETS[0].there, reason="no gcc for x86-64")
def test_the_scan_sees_fused_adds() -> None:
    """gcc makes one vector add of adjacent `+=`: what an exact strategy must not become."""
    lines = paths(code.TARGETS[0], "-O3", LOSSY[0])["path_hand"]
    assert code.vector(code.TARGETS[0], lines)

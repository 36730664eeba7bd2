# SPDX-License-Identifier: BSD-3-Clause
"""What an observation costs: a counter, the bucket's computation, and at most two instructions."""

from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.model.strategies.catalogue import all_strategies
from tests.machine import code
from tests.support.planted import PROJECT
from tests.support.strategies import STRATEGIES, USUAL, by_cpu

HERE = Path(__file__).parent
PAIRS = {
    "observe_sizes": ("counter", "sizes_bucket"),
    "observe_delays": ("counter", "delays_bucket"),
    "global_delays": ("global_counter", "delays_bucket"),
}
"""Functions of histograms.c: an observation, the add to a counter there, the bucket."""
STORES = 2
"""What the functions that compute a bucket do besides: they store it, and the value."""
MOST = 2
"""Instructions beyond these two: the second add, and where the bucket is. What is held back has its
bucket computed later: there are less."""
WITHIN = [name for name in STRATEGIES if not by_cpu(name) and not all_strategies()[name].outlined]
"""Strategies of whose update no part is elsewhere: out of line, or in a section."""


def paths(target: code.Target, folder: Path, strategy: str, level: str) -> dict[str, list[str]]:
    """The hot paths of histograms.c, without the return."""
    schema = HERE / "histograms.yaml"
    PROJECT.succeed("build", schema, "-o", folder, "--sync", strategy, "--only", "c")
    flags = (*runtimeinfo.cflags("posix"), f"-I{folder}", "-fPIE")
    made = code.compiled(target, HERE / "histograms.c", folder / "made.o", flags, level)
    return {name: code.hot(lines)[:-1] for name, lines in code.functions(target, made).items()}


@pytest.mark.one_in(8)
@pytest.mark.parametrize("level", ["-O2", "-O3"])
@code.each("x86_64")
@pytest.mark.parametrize("strategy", WITHIN)
def test_an_observation_is_a_counter_and_its_bucket(
    tmp_path: Path, strategy: str, target: code.Target, level: str
) -> None:
    found = paths(target, tmp_path, strategy, level)
    for name, (counter, bucket) in PAIRS.items():
        parts = len(found[counter]) + len(found[bucket]) - STORES
        print(f"{strategy} {target.compiler} {name}: {len(found[name]) - parts:+}")
        assert len(found[name]) <= parts + MOST, "\n".join(found[name])


@code.each()
def test_a_bucket_is_found_without_a_branch(tmp_path: Path, target: code.Target) -> None:
    """Values come in no order: half of the branches on them would be foretold wrongly."""
    found = paths(target, tmp_path, USUAL, "-O3")
    for name in ("sizes_bucket", "delays_bucket"):
        jumps = [line for line in found[name] if line.startswith(("j", "b.", "cb", "tb"))]
        assert jumps == [], "\n".join(found[name])

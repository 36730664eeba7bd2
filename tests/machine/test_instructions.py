# SPDX-License-Identifier: BSD-3-Clause
"""How many instructions an update takes, and that none of them waits for another on arm64."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.machine import code
from tests.support import process
from tests.support.paths import ROOT
from tests.support.planted import PROJECT
from tests.support.strategies import STRATEGIES

HERE = Path(__file__).parent

MOST = {
    "per_core": 15,
    "per_core_seqcount": 18,
    "shared_atomic": 9,
}
"""Instructions of an update of four counters, two of them of a session, up to the return."""
X86_64 = [target for target in code.TARGETS if target.arch == "x86_64"]
MACHINES = ("x86-64", "x86-64-v3", "native")

pytestmark = pytest.mark.slow


def hot(target: code.Target, folder: Path, strategy: str, *flags: str) -> list[str]:
    """The hot path of an update of the reference schema, without the return."""
    sources = (*runtimeinfo.cflags("posix"), f"-I{ROOT / 'generated' / strategy}", *flags)
    made = code.compiled(
        target, ROOT / "tests/figures/fast.c", folder / "fast.o", (*sources, "-fPIE")
    )
    return code.hot(code.functions(target, made)["hot_update_packet"])[:-1]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("target", X86_64, ids=lambda target: target.compiler)
@pytest.mark.parametrize("strategy", MOST)
def test_an_update_takes_so_many_instructions(
    target: code.Target, tmp_path: Path, strategy: str, machine: str
) -> None:
    if not target.there or (machine == "native" and not process.run("uname", "-m").stdout == "x86_64\n"):
        pytest.skip(f"no {target.compiler} for {machine}")
    lines = hot(target, tmp_path, strategy, f"-march={machine}")
    assert len(lines) <= MOST[strategy], "\n".join(lines)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_load_waits_for_a_store_of_the_update_before(
    tmp_path: Path, strategy: str, compiler: str
) -> None:
    """A load with acquire waits for earlier stores with release. Only a lock's own load does."""
    target = code.Target("aarch64", compiler)
    if not target.there:
        pytest.skip("not installed")
    PROJECT.succeed("build", HERE / "flows.yaml", "-o", tmp_path, "--sync", strategy, "--only", "c")
    flags = (*runtimeinfo.cflags("posix"), f"-I{tmp_path}")
    made = code.compiled(target, HERE / "flows.c", tmp_path / "flows.o", flags)
    lines = code.functions(target, made)["path_two"]
    got = code.shape(target, lines)
    assert not re.search("r[ls]*a(?!x)", got), "\n".join([got, *lines])

# SPDX-License-Identifier: BSD-3-Clause
"""An observation of a peak that changes nothing is a load and a compare."""

import re
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.machine import code
from tests.support.planted import PROJECT
from tests.support.strategies import UNLIKE

HERE = Path(__file__).parent
MOST = {"x86_64": (4, 5), "aarch64": (6, 7)}
"""Instructions of the greatest and of the least value, whose complement is one more: the address,
the load, the compare and the branch."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("strategy", UNLIKE[:2])
@code.each()
def test_what_changes_nothing_is_a_load_and_a_compare(
    tmp_path: Path, target: code.Target, strategy: str
) -> None:
    PROJECT.succeed("build", HERE / "peaks.yaml", "-o", tmp_path, "--sync", strategy, "--only", "c")
    flags = (*runtimeinfo.cflags("posix"), f"-I{tmp_path}", "-fPIE")
    made = code.compiled(target, HERE / "peaks.c", tmp_path / "made.o", flags, "-O3")
    found = code.functions(target, made)
    for name, most in zip(("greatest", "least"), MOST[target.arch], strict=True):
        lines = found[name]
        branch = next(n for n, line in enumerate(lines) if re.match(r"j|b\.", line))
        hot = lines[: branch + 1]
        print(f"{target.arch} {target.compiler} {name}: {len(hot)}")
        assert len(hot) <= most, "\n".join(hot)

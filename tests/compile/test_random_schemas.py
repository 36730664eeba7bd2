# SPDX-License-Identifier: BSD-3-Clause
"""Schemas nobody would write: built whole or not at all, and what is built compiles. Random ones
that are valid are compiled by test_hostile_names.py."""

import random
import shutil
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build
from tests.support.capabilities import needs
from tests.support.cbuild import WARNINGS
from tests.support.process import run
from tests.support.random_schemas import INLINE, mutate

pytestmark = needs("gcc", "g++")

FLAGS = ("-fsyntax-only", *WARNINGS)
RELAXED = settings(
    deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, max_examples=300
)


def build_and_compile(schema: Path, out: Path) -> int:
    """Exit code of the build; on success the C has been compiled."""
    shutil.rmtree(out, ignore_errors=True)
    result = build(BuildRequest(str(schema), str(out), only=("c",)))
    if result.exit_code != 0:
        assert not out.exists() or list(out.iterdir()) == [], "a failed build left output"
        return result.exit_code
    (source,) = out.glob("*.c")
    header = source.with_suffix(".h")
    for command in (
        ["gcc", "-std=gnu11", str(source)],
        ["g++", "-std=c++17", "-xc++", str(header)],
    ):
        compiled = run(*command, *FLAGS, *runtimeinfo.cflags("posix"), f"-I{out}")
        assert compiled.returncode == 0, f"{schema.read_text()}\n{compiled.stderr}"
    return 0


@RELAXED
@given(seed=st.integers(0, 2**32))
def test_mutated_schemas_give_c_that_compiles_or_nothing(tmp_path: Path, seed: int) -> None:
    random_ = random.Random(seed)
    path = tmp_path / "schema.yaml"
    path.write_text(mutate(INLINE, random_), encoding="utf-8")
    assert build_and_compile(path, tmp_path / "out") in (0, 1)

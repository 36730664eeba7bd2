# SPDX-License-Identifier: BSD-3-Clause
"""Programs of another machine, emulated: a few, in every run of the tests.

`./dev test --emulate aarch64` runs all programs of the POSIX port that way. The emulator on an
x86-64 machine keeps the order of memory of x86-64: what is tested is the other machine's code, its
inline assembly, its atomic operations, its layout. That no barrier is missing is for tests/machine
and tests/models.
"""

from pathlib import Path

import pytest

from tests.run.variants import died, ep, forking, named, zoo
from tests.support.capabilities import needs
from tests.support.cbuild import ARCHITECTURES, EMULATION, Build, Workshop
from tests.support.planted import SEQCOUNT, Edit, planted
from tests.support.strategies import ALL_EXACT, BUFFERING, OWN_LOCKS, SEQUENCED, SHARED, USUAL

RESETS = 200

pytestmark = [pytest.mark.slow, pytest.mark.native, needs(*EMULATION)]

OTHERS = [
    (zoo(USUAL), "wide_states", {"ROUNDS": 1000}),
    (zoo(SHARED), "sets_in_updates", {}),
    (died(SEQUENCED), "died", {}),
    (died(OWN_LOCKS), "died", {}),
    (named("trio")(BUFFERING), "taken", {}),
    (forking(BUFFERING), "held_back", {}),
]
OF_AARCH64 = "\tCTR_ASM_FENCE_STORES();\n\tctr_add32(seq, 1);\n"
"""What no other machine has."""


@pytest.mark.one_in(6)
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("strategy", ALL_EXACT)
def test_no_reset_is_lost(workshop: Workshop, strategy: str, arch: str) -> None:
    build = ep(strategy).but(arch=arch)
    workshop.passes(build, "resets", RESETS=RESETS)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize(("build", "test", "options"), OTHERS, ids=[name for _, name, _ in OTHERS])
def test_the_rest(
    workshop: Workshop, build: Build, test: str, options: dict[str, int], arch: str
) -> None:
    workshop.passes(build.but(arch=arch), test, **options)


@pytest.mark.deep
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path) -> None:
    """Where a write section of aarch64 does not end, only the emulated program is wrong."""
    tree = planted(tmp_path / "tree", [Edit(SEQCOUNT, OF_AARCH64, "\tctr_add32(seq, 0);\n")])
    build = ep(SEQUENCED, test="visible").but(tree=tree)
    workshop.passes(build, "visible", BEFORE=1, PARTS=1)
    done = workshop.attempt(build.but(arch="aarch64"), "visible", BEFORE=1, PARTS=1)
    assert done.returncode != 0

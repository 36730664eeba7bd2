# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of a planted bug compile again."""

from pathlib import Path

import pytest

from tests.support.cbuild import unchanged
from tests.support.planted import PROJECT, Edit, planted

LINE = "/* SPDX-License-Identifier: BSD-3-Clause */"


@pytest.mark.parametrize(
    "name", ["include/ctr_slots.h", "src/parts/telemetry/ctr_telemetry_answer.h"]
)
def test_a_planted_header_changes_all(tmp_path: Path, name: str) -> None:
    tree = planted(tmp_path, [Edit(f"runtime/{name}", LINE, f"{LINE}\n")])
    sources = sorted((tree.runtime() / "src").rglob("*.c"))
    assert len(sources) > 50
    assert not any(unchanged(tree, source) for source in sources)


def test_a_planted_source_changes_itself(tmp_path: Path) -> None:
    tree = planted(tmp_path, [Edit("runtime/src/core/ctr_fork.c", LINE, f"{LINE}\n")])
    ours, theirs = PROJECT.runtime() / "src" / "core", tree.runtime() / "src" / "core"
    assert unchanged(tree, theirs / "ctr_fork.c") is None
    assert unchanged(tree, theirs / "ctr_control.c") == ours / "ctr_control.c"

# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of a planted bug compile again."""

from pathlib import Path

import pytest

from tests.support.cbuild import Build, Workshop, unchanged
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


@pytest.mark.parametrize(("new", "same"), [("/* Planted. */", True), (f"{LINE}\nint i;", False)])
def test_what_is_preprocessed_to_the_same_text_is_compiled_once(
    workshop: Workshop, tmp_path: Path, new: str, same: bool
) -> None:
    tree = planted(tmp_path, [Edit("runtime/include/ctr_control.h", LINE, new)])
    ours, theirs = (
        workshop.objects(Build(tree=of), [of.runtime() / "src" / "core" / "ctr_control.c"], [])
        for of in (PROJECT, tree)
    )
    assert ours[0].samefile(theirs[0]) == same


def test_a_program_has_the_sources_of_a_test() -> None:
    folder = Path(__file__).parents[1] / "run"
    first, second, helper = (folder / f"{name}.c" for name in ("life", "long", "ep"))
    build = Build(sources=(first, second, helper))
    assert build.about("long").sources == (second, helper)
    assert build.about("missing").sources == (helper,)


@pytest.mark.parametrize("folder", ["generator/__init__.py", "templates/c/fast.j2"])
def test_a_planted_generator_generates(tmp_path: Path, folder: str) -> None:
    line = "SPDX-License-Identifier"
    tree = planted(tmp_path / "first", [Edit(folder, line, line)])
    assert tree.generator() is tree
    tree = planted(tmp_path / "second", [Edit("runtime/include/ctr_slots.h", line, line)])
    assert tree.generator() is PROJECT

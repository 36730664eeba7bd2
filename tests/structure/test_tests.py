# SPDX-License-Identifier: BSD-3-Clause
"""What tests share: the environment, huge pages, the workshop."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.cbuild import Build, Workshop, unchanged
from tests.support.huge_pages import POOL, set_aside
from tests.support.paths import ROOT
from tests.support.planted import PROJECT, Edit, planted
from tests.support.process import MODULES, succeed

# ---- tests do not see what somebody's environment says about MIB modules ----

SHOW = "import os, tests.conftest; print(sorted(os.environ))"


def test_modules_of_somebody_are_forgotten() -> None:
    rubbish = dict.fromkeys(MODULES, "/nonexistent")
    shown = succeed(sys.executable, "-c", SHOW, cwd=ROOT, env=rubbish)
    assert "PATH" in shown
    assert not [name for name in MODULES if repr(name) in shown]


# ---- tests that run side by side do not take huge pages from each other ----

TAKERS = 3


def test_one_at_a_time() -> None:
    """Who comes second waits, and finds the number as it was."""
    inside = threading.Semaphore(1)

    def take(_: int) -> tuple[bool, int]:
        with set_aside(1):
            alone = inside.acquire(blocking=False)
            during = int((POOL / "nr_hugepages").read_text())
            if alone:
                inside.release()
            return alone, during

    with ThreadPoolExecutor(TAKERS) as takers:
        found = set(takers.map(take, range(TAKERS * 20)))
    assert len(found) == 1 and all(alone for alone, _ in found)


# ---- what the tests of a planted bug compile again ----

LINE = "/* SPDX-License-Identifier: BSD-3-Clause */"


@pytest.mark.parametrize(
    "name", ["include/ctr_slots.h", "src/parts/telemetry/ctr_telemetry_reply.h"]
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
    first, second, helper = (folder / f"{name}.c" for name in ("life", "resets", "heap"))
    build = Build(sources=(first, second, helper))
    assert build.about("resets").sources == (second, helper)
    assert build.about("missing").sources == (helper,)


@pytest.mark.parametrize("folder", ["generator/__init__.py", "templates/c/fast.j2"])
def test_a_planted_generator_generates(tmp_path: Path, folder: str) -> None:
    line = "SPDX-License-Identifier"
    tree = planted(tmp_path / "first", [Edit(folder, line, line)])
    assert tree.generator() is tree
    tree = planted(tmp_path / "second", [Edit("runtime/include/ctr_slots.h", line, line)])
    assert tree.generator() is PROJECT

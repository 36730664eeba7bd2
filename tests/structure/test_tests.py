# SPDX-License-Identifier: BSD-3-Clause
"""What tests share: the environment, huge pages, the workshop."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.cbuild import Build
from tests.support.huge_pages import POOL, set_aside
from tests.support.paths import ROOT
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


# ---- what programs are built of ----


def test_a_program_has_the_sources_of_a_test() -> None:
    folder = Path(__file__).parents[1] / "run"
    first, second, helper = (folder / f"{name}.c" for name in ("life", "resets", "heap"))
    build = Build(sources=(first, second, helper))
    assert build.about("resets").sources == (second, helper)
    assert build.about("missing").sources == (helper,)

# SPDX-License-Identifier: BSD-3-Clause
"""Tests name no strategy but in its folder below tests/strategies: a new one changes no other test.
Before one is removed, what it `serves` (facts.yaml) moves to the facts of another."""

import re
from collections.abc import Iterator
from pathlib import Path

from ctrgen.model.strategies.catalogue import all_strategies
from tests.support.paths import ROOT
from tests.support.strategies import FOLDER

TESTS = ROOT / "tests"
NAMES = sorted(name for name in all_strategies() if "_" in name)
"""Those that are no words of their own."""


def naming(folder: Path) -> Iterator[str]:
    """Lines of tests that name a strategy."""
    name = re.compile(rf"\b({'|'.join(NAMES)})\b")
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".c", ".h")):
        if FOLDER not in path.parents:
            lines = enumerate(path.read_text("utf-8").splitlines(), 1)
            found = (at for at, line in lines if name.search(line))
            yield from (f"{path.relative_to(folder)}:{at}" for at in found)


def test_tests_name_no_strategy() -> None:
    assert not list(naming(TESTS))


def test_a_name_is_seen(tmp_path: Path) -> None:
    for number, text in enumerate((f'"ep-{NAMES[0]}:x=1"', f"ctr_{NAMES[0]}", "none")):
        (tmp_path / f"{number}.py").write_text(text, "utf-8")
    assert list(naming(tmp_path)) == ["0.py:1"]


def test_folders_are_of_strategies() -> None:
    assert {path.parent.name for path in FOLDER.glob("[!_]*/*.*")} <= all_strategies().keys()

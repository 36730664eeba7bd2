# SPDX-License-Identifier: BSD-3-Clause
"""Every promise of every strategy has a check that runs, and the documented table is true."""

import re
import subprocess
import sys

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.model.strategies.promises import PROMISES
from tests.promises import others, proofs, runtime
from tests.support.paths import DOCS, ROOT
from tests.support.strategies import DRAINED, FACTS, USUAL

MUTANTS, OTHERS = 325, 184
BY_MODE = f"strategies/{DRAINED}/test_ring.py::"
"""Tests with modes of a strategy in place of its name."""


def test_no_promise_is_without_a_check() -> None:
    found = list(proofs.cells())
    assert len(found) == len(all_strategies()) * len((*PROMISES, *proofs.ALWAYS))
    assert all(cell.proofs for cell in found)


def test_every_check_is_known_to_fail() -> None:
    empty = [f"{c.strategy.name}: {c.promise}" for c in proofs.cells() if not c.bugs]
    assert empty == []


def test_facts_name_promises_and_properties() -> None:
    """A check that belongs to neither would not be looked at."""
    properties = {row.name for row in runtime.PROPERTIES}
    for name, facts in FACTS.items():
        assert facts.proofs.keys() <= {*PROMISES}, name
        assert facts.properties.keys() <= properties, name


def test_checks_of_the_runtime_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runtime.missing() == []
    gone = runtime.Property("", "", ("segment/test_segment.py::test_of_nothing",))
    monkeypatch.setattr(runtime, "PROPERTIES", (gone,))
    assert runtime.missing() == [*gone.tests]


def test_a_promise_without_a_check_is_noticed() -> None:
    strategy = all_strategies()[USUAL]
    promises = strategy.promises.model_copy(update={"waits": "rarely"})
    lacking = strategy.model_copy(update={"promises": promises})
    with pytest.raises(proofs.UnprovedError, match="nothing proves 'waits: rarely'"):
        proofs.proofs(lacking, "waits")


def test_every_check_runs_under_its_strategy() -> None:
    """What the table names is collected by pytest, with the strategy's name in its parameters."""
    files = sorted({p.test.partition("::")[0] for cell in proofs.cells() for p in cell.proofs})
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--long",
        "--collect-only",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [*command, *(f"tests/{name}" for name in files)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    collected = done.stdout.splitlines()
    for cell in proofs.cells():
        for proof in cell.proofs:
            if proof in proofs.BY_THE_APPLICATION:
                continue
            about = re.compile(rf"\b{cell.strategy.name}\b")
            nodes = [line for line in collected if line.startswith(f"tests/{proof.test}[")]
            anyway = proof.everywhere or proof.test.startswith(BY_MODE)
            named = [line for line in nodes if anyway or about.search(line.partition("[")[2])]
            assert named, (cell.strategy.name, cell.promise, proof)


def test_no_planted_bug_is_lost() -> None:
    names = [mutant.name for mutant in proofs.MUTANTS]
    assert len(set(names)) == len(names) == MUTANTS


def test_every_bug_can_be_planted() -> None:
    for mutant in proofs.MUTANTS:
        texts: dict[str, str] = {}
        for edit in mutant.edits:
            text = texts.get(edit.path) or (ROOT / edit.path).read_text("utf-8")
            texts[edit.path] = edit.applied(text)
        assert all(text != (ROOT / path).read_text("utf-8") for path, text in texts.items())


def test_the_page_counts_no_more_than_there_are() -> None:
    text = (DOCS / "design.md").read_text("utf-8")
    said = [int(number) for number in re.findall(r"(?i)more than (\d+)", text)]
    strategies, rest = said
    assert len(proofs.MUTANTS) > strategies and len(others.others()) == OTHERS > rest


def test_the_tables_are_printed() -> None:
    command = [sys.executable, "-m", "tests.promises"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed.count("|---") == 5 + 3 + 4 + 3 and f"| `{USUAL}` | exact | true |" in printed
    assert all(f"| {mutant.name} |" in printed for mutant in proofs.MUTANTS)

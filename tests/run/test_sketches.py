# SPDX-License-Identifier: BSD-3-Clause
"""Each shape that a strategy may have fits in one folder, added to an installed copy of ctrgen.

The folders in `sketches/` are no part of ctrgen. With each the standard programs run, and one about
instances that end under traffic; and each with a bug, which a program sees.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.run.test_new_strategy import OPTIONS, assert_unchanged
from tests.run.variants import (
    EP_SOURCES,
    HERE,
    HISTOGRAM_TESTS,
    ON_DPDK,
    ZOO_SOURCES,
    ep,
    histograms,
    sketched,
    zoo,
)
from tests.support.cbuild import Build, Workshop
from tests.support.planted import Tree, planted

SKETCHES = HERE / "sketches"
ATTEMPTS = 10
"""Chances for a bug of timing to show."""

VARIANTS = ["pairs"]

pytestmark = pytest.mark.slow

Trees = Callable[..., Tree]


def name_of(variant: str) -> str:
    """The folder of a variant."""
    return variant.partition(":")[0]


def files(name: str) -> dict[str, str]:
    """The files of a folder, and where they are put."""
    folder = SKETCHES / name
    return {f"templates/c/sync/{name}/{p.name}": p.read_text("utf-8") for p in folder.iterdir()}


@pytest.fixture(scope="module")
def tree_of(tmp_path_factory: pytest.TempPathFactory) -> Trees:
    """The packages with one folder more, of a name; made once."""
    trees: dict[str, Tree] = {}

    def tree(variant: str) -> Tree:
        name = name_of(variant)
        if name not in trees:
            trees[name] = planted(tmp_path_factory.mktemp(name), added=files(name))
        return trees[name]

    return tree


@pytest.mark.parametrize("name", sorted({name_of(variant) for variant in VARIANTS}))
def test_no_existing_file_differs(tree_of: Trees, name: str) -> None:
    assert_unchanged(tree_of(name), name)


EP_TESTS = [t for tests in EP_SOURCES.values() for t in tests if t not in ON_DPDK]
ZOO_TESTS = [t for tests in ZOO_SOURCES.values() for t in tests]
OWN_TESTS = ["bills", "when_seen", "beyond_32_bits", "no_spill_is_torn"]
GROUPED = {"consistency"}
"""Tests of what none of these strategies promises."""


def cases(tests: list[str]) -> list[Any]:
    """Each variant with each test that is about it."""
    return [pytest.param(v, t) for v in VARIANTS for t in tests if t not in GROUPED]


SKETCHED: dict[str, Any] = {**OPTIONS, "AT_ONCE": 1, "BEFORE": 1, "PARTS": 1}
"""The options of all tests."""


@pytest.mark.one_in(60)
@pytest.mark.parametrize(("variant", "test"), cases(EP_TESTS))
def test_reference_schema(workshop: Workshop, tree_of: Trees, variant: str, test: str) -> None:
    workshop.passes(ep(variant).but(tree=tree_of(variant)), test, **SKETCHED)


@pytest.mark.deep
@pytest.mark.parametrize(("variant", "test"), cases(ZOO_TESTS))
def test_zoo(workshop: Workshop, tree_of: Trees, variant: str, test: str) -> None:
    workshop.passes(zoo(variant).but(tree=tree_of(variant)), test, **SKETCHED)


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("variant", "test"), cases(OWN_TESTS))
def test_lives_and_widths(workshop: Workshop, tree_of: Trees, variant: str, test: str) -> None:
    workshop.passes(sketched(variant).but(tree=tree_of(variant)), test, **SKETCHED)


@pytest.mark.one_in(15)
@pytest.mark.parametrize(("variant", "test"), cases([*HISTOGRAM_TESTS, "threads"]))
def test_histograms(workshop: Workshop, tree_of: Trees, variant: str, test: str) -> None:
    build = histograms(variant).but(tree=tree_of(variant))
    workshop.passes(build, test, **SKETCHED, OBSERVED=200_000)


@dataclass(frozen=True)
class Broken:
    """An edit of a file of a sketch, and the test that sees it."""

    variant: str
    file: str
    old: str
    new: str
    program: Callable[..., Build]
    test: str
    also: tuple[tuple[str, str], ...] = ()

    def files(self) -> dict[str, str]:
        """The files of the folder with the edit."""
        name = name_of(self.variant)
        edited = files(name)
        path = f"templates/c/sync/{name}/{self.file}"
        for old, new in ((self.old, self.new), *self.also):
            assert old in edited[path], f"{self.file} of {name} has no {old!r}"
            edited[path] = edited[path].replace(old, new)
        return edited


BUGS = {
    "the-second-of-a-pair-is-lost": Broken(
        "pairs", "update.j2", "{{ some[1].value }}", "0", ep, "conservation"
    ),
    "threads-without-an-lcore-id-add-plainly": Broken(
        "pairs", "update.j2", "tx.ops, fast.atomic", "tx.ops, d.sync.apply", ep, "conservation"
    ),
}  # fmt: skip


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_seen(workshop: Workshop, tmp_path: Path, name: str) -> None:
    bug = BUGS[name]
    build = bug.program(bug.variant).but(tree=planted(tmp_path, added=bug.files()))
    for _ in range(ATTEMPTS):
        done = workshop.attempt(build, bug.test, **SKETCHED)
        if done.returncode != 0:
            return
    pytest.fail(f"{name}: {bug.test} passes")

# SPDX-License-Identifier: BSD-3-Clause
"""Each shape that a strategy may have fits in one folder, added to an installed copy of ctrgen.

The folders in `sketches/` are no part of ctrgen. With each the standard programs run, and one about
instances that end under traffic; and each with a bug, which a program sees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.run.test_new_strategy import OPTIONS, assert_unchanged
from tests.run.variants import EP_SOURCES, HERE, ON_DPDK, ZOO_SOURCES, ep, sketched, zoo
from tests.support.cbuild import Build, Workshop
from tests.support.planted import Tree, planted

SKETCHES = HERE / "sketches"
COPIES = {"spill": 2, "per_cpu": 1 + 64}
"""Instances with one lcore in use, where `_lcore_` functions do not tell."""
HELD_BACK = {"delta_cache", "delta_ring"}

VARIANTS = [
    "pairs",
    "pairs:align=natural",
    "delta_cache",
    "delta_cache:entries=1",
    "spill",
    "spill:limit=1000",
    "delta_ring",
    "delta_ring:ring=3",
    "per_cpu",
]

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
OWN_TESTS = ["bills", "when_seen", "beyond_32_bits"]
WHEN_SEEN = {"visible", "when_seen"}
"""Tests in which a few updates must find room where they are held back."""
GROUPED = {"consistency"}
"""Tests of what none of these strategies promises."""


def cases(tests: list[str]) -> list[tuple[str, str]]:
    """Each variant with each test that is about it."""
    small = {variant for variant in VARIANTS if ":" in variant}
    wanted = [test for test in tests if test not in GROUPED]
    return [(v, t) for v in VARIANTS for t in wanted if not (v in small and t in WHEN_SEEN)]


def options(variant: str) -> dict[str, object]:
    """The options of all tests."""
    name = name_of(variant)
    copies = {"COPIES": COPIES[name]} if name in COPIES else {}
    at_once = int(name not in HELD_BACK)
    parts = int(name == "pairs")
    return {**OPTIONS, **copies, "AT_ONCE": at_once, "BEFORE": at_once, "PARTS": parts}


@pytest.mark.parametrize(("variant", "test"), cases(EP_TESTS))
def test_reference_schema(workshop: Workshop, tree_of: Trees, variant: str, test: str) -> None:
    workshop.passes(ep(variant).but(tree=tree_of(variant)), test, **options(variant))


@pytest.mark.parametrize(("variant", "test"), cases(ZOO_TESTS))
def test_zoo(workshop: Workshop, tree_of: Trees, variant: str, test: str) -> None:
    workshop.passes(zoo(variant).but(tree=tree_of(variant)), test, **options(variant))


@pytest.mark.parametrize(("variant", "test"), cases(OWN_TESTS))
def test_lives_and_widths(workshop: Workshop, tree_of: Trees, variant: str, test: str) -> None:
    workshop.passes(sketched(variant).but(tree=tree_of(variant)), test, **options(variant))

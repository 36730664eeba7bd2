# SPDX-License-Identifier: BSD-3-Clause
"""Runs of `ctrgen bench`, and what they leave behind."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.capabilities import needs, needs_dpdk
from tests.support.planted import PROJECT, Tree
from tests.support.strategies import INEXACT, USUAL

MARKS = [pytest.mark.slow, pytest.mark.dpdk, needs_dpdk, needs("meson", "ninja")]
"""Of every test that makes one."""

BRIEF = ("--rounds", "1", "--ms", "3")
TWO = f"{USUAL},{INEXACT}"

PLAINLY = {"CFLAGS": "-O0"}
"""For what is to be right rather than fast: most of the time goes into compiling."""


def bench(
    *words: str | Path, tree: Tree = PROJECT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `ctrgen bench`."""
    return tree.run("bench", *words, env=environment, timeout=300)


def result(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "bench.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def lost(found: dict[str, Any], **at: object) -> dict[str, float]:
    """Share of lost updates by strategy, over all places with such values."""
    sums: dict[str, list[int]] = {}
    for point in found["points"]:
        if all(point["at"][name] == value for name, value in at.items()):
            entry = sums.setdefault(point["strategy"], [0, 0])
            for one in point["rounds"]:
                entry[0] += one["expected"]
                entry[1] += one["counted"]
    return {name: (expected - counted) / expected for name, (expected, counted) in sums.items()}

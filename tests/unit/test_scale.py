# SPDX-License-Identifier: BSD-3-Clause
"""Large schemas, clean and full of findings, take time in proportion to their size."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ctrgen.check import check

HEAD = "ctrgen: 1\nmodule: ep\n"
ITEM = "{unit: packets, description: Packets counted.}"


def _clean(n: int) -> str:
    counters = "".join(f"      c{i}y: {ITEM}\n" for i in range(n))
    adds = "".join(f"      global.c{i}y: size\n" for i in range(n))
    return (
        f"{HEAD}scopes:\n  global:\n    counters:\n{counters}"
        f"updates:\n  packet:\n    args: {{size: uint16}}\n    add:\n{adds}"
    )


def _incomplete(n: int) -> str:
    return f"{HEAD}scopes:\n  global:\n    counters:\n" + "".join(
        f"      c{i}y: {{unit: packets}}\n" for i in range(n)
    )


def _typos(n: int) -> str:
    return _clean(n).replace("global.c", "global.d")


def _parents(n: int) -> str:
    return f"{HEAD}scopes:\n" + "".join(
        f"  s{i}y:\n    max: 1\n    parent: t{i}y\n    counters: {{x: {ITEM}}}\n" for i in range(n)
    )


def _chain(n: int) -> str:
    return f"{HEAD}scopes:\n" + "".join(
        f"  s{i}y:\n    max: 1\n    parent: s{max(0, i - 1)}y\n    counters: {{x: {ITEM}}}\n"
        for i in range(n)
    )


def _seconds(make: Callable[[int], str], n: int, folder: Path) -> float:
    path = folder / f"{n}.yaml"
    path.write_text(make(n))
    best = 99.0
    for _ in range(3):
        start = time.perf_counter()
        check(str(path))
        best = min(best, time.perf_counter() - start)
    return best


@pytest.mark.parametrize("make", [_clean, _incomplete, _typos, _parents, _chain])
def test_ten_thousand_items(make: Callable[[int], str], tmp_path: Path) -> None:
    _seconds(make, 100, tmp_path)
    small, large = _seconds(make, 1000, tmp_path), _seconds(make, 10_000, tmp_path)
    assert large < 4.0
    assert large < 25 * small, f"{small:.3f} s for 1,000 and {large:.3f} s for 10,000"


def test_ten_thousand_clean_counters_take_less_than_two_seconds(tmp_path: Path) -> None:
    assert _seconds(_clean, 10_000, tmp_path) < 2.0

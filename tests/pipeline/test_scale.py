# SPDX-License-Identifier: BSD-3-Clause
"""Large schemas, clean and full of findings, take work in proportion to their size."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from ctrgen.pipeline.check import check

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


def _lines(make: Callable[[int], str], n: int, folder: Path) -> int:
    """How many lines of Python a check of `n` items executes: the same on every machine."""
    path = folder / f"{n}.yaml"
    path.write_text(make(n))
    executed = 0

    def trace(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        nonlocal executed
        executed += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        check(str(path))
    finally:
        sys.settrace(before)
    return executed


@pytest.mark.parametrize("make", [_clean, _incomplete, _typos, _parents, _chain])
def test_ten_times_the_items_take_ten_times_the_work(
    make: Callable[[int], str], tmp_path: Path
) -> None:
    _lines(make, 10, tmp_path)  # what is imported or cached once
    small, large = _lines(make, 150, tmp_path), _lines(make, 1500, tmp_path)
    assert large < 12 * small, f"{small} lines for 150 items, {large} for 1,500"

# SPDX-License-Identifier: BSD-3-Clause
"""Large schemas, clean and full of findings, take work in proportion to their size.

Work is counted in lines of Python, those of templates included, so it is the same on every
machine. A comprehension counts once for each element, which a count of calls would not see.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pytest

from ctrgen import frontends, mib, rules
from ctrgen.backends import Backend, Options, bench, discover
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.language import schema
from ctrgen.mib import lock
from ctrgen.model import ir
from ctrgen.output import emit
from ctrgen.pipeline.check import check
from ctrgen.resolve.resolve import resolve
from ctrgen.resolve.validate import validate

HEAD = "ctrgen: 1\nmodule: ep\n"
ITEM = "{unit: packets, description: Packets counted.}"
MOST = 2.3
"""So many times the work is taken for twice the size; a look-up in a straight line gives more."""

Made = TypeVar("Made")


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


def _counted(do: Callable[[], Made]) -> tuple[int, Made]:
    """How many lines of Python something executes, and what it gives."""
    executed = 0

    def trace(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        nonlocal executed
        executed += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        result = do()
    finally:
        sys.settrace(before)
    return executed, result


@pytest.mark.parametrize("make", [_clean, _incomplete, _typos, _parents, _chain])
def test_ten_times_the_items_take_ten_times_the_work(
    make: Callable[[int], str], tmp_path: Path
) -> None:
    def lines(n: int) -> int:
        path = tmp_path / f"{n}.yaml"
        path.write_text(make(n))
        return _counted(lambda: check(str(path)))[0]

    lines(10)  # what is imported or cached once
    small, large = lines(150), lines(1500)
    assert large < 12 * small, f"{small} lines for 150 items, {large} for 1,500"


# ---- a build, stage by stage ----


def _counters(n: int) -> str:
    return _module(scopes=1, counters=n, updates=0)


def _scopes(n: int) -> str:
    return _module(scopes=n, counters=2, updates=0)


def _updates(n: int) -> str:
    return _module(scopes=4, counters=40, updates=n)


def _everything(n: int) -> str:
    return _module(scopes=n, counters=2, updates=n)


def _module(scopes: int, counters: int, updates: int) -> str:
    """Scopes with so many counters each, and updates of four of them, which move on."""
    text = f"{HEAD}scopes:\n"
    for scope in range(scopes):
        text += f"  s{scope}:\n    max: 4\n    counters:\n"
        text += "".join(f"      c{i}: {ITEM}\n" for i in range(counters))
    text += "updates:\n" if updates else ""
    for update in range(updates):
        text += f"  u{update}:\n    args: {{size: uint16}}\n    add:\n"
        places = range(update % 10, update % 10 + 4)
        targets = dict.fromkeys((update + p // 2) % scopes * 1000 + p % counters for p in places)
        text += "".join(f"      s{t // 1000}.c{t % 1000}: size\n" for t in targets)
    return text


SHAPES = {"counters": _counters, "scopes": _scopes, "updates": _updates, "all": _everything}
SIZE = {"counters": 200, "scopes": 60, "updates": 60, "all": 50}


def _stages(folder: Path, text: str) -> dict[str, int]:
    """Lines of every stage of a build with every backend, a second one that has a lock file."""
    folder.mkdir(exist_ok=True)
    path, found, work = folder / "ep.yaml", Diagnostics(), dict[str, int]()
    path.write_text(text)

    def stage(name: str, do: Callable[..., Made], *arguments: Any) -> Made:
        work[name], result = _counted(lambda: do(*arguments))
        return result

    raws = stage("frontends", frontends.load, str(path), found)
    top = stage("validate", validate, raws[0], schema.Schema, found)
    assert top is not None
    resolution = stage("resolve", resolve, [top], found)
    module = resolution.module
    stage("rules", rules.check, resolution, found)
    first = stage("mib", mib.judge, module, lock.LockFile(), found)
    assert first is not None
    text = stage("lock", lock.text, first, "ep.yaml")
    path.with_suffix(".ctrgen.lock").write_text(text)
    published = stage("lock file", lock.load, str(path), found)
    locked = stage("mib with a lock file", mib.judge, module, published, found)
    files, owners = dict[str, str](), dict[str, str]()
    options = Options("ep.yaml", "ctrgen build ep.yaml", "0", lock=locked)
    for name, backend in discover().backends.items():
        part = stage(f"backend {name}", backend.generate, module, options)
        files |= part
        owners |= dict.fromkeys(part, name)
    output = emit.Output(files, owners, "ep.yaml", frozenset(owners.values()), True)
    stage("emit", emit.write, folder / "out", output, found, False)
    assert not found.failed, found
    return work

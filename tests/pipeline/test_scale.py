# SPDX-License-Identifier: BSD-3-Clause
"""Large schemas, clean and full of findings, take work in proportion to their size.

Work is counted in lines of Python, those of templates included, so it is the same on every
machine. A comprehension counts once for each element, which a count of calls would not see.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar

import pytest

from ctrgen import frontends
from ctrgen.backends import Options, discover
from ctrgen.backends.c.items import ItemView
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.frontends import rules
from ctrgen.frontends.resolve.resolve import resolve
from ctrgen.frontends.resolve.validate import validate
from ctrgen.model.language import schema
from ctrgen.output import emit
from ctrgen.pipeline.check import check
from ctrgen.publish import lock
from ctrgen.publish.rules import judge

HEAD = "ctrgen: 1\nmodule: ep\n"
ITEM = "{unit: packets, description: Packets counted.}"
MOST = 2.3
"""So many times the work may be taken for twice the size; where every look-up goes through all
that there is, it is more."""
SLACK = 500
"""Lines that a function may take besides: that of a rare case, or of what is made once."""

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


def _counted(do: Callable[[], Made]) -> tuple[Counter[CodeType], Made]:
    """How many lines of Python something executes in each function, and what it gives."""
    executed: Counter[CodeType] = Counter()

    def trace(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        if event == "line":
            executed[frame.f_code] += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        result = do()
    finally:
        sys.settrace(before)
    return executed, result


@pytest.mark.one_in(6)
@pytest.mark.parametrize("make", [_clean, _incomplete, _typos, _parents, _chain])
def test_ten_times_the_items_take_ten_times_the_work(
    make: Callable[[int], str], tmp_path: Path
) -> None:
    def lines(n: int) -> int:
        path = tmp_path / f"{n}.yaml"
        path.write_text(make(n))
        return _counted(lambda: check(str(path)))[0].total()

    lines(10)  # what is imported or cached once
    small, large = lines(150), lines(1500)
    assert large < 12 * small, f"{small} lines for 150 items, {large} for 1,500"


# ---- a build, stage by stage ----


def _module(scopes: int, counters: int, updates: int) -> str:
    """Scopes with so many counters, a gauge and a state each; updates of four counters."""
    text = f"{HEAD}scopes:\n"
    for number in range(scopes):
        text += f"  s{number:04}:\n    max: 4\n    storage: {('static', 'dynamic')[number % 2]}\n"
        text += "    counters:\n" + "".join(f"      c{i:04}: {ITEM}\n" for i in range(counters))
        text += f"    gauges: {{g: {ITEM}}}\n    states:\n      e: "
        text += "{type: enum, labels: [off, on], description: Whether it is on.}\n"
    text += "updates:\n" if updates else ""
    for number in range(updates):
        text += f"  u{number:04}:\n    args: {{size: uint16}}\n    add:\n"
        text += "".join(
            f"      s{(number + at // 2) % scopes:04}.c{(number + at) % counters:04}: size\n"
            for at in range(4)
        )
    return text


SHAPES: dict[str, Callable[[int], str]] = {
    "counters": lambda n: _module(1, 5 * n, 0),
    "scopes": lambda n: _module(n, 2, 0),
    "updates": lambda n: _module(2, 4, n),
    "counters, scopes and updates": lambda n: _module(n, 4, n),
}


def _work(folder: Path, text: str, only: str = "") -> dict[str, Counter[CodeType]]:
    """Lines that each stage of a build takes, with every backend (or one), by function."""
    folder.mkdir()
    path, found, work = folder / "ep.yaml", Diagnostics(), dict[str, Counter[CodeType]]()
    path.write_text(text)

    def stage(name: str, do: Callable[..., Made], *arguments: Any) -> Made:
        work[name], made = _counted(lambda: do(*arguments))
        return made

    raws = stage("frontends", frontends.load, str(path), found)
    top = stage("validation", validate, raws[0], schema.Schema, found)
    assert top is not None, found
    resolution = stage("resolve", resolve, [top], found)
    module = resolution.module
    stage("rules", rules.check, resolution, found)
    first = stage("mib", judge, module, lock.LockFile(), found)
    assert first is not None, found
    path.with_suffix(".ctrgen.lock").write_text(stage("lock", lock.text, first, path.name))
    lock_file = stage("reading of the lock", lock.load, str(path), found)
    locked = stage("mib with a lock", judge, module, lock_file, found)
    options = Options(path.name, f"ctrgen build {path.name}", "1", lock=locked)
    files, owners = dict[str, str](), dict[str, str]()
    backends = discover().backends
    for name, backend in ({only: backends[only]} if only else backends).items():
        part = stage(f"backend {name}", backend.generate, module, options)
        files |= part
        owners |= dict.fromkeys(part, name)
    output = emit.Output(files, owners, path.name, frozenset(discover().backends))
    stage("output", emit.write, folder / "out", output, found, False)
    assert not found.failed, found
    return work


def _excess(shape: str, folder: Path, only: str = "", n: int = 24) -> list[str]:
    """A sentence for each function that a stage spends too much more in for twice the size."""
    make = SHAPES[shape]
    _work(folder / "first", make(4), only)  # what is imported or cached once
    once = _work(folder / "small", make(n), only)
    twice = _work(folder / "large", make(2 * n), only)
    return [
        f"{stage}: {code.co_name} of {Path(code.co_filename).name}:{code.co_firstlineno} executes "
        f"{lines} lines of Python, not about {2 * once[stage][code]}, for twice the {shape}"
        for stage in once
        for code, lines in twice[stage].most_common()
        if lines > MOST * once[stage][code] + SLACK
    ]


@pytest.mark.deep
@pytest.mark.parametrize("shape", SHAPES)
def test_every_stage_and_backend_takes_work_in_proportion(shape: str, tmp_path: Path) -> None:
    excess = _excess(shape, tmp_path)
    assert not excess, "\n".join(excess)


def test_a_look_up_through_all_items_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = property(lambda item: {one.name: one.bits for one in item.scope.items}[item.name])
    monkeypatch.setattr(ItemView, "word_bits", slow)
    excess = _excess("counters", tmp_path, "c")
    assert any(line.startswith("backend c: ") and line.endswith("counters") for line in excess)

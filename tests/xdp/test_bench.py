# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench` of a schema with the output xdp: programs in the kernel, next to maps by hand."""

import sys
from pathlib import Path

import pytest

from ctrgen.pipeline.check import check
from ctrgen.tools.bench import kernel
from ctrgen.tools.bench.result import Kernel
from ctrgen.tools.bench.run import Request, prepare
from tests.support import process
from tests.support.paths import APPS, EP
from tests.support.strategies import STRATEGIES
from tests.xdp import lab

SYNCS, PER_CPU = tuple(lab.SYNCS), lab.kept("cpus")
OTHER = next(name for name in STRATEGIES if name not in SYNCS)
CASES = [
    (EP, "xdp", (PER_CPU,), ""), (EP, "c", SYNCS, ""), (EP, "xdp", (OTHER,), ""),
    (APPS / "xdp/flows.yaml", "xdp", (lab.kept("one"),), ""),
    (lab.HERE / "equal.yaml", "xdp", SYNCS, ""),
]  # fmt: skip


def measured(
    folder: Path, schema: Path, output: str, strategies: tuple[str, ...]
) -> tuple[list[Kernel], list[str]]:
    """The rows of a schema with one more output, and the remarks on them."""
    copy = folder / schema.name
    text = schema.read_text("utf-8")
    copy.write_text(text.replace("\nmodule:", f"\noutputs: [bench, {output}]\nmodule:"), "utf-8")
    module = check(str(copy), only=("bench", "c")).module
    assert module
    request = Request(str(copy), str(folder), {}, strategies=strategies, rounds="7", ms="2")
    bench = prepare(request, module)
    bench.plan.notes.clear()
    return list(kernel.measured(bench, module)), bench.plan.notes


@lab.needs_bpf
@pytest.mark.slow
@pytest.mark.parametrize(("schema", "output", "strategies", "why"), CASES)
def test_rows_are_those_of_strategies_in_the_kernel(
    schema: Path, output: str, strategies: tuple[str, ...], why: str, tmp_path: Path
) -> None:
    """With the output xdp."""
    rows, notes = measured(tmp_path, schema, output, strategies)
    wanted = [name for name in strategies if name in SYNCS and output == "xdp"]
    assert ([row.strategy for row in rows], notes) == (wanted, [why] if why else [])
    for row in rows:
        assert {len(times) for times in (row.none, row.generated, row.hash)} == {7}
        assert min(*row.none, *row.generated, *row.hash) > 0


@pytest.mark.slow
def test_what_is_missing_is_a_remark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler, and the permission to call bpf()."""
    if not lab.reason():
        text = (
            "import sys, pathlib; from tests.xdp import test_bench as t\n"
            f"print(t.measured(pathlib.Path({str(tmp_path)!r}), t.EP, 'xdp', (t.PER_CPU,)))"
        )
        words = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", sys.executable, "-c", text)
        shown = process.succeed(*words)
        assert shown.startswith("([], [") and "Operation not permitted" in shown
    monkeypatch.setenv("PATH", str(tmp_path))
    rows, notes = measured(tmp_path, EP, "xdp", (PER_CPU,))
    assert (rows, notes) == ([], ["XDP was not measured: clang is not installed"])

# SPDX-License-Identifier: BSD-3-Clause
"""The cost model against measurements of this machine, for three schemas.

usage: python -m tests.benchmarks.planned FOLDER [--measure [OPTIONS OF ctrgen bench]]

FOLDER holds EP/bench.json and so on, for each schema that was measured. With --measure they are
measured first, one after the other: on a machine that does nothing else. Prints for each how many
places there are, how many estimates are within a factor of 2 and of 4, and sentences on the worst
of them. The exit code is 1 unless 90 % are within 2 and all within 4.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ctrgen.pipeline.check import check
from ctrgen.tools.bench.result import load
from ctrgen.tools.bench.variants import flow_scope
from ctrgen.tools.plan.machine import machine_of
from tests.plan import against
from tests.plan.against import FAR, Comparison
from tests.support.paths import ROOT

SCHEMAS = {
    "ep": ROOT / "schemas" / "ep.yaml",
    "upf": ROOT / "schemas" / "upf.yaml",
    "forty": ROOT / "tests" / "plan" / "forty.yaml",
}
"""What is compared: the chapter's example, an application of many updates, and one update of forty
counters."""

OPTIONS = {"forty": ("--lcores", "1,2", "--vary", "work=1000,0", "--flows", "1,1024,65536",
                     "--vary", "api=single,batch,bulk")}  # fmt: skip
"""Of a schema of which a million flows take more memory than most machines have."""

SHARE = 0.9
"""How many estimates are to be within a factor of 2."""


def compared(schema: Path, bench: Path) -> tuple[list[Comparison], int]:
    """The model against a measurement of a schema, and how many places say nothing."""
    result, module = load(bench), check(str(schema)).module
    assert module is not None, schema
    called = [update for update in module.updates if update.name in result.workload.updates]
    return against.measured(result, module, flow_scope(module, called), machine_of(result))


def kept(rows: Sequence[Comparison]) -> bool:
    """Whether the estimates are as good as is wanted."""
    within = sum(row.within for row in rows)
    return within >= SHARE * len(rows) and all(row.off < FAR for row in rows)


def report(folder: Path) -> Iterator[tuple[str, bool]]:
    """Of each schema that was measured a paragraph, and whether it is as wanted."""
    for name, schema in SCHEMAS.items():
        bench = folder / name / "bench.json"
        if not bench.exists():
            yield f"{name}: no {bench}\n", False
            continue
        rows, vague = compared(schema, bench)
        first, *worst = against.summary(rows, vague)
        lines = [f"{name}: {first}", *(f"  {line}" for line in worst)]
        for what in dict.fromkeys(row.what for row in rows):
            alike = [row for row in rows if row.what == what]
            lines.append(f"  {what}: {against.good(alike)}")
        yield "\n".join(lines) + "\n", kept(rows)


def main(words: list[str]) -> int:
    """Do what the command line asks; the exit code."""
    if not words or words[0].startswith("-"):
        print(__doc__.partition("\n\n")[2], file=sys.stderr)
        return 2
    folder, rest = Path(words[0]), words[1:]
    if rest[:1] == ["--measure"]:
        for name, schema in SCHEMAS.items():
            command = [sys.executable, "-m", "ctrgen", "bench", str(schema), *OPTIONS.get(name, ())]
            subprocess.run([*command, *rest[1:], "-o", str(folder / name)], check=True)
    found = list(report(folder))
    print("\n".join(text for text, _ in found), end="")
    return 0 if all(good for _, good in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

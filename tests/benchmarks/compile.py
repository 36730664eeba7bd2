#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the code generated for a large schema costs its users: lines, compile time, text.

usage: tests/benchmarks/compile.py [OTHER_CHECKOUT [ROUNDS]]

With another checkout, which has a .venv of its own, the two are compiled in turns. Times are
seconds of user time of gcc -O2, medians with the range; "include" compiles a file that has only
the header.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HERE))

from tests.support import wide  # noqa: E402

NAME = "big_stats"


def generated(checkout: Path, folder: Path) -> Path:
    """The folder with what a checkout generates, and a file that includes it."""
    folder.mkdir()
    (folder / "wide.yaml").write_text(wide.schema())
    command = [checkout / ".venv/bin/python", "-m", "ctrgen", "build", "wide.yaml", "-o", "."]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (folder / "include.c").write_text(f'#include "{NAME}.h"\n')
    return folder


def seconds(source: Path, checkout: Path) -> float:
    """User time of one compilation of `source`."""
    flags = ["-O2", "-DCTR_PORT_POSIX=1", f"-I{checkout}/runtime/include"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(["gcc", *flags, "-c", source, "-o", source.with_suffix(".o")], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def text(folder: Path) -> int:
    """Bytes of the text segment."""
    size = subprocess.run(
        ["size", folder / f"{NAME}.o"], check=True, capture_output=True, text=True
    )
    return int(size.stdout.split("\n")[1].split()[0])


def shown(values: Sequence[float]) -> str:
    """Median and range."""
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main() -> None:
    """Compile in turns, then print a line for each checkout."""
    checkouts = [HERE, *map(Path, sys.argv[1:2])]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as top:
        folders = [generated(tree, Path(top) / str(n)) for n, tree in enumerate(checkouts)]
        whole: list[list[float]] = [[] for _ in checkouts]
        include: list[list[float]] = [[] for _ in checkouts]
        for _ in range(rounds):
            for number, (tree, folder) in enumerate(zip(checkouts, folders, strict=True)):
                whole[number].append(seconds(folder / f"{NAME}.c", tree))
                include[number].append(seconds(folder / "include.c", tree))
        for number, (tree, folder) in enumerate(zip(checkouts, folders, strict=True)):
            lines = [len((folder / f"{NAME}.{end}").read_text().split("\n")) - 1 for end in "hc"]
            print(f"{tree}: header {lines[0]} lines, source {lines[1]} lines,", end=" ")
            print(f"text {text(folder)} bytes, compile {shown(whole[number])} s,", end=" ")
            print(f"include {shown(include[number])} s")
        if len(checkouts) > 1:
            ratios = [new / old for new, old in zip(*whole, strict=True)]
            print(f"compile time, this checkout to the other: {shown(ratios)}")


if __name__ == "__main__":
    main()

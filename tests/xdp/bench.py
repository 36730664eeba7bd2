# SPDX-License-Identifier: BSD-3-Clause
"""What counting costs an XDP program, next to maps by hand: `python -m tests.xdp.bench`."""

import sys
import tempfile
from pathlib import Path

from tests.support import process
from tests.support.paths import EP
from tests.xdp import lab


def measure(folder: Path, sync: str, rounds: int, runs: int) -> dict[str, tuple[int, int]]:
    """The least and the median nanoseconds of a run, by program."""
    out = lab.generate(EP, folder / sync, "--sync", sync)
    made = lab.compiled(lab.HERE / "bench.bpf.c", out)
    text = process.succeed(lab.reader(lab.HERE / "bench.c", out), made, str(rounds), str(runs))
    rows = (line.split() for line in text.splitlines())
    return {name: (int(least), int(median)) for name, least, median in rows}


def main() -> None:
    """Print a table: the difference to `nothing` is what counting costs."""
    if lab.reason():
        sys.exit(lab.reason())
    with tempfile.TemporaryDirectory() as name:
        for sync in ("per_core", "shared_atomic"):
            print(f"{sync:14}  ns: least median")
            for program, (least, median) in measure(Path(name), sync, 41, 500_000).items():
                print(f"  {program:14}{least:10}{median:7}")


if __name__ == "__main__":
    main()

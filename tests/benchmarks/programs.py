# SPDX-License-Identifier: BSD-3-Clause
"""Programs that count with generated updates, for benchmarks that run several of them in turns."""

import re
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from ctrgen.backends import runtimeinfo
from tests.support.paths import EP
from tests.support.planted import PROJECT
from tests.support.process import succeed

FLAGS = ("-std=gnu11", "-O3", "-march=native", "-pthread")
Key = TypeVar("Key")


def program(
    main: str, folder: Path, sync: str, *, sessions: int = 1000, compiler: str = "gcc"
) -> Path:
    """The program of `main`, a file next to this one, with the updates of ep.yaml for so many
    sessions under a strategy; in a folder of its own below `folder`."""
    out = folder / re.sub(r"\W", "-", f"{main}-{sync}")
    out.mkdir(parents=True)
    schema = out / "ep.yaml"
    schema.write_text(EP.read_text("utf-8").replace("max: 1000", f"max: {sessions}"), "utf-8")
    PROJECT.succeed("build", schema, "-o", out, "--sync", sync, "--only", "c")
    sources = [Path(__file__).with_name(main), *out.glob("*.c"), *runtimeinfo.sources("posix")]
    flags = (*FLAGS, *runtimeinfo.cflags("posix"), f"-I{out}")
    succeed(compiler, *flags, *sources, "-lm", "-o", out / "main")
    return out / "main"


def printed(*words: object) -> list[list[float]]:
    """The numbers that a command prints, by line."""
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=True)
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def in_turns(commands: Mapping[Key, Sequence[object]], rounds: int) -> dict[Key, list[list[float]]]:
    """What each command prints in a line, in each round."""
    found: dict[Key, list[list[float]]] = {key: [] for key in commands}
    for _ in range(rounds):
        for key, words in commands.items():
            found[key] += printed(*words)
    return found


def medians(results: list[list[float]]) -> list[float]:
    """The median of each number over all rounds."""
    return [statistics.median(column) for column in zip(*results, strict=True)]


def ratio(results: list[list[float]], others: list[list[float]]) -> str:
    """The median of the ratios of the first numbers of two commands within a round."""
    pairs = zip(results, others, strict=True)
    return f"{statistics.median(one[0] / other[0] for one, other in pairs):.2f}"

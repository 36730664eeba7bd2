# SPDX-License-Identifier: BSD-3-Clause
"""Programs that count with generated updates, for benchmarks that run several of them in turns."""

import re
import statistics
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from ctrgen.backends import runtimeinfo
from tests.support.paths import EP
from tests.support.planted import PROJECT
from tests.support.process import succeed

FLAGS = ("-std=gnu11", "-O3", "-march=native", "-pthread")
Key = TypeVar("Key")


def program(
    main: str, folder: Path, sync: str, *, schemas: Iterable[str] = (), compiler: str = "gcc",
    port: str = "posix",
) -> Path:  # fmt: skip
    """The program of `main`, a file next to this one, with the updates of schemas (of ep.yaml if
    there are none) under a strategy; in a folder of its own below `folder`."""
    out = folder / re.sub(r"\W", "-", f"{main}-{sync}-{port}")
    out.mkdir(parents=True)
    for number, text in enumerate(schemas or [EP.read_text("utf-8")]):
        schema = out / f"schema{number}.yaml"
        schema.write_text(text, "utf-8")
        PROJECT.succeed("build", schema, "-o", out, "--sync", sync, "--only", "c")
    sources = [Path(__file__).with_name(main), *out.glob("*.c"), *runtimeinfo.sources(port)]
    flags = (*FLAGS, *runtimeinfo.cflags(port), f"-I{out}")
    succeed(compiler, *flags, *sources, *runtimeinfo.libs(port), "-lm", "-o", out / "main")
    return out / "main"


def sessions(number: int, more: str = "") -> str:
    """The text of ep.yaml with so many sessions; `more` follows in that line."""
    return EP.read_text("utf-8").replace("max: 1000", f"max: {number}{more}")


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

# SPDX-License-Identifier: BSD-3-Clause
"""Instances that come and go, in one cell of the matrix, under every strategy.

Programs of `tests/run` count in recycled instances and by stale indexes, have tables grow
under updates and reads, and end lives while what was counted in them is still held back or on
its way in a ring. All sums have to be exact, on x86-64 with sanitizers too.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build
from tests.run import variants
from tests.support.cbuild import Build
from tests.support.strategies import DRAINED, EXACT, STRATEGIES, promise, strategy_of

from .cells import Code
from .kitchen import Kitchen, WrongError

RINGS = tuple(f"{DRAINED}:mode={mode}" for mode in strategy_of(DRAINED).tunables["mode"].values)


@dataclass(frozen=True)
class Part:
    """A program, and what is run of it."""

    build: Callable[[str, str], Build]
    """Of a strategy and a port."""
    size: tuple[str, int, int]
    """An option, its value, and that for programs that are emulated."""
    steps: tuple[str, ...] = ()
    """Tests in which one thread counts at a time."""
    races: tuple[str, ...] = ()
    """Tests in which no strategy may lose a count that is exact."""
    faults: tuple[str, ...] = ()
    """Tests that sanitizers would fail: they count page faults, and theirs among them."""
    strategies: tuple[str, ...] = tuple(STRATEGIES)


PARTS = {
    "lives": Part(variants.lives, steps=("settled", "left_behind", "taken_over"),
                  size=("LIVES", 3000, 600)),
    "stress": Part(variants.amounts, races=("stress",), size=("MS", 500, 500),
                   strategies=(*STRATEGIES, *RINGS)),
    "growth": Part(variants.growth, races=("reads_meanwhile",),
                   faults=("table_grows", "lcore_comes_late"), size=("FLOWS", 8000, 2100)),
    "ring": Part(variants.named("ringed"), steps=("ended_elsewhere",), size=("ROUNDS", 5000, 300),
                 strategies=RINGS),
}  # fmt: skip


def generate(folder: Path) -> list[Code]:
    """What the programs need, under every strategy."""
    return [
        _generated(name, strategy, folder)
        for name, part in PARTS.items()
        for strategy in part.strategies
    ]


def _generated(name: str, strategy: str, folder: Path) -> Code:
    out = folder / f"{name}-{strategy.replace(':', '-').replace('=', '-')}"
    schema = str(PARTS[name].build(strategy, "posix").schema)
    if build(BuildRequest(schema, str(out), sync=strategy, only=("c",))).exit_code != 0:
        raise WrongError(f"{schema} cannot be generated under {strategy}")
    return Code(name, strategy, out)


def cook(kitchen: Kitchen, codes: list[Code]) -> None:
    """One cell. Raises WrongError with the reason."""
    sanitized = kitchen.arch == "x86_64" and kitchen.compiler == "gcc"
    for one in [kitchen, kitchen.sanitizing()] if sanitized else [kitchen]:
        for port in runtimeinfo.PORTS:
            _count_all(one, codes, port)


def _count_all(kitchen: Kitchen, codes: list[Code], port: str) -> None:
    kitchen.compile_all(runtimeinfo.sources(port), port)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda code: _objects(kitchen, code, port), codes))
        if kitchen.arch != "x86_64" and port == "dpdk":
            return
        programs = pool.map(lambda made: kitchen.link(made, port), objects)
    for code, program in zip(codes, programs, strict=True):
        for test in _tests(kitchen, code):
            try:
                kitchen.run(program, test, port=port, **_options(kitchen, code))
            except WrongError as wrong:
                how = "sanitizers, " if kitchen.sanitizes else ""
                raise WrongError(f"{code.strategy}, {port}, {how}{wrong}") from wrong


def _objects(kitchen: Kitchen, code: Code, port: str) -> list[Path]:
    made = PARTS[code.schema].build(code.strategy, port)
    objects = kitchen.compile_all(code.sources, port, [code.folder])
    objects += kitchen.compile_all(runtimeinfo.sources(port), port)
    objects += kitchen.compile_all(made.plain, port, kind="test")
    defines = [flag for flag in (*made.flags, *made.own_flags) if flag.startswith("-D")]
    return objects + kitchen.compile_all(made.sources, port, [code.folder], "test", defines)


def _tests(kitchen: Kitchen, code: Code) -> list[str]:
    part = PARTS[code.schema]
    races = part.races if code.strategy.split(":")[0] in EXACT else ()
    faults = part.faults if not kitchen.sanitizes and kitchen.arch == "x86_64" else ()
    return [*part.steps, *races, *faults]


def _options(kitchen: Kitchen, code: Code) -> dict[str, int]:
    option, size, small = PARTS[code.schema].size
    held = int(promise(code.strategy, "propagation") == "flush")
    native = kitchen.arch == "x86_64"
    stress = {"FORKS": 0, "TIMER": 2000 if native else 5000}
    return {option: size if native else small, "HELD": held, **stress}

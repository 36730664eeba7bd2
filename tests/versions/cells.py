# SPDX-License-Identifier: BSD-3-Clause
"""What is done in one cell of the matrix: one schema, one compiler, one system, one architecture.

Everything that ctrgen generates from the schema, under every strategy that can keep
it, and the runtime compile without a warning; headers also as C++17. What is linked
counts right: the test of resets for the reference schema, the examples that
check themselves for the others, a benchmark program on DPDK.
"""

import dataclasses
import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.backends.bench import measurable
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from ctrgen.tools.bench import programs, variants
from ctrgen.tools.bench.machine import arguments
from ctrgen.tools.bench.programs import Program
from tests.support.cbuild import HEAP_WRAP
from tests.support.paths import ROOT
from tests.support.strategies import EXACT, STRATEGIES, USUAL

from .kitchen import Kitchen, WrongError

SCHEMAS = ("ep", "upf", "router")
RESETS = {"x86_64": 2000, "aarch64": 200}
RUN = ROOT / "tests" / "run"
APPS = ROOT / "schemas" / "apps"
EP_TESTS = [RUN / f"{name}.c" for name in ("resets", "heap", "harness")]


@dataclasses.dataclass(frozen=True)
class Code:
    """What is generated from one schema under one strategy."""

    schema: str
    strategy: str
    folder: Path

    @property
    def sources(self) -> list[Path]:
        return sorted(self.folder.glob("*.c"))

    @property
    def headers(self) -> list[Path]:
        return sorted(self.folder.glob("*.h"))


def generate(folder: Path) -> dict[str, list[Code]]:
    """Everything from every schema, under every strategy that keeps what the schema requires."""
    made: dict[str, list[Code]] = {}
    for schema in SCHEMAS:
        for strategy in STRATEGIES:
            if schema == "upf" and strategy not in EXACT:
                continue  # its schema requires exact counts
            out = folder / f"{schema}-{strategy}"
            done = build(BuildRequest(str(_path(schema)), str(out), sync=strategy))
            if done.exit_code != 0:
                raise WrongError(f"{schema} cannot be generated under {strategy}")
            made.setdefault(schema, []).append(Code(schema, strategy, out))
        _generate_benchmark(schema, [code.strategy for code in made[schema]], folder)
    return made


def _path(schema: str) -> Path:
    return ROOT / "schemas" / f"{schema}.yaml"


def _generate_benchmark(schema: str, names: list[str], folder: Path) -> None:
    module = check(str(_path(schema)), None).module
    assert module is not None
    called = measurable(module, variants.updates(module, ()))
    flows = variants.flow_scope(module, called)
    every = [variants.variant(module, name, flows, 64) for name in names]
    programs.generate(every, called, folder / f"{schema}-bench")


def cook(kitchen: Kitchen, codes: list[Code]) -> None:
    """One cell. Raises WrongError with the reason."""
    for port in runtimeinfo.PORTS:
        kitchen.compile_all(runtimeinfo.sources(port), port)
        for code in codes:
            kitchen.compile_all(_compiled(kitchen, code.sources), port, [code.folder])
            for header in _compiled(kitchen, code.headers):
                kitchen.as_cxx(header, port)
    for port in runtimeinfo.PORTS:
        if kitchen.arch == "x86_64" or port == "posix":
            _count(kitchen, codes, port)
    _benchmark(kitchen, codes)


def _compiled(kitchen: Kitchen, files: list[Path]) -> list[Path]:
    """Without the agent's where there is no net-snmp: on another architecture."""
    return [file for file in files if kitchen.arch == "x86_64" or "agentx" not in file.name]


def _count(kitchen: Kitchen, codes: list[Code], port: str) -> None:
    for code in codes:
        if code.strategy not in EXACT:
            continue
        if code.schema == "ep":
            program = _program(kitchen, code, port, EP_TESTS, RUN, *HEAP_WRAP)
            kitchen.run(program, "resets", RESETS=RESETS[kitchen.arch])
        elif kitchen.arch == "x86_64" or code.strategy == USUAL:
            common = APPS / "common"
            own = [APPS / code.schema / "main.c", common / "app.c", common / f"app_{port}.c"]
            program = _program(kitchen, code, port, own, common)
            if "Every count is right." not in kitchen.run(program):
                raise WrongError(
                    f"the example under {code.strategy}, {port}, does not say it is right"
                )


def _program(
    kitchen: Kitchen, code: Code, port: str, own: list[Path], include: Path, *more: str
) -> Path:
    stats = code.folder / f"{code.schema}_stats.c"
    objects = kitchen.compile_all(runtimeinfo.sources(port), port)
    objects += kitchen.compile_all([stats], port, [code.folder])
    objects += kitchen.compile_all(own, port, [code.folder, include], kind="test")
    return kitchen.link(objects, port, *more)


def _benchmark(kitchen: Kitchen, codes: list[Code]) -> None:
    """Every benchmark compiles; on this architecture that of the first strategy is run."""
    folder = codes[0].folder.parent / f"{codes[0].schema}-bench"
    sources = sorted((runtimeinfo.path() / "src/parts/bench").glob("*.c"))
    harness = kitchen.compile_all(sources, "dpdk", kind="harness")
    first: list[Path] = []
    for code in codes:
        inside = folder / code.strategy
        prefix = f"{code.schema}_stats"
        sources = [inside / f"{prefix}.c", inside / "bench" / f"{prefix}_bench.c"]
        objects = kitchen.compile_all(sources, "dpdk", [inside])
        first = first or objects
    if kitchen.arch == "x86_64":
        runtime = kitchen.compile_all(runtimeinfo.sources("dpdk"), "dpdk")
        _run_benchmark(kitchen, kitchen.link([*first, *harness, *runtime], "dpdk"))


def _run_benchmark(kitchen: Kitchen, program: Path) -> None:
    start = program.with_suffix(".sh")
    inside = shlex.join(kitchen.system.command(program))
    start.write_text(f'#!/bin/sh\nexec {inside} "$@"\n', "utf-8")
    start.chmod(0o755)
    running = Program(start, 2, sorted(os.sched_getaffinity(0)), arguments(False, 512))
    try:
        for way in _ways(running):
            answer = running.run(
                way, 5, lcores=2, flows=64, iterations=0, slice=0, reads=0, resets=0
            )
            if not answer["expected"] == answer["counted"] > 0:
                raise WrongError(f"benchmark, {way}: {json.dumps(answer)[:200]}")
    finally:
        running.close()


def _ways(running: Program) -> Iterator[str]:
    yield from (way for way in running.info["ways"] if way in ("single", "batch", "bulk"))

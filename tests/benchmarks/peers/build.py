# SPDX-License-Identifier: BSD-3-Clause
"""The program of the patterns: every file of patterns/, and every strategy of the catalogue."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.findings.printers import print_findings
from ctrgen.findings.usage import UsageError
from ctrgen.model.strategies.catalogue import Strategy, all_strategies
from ctrgen.pipeline.build import BuildRequest, build
from tests.support.process import succeed

HERE = Path(__file__).resolve().parent
FLAGS = ("-O3", "-march=native", "-falign-functions=64", "-falign-loops=64")
"""Those that `ctrgen bench` compiles with."""
WARNINGS = ("-Wall", "-Wextra", "-Werror")
INSTANCES = 1_000_000
PATTERNS = sorted((HERE / "patterns").glob("*.c"))


@dataclass(frozen=True)
class Source:
    """A file to compile, and its flags."""

    path: Path
    flags: tuple[str, ...] = ()


def driven() -> dict[str, Strategy]:
    """The strategies that strategy.c can drive: those with memory of their own."""
    return {name: one for name, one in all_strategies().items() if "static" in one.storage}


def schema(name: str, instances: int) -> str:
    """The schema for a strategy."""
    text = (HERE / "schema.yaml").read_text("utf-8")
    return text.replace("STRATEGY", name).replace("INSTANCES", str(instances))


def generated(folder: Path, instances: int, strategies: Iterable[str]) -> Iterator[Source]:
    """What is compiled for each strategy."""
    for name in strategies:
        strategy = all_strategies()[name]
        out, file = folder / name, folder / f"{name}.yaml"
        file.write_text(schema(name, instances), "utf-8")
        result = build(BuildRequest(str(file), str(out), only=("c",)))
        if result.exit_code != 0:
            raise UsageError(f"{name}: no code is generated", print_findings(result.diagnostics))
        include = f"-I{out}"
        defines = [f"-DMODULE={name}", f'-DHEADER="{name}_stats.h"']
        defines += ["-DHOLDS"] * strategy.holds_back + ["-DPOLLS"] * strategy.polls
        yield Source(HERE / "strategy.c", (include, *defines))
        yield Source(out / f"{name}_stats.c", (include,))


def program(
    folder: Path,
    instances: int = INSTANCES,
    flags: Sequence[str] = FLAGS,
    patterns: Sequence[Path] = PATTERNS,
    runtime: Sequence[Path] = (),
    strategies: Iterable[str] = (),
) -> Path:
    """The program, in an empty folder; `runtime` are objects of that, if there are;
    without `strategies` it has all. Raises UsageError without DPDK."""
    common = ["-std=gnu11", *runtimeinfo.cflags("dpdk"), *flags, *WARNINGS, f"-I{HERE}", "-pthread"]
    sources = [Source(HERE / name) for name in ("main.c", "turns.c", "checks.c")]
    sources += map(Source, [*patterns, *([] if runtime else runtimeinfo.sources("dpdk"))])
    sources += generated(folder, instances, strategies or driven())

    def compiled(number: int, source: Source) -> Path:
        target = folder / f"{number}-{source.path.stem}.o"
        succeed("gcc", *common, *source.flags, "-c", source.path, "-o", target)
        return target

    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compiled, range(len(sources)), sources))
    objects += runtime
    succeed("gcc", *flags, *objects, *runtimeinfo.libs("dpdk"), "-pthread", "-o", folder / "peers")
    return folder / "peers"

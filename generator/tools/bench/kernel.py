# SPDX-License-Identifier: BSD-3-Clause
"""XDP programs of a schema with the output `xdp`: one with its updates, others with as many adds
by hand to per-CPU maps, run by BPF_PROG_TEST_RUN."""

import dataclasses
import platform
import shlex
from collections.abc import Iterator
from pathlib import Path

from ... import __version__
from ...backends import Options, archive, runtimeinfo, xdp
from ...backends.bench import BenchView
from ...findings.usage import UsageError
from ...model import ir
from ...model.strategies.catalogue import all_strategies
from ...output.render import render
from .driver import Bench
from .programs import run_command
from .result import Kernel
from .variants import Variant, sync

RUNS_OF_MS = 20_000
"""Runs of a program in a millisecond, about."""


def measured(bench: Bench, module: ir.Module) -> Iterator[Kernel]:
    """A row for each strategy that the kernel has; what prevents one is a note of the plan."""
    if xdp.BACKEND.name not in module.outputs:
        return
    try:
        if not bench.updates:
            raise UsageError("there are no updates")
        for variant in bench.variants:
            if all_strategies()[sync(variant.label).strategy].kernel:
                yield _row(bench, module, variant)
    except UsageError as error:
        why = " ".join(error.message.splitlines()[:2])
        bench.plan.notes.append(f"XDP was not measured: {why}")


def _row(bench: Bench, module: ir.Module, variant: Variant) -> Kernel:
    """Build and run the programs under one strategy, for as many instances as the schema has.
    Raises UsageError."""
    chosen = sync(variant.label)
    scopes = tuple(dataclasses.replace(scope, sync=chosen) for scope in module.scopes)
    counted = dataclasses.replace(module, scopes=scopes)
    folder = bench.folder / f"xdp-{variant.folder}"
    program, object_ = _built(BenchView(counted, bench.updates), counted, folder)
    numbers = (str(bench.plan.effort.rounds), str(int(bench.plan.effort.ms * RUNS_OF_MS)))
    rows = run_command(program, object_, *numbers, timeout=None)
    found = {name: ns for name, *ns in map(str.split, rows.splitlines())}
    return Kernel.model_validate({"strategy": variant.label, **found})


def _built(view: BenchView, module: ir.Module, folder: Path) -> tuple[Path, Path]:
    """The program that runs others, and the object with these. Raises UsageError."""
    options = Options(Path(module.source).name, "ctrgen bench", __version__)
    texts = xdp.generate(module, options)
    texts |= {name: render(f"bench/{name}.j2", b=view) for name in ("xdp.bpf.c", "xdp.c")}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    program, made, include = folder / "xdp", folder / "xdp.bpf.o", f"-I{folder}"
    headers = f"-I/usr/include/{platform.machine()}-linux-gnu"
    run_command(
        "clang", "-O2", "-g", "-target", "bpf", "-mcpu=v3", headers, include,
        f"-I{runtimeinfo.path() / 'include'}", "-c", folder / "xdp.bpf.c", "-o", made,
    )  # fmt: skip
    part = xdp.BACKEND.name
    own = [folder / "xdp.c", folder / f"{view.prefix}_xdp.c"]
    made_of = archive.path("posix", [part])
    library = runtimeinfo.line("posix", True, False, True, (part,), archives=[made_of])
    run_command("cc", "-O2", include, *own, *shlex.split(library), "-o", program)
    return program, made

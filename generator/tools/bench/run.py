# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench SCHEMA` from end to end: build, measure, report."""

import contextlib
import datetime
import functools
import hashlib
import math
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from ... import __version__
from ...backends.bench import BenchView, measurable, periods
from ...findings.printers import print_findings
from ...findings.usage import UsageError, reason
from ...frontends import STDIN
from ...model import ir
from ...model.language.units import number, whole
from ...model.naming.lines import listed
from ...output.staging import OutputError, commit, locked
from ...pipeline.check import as_json, check
from . import kernel, machine, programs, report
from .driver import FEW, Bench, Rounds, measure, steps
from .matrix import EFFORTS, Axes, Effort, Plan, plan
from .result import Point, Result, SchemaFile, Workload, dump
from .variants import Variant, able, exact, flow_scope, updates, variant

MORE = 3  # as many times as many rounds, of few figures: there is time for them
INTERRUPTED = 130  # exit code after a signal


@dataclass(frozen=True, slots=True)
class Request:
    """Options of `ctrgen bench`; texts as on the command line, empty for the default."""

    schema: str
    output: str
    axes: Axes
    quick: bool = False
    strategies: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    rounds: str = ""
    ms: str = ""
    command: tuple[str, ...] = ()


def prepare(request: Request, module: ir.Module) -> Bench:
    """Decide what to measure. Raises UsageError for an impossible request."""
    asked = updates(module, request.updates)
    called = measurable(module, asked)
    if why := BenchView(module, called).obstacle:
        raise UsageError(f"module '{module.name}' cannot be measured: {why}")
    flows = flow_scope(module, called)
    matrix = plan(request.axes, request.quick, machine.usable(), _effort(request))
    chosen = list(dict.fromkeys(request.strategies)) or able(module)
    if not chosen:
        raise UsageError("no strategy can keep all scopes of this schema")
    variants = [variant(module, label, flows, matrix.flows) for label in chosen]
    if not request.rounds and len(matrix.places) * len(variants) <= FEW:
        effort = replace(matrix.effort, rounds=matrix.effort.rounds * MORE)
        matrix = replace(matrix, effort=effort)
    matrix.notes.extend(_notes(asked, called, flows, matrix, variants))
    return Bench(variants, called, flows, matrix, Path(request.output) / "build")


def _notes(
    asked: tuple[ir.Update, ...], called: tuple[ir.Update, ...], flows: str, matrix: Plan,
    variants: list[Variant],
) -> Iterator[str]:  # fmt: skip
    """Remarks on the workload for the report."""
    most = max(update.weight for update in called)
    every = periods(called)
    for update in called:
        if most % update.weight:
            exact = f"{most / update.weight:g}"
            yield f"{update.name} is called for one packet in {every[update.name]}, not in {exact}"
    if left := [update.name for update in asked if update not in called]:
        yield f"not measured: {listed(left)}, about objects of the application"
    if not flows and any(at.flows != 1 for at in matrix.places):
        yield "no scope with one index: flows stand for the instances that there are"
    if matrix.flows > min(at.flows for at in matrix.places):
        yield f"memory is that of {matrix.flows:,} flows, for which all was built"
    if bare := [one.label for one in variants if BenchView(one.module, called).hand.sync is None]:
        yield (
            f"not compared with code by hand: {listed(bare)}. There is such code for adds "
            "to counters of static scopes, under some strategies with default tunables"
        )


def _schema_file(schema: str, module: ir.Module) -> SchemaFile:
    """Name and digest of the schema; of the parsed module if its text can be read only once."""
    try:
        text = Path(schema).read_bytes()
    except OSError:
        text = as_json(module).encode()
    name = STDIN if schema == "-" else Path(schema).name
    digest = hashlib.sha256(text).hexdigest()
    return SchemaFile(file=name, module=module.name, sha256=digest)


def _effort(request: Request) -> Effort:
    effort = EFFORTS[request.quick]
    if request.rounds:
        effort = replace(effort, rounds=whole(request.rounds, "rounds", 1, 10000), seconds=math.inf)
    if request.ms:
        effort = replace(effort, ms=number(request.ms, "ms", 1, 60000))
    return effort


def run(request: Request) -> int:
    """Build, measure, print the table, write the report; the exit code.

    0; 1 for findings about the schema, or when an exact strategy lost an update;
    130 when it was interrupted (what was measured is reported). Raises UsageError.
    """
    # a shell starts background jobs with SIGINT ignored
    ends = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.default_int_handler) for number in ends]
    try:
        return _run(request)
    except KeyboardInterrupt:
        _say("interrupted: nothing was measured")
        return INTERRUPTED
    finally:
        for number, handler in zip(ends, before, strict=True):
            signal.signal(number, handler)


def _run(request: Request) -> int:
    made = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    checked = check(request.schema, only=("bench", "c"))
    click.echo(print_findings(checked.diagnostics, "text"), err=True, nl=False)
    if checked.module is None:
        return checked.diagnostics.exit_code
    folder = Path(request.output)
    bench = prepare(request, checked.module)
    waits = functools.partial(_say, f"waiting for another run that uses {folder}")
    try:
        with locked(bench.folder, waits):
            return _all(request, checked.module, bench, made)
    except OutputError as error:
        raise UsageError(f"{error.path}: {error.message}", error.hint) from error


def _all(request: Request, module: ir.Module, bench: Bench, made: str) -> int:
    """Build, measure and report in a folder that no other run uses."""
    folder, schema = Path(request.output), _schema_file(request.schema, module)
    bench.choose_memory()
    try:
        programs.generate(bench.variants, bench.updates, bench.folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {reason(error)}") from error
    built = programs.compile_all(bench.variants, bench.folder, _say)
    with contextlib.closing(bench):
        info = bench.calibrate()
        rounds, done = _measured(bench)
        memory = bench.sizes()
    points, wrong = _points(bench, rounds)
    if not points:
        _say("interrupted before the first round was finished")
        return INTERRUPTED
    result = Result(
        made=made,
        ctrgen=__version__,
        command=list(request.command),
        schema=schema,
        machine=machine.describe(bench.plan.cores, info["tsc_hz"]),
        build=built.model_copy(update={"dpdk": str(info["version"]).removeprefix("DPDK ")}),
        workload=_workload(bench, memory),
        strategies=[variant.label for variant in bench.variants],
        points=points,
        kernel=list(kernel.measured(bench, module)) if done else [],
        notes=bench.plan.notes,
        complete=done,
    )
    return _reported(result, wrong, folder)


def _say(text: str) -> None:
    click.echo(text, err=True)


def _measured(bench: Bench) -> tuple[Rounds, bool]:
    """Measure; False when Ctrl-C or SIGTERM ended that."""
    console = Console(stderr=True, force_terminal=sys.stderr.isatty())
    if not console.is_terminal:
        _say("measuring")
    # no drawing thread: it would take a core from the workers
    with Progress(console=console, disable=not console.is_terminal, auto_refresh=False) as bar:
        return measure(bench, bar.track(list(steps(bench)), description="measuring"))


def _reported(result: Result, wrong: list[str], folder: Path) -> int:
    """Write and print the report; the exit code."""
    path = folder / "bench.json"
    commit(folder, {path: dump(result)})
    click.echo(report.text(result), nl=False)
    _say(f"wrote {path}")
    if wrong:
        _say(f"WRONG COUNTS under {', '.join(wrong)}: please report it with {path}")
    if not result.complete:
        _say("interrupted: the report holds the rounds that were finished")
        return INTERRUPTED
    return 1 if wrong else 0


def _workload(bench: Bench, memory: dict[str, dict[int, int]]) -> Workload:
    called = periods(bench.updates)
    adds = sum(len(u.operations) / called[u.name] for u in bench.updates)
    return Workload(
        updates=[update.name for update in bench.updates],
        adds=int(adds) if adds == int(adds) else adds,
        every={name: period for name, period in called.items() if period > 1},
        memory=memory,
        huge=bench.huge,
    )


def _points(bench: Bench, rounds: Rounds) -> tuple[list[Point], list[str]]:
    """Variants with finished rounds; and strategies that broke the promise of exact counters."""
    points, wrong = [], set()
    for (label, at), entries in rounds.items():
        one = next(variant for variant in bench.variants if variant.label == label)
        counted = [entry.pop("exact") for entry in entries]
        if not all(counted) and exact(one, bench.updates):
            wrong.add(label)
        points.append(Point.model_validate({"strategy": label, "at": at, "rounds": entries}))
    return points, sorted(wrong)

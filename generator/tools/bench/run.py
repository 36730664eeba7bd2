# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench SCHEMA` from end to end: build, measure, report."""

import contextlib
import datetime
import hashlib
import itertools
import json
import math
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from ... import __version__
from ...backends.bench import has_twin, obstacle, periods
from ...findings.printers import print_findings
from ...findings.usage import UsageError, reason
from ...frontends import STDIN
from ...model import ir
from ...model.language.units import number, whole
from ...model.plain import to_json
from ...model.strategies.catalogue import all_strategies
from ...model.workload import Deployment, transactions
from ...output.staging import OutputError
from ...pipeline.check import check
from . import kernel, machine, programs, report
from .driver import FEW, Bench, Journal, floor, key_of, measure, steps
from .matrix import EFFORTS, Axes, Effort, Plan, plan
from .report import places
from .result import Floor, Point, Result, SchemaFile, Workload
from .variants import Variant, able, exact, flow_scope, only_objects, touched, updates, variant

MORE = 3  # as many times as many rounds, of few figures: there is time for them
INTERRUPTED = 130  # exit code after a signal


@dataclass(frozen=True, slots=True)
class Request:
    """Options of `ctrgen bench`; texts as on the command line, empty for the default."""

    schema: str
    output: str
    axes: Axes
    size: str = "usual"
    strategies: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    rounds: str = ""
    ms: str = ""
    huge: str = "auto"
    command: tuple[str, ...] = ()


def prepare(request: Request, module: ir.Module) -> Bench:
    """Decide what to measure. Raises UsageError for an impossible request."""
    called = updates(module, request.updates)
    if why := obstacle(module, called):
        raise UsageError(f"module '{module.name}' cannot be measured: {why}")
    flows = flow_scope(module, called)
    matrix = plan(request.axes, request.size, machine.usable(), _effort(request))
    if not called:
        items = tuple(at.model_copy(update={"api": "items"}) for at in matrix.places)
        matrix = replace(matrix, places=tuple(dict.fromkeys(items)), latency=frozenset(items[:1]))
    objects = only_objects(module, called)
    chosen = list(dict.fromkeys(request.strategies)) or able(module, objects=objects)
    if not chosen:
        raise UsageError("no strategy can keep all scopes of this schema")
    size = (flows, matrix.flows)
    variants = [variant(module, label, *size, objects=objects) for label in chosen]
    if not request.rounds and len(matrix.places) * len(variants) <= FEW:
        effort = replace(matrix.effort, rounds=matrix.effort.rounds * MORE)
        matrix = replace(matrix, effort=effort)
    matrix.notes.extend(_notes(module, called, matrix, variants))
    bench = Bench(variants, called, flows, matrix, Path(request.output) / "build", request.huge)
    bench.choose_pages()
    return bench


def _notes(
    module: ir.Module, called: tuple[ir.Update, ...], matrix: Plan, variants: list[Variant]
) -> Iterator[str]:
    """Remarks on the workload for the report."""
    most = max((update.weight for update in called), default=1)
    every = periods(called)
    for update in called:
        if most % update.weight:
            exact = f"{most / update.weight:g}"
            yield f"{update.name} is called for one packet in {every[update.name]}, not in {exact}"
    if not called:
        yield "the schema has no updates to measure: every counter is counted by itself"
    inside = [s for s in touched(module, called) if s.storage is ir.Storage.EMBEDDED]
    if not (flow_scope(module, called) or inside) and any(at.flows != 1 for at in matrix.places):
        yield "no scope with one index: flows stand for the instances that there are"
    if matrix.flows > min(at.flows for at in matrix.places):
        yield f"memory is that of {matrix.flows:,} flows, for which all was built"
    if inside:
        names = places.listed([scope.name for scope in inside])
        yield (
            f"what is counted of {names} is in objects of the application, which reads and writes "
            "its own state there with every packet, counted or not"
        )
    if inside and only_objects(module, called):
        left = [n for n, s in all_strategies().items() if "embedded" not in s.storage]
        yield f"{places.listed(left)} have no counters in objects of an application: left out"
    elif inside:
        own = places.listed(list(dict.fromkeys(scope.sync.strategy for scope in inside)))
        yield f"objects stay under {own}, whatever the strategy of the rest"
    if bare := [one.label for one in variants if not has_twin(one.module, called)]:
        yield (
            f"not compared with code by hand: {places.listed(bare)}. Not all strategies have such "
            "code; it has default tunables, and one strategy for all that is not in objects of the "
            "application"
        )


def _schema_file(schema: str, module: ir.Module) -> SchemaFile:
    """Name and digest of the schema; of the parsed module if its text can be read only once."""
    try:
        text = Path(schema).read_bytes()
    except OSError:
        text = json.dumps(to_json(module), sort_keys=True).encode()
    name = STDIN if schema == "-" else Path(schema).name
    digest = hashlib.sha256(text).hexdigest()
    return SchemaFile(file=name, module=module.name, sha256=digest)


def _effort(request: Request) -> Effort:
    effort = EFFORTS[request.size]
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
    bench, schema = prepare(request, checked.module), _schema_file(request.schema, checked.module)
    bench.check_memory()
    try:
        code = programs.generate(bench.variants, bench.updates, bench.folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {reason(error)}") from error
    built = programs.compile_all(bench.variants, bench.folder, _say)
    resume, about = request.size == "full", _about(bench, code)
    kept = folder / "journal.jsonl"
    with contextlib.closing(bench), Journal(kept, about, resume) as journal:
        info = bench.calibrate(journal)
        done = _measured(bench, journal)
        memory, objects, pages = bench.sizes(done), bench.objects(), bench.pages()
    if done or not resume:
        kept.unlink(missing_ok=True)
    points, wrong = _points(bench, journal)
    if not points:
        _say("interrupted before the first round was finished")
        return INTERRUPTED
    bare = (p for p in points if (p.at.work, p.at.scheduler) == (0, "none"))
    empty = [r.none for point in bare for r in point.rounds]
    result = Result(
        made=made,
        ctrgen=__version__,
        command=list(request.command),
        schema=schema,
        machine=machine.describe(bench.plan.cores, info["tsc_hz"]),
        build=built.model_copy(update={"dpdk": str(info["version"]).removeprefix("DPDK ")}),
        workload=_workload(bench, memory, objects),
        pages=pages,
        strategies=[variant.label for variant in bench.variants],
        floor=Floor.model_validate({**floor(journal), "empty": empty}),
        points=points,
        kernel=list(kernel.measured(bench, checked.module)) if done else [],
        notes=bench.plan.notes,
        complete=done,
    )
    return _reported(result, wrong, folder, resume)


def _say(text: str) -> None:
    click.echo(text, err=True)


def _about(bench: Bench, code: str) -> dict[str, Any]:
    """Identity of a run: a journal resumes only if equal; `code`: digest of the programs."""
    return {
        "code": code,
        "places": [at.model_dump() for at in bench.plan.places],
        "rounds": bench.plan.effort.rounds,
        "ms": bench.plan.effort.ms,
        "huge": [bench.asked, bench.huge],
        "machine": machine.describe(bench.plan.cores, 1).model_dump(exclude={"hugepages"}),
    }


def _measured(bench: Bench, journal: Journal) -> bool:
    """Measure; False when Ctrl-C or SIGTERM ended that."""
    if journal.resumed:
        _say(f"going on: {journal.resumed} measurements of an earlier run are kept")
    console = Console(stderr=True, force_terminal=sys.stderr.isatty())
    if not console.is_terminal:
        _say("measuring")
    # no drawing thread: it would take a core from the workers
    with Progress(console=console, disable=not console.is_terminal, auto_refresh=False) as bar:
        wanted = bar.track(list(steps(bench)), description="measuring")
        return measure(bench, journal, wanted)


def _reported(result: Result, wrong: list[str], folder: Path, resume: bool) -> int:
    """Write and print the report; the exit code."""
    try:
        paths = report.write(result, folder)
    except OutputError as error:
        raise UsageError(f"{error.path}: {error.message}", error.hint) from error
    click.echo(report.terminal(report.summary(result)), nl=False)
    _say("wrote " + ", ".join(str(path) for path in paths))
    if wrong:
        _say(f"WRONG COUNTS under {', '.join(wrong)}: please report it with {paths[0]}")
    if not result.complete:
        further = "; the same command goes on" if resume else ""
        _say(f"interrupted: the report holds the rounds that were finished{further}")
        return INTERRUPTED
    return 1 if wrong else 0


def _workload(bench: Bench, memory: dict[str, dict[int, int]], objects: dict[str, int]) -> Workload:
    """The workload; cache lines are counted as by `ctrgen plan`."""
    names, called = tuple(update.name for update in bench.updates), periods(bench.updates)
    place = Deployment(1, bench.plan.flows, bench.flow_scope, updates=names)
    lines = {
        variant.label: float(sum(len(t.touches) for t in transactions(variant.module, place)))
        for variant in bench.variants
    }
    items = (item for scope in bench.variants[0].module.scopes for item in scope.items)
    counters = sum(item.kind.accumulates for item in items)
    adds = sum(len(u.operations) / called[u.name] for u in bench.updates) or counters
    return Workload(
        updates=list(names),
        adds=int(adds) if adds == int(adds) else adds,
        every={name: period for name, period in called.items() if period > 1},
        lines=lines,
        memory=memory,
        objects=objects,
    )


def _points(bench: Bench, journal: Journal) -> tuple[list[Point], list[str]]:
    """What has finished rounds; and strategies of which a counter is not exact as promised."""
    points, wrong = [], set()
    for at, one in itertools.product(bench.plan.places, bench.variants):
        keys = [key_of("round", count, one, at) for count in range(bench.plan.effort.rounds)]
        rounds = [dict(entry) for key in keys if (entry := journal.get(key)) is not None]
        counted = [entry.pop("exact") for entry in rounds]
        if not all(counted) and exact(one, bench.updates):
            wrong.add(one.label)
        if rounds:
            parts = {"strategy": one.label, "at": at, "rounds": rounds}
            parts["latency"] = journal.get(key_of("latency", 0, one, at))
            points.append(Point.model_validate(parts))
    return points, sorted(wrong)

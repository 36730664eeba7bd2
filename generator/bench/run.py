# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench SCHEMA` from end to end: build, measure, report."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import signal
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from .. import __version__
from ..backends.bench import obstacle
from ..findings.printers import print_findings
from ..findings.usage import UsageError, reason
from ..frontends import STDIN
from ..language.units import members, number, whole
from ..model import ir
from ..model.workload import Deployment, transactions
from ..output.staging import OutputError
from ..pipeline.check import check
from ..strategies.catalogue import all_strategies
from . import extra, machine, programs, report
from .driver import Bench, key_of, measure, steps
from .journal import Journal
from .matrix import EFFORTS, Axes, Effort, Plan, plan
from .report import sentences, writers
from .result import At, Floor, Point, Result, SchemaFile, Workload
from .variants import Variant, flow_scope, labels, updates, variant

INTERRUPTED = 130
"""Exit code of what a signal ended."""


@dataclass(frozen=True, slots=True)
class Request:
    """What `ctrgen bench` is asked to do; texts as on the command line, empty for the usual."""

    schema: str
    output: str
    axes: Axes
    size: str = "usual"
    strategies: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    flow_scope: str = ""
    cores: str = ""
    rounds: str = ""
    ms: str = ""
    mib_path: tuple[str, ...] = ()
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known before anything is built."""

    plan: Plan
    variants: list[Variant]
    updates: tuple[ir.Update, ...]
    flows: str
    schema: SchemaFile
    notes: list[str]


def prepare(request: Request, module: ir.Module) -> Prepared:
    """Decide what to measure. Raises UsageError for what cannot be."""
    called = updates(module, request.updates)
    reason = obstacle(module, called)
    if reason:
        raise UsageError(f"module '{module.name}' cannot be measured: {reason}")
    flows = flow_scope(module, called, request.flow_scope)
    matrix = plan(request.axes, request.size, _cores(request.cores), _effort(request))
    notes = list(matrix.notes)
    if not called:
        notes.append("the schema has no updates to measure: every counter is counted by itself")
        items = tuple(at.model_copy(update={"api": "items"}) for at in matrix.places)
        matrix = replace(matrix, places=tuple(dict.fromkeys(items)), latency=frozenset(items[:1]))
    if not flows and any(at.flows != 1 for at in matrix.places):
        notes.append("no scope with one index: flows stand for the instances that there are")
    chosen = labels(request.strategies, module)
    if not chosen:
        raise UsageError("no strategy can keep all scopes of this schema")
    variants = [variant(module, label, flows, matrix.flows) for label in chosen]
    return Prepared(matrix, variants, called, flows, _schema_file(request.schema, module), notes)


def _schema_file(schema: str, module: ir.Module) -> SchemaFile:
    """The schema; what it says, where its text can be read only once."""
    try:
        text = Path(schema).read_bytes()
    except OSError:
        text = json.dumps(ir.to_json(module), sort_keys=True).encode()
    name = STDIN if schema == "-" else Path(schema).name
    digest = hashlib.sha256(text).hexdigest()
    return SchemaFile(file=name, module=module.name, sha256=digest)


def _cores(text: str) -> list[int]:
    """The processors to use: `0-3,6`, or all that this process may run on."""
    usable = machine.usable()
    if not text:
        return usable
    cores = members(text, "cores")
    wrong = [core for core in cores if core not in usable]
    if wrong:
        here = f"usable here: {','.join(map(str, usable))}"
        raise UsageError(f"--cores: there is no processor {wrong[0]}", here)
    return cores


def _effort(request: Request) -> Effort:
    effort = EFFORTS[request.size]
    if request.rounds:
        effort = replace(effort, rounds=whole(request.rounds, "rounds", 1, 10000))
    if request.ms:
        effort = replace(effort, ms=number(request.ms, "ms", 1, 60000))
    return effort


def run(request: Request) -> int:
    """Build, measure, print the table, write the report; the exit code.

    0; 1 for findings about the schema, or when an exact strategy lost an update;
    130 when it was interrupted (what was measured is reported). Raises UsageError.
    """
    # also where a shell lets what it runs in the background ignore Ctrl-C
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
    checked = check(request.schema, mib_path=request.mib_path)
    click.echo(print_findings(checked.diagnostics, "text"), err=True, nl=False)
    if checked.module is None:
        return checked.diagnostics.exit_code
    folder = Path(request.output)
    ready = prepare(request, checked.module)
    bench = Bench(ready.variants, folder / "build", ready.plan)
    bench.check_memory()
    missing = extra.lacking(extra.PAGE)
    if missing:
        _say(f"there will be no bench.html {missing}")
    try:
        code = programs.generate(ready.variants, ready.updates, bench.folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {reason(error)}") from error
    built = programs.compile_all(ready.variants, bench.folder, _say)
    resume = request.size == "full"
    about = _about(ready, code)
    with contextlib.closing(bench), Journal(folder / "journal.jsonl", about, resume) as journal:
        info = bench.calibrate(journal)
        done = _measured(bench, journal)
        memory = bench.memory(done)
    if done or not resume:
        journal.remove()
    built = built.model_copy(update={"dpdk": str(info["version"]).removeprefix("DPDK ")})
    run = {"made": made, "command": list(request.command), "build": built, "complete": done}
    result = _result(ready, journal, info["tsc_hz"], memory, **run)
    if not result.points:
        _say("interrupted before the first round was finished")
        return INTERRUPTED
    return _reported(result, _inexact(ready, journal), folder, resume)


def _say(text: str) -> None:
    click.echo(text, err=True)


def _about(ready: Prepared, code: str) -> dict[str, Any]:
    """What a journal must be about to be gone on with; `code` is a fingerprint of the programs."""
    return {
        "ctrgen": __version__,
        "code": code,
        "updates": [update.name for update in ready.updates],
        "places": [at.model_dump() for at in ready.plan.places],
        "rounds": ready.plan.effort.rounds,
        "ms": ready.plan.effort.ms,
        "strategies": [variant.label for variant in ready.variants],
        "machine": machine.describe(list(ready.plan.cores), 1).model_dump(exclude={"hugepages"}),
    }


def _measured(bench: Bench, journal: Journal) -> bool:
    """Measure; False when Ctrl-C or SIGTERM ended that."""
    if journal.resumed:
        _say(f"going on: {journal.resumed} measurements of an earlier run are kept")
    console = Console(stderr=True, force_terminal=sys.stderr.isatty())
    if not console.is_terminal:
        _say("measuring")
    # no thread that draws: it would take a core from what is measured
    with Progress(console=console, disable=not console.is_terminal, auto_refresh=False) as bar:
        wanted = bar.track(list(steps(bench)), description="measuring")
        return measure(bench, journal, wanted)


def _reported(result: Result, wrong: list[str], folder: Path, resume: bool) -> int:
    """Write and print the report; the exit code."""
    try:
        paths = report.write(result, folder)
    except OutputError as error:
        raise UsageError(f"{error.path}: {error.message}", error.hint) from error
    click.echo(writers.terminal(sentences.summary(result)), nl=False)
    _say("wrote " + ", ".join(str(path) for path in paths))
    if wrong:
        _say(f"WRONG COUNTS under {', '.join(wrong)}: please report it with {paths[0]}")
    if not result.complete:
        further = "; the same command goes on" if resume else ""
        _say(f"interrupted: the report holds the rounds that were finished{further}")
        return INTERRUPTED
    return 1 if wrong else 0


# ---- the document ----


def _result(
    ready: Prepared, journal: Journal, tsc_hz: float, memory: dict[str, dict[int, int]], **run: Any
) -> Result:
    """The document; `run` has what else it says, by its keys. No points without a whole round."""
    points = [
        point
        for at in ready.plan.places
        for variant in ready.variants
        if (point := _point(journal, ready, variant, at)) is not None
    ]
    empty = [r.none for point in points if point.at.work == 0 for r in point.rounds]
    every = (s for s in ready.variants[0].module.scopes if s.storage is not ir.Storage.EMBEDDED)
    counters = sum(item.kind.accumulates for scope in every for item in scope.items)
    notes = list(ready.notes)
    if ready.plan.flows > min(at.flows for at in ready.plan.places):
        notes.append(f"memory is that of {ready.plan.flows:,} flows, for which all was built")
    if not machine.hugepages():
        notes.append("no huge pages: ran without, which makes large tables slower")
    return Result(
        ctrgen=__version__,
        schema=ready.schema,
        machine=machine.describe(list(ready.plan.cores), tsc_hz),
        workload=Workload(
            updates=[update.name for update in ready.updates],
            adds=sum(len(update.operations) for update in ready.updates) or counters,
            lines={v.label: _lines(v.module, ready) for v in ready.variants},
            memory=memory,
        ),
        strategies=[variant.label for variant in ready.variants],
        floor=Floor.model_validate({**journal["floor"], "empty": empty}),
        points=points,
        notes=notes,
        **run,
    )


def _lines(module: ir.Module, ready: Prepared) -> float:
    """Cache lines of counters that the updates of a packet touch, as `ctrgen plan` counts them."""
    names = tuple(update.name for update in ready.updates)
    place = Deployment(lcores=1, flows=ready.plan.flows, flow_scope=ready.flows, updates=names)
    return float(sum(len(t.touches) for t in transactions(module, place)))


def _rounds(journal: Journal, ready: Prepared, variant: Variant, at: At) -> list[dict[str, Any]]:
    """The rounds that were finished of a strategy at a place."""
    keys = (key_of("round", count, variant, at) for count in range(ready.plan.effort.rounds))
    return [entry for key in keys if (entry := journal.get(key)) is not None]


def _point(journal: Journal, ready: Prepared, variant: Variant, at: At) -> Point | None:
    """What was measured of a strategy at a place; None when nothing was."""
    rounds = _rounds(journal, ready, variant, at)
    if not rounds:
        return None
    parts = {
        "strategy": variant.label,
        "at": at,
        "rounds": [{k: v for k, v in entry.items() if k != "exact"} for entry in rounds],
    }
    parts |= {kind: journal.get(key_of(kind, 0, variant, at)) for kind in ("latency", "hardware")}
    return Point.model_validate(parts)


def _inexact(ready: Prepared, journal: Journal) -> list[str]:
    """Strategies that promise exact counts and did not keep it: one counter is enough."""
    exact = {name for name, strategy in all_strategies().items() if strategy.promises.exact}
    wrong = {
        variant.label
        for variant in ready.variants
        for at in ready.plan.places
        for entry in _rounds(journal, ready, variant, at)
        if not entry["exact"]
    }
    return sorted(label for label in wrong if label.partition(":")[0] in exact)

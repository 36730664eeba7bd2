# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench SCHEMA` from end to end: build, measure, report."""

from __future__ import annotations

import datetime
import hashlib
import signal
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from .. import __version__, ir
from ..check import Checked, check
from ..pipeline import RequestError, parse_sync
from ..plan.workload import Deployment, transactions
from ..quantities import members, number, whole
from ..staging import OutputError
from . import machine, programs, report
from .driver import Bench, key_of, measure, steps
from .journal import Journal
from .matrix import FULL, QUICK, USUAL, Axes, Effort, Plan, plan
from .report import terminal
from .result import At, Floor, Point, Result, SchemaFile, Workload
from .variants import BenchError, Variant, flow_scope, labels, updates, variant

EFFORTS = {"quick": QUICK, "usual": USUAL, "full": FULL}

BUILD_FOLDER = "build"
"""Below the output folder: generated code and programs, kept for the next run."""

JOURNAL = "journal.jsonl"

EVERY = Axes()
"""The usual choice on every axis."""


@dataclass(frozen=True, slots=True)
class Request:
    """What `ctrgen bench` is asked to do; texts as on the command line, empty for the usual."""

    schema: str
    output: str
    size: str = "usual"
    axes: Axes = EVERY
    strategies: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    flow_scope: str = ""
    cores: str = ""
    rounds: str = ""
    ms: str = ""
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
    """Decide what to measure. Raises BenchError for what cannot be."""
    called = updates(module, request.updates)
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
        raise BenchError("no strategy can keep all scopes of this schema")
    variants = [variant(module, label, flows, matrix.flows) for label in chosen]
    text = "" if request.schema == "-" else Path(request.schema).read_text("utf-8", "replace")
    digest = hashlib.sha256(text.encode()).hexdigest()
    file = SchemaFile(file=Path(request.schema).name, module=module.name, sha256=digest)
    return Prepared(matrix, variants, called, flows, file, notes)


def _cores(text: str) -> list[int]:
    """The processors to use: `0-3,6`, or all that this process may run on."""
    usable = machine.usable()
    if not text:
        return usable
    found = members(text, "cores")
    wrong = [core for core in found if core not in usable]
    if wrong:
        here = f"usable here: {','.join(map(str, usable))}"
        raise BenchError(f"--cores: there is no processor {wrong[0]}", here)
    return found


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
    130 when it was interrupted (what was measured is reported). Raises BenchError.
    """
    checked = _checked(request)
    if checked.module is None:
        return checked.exit_code
    folder = Path(request.output)
    ready = prepare(request, checked.module)
    bench = Bench(ready.variants, folder / BUILD_FOLDER, ready.plan)
    bench.check_memory()
    try:
        programs.generate(ready.variants, ready.updates, bench.folder)
    except OSError as error:
        raise BenchError(f"{folder}: cannot be written: {error.strerror}") from error
    built = programs.compile_all(ready.variants, bench.folder, _say)
    try:
        with Journal(folder / JOURNAL, _about(ready), request.size == "full") as journal:
            info = bench.calibrate(journal)
            done = _measured(bench, journal)
            built = built.model_copy(update={"dpdk": str(info["version"]).removeprefix("DPDK ")})
            memory = _memory(bench)
    finally:
        bench.close()
    result = _result(request, ready, journal, info["tsc_hz"]).model_copy(
        update={"build": built, "complete": done}
    )
    result = result.model_copy(
        update={"workload": result.workload.model_copy(update={"memory": memory})}
    )
    return _reported(result, journal, folder, done)


def _checked(request: Request) -> Checked:
    from ..diagnostics import print_findings

    try:
        checked = check(request.schema, parse_sync(None))
    except RequestError as error:
        raise BenchError(error.message, error.hint) from error
    click.echo(print_findings(checked.diagnostics, "text"), err=True, nl=False)
    return checked


def _say(text: str) -> None:
    click.echo(text, err=True)


def _about(ready: Prepared) -> dict[str, Any]:
    """What a journal must be about to be gone on with."""
    return {
        "ctrgen": __version__,
        "schema": ready.schema.sha256,
        "updates": [update.name for update in ready.updates],
        "places": [at.model_dump() for at in ready.plan.places],
        "rounds": ready.plan.effort.rounds,
        "ms": ready.plan.effort.ms,
        "strategies": [one.label for one in ready.variants],
        "machine": machine.describe(list(ready.plan.cores), 1).model_dump(exclude={"hugepages"}),
    }


def _measured(bench: Bench, journal: Journal) -> bool:
    """Measure; False when Ctrl-C or SIGTERM ended that."""
    total = sum(1 for _ in steps(bench))
    if journal.resumed:
        _say(f"going on: {journal.resumed} measurements of an earlier run are kept")
    ends = (signal.SIGINT, signal.SIGTERM)  # a shell lets what it runs behind it ignore the first
    before = [signal.signal(number, signal.default_int_handler) for number in ends]
    try:
        with click.progressbar(length=total, label="measuring", file=sys.stderr) as bar:
            return measure(bench, journal, bar.update)
    finally:
        for number, handler in zip(ends, before, strict=True):
            signal.signal(number, handler)


def _memory(bench: Bench) -> dict[str, dict[int, int]]:
    """Bytes that the statistics take, by strategy and number of lcores, the main one included."""
    found: dict[str, dict[int, int]] = {}
    for one, program in bench.running():
        fixed = programs.static_bytes(bench.folder, one)
        found.setdefault(one.label, {})[program.workers + 1] = program.info["heap"] + fixed
    return found


def _result(request: Request, ready: Prepared, journal: Journal, tsc_hz: float) -> Result:
    """The document. Raises BenchError when not a single round was finished."""
    points = [
        found
        for at in ready.plan.places
        for one in ready.variants
        if (found := _point(journal, ready, one, at)) is not None
    ]
    if not points:
        raise BenchError("interrupted before the first round was finished")
    empty = [r.none for point in points if point.at.work == 0 for r in point.rounds]
    floor = Floor.model_validate({**journal["floor"], "empty": empty})
    operations = sum(len(update.operations) for update in ready.updates)
    notes = list(ready.notes)
    if ready.plan.flows > min(at.flows for at in ready.plan.places):
        notes.append(f"memory is that of {ready.plan.flows:,} flows, for which all was built")
    if not machine.hugepages():
        notes.append("no huge pages: ran without, which makes large tables slower")
    now = datetime.datetime.now(datetime.timezone.utc)
    return Result(
        made=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        ctrgen=__version__,
        command=list(request.command),
        schema=ready.schema,
        machine=machine.describe(list(ready.plan.cores), tsc_hz),
        build=programs.UNKNOWN,
        workload=Workload(
            updates=[update.name for update in ready.updates],
            adds=operations or _counters(ready.variants[0].module),
            lines={one.label: _lines(one.module, ready) for one in ready.variants},
        ),
        strategies=[one.label for one in ready.variants],
        floor=floor,
        points=points,
        notes=notes,
    )


def _lines(module: ir.Module, ready: Prepared) -> float:
    """Cache lines of counters that the updates of a packet touch, as `ctrgen plan` counts them."""
    names = tuple(update.name for update in ready.updates)
    place = Deployment(lcores=1, flows=ready.plan.flows, flow_scope=ready.flows, updates=names)
    return float(sum(len(one.touches) for one in transactions(module, place)))


def _counters(module: ir.Module) -> int:
    scopes = (s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)
    return sum(len(scope.of(ir.Kind.COUNTER)) for scope in scopes)


def _point(journal: Journal, ready: Prepared, variant: Variant, at: At) -> Point | None:
    """What was measured of a strategy at a place; None when nothing was."""
    rounds = []
    for count in range(ready.plan.effort.rounds):
        found = journal.get(key_of("round", count, variant, at))
        if found is not None:
            rounds.append({name: value for name, value in found.items() if name != "exact"})
    if not rounds:
        return None
    return Point.model_validate(
        {
            "strategy": variant.label,
            "at": at,
            "rounds": rounds,
            "latency": journal.get(key_of("latency", 0, variant, at)),
            "hardware": journal.get(key_of("hardware", 0, variant, at)),
        }
    )


def _inexact(result: Result, journal: Journal) -> list[str]:
    """Strategies that promise exact counts and did not keep it."""
    from ..strategies import all_strategies

    exact = {name for name, s in all_strategies().items() if s.promises["exact"]}
    wrong = {
        point.strategy
        for point in result.points
        for r in point.rounds
        if r.expected != r.counted and point.strategy.partition(":")[0] in exact
    }
    return sorted(wrong)


def _reported(result: Result, journal: Journal, folder: Path, done: bool) -> int:
    click.echo(terminal.table(result), nl=False)
    try:
        paths = report.write(result, folder)
    except OutputError as error:
        raise BenchError(str(error)) from error
    _say("wrote " + ", ".join(str(path) for path in paths))
    wrong = _inexact(result, journal)
    if wrong:
        _say(f"WRONG COUNTS under {', '.join(wrong)}: please report it with {paths[0]}")
    if not done:
        _say("interrupted: the report holds the rounds that were finished")
        return 130
    journal.remove()
    return 1 if wrong else 0

# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen build` from end to end: read, resolve, judge, generate, emit."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .. import __version__
from ..backends import (
    Backend,
    BackendError,
    DiagnosticError,
    Options,
    discover,
    runtimeinfo,
    vendoring,
)
from ..findings.diagnostics import RULES, Diagnostics, Severity, Span, declare
from ..findings.printers import visible
from ..findings.usage import UsageError
from ..frontends import STDIN
from ..frontends.resolve import syncs
from ..model import ir
from ..model.language.scalars import scalar
from ..model.language.schema import SyncChoice
from ..output import depfile, emit
from ..output.staging import OutputError, clean
from ..publish import lock
from ..publish.rules import judge
from . import outputs
from .check import Checked, check

MODES = ("write", "check", "diff", "list")
"""Actions on generated text; `list` names the files of the output folder."""

RUNTIME = "runtime"
"""Owner of the vendored runtime's files in the manifest."""

VENDOR_FOLDER = "ctr-runtime/"
"""Where the runtime is copied to, below the output folder."""

declare("backend-failed", Severity.ERROR, "An installed backend cannot be loaded, or broke down.")
declare("backend-skipped", Severity.WARNING, "A backend that was not asked for cannot be loaded.")
declare("output-lock", Severity.WARNING, "The OIDs of a MIB are kept in a file next to the schema.")
declare("output-collision", Severity.ERROR, "Two backends generate a file of the same name.")


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """A request to `ctrgen build`; its command line options are these fields.

    `sync` is a strategy instead of the schema's (`parse_sync`), `only` the backends to run instead
    of the schema's, `mode` one of `MODES`. `vendor_runtime` copies the runtime as far as the
    schema needs it, with `parts` of it. `depfile` and `stamp` are files for a build system,
    which only go with writing: what the output depends on, and that it was written.
    """

    schema: str
    output: str = "out"
    sync: str | None = None
    only: tuple[str, ...] = ()
    mode: str = "write"
    vendor_runtime: bool = False
    parts: tuple[str, ...] = ()
    force: bool = False
    mib_path: tuple[str, ...] = ()
    depfile: str | None = None
    stamp: str | None = None


class BuildResult(NamedTuple):
    """Outcome of a build: 0, 1 (findings, or a difference) or 2; and what to print. `differences`
    are the paths that differ when it compares."""

    exit_code: int
    diagnostics: Diagnostics
    text: str = ""
    differences: Mapping[Path, str] = {}


def build(request: BuildRequest) -> BuildResult:
    """Do what `request` asks. Raises UsageError when that makes no sense.

    Nothing is written unless the schema has no errors and every backend has
    generated all of its text.
    """
    if request.mode not in MODES:
        raise UsageError(f"no mode '{request.mode}'", f"one of {', '.join(MODES)}")
    for option, path in (("--depfile", request.depfile), ("--stamp", request.stamp)):
        if path and request.mode != "write":
            mode = {"list": "list-outputs"}.get(request.mode, request.mode)
            raise UsageError(f"{option} goes with writing, not with --{mode}", "leave one out")
    if request.parts and not request.vendor_runtime:
        raise UsageError("--with names what --vendor-runtime copies", "write both, or neither")
    runtimeinfo.check("dpdk", request.parts)
    outputs.validate(request.only)
    sync = chosen_sync(request.sync)
    checked = check(request.schema, sync, mib_path=request.mib_path, only=request.only)
    diagnostics = checked.diagnostics
    if checked.module is None:
        return BuildResult(checked.diagnostics.exit_code, diagnostics)
    named = request.only or checked.module.outputs
    for problem in discover().problems:
        rule = "backend-skipped" if named else "backend-failed"
        hint = "update or uninstall the package it comes from"
        diagnostics.report(rule, checked.module.span, problem, hint)
    if discover().problems and not named:  # one of them might be needed
        return BuildResult(2, diagnostics)
    backends = outputs.chosen(request.only, checked.module.outputs)
    lock_file, locked = checked.publication
    if any(getattr(backend, "uses_lock", False) for backend in backends):
        locked = locked or judge(checked.module, lock_file, diagnostics)
    if diagnostics.failed:
        return BuildResult(diagnostics.exit_code, diagnostics)
    output = generate(checked, backends, request, locked)
    if output is None:
        return BuildResult(diagnostics.exit_code, diagnostics)
    try:
        return _deliver(request, output, diagnostics)
    except OutputError as error:
        where = Span.of_file(error.path)
        diagnostics.report("output-unusable", where, error.message, error.hint)
        return BuildResult(2, diagnostics)


def generate(
    checked: Checked, backends: list[Backend], request: BuildRequest, locked: lock.Lock | None
) -> emit.Output | None:
    """Run every backend; None after errors, of which all have been reported. `locked` holds the
    OIDs of the module; its file is part of the output."""
    module, diagnostics = checked.module, checked.diagnostics
    assert module is not None
    options = Options(
        source=visible(module.source).replace("\t", " "), command=command(module.source, request),
        version=__version__, vendor_runtime=request.vendor_runtime, lock=locked,
    )  # fmt: skip
    files: dict[str, str] = {}
    owners: dict[str, str] = {}
    parts = [(backend.name, _run(backend, module, options, diagnostics)) for backend in backends]
    if request.vendor_runtime:
        texts = {path: text for _, part in parts for path, text in part.items()}
        copied = vendoring.files(VENDOR_FOLDER, texts, request.parts)
        parts.append((RUNTIME, copied))
    for owner, part in parts:
        for path, text in part.items():
            if path in files:
                message = f"backends '{owners[path]}' and '{owner}' both generate '{path}'"
                diagnostics.report("output-collision", module.span, message, "leave one out")
            files[path], owners[path] = text, owner
    if diagnostics.failed:
        return None
    optional = {name for name, backend in discover().backends.items() if not backend.default}
    ran = frozenset(owner for owner, _ in parts)
    return emit.Output(
        files, owners, options.source, ran, not request.only, frozenset(optional - ran),
        _lock_file(checked, locked, options.source), frozenset({RUNTIME}), f"{module.name}_stats.h",
    )  # fmt: skip


def _lock_file(
    checked: Checked, locked: lock.Lock | None, source: str
) -> dict[Path, tuple[str, bytes | None]]:
    """The lock file to write next to the schema, if it has changed and can be written."""
    assert checked.module is not None and checked.resolution is not None
    file, raw = checked.publication.lock_file, checked.resolution.top.raw
    fixed = checked.module.snmp.published and locked is not None and locked.entries
    if locked is None or not fixed or locked is file.lock:
        return {}
    path, report = file.path, checked.diagnostics.report
    if path is None:
        if not raw.is_smi:  # an SMI module says its OIDs itself
            message = "only a .yaml or .yml file has a lock file: the OIDs are not kept"
            hint = "build from one, and commit the lock file that is written next to it"
            report("output-lock", Span.of_file(raw.path), message, hint)
        return {}
    if file.data is None and not os.access(path.parent, os.W_OK):
        message = "cannot be written here, so the OIDs of the MIB are not kept"
        hint = "build once where the schema's folder can be written, and commit the file"
        report("output-lock", Span.of_file(path), message, hint)
        return {}
    return {path: (lock.text(locked, source), file.data)}


def command(source: str, request: BuildRequest) -> str:
    """The command that makes the output again, without folders: the same text everywhere."""
    words = ["ctrgen", "build", "-" if request.schema == "-" else source]
    if request.sync is not None:
        words += ["--sync", request.sync]
    if request.vendor_runtime:
        words += ["--vendor-runtime", *(f"--with={part}" for part in request.parts)]
    return visible(" ".join(shlex.quote(word) for word in words))


def parse_sync(text: str) -> SyncChoice:
    """The value of `--sync`: `NAME`, or `NAME:key=value,...`. Raises UsageError."""
    name, colon, rest = text.partition(":")
    choice: dict[str, Any] = {"strategy": name}
    for setting in rest.split(",") if colon else ():
        key, equals, value = setting.partition("=")
        if not equals or not key or key in choice:
            raise UsageError(f"--sync: '{setting}' is not key=value", "NAME:KEY=VALUE,...")
        choice[key] = scalar(value)
    return SyncChoice.model_validate(choice)


def chosen_sync(text: str | None) -> SyncChoice | None:
    """`parse_sync` of a strategy and tunables that exist. Raises UsageError for others."""
    choice = None if text is None else parse_sync(text)
    if choice is not None and (wrong := syncs.first_problem(choice)):
        raise UsageError(f"--sync: {wrong[0]}", wrong[1])
    return choice


def _run(
    backend: Backend, module: ir.Module, options: Options, diagnostics: Diagnostics
) -> dict[str, str]:
    """Output of one backend; empty after an error. Exceptions of built-in backends are raised."""
    try:
        files = backend.generate(module, options)
        for path, text in files.items():
            if not isinstance(path, str) or not isinstance(text, str):
                raise BackendError("generate() must map paths to text")
            text.encode("utf-8")
        return files
    except DiagnosticError as error:
        for finding in error.findings:
            rule = finding.rule if finding.rule in RULES else "backend-failed"
            diagnostics.report(rule, finding.span, finding.message, finding.hint)
    except (Exception, SystemExit) as error:
        if type(backend).__module__.startswith("ctrgen."):
            raise
        message = f"backend '{backend.name}' broke down: {type(error).__name__}: {error}"
        diagnostics.report("backend-failed", module.span, message, "report it to its authors")
    return {}


def _deliver(request: BuildRequest, output: emit.Output, diagnostics: Diagnostics) -> BuildResult:
    """Write or compare, as the request says. Raises OutputError."""
    folder = Path(request.output)
    paths = [str(folder / path) for path in sorted(output.files)]
    if request.mode == "list":
        return BuildResult(diagnostics.exit_code, diagnostics, "".join(f"{p}\n" for p in paths))
    if request.mode == "write":
        read = [path for path in diagnostics.files if path != STDIN]
        others = [str(folder / emit.MANIFEST), *map(str, output.companions)]
        reports = depfile.reports(request.depfile, request.stamp, paths, read, others)
        text = emit.write(folder, output, diagnostics, request.force, reports)
        if not diagnostics.failed:
            clean(Path(path).parent for path in (request.schema, *paths, *others))
        return BuildResult(diagnostics.exit_code, diagnostics, text)
    plan = emit.inspect(folder, output)
    text = emit.diff(plan) if request.mode == "diff" else emit.listing(plan)
    return BuildResult(1 if text else 0, diagnostics, text, emit.differences(plan))

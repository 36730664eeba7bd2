# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen breaking`: what a change of a schema breaks, and for whom.

Both versions are resolved, their parts paired, and every rule of `rules`
applied. Tables of docs/evolution.md are made from the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..findings.diagnostics import Diagnostic, Diagnostics, Severity
from ..findings.usage import UsageError
from ..frontends import read_file
from ..mib import lock
from ..pipeline.check import Checked, check
from . import allow, baseline, rules  # noqa: F401  (`rules` registers them)
from .model import CATEGORIES, CHANGES, RULES
from .pairs import Comparison

__all__ = ["CATEGORIES", "CHANGES", "RULES", "Request", "Result", "compare", "run"]


@dataclass(frozen=True, slots=True)
class Request:
    """What `ctrgen breaking` is asked to do; its command line options are these fields.

    `against` is the old version (`baseline.find`), `only` are categories that matter, `allow` the
    changes that are meant; `strict` lets warnings fail as well.
    """

    schema: str
    against: str
    only: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    strict: bool = False
    mib_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """0 (compatible), 1 (something breaks) or 2 (a version has errors); what was found."""

    exit_code: int
    diagnostics: Diagnostics


def run(request: Request) -> Result:
    """Compare a schema with its old version. Raises UsageError when that makes no sense."""
    for name in request.only:
        if name not in CATEGORIES:
            raise UsageError(f"no category '{name}'", f"one of {', '.join(CATEGORIES)}")
    allowed = [allow.from_option(text) for text in request.allow]
    # What a lock file forbids is what this is about: it is no error of the schema here.
    new = check(request.schema, read=read_file, mib_path=request.mib_path)
    if new.diagnostics.unreadable:
        return Result(2, new.diagnostics)
    base = baseline.find(request.against, request.schema)
    if new.module is None:
        return Result(2, new.diagnostics)
    old = check(base.path, read=base.read or read_file, mib_path=request.mib_path)
    if old.module is None:
        return Result(2, old.diagnostics)
    problems = Diagnostics()
    old_lock = lock.load(base.path, problems, base.read).lock
    new_file = lock.load(request.schema, problems)
    # What has no place of its own, such as the standard input, is meant to replace the old one.
    locks = (old_lock, old_lock if new_file.path is None else new_file.lock)
    if problems.failed:
        return Result(2, problems)
    diagnostics = compare(old, new, request.only, allowed, locks)
    failed = diagnostics.failed or (request.strict and diagnostics.count(Severity.WARNING) > 0)
    return Result(int(failed), diagnostics)


def compare(
    old: Checked,
    new: Checked,
    only: tuple[str, ...] = (),
    allowed: Sequence[allow.Allow] = (),
    locks: tuple[lock.Lock | None, lock.Lock | None] = (None, None),
) -> Diagnostics:
    """What changed between two versions without errors, in the categories of `only` (or all).

    `allowed` are changes that are meant, beside those that comments of the new
    version allow; such findings are notes. `locks` are the lock files.
    """
    assert old.resolution is not None and new.resolution is not None
    diagnostics = Diagnostics(RULES)
    diagnostics.texts |= new.diagnostics.texts
    allows = [*allowed, *allow.from_comments(new.diagnostics, diagnostics)]
    comparison = Comparison(old.resolution, new.resolution, locks)
    changes = [c for c in CHANGES.checks if not only or set(only) & set(c.rule.tags)]
    for change in changes:
        rule = change.rule
        for finding in change.find(comparison):
            message = f"{finding.message} (breaks {', '.join(rule.tags)})"
            severity, hint = rule.severity, finding.hint
            covering = [meant for meant in allows if meant.covers(rule.id, finding.part)]
            if covering:
                severity, hint = Severity.NOTE, f"allowed: {covering[0].reason}"
            for meant in covering:
                meant.used = True
            diagnostics.add(Diagnostic(rule.id, severity, finding.span, message, hint))
    applied = {change.rule.id for change in changes}
    for unused in allows:
        if unused.rule in applied and not unused.used and unused.span is not None:
            message = f"no '{unused.rule}' of {unused.subject or 'anything'} was found"
            diagnostics.report("allow-unused", unused.span, message)
    return diagnostics

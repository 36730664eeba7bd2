# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen breaking`: what a change of a schema breaks, and for whom.

Both versions are resolved, their parts paired, and every rule of `rules`
applied. Tables of docs/evolution.md are made from the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..findings.diagnostics import Diagnostic, Diagnostics, Rule, Severity, declare
from ..findings.rules import Check
from ..findings.usage import UsageError
from ..frontends import read_file
from ..mib import lock
from ..pipeline.check import Checked, check
from . import (
    allow,
    baseline,
    rules,  # noqa: F401  (registers the rules)
)
from .model import CATEGORIES, CHANGES, RULES
from .pairs import Comparison

__all__ = ["CATEGORIES", "CHANGES", "RULES", "Request", "Result", "compare", "run"]

declare(
    "allow-comment",
    Severity.ERROR,
    "A change is allowed by `# ctrgen: allow RULE [SUBJECT]: REASON`.",
    catalogue=RULES,
)
declare(
    "allow-unused",
    Severity.NOTE,
    "A comment allows a change that has not been made.",
    catalogue=RULES,
)


@dataclass(frozen=True, slots=True)
class Request:
    """What `ctrgen breaking` is asked to do; its command line options are these fields."""

    schema: str = field(metadata={"help": "Schema file; - is the standard input."})
    against: str = field(metadata={"help": "The old version: a file, or a revision of git."})
    only: tuple[str, ...] = field(default=(), metadata={"help": "Categories that matter."})
    allow: tuple[str, ...] = field(default=(), metadata={"help": "Changes that are meant."})
    strict: bool = field(default=False, metadata={"help": "Warnings fail as well."})
    mib_path: tuple[str, ...] = field(default=(), metadata={"help": "Folders of SMI modules."})


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
    allowed = [_parse(text) for text in request.allow]
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


def _parse(text: str) -> allow.Allow:
    allowed = allow.parse(text)
    if allowed is None:
        raise UsageError(f"--allow: '{text}' gives no reason", "'RULE [SUBJECT]: REASON'")
    if allowed.rule not in CHANGES.rules:
        raise UsageError(f"--allow: there is no rule '{allowed.rule}'")
    return allowed


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
    for path, text in new.diagnostics.texts():
        diagnostics.source(path, text)
    allows = [*allowed, *_comments(new.diagnostics, diagnostics)]
    comparison = Comparison(old.resolution, new.resolution, locks)
    for change in CHANGES.checks:
        if not only or set(only) & set(change.rule.tags):
            _apply(change, comparison, allows, diagnostics)
            _unused(change.rule, allows, diagnostics)
    return diagnostics


def _comments(source: Diagnostics, diagnostics: Diagnostics) -> list[allow.Allow]:
    """What comments allow; those that make no sense are reported."""
    allows = []
    for allowed, span in allow.comments(source.texts()):
        if allowed is None:
            message = "what is allowed, and why?"
            hint = "write `# ctrgen: allow RULE [SUBJECT]: REASON`"
            diagnostics.report("allow-comment", span, message, hint)
        elif allowed.rule not in CHANGES.rules:
            diagnostics.report("allow-comment", span, f"there is no rule '{allowed.rule}'")
        else:
            allows.append(allowed)
    return allows


def _apply(
    change: Check[Comparison],
    comparison: Comparison,
    allows: list[allow.Allow],
    diagnostics: Diagnostics,
) -> None:
    rule = change.rule
    for finding in change.find(comparison):
        covering = [allowed for allowed in allows if allowed.covers(rule.id, finding.part)]
        message = f"{finding.message} (breaks {', '.join(rule.tags)})"
        severity, hint = rule.severity, finding.hint
        if covering:
            severity, hint = Severity.NOTE, f"allowed: {covering[0].reason}"
        for allowed in covering:
            allowed.used = True
        diagnostics.add(Diagnostic(rule.id, severity, finding.span, message, hint))


def _unused(rule: Rule, allows: list[allow.Allow], diagnostics: Diagnostics) -> None:
    for allowed in allows:
        if allowed.rule == rule.id and not allowed.used and allowed.span is not None:
            what = allowed.subject or "anything"
            diagnostics.report("allow-unused", allowed.span, f"no '{rule.id}' of {what} was found")

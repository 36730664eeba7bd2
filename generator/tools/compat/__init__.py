# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen breaking`: what a change of a schema breaks, and for whom. Tables of docs/evolution.md
are made from its rules."""

from ...findings.diagnostics import Diagnostic, Diagnostics, Severity, declare
from ...findings.usage import UsageError
from ...frontends import read_file
from ...frontends.resolve.place import Resolution
from ...pipeline.check import Checked, check
from ...publish import lock
from . import baseline, rules  # noqa: F401  (`rules` registers them)
from .model import CATEGORIES, CHANGES, CLAUSES, COMPARES, RULES, from_comments
from .pairs import Comparison, Locks

__all__ = ["CATEGORIES", "CHANGES", "RULES", "compare", "run"]

OID = "oid"
"""The category of what lock files are about."""

for _id, _severity, _sentence in (
    ("allow-comment", Severity.ERROR,
     "A change is allowed by `# ctrgen: allow RULE [SUBJECT]: REASON`."),
    ("allow-unused", Severity.NOTE, "A comment allows a change that has not been made."),
    ("oids-unknown", Severity.NOTE,
     "What OIDs the old version had is in its lock file; without it they are not compared."),
):  # fmt: skip
    declare(_id, _severity, _sentence, catalogue=RULES)


def run(
    schema: str, against: str, only: tuple[str, ...] = (), strict: bool = False
) -> tuple[int, Diagnostics]:
    """Compare a schema with its old version, `against` (`baseline.find`); exit code and findings.

    `only` are the categories that matter; `strict` fails on warnings, too. 0: compatible, 1:
    something breaks, 2: a version has errors. Raises UsageError.
    """
    for name in only:
        if name not in CATEGORIES:
            raise UsageError(f"no category '{name}'", f"one of {', '.join(CATEGORIES)}")
    # What a lock file forbids is what this is about: it is no error of the schema here.
    new = check(schema, read=read_file)
    if new.diagnostics.unreadable:
        return 2, new.diagnostics
    base = baseline.find(against, schema)
    if new.module is None:
        return 2, new.diagnostics
    old = check(base.path, read=base.read or read_file, shown=base.shown)
    if old.module is None:
        return 2, old.diagnostics
    problems = Diagnostics()
    problems.texts |= old.diagnostics.texts | new.diagnostics.texts
    old_lock = lock.load(base.path, problems, base.read, shown=base.shown).lock
    new_file = lock.load(schema, problems)
    if problems.failed:
        return 2, problems
    # A new version without a path (standard input) replaces the old one and keeps its lock file.
    locks = (old_lock, new_file.lock or (old_lock if new_file.path is None else None))
    diagnostics = compare(old, new, only, locks)
    failed = diagnostics.failed or (strict and diagnostics.count(Severity.WARNING) > 0)
    return int(failed), diagnostics


def compare(
    old: Checked, new: Checked, only: tuple[str, ...] = (), locks: Locks = (None, None)
) -> Diagnostics:
    """What changed between two versions without errors, in the categories of `only` (or all).
    Changes that comments of the new version allow are notes."""
    assert old.resolution is not None and new.resolution is not None
    diagnostics = Diagnostics(RULES)
    diagnostics.texts |= new.diagnostics.texts
    allows = [*from_comments(new.diagnostics, diagnostics)]
    comparison = Comparison(old.resolution, new.resolution, locks)
    left_out = _left_out(old.resolution, new.resolution, locks, diagnostics, only)
    applied = {
        rule.id: rule._replace(tags=tuple(tag for tag in rule.tags if tag not in left_out))
        for rule in CHANGES.values()
        if not {*(only or CATEGORIES)}.difference(left_out).isdisjoint(rule.tags)
    }
    diagnostics.rules = RULES | applied
    for change in (change for find in COMPARES for change in find(comparison)):
        if change.rule not in applied:
            continue
        comparison.broken.update(CHANGES[change.rule].tags)
        rule = applied[change.rule]
        clause = f"; {CLAUSES[rule.id]}" if OID in rule.tags else ""
        message = f"{change.message} (breaks {', '.join(rule.tags)}{clause})"
        severity, hint = rule.severity, change.hint
        covering = [a for a in allows if a.rule == rule.id and a.subject in ("", change.part)]
        if covering:
            severity, hint = Severity.NOTE, f"allowed: {covering[0].reason}"
        for meant in covering:
            meant.used = True
        diagnostics.add(Diagnostic(rule.id, severity, change.span, message, hint))
    for unused in allows:
        if unused.rule in applied and not unused.used:
            message = f"no '{unused.rule}' of {unused.subject or 'anything'} was found"
            diagnostics.report("allow-unused", unused.span, message)
    return diagnostics


def _left_out(
    old: Resolution, new: Resolution, locks: Locks, diagnostics: Diagnostics, only: tuple[str, ...]
) -> tuple[str, ...]:
    """The categories that cannot be judged: OIDs, if the old ones are not known. That is reported,
    unless nothing of either version is published."""
    if locks[0] is not None or old.top.raw.is_smi:  # an SMI module says its OIDs itself
        return ()
    silent = not old.module.snmp.published and locks[1] is None
    if not silent and (not only or OID in only):
        name, hint = old.top.raw.path, ""
        what = f"nothing of {name} is published"
        if old.module.snmp.published:
            what = f"there is no {lock.path_for(name) or f'lock file of {name}'}"
            hint = "build the old version once, or put its lock file next to it"
        message = f"{what}, so OIDs are not compared"
        diagnostics.report("oids-unknown", new.module.snmp.span, message, hint)
    return (OID,)

# SPDX-License-Identifier: BSD-3-Clause
"""Consumers of generated text: write it, or compare it with what is there.

A manifest in the output folder records what ctrgen wrote, so that files no
longer generated are removed, and nothing that a person wrote or edited is.
"""

from __future__ import annotations

import difflib
import enum
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from ..findings.diagnostics import Diagnostics, Severity, Span, declare
from .staging import OutputError, commit, content, locate, locked

MANIFEST = ".ctrgen-manifest"
"""File in the output folder that lists what was generated there."""

_HEADER = "# Written by ctrgen; not to be edited. Columns: sha256, backend, schema, path.\n"
_ENTRY = re.compile(r"([0-9a-f]{64})\t([^\t]+)\t([^\t]*)\t([^\t]+)")

declare(
    "output-unusable",
    Severity.ERROR,
    "The output folder, or a path in it, cannot be read or written.",
)
declare(
    "output-edited",
    Severity.ERROR,
    "A file to be generated was edited by hand, or is not ctrgen's; it is not overwritten.",
)
declare(
    "output-kept",
    Severity.WARNING,
    "A file that is no longer generated was edited by hand; it is not removed.",
)
declare(
    "output-shared",
    Severity.WARNING,
    "A file in the output folder was generated from another schema and is replaced.",
)


class State(str, enum.Enum):
    """How a path on disk compares with what is generated for it."""

    SAME = "unchanged"
    MISSING = "missing"
    CHANGED = "changed"
    EDITED = "edited"
    FOREIGN = "foreign"
    EXTRA = "extra"
    KEPT = "kept"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class Output:
    """Everything one run generated.

    `files` is relative path -> text and `owners` relative path -> backend.
    `source` names the schema and `backends` those that ran. `whole` says that
    the user did not choose them: the folder should then hold nothing else of
    its kind, but for what the `optional` backends wrote when they were chosen.
    `companions` are files elsewhere that go with it, such as the lock of a schema: the new text,
    and what was there when they were read.
    """

    files: Mapping[str, str]
    owners: Mapping[str, str]
    source: str
    backends: frozenset[str]
    whole: bool = True
    optional: frozenset[str] = frozenset()
    companions: Mapping[Path, tuple[str, bytes | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the manifest: what was written, by which backend, from which schema."""

    digest: str
    backend: str
    source: str
    path: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What writing would do: every path's state and new text (None: remove), sorted."""

    folder: Path
    states: Mapping[str, State]
    texts: Mapping[str, str | None]
    before: Mapping[str, bytes]
    replaced: tuple[str, ...]
    companions: Mapping[Path, tuple[str, bytes | None]] = field(default_factory=dict)
    """Files elsewhere that differ from what they should be: the new text, and what is there."""

    def having(self, *states: State) -> list[str]:
        """The paths in one of these states, sorted."""
        return [path for path, state in self.states.items() if state in states]


def digest(data: bytes) -> str:
    """The fingerprint that the manifest records."""
    return hashlib.sha256(data).hexdigest()


def read_manifest(folder: Path) -> dict[str, Entry]:
    """The entries of a folder's manifest by path; lines that make no sense are ignored.

    An ignored line only makes ctrgen more careful: its file counts as not its own.
    """
    entries: dict[str, Entry] = {}
    data = content(folder / MANIFEST) or b""
    for line in data.decode("utf-8", "replace").split("\n"):
        match = _ENTRY.fullmatch(line)
        if match:
            entry = Entry(*match.groups())
            try:
                locate(folder, entry.path)
            except OutputError:
                continue
            entries[entry.path] = entry
    return entries


def _manifest(output: Output, former: Mapping[str, Entry]) -> str:
    entries = {path: e for path, e in former.items() if _stays(e, output)}
    for path, text in output.files.items():
        fingerprint = digest(text.encode("utf-8"))
        entries[path] = Entry(fingerprint, output.owners[path], output.source, path)
    lines = [f"{e.digest}\t{e.backend}\t{e.source}\t{e.path}\n" for _, e in sorted(entries.items())]
    return _HEADER + "".join(lines)


def _stays(entry: Entry, output: Output) -> bool:
    """Whether this run has no say in a file that a former run wrote."""
    if entry.source != output.source:
        return True
    if output.whole:
        return entry.backend in output.optional
    return entry.backend not in output.backends


def _compare(data: bytes | None, text: str, entry: Entry | None) -> State:
    if data is None:
        return State.MISSING
    if data == text.encode("utf-8"):
        return State.SAME
    if entry is None:
        return State.FOREIGN
    return State.CHANGED if entry.digest == digest(data) else State.EDITED


def _validate(folder: Path, files: Mapping[str, str]) -> None:
    for path in files:
        locate(folder, path)
    for path in files:
        for parent in PurePosixPath(path).parents:
            if str(parent) in files:
                raise OutputError(str(folder), f"'{parent}' would be both a file and a folder")


def _strays(folder: Path, output: Output, former: Mapping[str, Entry]) -> list[str]:
    """Files that nobody generated beside generated files of the same suffix."""
    suffixes = {PurePosixPath(path).suffix for path in output.files} - {""}
    found = set()
    for parent in {PurePosixPath(path).parent for path in output.files}:
        place = folder.joinpath(*parent.parts)
        for path in place.iterdir() if place.is_dir() else ():
            relative = str(parent / path.name)
            known = relative in output.files or relative in former
            if path.suffix in suffixes and path.name[0] != "." and not known and path.is_file():
                found.add(relative)
    return sorted(found)


def inspect(folder: Path, output: Output) -> Plan:
    """Compare `output` with what `folder` holds. Reads only; raises OutputError."""
    _validate(folder, output.files)
    former = read_manifest(folder)
    states: dict[str, State] = {}
    texts: dict[str, str | None] = {}
    before: dict[str, bytes] = {}
    for path, text in {**output.files, MANIFEST: _manifest(output, former)}.items():
        data = content(locate(folder, path))
        states[path] = _compare(data, text, former.get(path))
        if path == MANIFEST and states[path] is State.FOREIGN:
            states[path] = State.CHANGED
        texts[path] = text
        if data is not None:
            before[path] = data
    for path, entry in former.items():
        if path in output.files or _stays(entry, output):
            continue
        data = content(locate(folder, path))
        if data is not None:
            states[path] = State.EXTRA if entry.digest == digest(data) else State.KEPT
            texts[path] = None
            before[path] = data
    if output.whole:
        states.update(dict.fromkeys(_strays(folder, output, former), State.STRAY))
    replaced = tuple(
        path
        for path in sorted(output.files)
        if path in former
        and former[path].source != output.source
        and states[path] is not State.SAME
    )
    companions = output.companions.items()
    changed = {path: pair for path, pair in companions if pair[0].encode("utf-8") != pair[1]}
    return Plan(folder, dict(sorted(states.items())), texts, before, replaced, changed)


def _span(plan: Plan, path: str) -> Span:
    return Span.of_file(plan.folder / path)


def judge(plan: Plan, diagnostics: Diagnostics, force: bool) -> None:
    """Report what writing `plan` would run into."""
    for path in () if force else plan.having(State.EDITED, State.FOREIGN):
        edited = plan.states[path] is State.EDITED
        diagnostics.report(
            "output-edited",
            _span(plan, path),
            "edited since it was generated" if edited else "not written by ctrgen",
            "move the change elsewhere, or overwrite the file with --force",
        )
    for path in plan.having(State.KEPT):
        diagnostics.report(
            "output-kept",
            _span(plan, path),
            "no longer generated, but edited by hand: not removed",
            "remove it when it is not needed",
        )
    for path in plan.replaced:
        diagnostics.report(
            "output-shared",
            _span(plan, path),
            "was generated from another schema",
            "give each schema an output folder of its own",
        )


def write(folder: Path, output: Output, diagnostics: Diagnostics, force: bool = False) -> str:
    """Make `folder` hold `output`; the result says what was done.

    Nothing is written when a hand-edited or foreign file is in the way (then
    `diagnostics` has an error), unless `force`. Raises OutputError.
    """
    with locked(folder):
        plan = inspect(folder, output)
        judge(plan, diagnostics, force)
        if diagnostics.failed:
            return ""
        written = plan.having(State.MISSING, State.CHANGED, State.EDITED, State.FOREIGN)
        removed = plan.having(State.EXTRA)
        order = sorted([*written, *removed], key=lambda path: (path == MANIFEST, path))
        companions = {path: text for path, (text, _) in plan.companions.items()}
        commit(folder, {path: plan.texts[path] for path in order}, companions)
    files = [path for path in written if path != MANIFEST]
    same = [path for path in plan.having(State.SAME) if path != MANIFEST]
    parts = [f"{len(files)} written", f"{len(same)} unchanged"]
    parts += [f"{len(removed)} removed"] if removed else []
    lines = [f"{folder}: {', '.join(parts)}\n"]
    lines += [f"{path}: written; commit it with the schema\n" for path in plan.companions]
    return "".join(lines)


_CHECK = {
    State.MISSING: "missing",
    State.CHANGED: "changed",
    State.EDITED: "changed",
    State.FOREIGN: "changed",
    State.EXTRA: "extra",
    State.KEPT: "extra",
    State.STRAY: "extra",
}


def check(plan: Plan) -> str:
    """A line for every path that is changed, missing or extra; empty when there is none."""
    lines = [
        f"{_CHECK[state]}: {plan.folder / path}\n"
        for path, state in plan.states.items()
        if state in _CHECK
    ]
    for path, (_, before) in plan.companions.items():
        lines.append(f"{'missing' if before is None else 'changed'}: {path}\n")
    return "".join(lines)


def diff(plan: Plan) -> str:
    """A unified diff from what is there to what would be written; empty when there is none.

    The manifest is left out unless it alone differs.
    """
    pieces: list[str] = []
    paths = plan.having(*(state for state in _CHECK if state is not State.STRAY))
    if plan.companions:
        paths = [path for path in paths if path != MANIFEST]
    chosen = [path for path in paths if path != MANIFEST] or paths
    pairs = [(path, plan.before.get(path), plan.texts[path]) for path in chosen]
    pairs += [(str(path).lstrip("/"), old, new) for path, (new, old) in plan.companions.items()]
    for path, old, new in pairs:
        lines = difflib.unified_diff(
            (old or b"").decode("utf-8", "replace").splitlines(keepends=True),
            (new or "").splitlines(keepends=True),
            "/dev/null" if old is None else f"a/{path}",
            "/dev/null" if new is None else f"b/{path}",
        )
        unended = "\n\\ No newline at end of file\n"
        pieces += [line if line.endswith("\n") else line + unended for line in lines]
    return "".join(pieces)


_VERBS = {
    State.SAME: "leave",
    State.MISSING: "create",
    State.CHANGED: "replace",
    State.EDITED: "overwrite",
    State.FOREIGN: "overwrite",
    State.EXTRA: "remove",
    State.KEPT: "keep",
}


def dry_run(plan: Plan) -> str:
    """A line for every path, saying what would be done with it."""
    lines = [
        f"{_VERBS[state]}: {plan.folder / path}\n"
        for path, state in plan.states.items()
        if state in _VERBS
    ]
    for path, (_, before) in plan.companions.items():
        lines.append(f"{'create' if before is None else 'replace'}: {path}\n")
    return "".join(lines)

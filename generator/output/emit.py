# SPDX-License-Identifier: BSD-3-Clause
"""Consumers of generated text: write it, or compare it with what is there. A manifest in the output
folder records it, so that only unedited files of ctrgen are replaced or removed."""

import contextlib
import difflib
import enum
import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..findings.diagnostics import Diagnostics, Severity, Span, declare, errors
from .staging import OutputError, commit, content, locate, locked

MANIFEST = ".ctrgen-manifest"
"""File in the output folder that lists what was generated there."""

_HEADER = "# Written by ctrgen; not to be edited. Columns: sha256, backend, schema, path.\n"
_ENTRY = re.compile(r"([0-9a-f]{64})\t([^\t]+)\t([^\t]*)\t([^\t]+)")

errors({
    "output-unusable": "The output folder, or a path in it, cannot be read or written.",
    "output-edited":
        "A file to be generated was edited by hand, or is not ctrgen's; it is not overwritten.",
    "output-shared":
        "Two schemas in one output folder have no file in common that they would take from each "
        "other.",
    "output-differs": "A folder holds what a build would write (`--check` and `--diff`).",
})  # fmt: skip
_KEPT = "A file that is no longer generated was edited by hand; it is not removed."
declare("output-kept", Severity.WARNING, _KEPT)


class State(enum.Enum):
    """How a path on disk compares with what is generated for it, and what `--check` calls that."""

    SAME = "unchanged", ""
    MISSING = "missing", "missing"
    CHANGED = "changed", "changed"
    EDITED = "edited", "changed"
    UNTRACKED = "untracked", "changed"
    EXTRA = "extra", "extra"
    EXTRA_EDITED = "extra, edited", "extra"

    def __init__(self, _: str, difference: str) -> None:
        self.difference = difference


@dataclass(frozen=True, slots=True)
class Output:
    """Everything one run generated.

    `files` is relative path -> text and `owners` relative path -> backend. `source` names the
    schema and `backends` those that ran. `whole` says that the user did not choose them: the
    folder should then hold nothing else of its kind, except files that the `optional` backends
    wrote when they were chosen. `companions` are related files in other folders, such as the lock
    file of a schema: the new text, and the text that was read. `common` are backends whose files
    are the same for every schema. `mark` is the file that only this module has: another one of its
    kind shows that two schemas of one name share the folder.
    """

    files: Mapping[str, str]
    owners: Mapping[str, str]
    source: str
    backends: frozenset[str]
    whole: bool = True
    optional: frozenset[str] = frozenset()
    companions: Mapping[Path, tuple[str, bytes | None]] = field(default_factory=dict)
    common: frozenset[str] = frozenset()
    mark: str = ""


_NONE: Mapping[Path, str] = {}


class Entry(NamedTuple):
    """A line of the manifest: a file's digest, its backend and its schema."""

    digest: str
    backend: str
    source: str
    path: str


class Change(NamedTuple):
    """Present contents of a path (None: none), and new contents (None: it is removed)."""

    state: State
    before: bytes | None = None
    text: str | None = None


class Plan(NamedTuple):
    """What writing would do, sorted by path. `replaced` were generated from another schema,
    `companions` are files in other folders that are out of date."""

    folder: Path
    changes: Mapping[str, Change]
    replaced: Collection[str]
    companions: dict[Path, Change]

    def having(self, *states: State) -> list[str]:
        """The paths in one of these states, sorted."""
        return [path for path, change in self.changes.items() if change.state in states]


def digest(data: bytes) -> str:
    """The fingerprint that the manifest records."""
    return hashlib.sha256(data).hexdigest()


def read_manifest(folder: Path) -> dict[str, Entry]:
    """The entries of a folder's manifest by path. Lines that make no sense are ignored: their
    files count as not ctrgen's own."""
    entries: dict[str, Entry] = {}
    data = content(folder / MANIFEST) or b""
    for match in filter(None, map(_ENTRY.fullmatch, data.decode("utf-8", "replace").split("\n"))):
        entry = Entry(*match.groups())
        with contextlib.suppress(OutputError):
            locate(folder, entry.path)
            entries[entry.path] = entry
    return entries


def _manifest(output: Output, former: Mapping[str, Entry]) -> str:
    entries = {path: e for path, e in former.items() if _stays(e, output)}
    for path, text in output.files.items():
        entry = Entry(digest(text.encode("utf-8")), output.owners[path], output.source, path)
        before = former.get(path)  # of another schema that has the same file: it stays theirs
        shared = before is not None and before == entry._replace(source=before.source)
        entries[path] = before if before is not None and shared else entry
    lines = [f"{e.digest}\t{e.backend}\t{e.source}\t{e.path}\n" for _, e in sorted(entries.items())]
    return _HEADER + "".join(lines)


def _stays(entry: Entry, output: Output) -> bool:
    """Whether this run has no say in a file that a former run wrote."""
    if entry.source != output.source:
        return True
    if output.whole:
        return entry.backend in output.optional
    return entry.backend not in output.backends


def _compare(before: bytes | None, text: str) -> Change:
    if before is None:
        return Change(State.MISSING, before, text)
    same = before == text.encode("utf-8")
    return Change(State.SAME if same else State.CHANGED, before, text)


def _tracked(change: Change, entry: Entry | None) -> Change:
    known = entry is not None and entry.digest == digest(change.before or b"")
    if known or change.state is not State.CHANGED:
        return change
    return change._replace(state=State.EDITED if entry else State.UNTRACKED)


def _validate(folder: Path, files: Mapping[str, str]) -> None:
    for path in files:
        locate(folder, path)
    for path in files:
        for parent in PurePosixPath(path).parents:
            if str(parent) in files:
                raise OutputError(str(folder), f"'{parent}' would be both a file and a folder")


def _belongs_elsewhere(entry: Entry, output: Output) -> bool:
    """Whether a file that this run would replace or remove is that of another schema."""
    if entry.source != output.source:
        return entry.path in output.files and entry.backend not in output.common
    mark, kind = output.mark, PurePosixPath(output.mark)
    same_kind = PurePosixPath(entry.path).match(f"*{kind.suffix}") and entry.path != mark
    return mark in output.files and entry.backend == output.owners[mark] and same_kind


def inspect(folder: Path, output: Output) -> Plan:
    """Compare `output` with what `folder` holds. Reads only; raises OutputError."""
    _validate(folder, output.files)
    former = read_manifest(folder)
    changes = {
        path: _tracked(_compare(content(locate(folder, path)), text), former.get(path))
        for path, text in output.files.items()
    }
    changes[MANIFEST] = _compare(content(locate(folder, MANIFEST)), _manifest(output, former))
    for path, entry in former.items():
        if path in output.files or _stays(entry, output):
            continue
        if (data := content(locate(folder, path))) is not None:
            unedited = entry.digest == digest(data)
            changes[path] = Change(State.EXTRA if unedited else State.EXTRA_EDITED, data)
    replaced = {path for path, entry in former.items() if _belongs_elsewhere(entry, output)}
    taken = (State.CHANGED, State.EXTRA)
    replaced = {path for path in replaced if path in changes and changes[path].state in taken}
    companions = {
        path: _compare(before, text)
        for path, (text, before) in output.companions.items()
        if before != text.encode("utf-8")
    }
    return Plan(folder, dict(sorted(changes.items())), replaced, companions)


_EDITED = "output-edited", "move the change elsewhere, or overwrite the file with --force"
_IN_THE_WAY = {
    State.EDITED: (*_EDITED, "edited since it was generated"),
    State.UNTRACKED: (*_EDITED, "not written by ctrgen"),
    State.EXTRA_EDITED: (
        "output-kept",
        "remove it when it is not needed",
        "no longer generated, but edited by hand: not removed",
    ),
}
"""States of a file that is not written as it should be: rule, hint and message."""
_REPLACED = (
    "output-shared",
    "give each schema a folder of its own, or let both have `outputs: [c]`; --force replaces it",
    "was generated from another schema",
)
_OUSTED = (
    "output-shared",
    "give each schema a folder of its own; if the module was renamed, --force removes the file",
    "was generated for another module, from a schema of the same name",
)


def judge(plan: Plan, diagnostics: Diagnostics, force: bool) -> None:
    """Report what writing `plan` would run into."""
    problems = [(path, _IN_THE_WAY[plan.changes[path].state]) for path in plan.having(*_IN_THE_WAY)]
    for path in plan.replaced:
        gone = plan.changes[path].state is State.EXTRA
        problems.append((path, _OUSTED if gone else _REPLACED))
    for path, (rule, hint, message) in problems:
        if not (force and rule in ("output-edited", "output-shared")):
            diagnostics.report(rule, Span.of_file(plan.folder / path), message, hint)


def write(
    folder: Path, output: Output, diagnostics: Diagnostics, force: bool = False,
    reports: Mapping[Path, str] = _NONE,
) -> str:  # fmt: skip
    """Make `folder` hold `output`; the result says what was done. `reports` are files elsewhere
    that are written last, changed or not. Nothing is written when an edited or untracked file, or
    one of another schema, is in the way (then `diagnostics` has an error), unless `force`. Raises
    OutputError."""
    with locked(folder):
        plan = inspect(folder, output)
        judge(plan, diagnostics, force)
        if diagnostics.failed:
            return ""
        written = plan.having(State.MISSING, State.CHANGED, State.EDITED, State.UNTRACKED)
        removed = plan.having(State.EXTRA)
        order = sorted([*written, *removed], key=lambda path: (path == MANIFEST, path))
        changes = {folder / path: plan.changes[path] for path in order} | plan.companions
        commit(folder, {path: change.text for path, change in changes.items()} | dict(reports))
    counts = {
        "written": len({*written} - {MANIFEST}),
        "unchanged": len({*plan.having(State.SAME)} - {MANIFEST}),
        **({"removed": len(removed)} if removed else {}),
    }
    lines = [f"{folder}: {', '.join(f'{count} {what}' for what, count in counts.items())}\n"]
    lines += [f"{path}: written; commit it with the schema\n" for path in plan.companions]
    return "".join(lines)


def differences(plan: Plan) -> dict[Path, str]:
    """Report of `--check` on each path that differs; external paths last."""
    changes = {plan.folder / path: change for path, change in plan.changes.items()}
    states = {path: change.state for path, change in (changes | plan.companions).items()}
    return {path: state.difference for path, state in states.items() if state.difference}


def listing(plan: Plan) -> str:
    """A line for every path that differs; empty without any."""
    return "".join(f"{word}: {path}\n" for path, word in differences(plan).items())


_UNLIKE = {
    "missing": "is missing",
    "changed": "is not what a build would write",
    "extra": "is no longer generated",
}


def report(differences: Mapping[Path, str], diagnostics: Diagnostics) -> None:
    """Report paths that differ, by what `--check` calls them."""
    for path, word in differences.items():
        hint = "run `ctrgen build`, and commit the result"
        diagnostics.report("output-differs", Span.of_file(path), _UNLIKE[word], hint)


def diff(plan: Plan) -> str:
    """A unified diff from what is there to what would be written. The manifest is left out
    unless it alone differs."""
    unlike = {state for state in State if state.difference}
    inside = {path: change for path, change in plan.changes.items() if change.state in unlike}
    if plan.companions or len(inside) > 1:
        inside.pop(MANIFEST, None)
    companions = [(str(path).lstrip("/"), change) for path, change in plan.companions.items()]
    pieces: list[str] = []
    for path, change in [*inside.items(), *companions]:
        lines = difflib.unified_diff(
            (change.before or b"").decode("utf-8", "replace").splitlines(keepends=True),
            (change.text or "").splitlines(keepends=True),
            "/dev/null" if change.before is None else f"a/{path}",
            "/dev/null" if change.text is None else f"b/{path}",
        )
        unended = "\n\\ No newline at end of file\n"
        pieces += [line if line.endswith("\n") else line + unended for line in lines]
    return "".join(pieces)

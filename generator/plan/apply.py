# SPDX-License-Identifier: BSD-3-Clause
"""Writes the strategies that a plan recommends into the `sync` of a schema, and nothing else.

Where all scopes that take the module's `sync`, or that of `defaults`, want one strategy, it is
changed there; else in the scopes. The new text is judged before it takes the place of the old one.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..findings.diagnostics import Diagnostics, Rule, Severity, Span, declare
from ..findings.usage import UsageError, reason
from ..frontends import read_file, yaml
from ..frontends.raw import Node, plain, span
from ..frontends.splice import Edit, Text, UnwritableError
from ..model import ir
from ..output import staging
from ..pipeline.check import Checked, check
from ..resolve.place import Place, Resolution
from ..resolve.syncs import problems

RULES: dict[str, Rule] = {}
"""What can be wrong when a plan is applied."""

declare(
    "not-applied",
    Severity.ERROR,
    "What is recommended can be written into the schema, which keeps its rules then.",
    catalogue=RULES,
)

SYNC, STRATEGY, SCOPES = "sync", "strategy", "scopes"


@dataclass(frozen=True, slots=True)
class Change:
    """The `sync` of a scope as it is in a line of a file now, and the strategy before."""

    path: str
    line: int
    scope: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Applied:
    """The scopes that have another strategy now, or what there is against it."""

    changes: tuple[Change, ...]
    diagnostics: Diagnostics


def apply(
    checked: Checked, picks: Mapping[str, str], why: str, mib_path: tuple[str, ...]
) -> Applied:
    """Give the scopes of a schema, which was read from a file, the strategies of `picks`.

    `why` says why there are none. Files are only written when nothing is against it. Raises
    UsageError when the file cannot be read or written.
    """
    resolution = checked.resolution
    assert resolution is not None, "what was planned was resolved"
    refused = Diagnostics(RULES)
    refused.texts = checked.diagnostics.texts
    if not picks:
        _refuse(refused, resolution.module.span, f"nothing is recommended: {why}")
        return Applied((), refused)
    module = resolution.module
    wanted = {s.name: picks.get(s.name, s.sync.strategy) for s in module.scopes}
    old = {s.name: s.sync.strategy for s in module.scopes}
    changed = [name for name in wanted if wanted[name] != old[name]]
    now = _changed(checked, resolution, wanted, refused, mib_path) if changed else None
    if isinstance(now, str):
        by_hand = ", ".join(f"{name}: {wanted[name]}" for name in changed)
        _refuse(refused, module.span, now, f"write by hand the `sync` of {by_hand}")
    if not isinstance(now, ir.Module):
        return Applied((), refused)
    spans = {s.name: s.sync_span for s in now.scopes}
    changes = (Change(*spans[n][:2], n, old[n], wanted[n]) for n in changed)
    return Applied(tuple(changes), refused)


def _changed(
    checked: Checked,
    resolution: Resolution,
    wanted: Mapping[str, str],
    refused: Diagnostics,
    mib_path: tuple[str, ...],
) -> ir.Module | str | None:
    """The module after its file was changed, or what is wrong with that; None after reporting it
    where it is."""
    raw = resolution.top.raw
    if raw.is_smi:
        hint = "write a schema that has `import:` with its name, and `sync`"
        _refuse(refused, Span.of_file(raw.path), "an SMI module has no `sync`", hint)
        return None
    mark, text = _read(raw.path, checked)
    root = yaml.parse(raw.path, text, Diagnostics())
    assert root is not None, "it was parsed before"
    edits = _Edits(resolution, root, Text(text), wanted, refused)
    edits.find()
    if refused.failed:
        return None
    after = edits.text.edited(edits.found)
    now = _judged(raw.path, root, mark, after, mib_path)
    if isinstance(now, ir.Module):
        now = _other(now, wanted) or now
    if isinstance(now, ir.Module):
        _write(raw.path, mark + after)
    return now


def _refuse(refused: Diagnostics, where: Span, message: str, hint: str = "") -> None:
    refused.report("not-applied", where, f"not applied: {message}", hint)


class _Edits:
    """What has to change in the text of the first file; what cannot is reported."""

    def __init__(
        self,
        resolution: Resolution,
        root: Node,
        text: Text,
        wanted: Mapping[str, str],
        refused: Diagnostics,
    ) -> None:
        self.resolution, self.root, self.text = resolution, root, text
        self.wanted, self.refused = wanted, refused
        self.found: list[Edit] = []

    def find(self) -> None:
        """Find all of them."""
        scopes, module = _below(self.root, SCOPES), self.resolution.module
        of_scopes = _below(self.root, "defaults", SCOPES)
        shared: dict[bool, list[ir.Scope]] = {False: [], True: []}
        for scope in module.scopes:
            place = self._place(scope)
            is_here = place.part is self.resolution.top and scope.name in scopes
            if is_here and SYNC in _mapping(scopes[scope.name]):
                self._own(scope, scopes[scope.name])
            elif is_here and SYNC in of_scopes and scope.name != ir.GLOBAL:
                shared[True].append(scope)
            elif place.has(SYNC):
                self._elsewhere(scope)
            else:
                shared[False].append(scope)
        holder = Node(of_scopes, self.root.region)
        self._shared(shared[True], holder, ("defaults", SCOPES))
        self._shared(shared[False], self.root, ())

    def _place(self, scope: ir.Scope) -> Place:
        places = self.resolution.places
        place = places["scope", scope.name]
        return places.get(("setting", SYNC), place) if scope.name == ir.GLOBAL else place

    def _differs(self, scope: ir.Scope) -> bool:
        return self.wanted[scope.name] != scope.sync.strategy

    def _shared(self, scopes: list[ir.Scope], holder: Node, path: tuple[str, ...]) -> None:
        """Scopes that take their strategy from one place: change it, or else add some."""
        different = [scope for scope in scopes if self._differs(scope)]
        names = {self.wanted[scope.name] for scope in scopes}
        if different and len(names) == 1:
            (name,) = names
            try:
                self._plain(path)
                if SYNC in holder.value:
                    self._changed(holder.value[SYNC], name)
                else:
                    behind = self.root.value.get("module")
                    self.found.append(self.text.inserted(self.root, SYNC, name, behind))
            except UnwritableError as error:
                what = ".".join([*path, SYNC])
                message = f"`{what}` cannot be changed here: {error.reason}"
                hint = f"write `sync: {name}` there by hand"
                _refuse(self.refused, span(error.region), message, hint)
            return
        for scope in different:
            if scope.name in _below(self.root, SCOPES):
                self._own(scope, _below(self.root, SCOPES)[scope.name])
            else:
                self._elsewhere(scope)

    def _own(self, scope: ir.Scope, node: Node) -> None:
        """Give a scope of this file a strategy of its own."""
        if not self._differs(scope):
            return
        name = self.wanted[scope.name]
        try:
            self._plain((SCOPES, scope.name))
            if SYNC in _mapping(node):
                self._changed(node.value[SYNC], name)
            else:
                self.found.append(self.text.inserted(node, SYNC, name))
        except UnwritableError as error:
            message = f"scope '{scope.name}' cannot be changed here: {error.reason}"
            hint = f"write `sync: {name}` in it by hand"
            _refuse(self.refused, span(error.region), message, hint)

    def _elsewhere(self, scope: ir.Scope) -> None:
        if not self._differs(scope):
            return
        place, name = self._place(scope), self.wanted[scope.name]
        where = place.value(SYNC) if place.has(SYNC) else place.key()
        if place.part is self.resolution.top:
            message = f"scope '{scope.name}' comes from the module that is imported"
            hint = f"write `{scope.name}: {{sync: {name}}}` under `scopes` by hand"
        else:
            message = f"scope '{scope.name}' has its strategy from a file that is included"
            hint = f"write `sync: {name}` there by hand"
        _refuse(self.refused, where, message, hint)

    def _plain(self, path: tuple[str, ...]) -> None:
        """Raise UnwritableError unless all mappings on a path are written where they are."""
        node = self.root
        for step in path:
            node = self.text.written(node.value[step])

    def _changed(self, sync: Node, name: str) -> None:
        """Another strategy in a `sync`, without tunables that it does not have."""
        self.text.written(sync)
        if sync.value is None:
            raise UnwritableError(sync.region, "there is nothing in it")
        if not isinstance(sync.value, dict):
            self.found.append(self.text.renamed(sync, name))
            return
        settings = {key: value for key, value in plain(sync).items() if key != STRATEGY}
        gone = {problem.key for problem in problems(name, settings)}
        edits = self.text.removed(sync, gone)
        self.found += [self.text.renamed(sync.value[STRATEGY], name), *edits]


def _mapping(node: Node | None) -> dict[str, Node]:
    return node.value if node is not None and isinstance(node.value, dict) else {}


def _below(node: Node, *path: str) -> dict[str, Node]:
    """The keys of a mapping below a node; none where there is no mapping."""
    found: Node | None = node
    for step in path:
        found = _mapping(found).get(step)
    return _mapping(found)


def _read(path: str, checked: Checked) -> tuple[str, str]:
    """The byte order mark of a file, or nothing, and its text as it was planned for."""
    if not Path(path).is_file():
        raise UsageError(f"--apply: {path} is not a file that could be changed")
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"--apply: {path} cannot be read: {reason(error)}") from error
    text = checked.diagnostics.texts[path]
    mark = codecs.BOM_UTF8.decode() if data.startswith(codecs.BOM_UTF8) else ""
    if data != (mark + text).encode():
        raise UsageError(f"--apply: {path} has changed meanwhile", "try again")
    return mark, text


def _judged(
    path: str, root: Node, mark: str, text: str, mib_path: tuple[str, ...]
) -> ir.Module | str:
    """The module of a new text that differs from the old tree in `sync` alone, or what is wrong."""

    def read(name: str) -> bytes:
        return (mark + text).encode() if name == path else read_file(name)

    new = yaml.parse(path, text, Diagnostics())
    if new is None or _without(plain(new)) != _without(plain(root)):
        return "the file is written in a way that no line can be added to"
    checked = check(path, read=read, mib_path=mib_path, only=("c",))
    errors = (f for f in checked.diagnostics.findings if f.severity is Severity.ERROR)
    if first := next(errors, None):
        return f"the schema would break its rules: {first.message}"
    assert checked.module is not None, "there are no errors"
    return checked.module


def _without(data: dict[str, Any]) -> dict[str, Any]:
    """What a file says besides strategies; the order of what is left counts."""

    def holders() -> Iterator[Any]:
        yield data
        scopes, defaults = data.get(SCOPES), data.get("defaults")
        yield from scopes.values() if isinstance(scopes, dict) else ()
        yield defaults.get(SCOPES) if isinstance(defaults, dict) else None

    for holder in holders():
        if isinstance(holder, dict):
            holder.pop(SYNC, None)
    return data


def _other(module: ir.Module, wanted: Mapping[str, str]) -> str:
    """What a module has instead of the strategies that are wanted; nothing if it has them."""
    got = {s.name: s.sync.strategy for s in module.scopes}
    wrong = [name for name in wanted if got.get(name) != wanted[name]]
    return f"another strategy would be that of {', '.join(wrong)}" if wrong else ""


def _write(path: str, text: str) -> None:
    """Put a text in the place of a file, or of what a symbolic link leads to, at once."""
    target = Path(os.path.realpath(path))
    try:
        staging.commit(target.parent, {target: text})
    except staging.OutputError as error:
        raise UsageError(f"--apply: {target}: {error.message}; nothing was changed") from error

# SPDX-License-Identifier: BSD-3-Clause
"""The lock file: the permanent assignment of OIDs.

Each line is one published entry, sorted by OID, so that additions of two branches merge, or
conflict where they use the same number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..findings.diagnostics import Diagnostics, Severity, Span, declare
from ..findings.usage import reason
from ..model import ir
from ..model.language.defaults import MIDNIGHT

SUFFIX = ".ctrgen.lock"
VERSION = 1

Oid = tuple[int, ...]

LIVE = "current"
"""Status of entries that the schema still has."""

UNREVISED = "+"
"""Suffix of a date: changed since that revision, and in no revision yet."""

declare("lock-syntax", Severity.ERROR, "The lock file is as ctrgen wrote it, or merged cleanly.")
declare("lock-duplicate", Severity.ERROR, "An OID, and a name, is in the lock file once.")

_KEY = re.compile(r"([^./:]*)(?:\.([^/:]+))?(?:/([^:]+))?(?::(.+))?", re.DOTALL)


class Key(NamedTuple):
    """Identifies a definition of the MIB by the part of the schema that it represents.

    `scope` and `item` are empty if it belongs to none. `role` is its relation to them
    (`table`, `entry`, `index`, `low` ...), empty for the object of an item and for the groups of
    a scope. `name` identifies index objects, parts of keys, types, groups by status. As text:
    `session.pkts`, `session/table`, `session/index:ifIndex`, `session/key:imsi`,
    `/type:EpPercent`.
    """

    scope: str = ""
    item: str = ""
    role: str = ""
    name: str = ""

    def __str__(self) -> str:
        item, role, name = self.item, self.role, self.name
        text = self.scope + (f".{item}" if item else "")
        return text + (f"/{role}" if role else "") + (f":{name}" if name else "")

    @classmethod
    def parse(cls, text: str) -> Key:
        """The key of a text; one that ctrgen never wrote is a scope of that name."""
        match = _KEY.fullmatch(text)
        return cls(*(part or "" for part in match.groups())) if match else cls(text)

    def part(self, role: str, name: str = "") -> Key:
        """The key of something that belongs to the same item, or the same scope."""
        return Key(self.scope, self.item, role, name)


class Entry(NamedTuple):
    """A line of the lock: a named OID, or a type (whose OID is empty), with its fixed properties.

    `date` is the revision in which it got its `status`, with `UNREVISED` the one after which it got
    it; a `withdrawn` entry was never published.
    `gone`: the schema no longer has it. `members` are the names in a group or compliance,
    and of the objects of a notification; of a compliance `optional` are those that not every
    implementation needs, and `refined` objects that it refines.
    """

    kind: str
    oid: Oid
    name: str
    status: str
    date: str
    key: Key
    gone: bool = False
    access: str = ""
    syntax: str = ""
    unit: str = ""
    description: str = ""
    members: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    refined: tuple[str, ...] = ()

    @property
    def dotted(self) -> str:
        """The OID as text."""
        return dotted(self.oid)


class Lock(NamedTuple):
    """A lock file: the module, its revisions (newest first), its entries sorted by OID. `texts` are
    digests of the schema's own texts as they were published, by key (`publish.texts`)."""

    name: str
    identity: str
    oid: Oid
    revisions: tuple[ir.Revision, ...] = ()
    entries: tuple[Entry, ...] = ()
    texts: tuple[tuple[Key, str], ...] = ()

    def live(self) -> dict[Key, Entry]:
        """Entries of the present schema, by key."""
        return {entry.key: entry for entry in self.entries if not entry.gone}

    @property
    def published(self) -> list[Entry]:
        """Entries that the MIB module defines."""
        return [entry for entry in self.entries if entry.status != "withdrawn"]

    def columns(self) -> dict[Oid, list[Entry]]:
        """The objects of the module by the OID of their row; scalars are under ()."""
        rows = {entry.oid for entry in self.published if entry.kind == "row"}
        columns: dict[Oid, list[Entry]] = {}
        for entry in self.published:
            if entry.kind == "object":
                row = entry.oid[:-1]
                columns.setdefault(row if row in rows else (), []).append(entry)
        return columns

    @property
    def draft(self) -> str:
        """Date of the newest revision while it is a draft, else nothing."""
        return next((newest.date for newest in self.revisions[:1] if newest.draft), "")

    def is_open(self, entry: Entry) -> bool:
        """Whether no published revision has an entry as it is now."""
        return entry.date.endswith(UNREVISED) or entry.date == self.draft


class LockFile(NamedTuple):
    """The lock file of a schema as it was read: `path` is None for a schema without a place for
    one, `data` when there is no file, `lock` when there is none or it has errors."""

    path: Path | None = None
    data: bytes | None = None
    lock: Lock | None = None


def path_for(schema: str) -> Path | None:
    """The lock file of a schema; None unless it is a YAML file, for example for standard input."""
    path = Path(schema)
    return path.with_name(path.stem + SUFFIX) if path.suffix in (".yaml", ".yml") else None


def dotted(oid: Oid) -> str:
    """An OID as text."""
    return ".".join(map(str, oid))


def parse_oid(text: str) -> Oid:
    """The numbers of a dotted OID; none of empty text."""
    return tuple(map(int, text.split("."))) if text else ()


# ---- writing ----

_HEADER = (
    "# Written by ctrgen; commit it with {source}. It says which OID belongs to what:\n"
    "# a number in here is never given to anything else. Do not edit it; remove it only\n"
    "# while nobody has used the module.\n"  # in committed files; wording: ok
)


def order(entry: Entry) -> tuple[bool, Oid, str]:
    """Where an entry goes: by OID, types (which have none) last, by name."""
    return (entry.kind == "type", entry.oid, entry.name)


_string = json.JSONEncoder().encode
_BARE = ("node", "group", "notification-group", "compliance")
"""Kinds that have neither access nor texts."""


def text(lock: Lock, source: str) -> str:
    """The lock as a file; `source` is the name of the schema."""
    lines = [f"lock {VERSION}", f"module {lock.name} {lock.identity} {dotted(lock.oid)}"]
    for revision in lock.revisions:
        draft = "draft " if revision.draft else ""
        lines.append(f"revision {revision.date} {draft}{json.dumps(revision.description)}")
    for entry in lock.entries:
        state = f"{'gone-' if entry.gone else ''}{entry.status} {entry.date}"
        line = f"{entry.kind} {entry.dotted or '-'} {entry.name} {state} {entry.key}"
        if entry.kind not in _BARE:
            texts = map(_string, (entry.syntax, entry.unit, entry.description))
            line = " ".join((line, entry.access or "-", *texts))
        marks = dict.fromkeys(entry.optional, " optional")
        lines += [line, *(f"  {member}{marks.get(member, '')}" for member in entry.members)]
        lines += (f"  {name} refined" for name in entry.refined)
    lines += (f"text {digest} {key}" for key, digest in lock.texts)
    return _HEADER.format(source=source) + "\n".join(lines) + "\n"


# ---- reading ----

_OID = r"(?:[0-9]{1,10}\.)*[0-9]{1,10}"
_NAME = r"[A-Za-z][A-Za-z0-9-]*"
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2})?"
_STRING = r'("(?:[^"\\]|\\.)*")'
_MODULE = re.compile(rf"module ({_NAME}) ({_NAME}) ({_OID})")
_REVISION = re.compile(rf"revision ({_DATE}) (draft )?{_STRING}")
_ENTRY = re.compile(
    r"(node|object|table|row|type|notification|group|notification-group|compliance) "
    rf"({_OID}|-) ({_NAME}) "
    rf"(gone-)?(current|deprecated|obsolete|withdrawn) ({_DATE}\+?) (\S+)"
    rf"(?: (\S+) {_STRING} {_STRING} {_STRING})?"
)
_MEMBER = re.compile(rf"  ((?:{_NAME}::)?{_NAME})(?: (optional|refined))?")
_TEXT = re.compile(r"text ([0-9a-f]{8}(?:\+[a-z]+)?) (\S+)")
_RESTORE = "restore the file from version control"
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


class _Reader:
    def __init__(self, path: str, data: str, diagnostics: Diagnostics) -> None:
        self.path, self.lines, self.diagnostics = path, data.split("\n"), diagnostics
        self.module: tuple[str, str, Oid] | None = None
        self.revisions: list[ir.Revision] = []
        self.entries: list[tuple[Entry, list[tuple[str, str]], int]] = []
        self.texts: dict[Key, str] = {}
        self.failed = False

    def error(self, at: int, message: str, hint: str = _RESTORE, rule: str = "lock-syntax") -> None:
        self.failed = True
        span = Span(self.path, at, 1, at, max(2, len(self.lines[at - 1]) + 1))
        self.diagnostics.report(rule, span, message, hint)

    def run(self) -> Lock | None:
        lines = [
            (number, line)
            for number, line in enumerate(self.lines, start=1)
            if line.strip() and not line.startswith("#")
        ]
        for number, version in lines[:1]:
            if version != f"lock {VERSION}":
                hint = "it was written by another version of ctrgen, or is no lock file"
                self.error(number, f"expected `lock {VERSION}`", hint)
                return None
        for number, line in lines[1:]:
            self._line(number, line)
        if self.module is None and not self.failed:
            self.error(1, "there is no `module` line")
        self._duplicates()
        self._shapes()
        if self.failed or self.module is None:
            return None
        entries = [
            entry._replace(
                members=tuple(name for name, mark in members if mark != "refined"),
                optional=tuple(name for name, mark in members if mark == "optional"),
                refined=tuple(name for name, mark in members if mark == "refined"),
            )
            for entry, members, _ in self.entries
        ]
        revisions = sorted(self.revisions, key=lambda r: r.date, reverse=True)
        entries.sort(key=order)
        texts = tuple(sorted(self.texts.items()))
        return Lock(*self.module, tuple(revisions), tuple(entries), texts)

    def _line(self, number: int, line: str) -> None:
        try:
            if line.startswith("  ") and (match := _MEMBER.fullmatch(line)) and self.entries:
                self.entries[-1][1].append((match[1], match[2] or ""))
            elif match := _ENTRY.fullmatch(line):
                self.entries.append((_entry(match), [], number))
            elif match := _REVISION.fullmatch(line):
                description, draft = json.loads(match[3]), bool(match[2])
                date = match[1].removesuffix(MIDNIGHT)
                self.revisions.append(ir.Revision(date, description, draft=draft))
            elif match := _TEXT.fullmatch(line):
                self.texts[Key.parse(match[2])] = match[1]
            elif match := _MODULE.fullmatch(line):
                self.module = (match[1], match[2], parse_oid(match[3]))
            elif line.startswith(_CONFLICT):
                hint = "keep the lines of both sides; give one of two equal OIDs the next free one"
                self.error(number, "a merge was not finished here", hint)
            else:
                raise ValueError
        except ValueError:
            self.error(number, "cannot parse this line")

    def _duplicates(self) -> None:
        oids: dict[Oid, Entry] = {}
        names: dict[str, Entry] = {}
        for entry, _, number in self.entries:
            other = oids.setdefault(entry.oid, entry) if entry.oid else entry
            if other is not entry:
                message = f"{entry.dotted} is both '{other.name}' and '{entry.name}'"
                hint = "give the one that was not published yet the next free number"
                self.error(number, message, hint, "lock-duplicate")
            elif names.setdefault(entry.name, entry) is not entry:
                message = f"'{entry.name}' is in the file twice"
                self.error(number, message, "remove the line that is not right", "lock-duplicate")

    def _shapes(self) -> None:
        """A table and its row, which is below it under 1, come together and are of one scope."""
        tables = {entry.oid for entry, *_ in self.entries if entry.kind == "table"}
        rows = {entry.oid[:-1]: entry for entry, *_ in self.entries if entry.kind == "row"}
        for entry, _, number in self.entries:
            if entry.kind != "type" and (len(entry.oid) < 2 or entry.oid[0] > 2):
                self.error(number, f"'{entry.name}' has no OID")
            elif entry.kind == "table" and not _belong_together(entry, rows.get(entry.oid)):
                self.error(number, f"table '{entry.name}' is without its row, {entry.dotted}.1")
            elif entry.kind == "row" and entry.oid[:-1] not in tables:
                self.error(number, f"row '{entry.name}' is without its table")


def _belong_together(table: Entry, row: Entry | None) -> bool:
    """Whether a table and a row are of one scope, and both in the module or neither."""
    if row is None:
        return False
    keys = (table.key.part("table"), table.key.part("entry"))
    states = [(entry.gone, entry.status == "withdrawn") for entry in (table, row)]
    return row.oid[-1] == 1 and (table.key, row.key) == keys and states[0] == states[1]


def _entry(match: re.Match[str]) -> Entry:
    kind, oid, name, gone, status, date, key, access, *texts = match.groups()
    if (access is None) != (kind in _BARE):
        raise ValueError
    syntax, unit, description = (json.loads(entry) if entry else "" for entry in texts)
    date = date.replace(MIDNIGHT, "")
    return Entry(
        kind, parse_oid(oid.strip("-")), name, status, date, Key.parse(key), bool(gone),
        "" if access in (None, "-") else access, syntax, unit, description,
    )  # fmt: skip


def parse(path: str, data: str, diagnostics: Diagnostics) -> Lock | None:
    """The lock that a file holds; None after an error, which is reported."""
    diagnostics.texts[path] = data
    return _Reader(path, data, diagnostics).run()


def load(
    schema: str, diagnostics: Diagnostics, read: Callable[[str], bytes] | None = None,
    first: Callable[[], Lock] | None = None, shown: Callable[[str], str] = str,
) -> LockFile:  # fmt: skip
    """The lock file of a schema, read once; its errors are reported.

    `read` replaces the file system and raises OSError; `shown` maps a file name to the one in
    findings. `first` returns the lock that the schema would have without one: a file with exactly
    that text is not parsed.
    """
    path = path_for(schema)
    if path is None:
        return LockFile()
    try:
        data = path.read_bytes() if read is None else read(path.as_posix())
    except FileNotFoundError:
        return LockFile(path)
    except OSError as error:
        where = Span.of_file(path)
        diagnostics.report("lock-syntax", where, f"cannot be read: {reason(error)}", _RESTORE)
        return LockFile(path, b"")
    if first is not None and data == text(first(), Path(schema).name).encode():
        return LockFile(path, data, first())
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n")
    return LockFile(path, data, parse(shown(str(path)), lines, diagnostics))

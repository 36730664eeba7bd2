# SPDX-License-Identifier: BSD-3-Clause
"""YAML text to a raw schema.

Only a small, safe part of YAML is accepted, and it reads as YAML 1.2 does:
`on`, `off`, `yes` and `no` are text, `010` is ten. Tags never construct
anything: they are refused, and so are merge keys (`<<`), which would give one
value two places. Anchors and aliases are allowed and bounded. Keys are always
text. Text is UTF-8; a byte order mark is skipped.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from ..findings.diagnostics import LINE_BREAK, Diagnostics, Severity, Span, declare
from ..language.scalars import scalar
from .raw import Node, Region, is_small, span

MAX_DEPTH = 32
"""Deepest nesting of mappings and sequences; the language itself needs 6."""
MAX_ALIASED = 100_000
"""Most values that all the aliases of a file may stand for together."""

declare("not-utf8", Severity.ERROR, "A schema is UTF-8 text.")
declare(
    "control-character",
    Severity.ERROR,
    "A schema holds no control characters: they would end up in C, MIBs and terminals.",
)
declare("yaml-syntax", Severity.ERROR, "The text is not YAML.")
declare("yaml-documents", Severity.ERROR, "A schema is one YAML document.")
declare("yaml-depth", Severity.ERROR, "Values nest at most 32 deep.")
declare(
    "yaml-alias-bomb",
    Severity.ERROR,
    "Aliases stand for at most 100,000 values together and never for what holds them.",
)
declare("yaml-alias", Severity.ERROR, "An alias names an anchor that comes before it.")
declare("yaml-tag", Severity.ERROR, "A schema uses no YAML tags: they never construct anything.")
declare("yaml-merge-key", Severity.ERROR, "A schema uses no merge keys: every value has one place.")
declare("yaml-key", Severity.ERROR, "The keys of a mapping are plain text.")
declare(
    "duplicate-key", Severity.ERROR, "A mapping holds each key once; YAML would drop the first."
)
declare("empty-schema", Severity.ERROR, "A schema file holds something.")
declare("not-a-mapping", Severity.ERROR, "A schema is a mapping of keys to values.")

_CONTROL = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


class _RefusedError(Exception):
    """Reading cannot go on; the finding has been reported."""


def decode(path: str, data: bytes, diagnostics: Diagnostics) -> str | None:
    """The text of a file, or None after reporting why it is not acceptable text."""
    whole = Span.of_file(path)
    if not is_small(path, data, diagnostics):
        return None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        diagnostics.report("not-utf8", whole, "the file is UTF-16", "save it as UTF-8")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Under utf-8-sig the offset does not count the byte order mark.
        body = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
        start = error.start
        text = body[:start].decode("utf-8", "replace")
        diagnostics.source(path, body.decode("utf-8", "replace"))
        message = f"octet 0x{body[start]:02x} is not UTF-8"
        diagnostics.report("not-utf8", _at(path, text), message, "save the file as UTF-8")
        return None
    diagnostics.source(path, text)
    bad = _CONTROL.search(text)
    if bad:
        where = _at(path, text[: bad.start()])
        message = f"control character U+{ord(bad[0]):04X} in the file"
        diagnostics.report("control-character", where, message, "remove it")
        return None
    return text


def parse(path: str, text: str, diagnostics: Diagnostics) -> Node | None:
    """The tree of a YAML text, or None after reporting why there is none."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    reader = _Reader(path, diagnostics)
    try:
        for event in yaml.parse(text, loader):
            reader.take(event)
    except _RefusedError:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        region = _end(text, mark.line, mark.column) if mark else (0, 0, 0, 0)
        problem = " ".join(str(error.problem or error.context or "not YAML").split())
        hint = ""
        if "cannot start any token" in problem and _is_tab(text, region):
            problem, hint = "a tab cannot be part of the indentation", "indent with spaces"
        diagnostics.report("yaml-syntax", span(path, region), f"not YAML: {problem}", hint)
        return None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        message = " ".join(str(error).split())
        diagnostics.report("yaml-syntax", Span.of_file(path), f"not YAML: {message}")
        return None
    return reader.result()


def _end(text: str, line: int, column: int) -> Region:
    """One character at a mark, which libyaml may set beyond the end of the text."""
    lines = LINE_BREAK.split(text)
    if line >= len(lines):
        line, column = len(lines) - 1, len(lines[-1])
    column = min(column, len(lines[line]))
    return (line, column, line, column + 1)


def _is_tab(text: str, region: Region) -> bool:
    line, column, *_ = region
    return LINE_BREAK.split(text)[line][column : column + 1] == "\t"


def _at(path: str, before: str) -> Span:
    line = LINE_BREAK.split(before)
    return span(path, (len(line) - 1, len(line[-1]), len(line) - 1, len(line[-1]) + 1))


class _Open:
    """A mapping or sequence that is being read; `key` is the key whose value comes next."""

    __slots__ = ("anchor", "key", "node", "skip")

    def __init__(self, node: Node, anchor: str | None) -> None:
        self.node = node
        self.anchor = anchor
        self.key: str | None = None
        self.skip = False


class _Reader:
    """Builds the tree from parser events; keeps its own stack, so depth is bounded by us."""

    def __init__(self, path: str, diagnostics: Diagnostics) -> None:
        self.path = path
        self.diagnostics = diagnostics
        self.stack: list[_Open] = []
        self.anchors: dict[str, Node | None] = {}
        self.root: Node | None = None
        self.aliased = 0
        self.documents = 0
        self.handlers = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._start,
            yaml.SequenceStartEvent: self._start,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
        }

    def take(self, event: Any) -> None:
        """Process one parser event."""
        handler = self.handlers.get(type(event))
        if handler:
            handler(event)

    def result(self) -> Node | None:
        """The finished tree if it is a mapping, or None after reporting what it is."""
        whole = Span.of_file(self.path)
        if self.root is None or self.root.value is None:
            hint = "`ctrgen init` writes a schema to start from"
            self.diagnostics.report("empty-schema", whole, "the file is empty", hint)
            return None
        if not isinstance(self.root.value, dict):
            what = "a list" if isinstance(self.root.value, list) else "a single value"
            line, column, *_ = self.root.region
            start = span(self.path, (line, column, line, column + 1))
            message = f"a schema is a mapping of keys to values, this is {what}"
            hint = "a schema starts with `ctrgen: 1`; `ctrgen init` writes one"
            self.diagnostics.report("not-a-mapping", start, message, hint)
            return None
        return self.root

    def _report(self, rule: str, region: Region, message: str, hint: str = "") -> None:
        self.diagnostics.report(rule, span(self.path, region), message, hint)

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            self._report("yaml-documents", _region(event), "a second YAML document starts here")
            raise _RefusedError

    def _awaiting_key(self) -> _Open | None:
        """The innermost mapping, when a key comes next."""
        top = self.stack[-1] if self.stack else None
        return top if top and top.key is None and top.node.keys is not None else None

    def _tag(self, event: Any) -> None:
        if event.tag is not None and event.tag != "!":
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            message = f"tag '{tag}' is not allowed"
            self._report("yaml-tag", _region(event), message, "write the value without a tag")

    def _scalar(self, event: Any) -> None:
        region = _region(event)
        self._tag(event)
        top = self._awaiting_key()
        if top is not None:
            self._key(top, event.value, region, event.implicit[0])
            if event.anchor:
                self.anchors[event.anchor] = Node(event.value, region)
            return
        value = scalar(event.value) if event.implicit[0] else event.value
        self._add(Node(value, region), event.anchor)

    def _key(self, top: _Open, key: str, region: Region, is_plain: bool) -> None:
        keys = top.node.keys
        assert keys is not None
        top.key, top.skip = key, False
        if key == "<<" and is_plain:
            hint = "write the keys out, or use an alias for a whole value"
            self._report("yaml-merge-key", region, "merge keys are not supported", hint)
            top.skip = True
        elif key in keys:
            first = keys[key][0] + 1
            message = f"key '{key}' is already there in line {first}"
            self._report("duplicate-key", region, message, "remove or rename one of the two")
            top.skip = True
        else:
            keys[key] = region

    def _start(self, event: Any) -> None:
        region = _region(event)
        self._tag(event)
        if len(self.stack) >= MAX_DEPTH:
            self._report("yaml-depth", region, f"values nest more than {MAX_DEPTH} deep")
            raise _RefusedError
        if self._awaiting_key() is not None:
            self._report("yaml-key", region, "a key must be plain text")
            raise _RefusedError
        mapping = isinstance(event, yaml.MappingStartEvent)
        node = Node({}, region, {}) if mapping else Node([], region)
        if event.anchor:
            self.anchors[event.anchor] = None
        self.stack.append(_Open(node, event.anchor))

    def _end(self, event: Any) -> None:
        done = self.stack.pop()
        line, column, *_ = done.node.region
        end = event.start_mark if event.start_mark.index == event.end_mark.index else event.end_mark
        done.node.region = (line, column, end.line, end.column)
        self._add(done.node, done.anchor)

    def _alias(self, event: Any) -> None:
        region = _region(event)
        if event.anchor not in self.anchors:
            self._report("yaml-alias", region, f"there is no anchor '{event.anchor}' before this")
            raise _RefusedError
        node = self.anchors[event.anchor]
        if node is None:
            self._report("yaml-alias-bomb", region, f"alias '{event.anchor}' contains itself")
            raise _RefusedError
        if self._awaiting_key() is not None:
            self._report("yaml-key", region, "a key must be plain text, not an alias")
            raise _RefusedError
        self.aliased += node.size
        if self.aliased > MAX_ALIASED:
            message = f"the aliases of this file stand for more than {MAX_ALIASED} values"
            self._report("yaml-alias-bomb", region, message, "write the values out")
            raise _RefusedError
        # The value is shared, its place is where the alias is written.
        self._add(Node(node.value, region, node.keys, node.size), None)

    def _add(self, node: Node, anchor: str | None) -> None:
        if anchor:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        holder = top.node
        holder.size += node.size
        if holder.keys is None:
            holder.value.append(node)
            return
        assert top.key is not None
        if not top.skip:
            holder.value[top.key] = node
        top.key = None


def _region(event: Any) -> Region:
    start, end = event.start_mark, event.end_mark
    return (start.line, start.column, end.line, end.column)

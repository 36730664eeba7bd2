# SPDX-License-Identifier: BSD-3-Clause
"""YAML text to a raw schema.

Only a small, safe part of YAML is accepted, and it reads as YAML 1.2 does:
`on`, `off`, `yes` and `no` are text, `010` is ten. Tags never construct
anything: they are refused, and so are merge keys (`<<`), which would give one
value two places. Anchors and aliases are allowed and bounded. Keys are always
text. Text is UTF-8; a byte order mark is skipped.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from ..findings.diagnostics import LINE_BREAK, Diagnostics, Severity, Span, declare
from ..language.scalars import scalar
from .raw import Node, Region, is_small, span

MAX_DEPTH = 32
"""Deepest nesting of mappings and sequences; the language itself needs 6."""
MAX_ALIASED = 100_000
"""Most values that all the aliases of a file may stand for together."""

for _rule, _sentence in {
    "not-utf8": "A schema is UTF-8 text.",
    "control-character": "A schema holds no control characters: they would end up in C, MIBs and "
    "terminals.",
    "yaml-syntax": "The text is not YAML.",
    "yaml-documents": "A schema is one YAML document.",
    "yaml-depth": "Values nest at most 32 deep.",
    "yaml-alias-bomb": "Aliases stand for at most 100,000 values together and never for what "
    "holds them.",
    "yaml-alias": "An alias names an anchor that comes before it.",
    "yaml-tag": "A schema uses no YAML tags: they never construct anything.",
    "yaml-merge-key": "A schema uses no merge keys: every value has one place.",
    "yaml-key": "The keys of a mapping are plain text.",
    "duplicate-key": "A mapping holds each key once; YAML would drop the first.",
    "empty-schema": "A schema file holds something.",
    "not-a-mapping": "A schema is a mapping of keys to values.",
}.items():
    declare(_rule, Severity.ERROR, _sentence)

_CONTROL = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


class _RefusedError(Exception):
    """Reading cannot go on; the finding has been reported."""


def decode(path: str, data: bytes, diagnostics: Diagnostics) -> str | None:
    """The text of a file, or None after reporting why it is not acceptable text."""
    if not is_small(path, data, diagnostics):
        return None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        diagnostics.report("not-utf8", Span.of_file(path), "the file is UTF-16", "save it as UTF-8")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Under utf-8-sig the offset does not count the byte order mark.
        body = data.removeprefix(codecs.BOM_UTF8)
        before = body[: error.start].decode("utf-8", "replace")
        diagnostics.texts[path] = body.decode("utf-8", "replace")
        message = f"octet 0x{body[error.start]:02x} is not UTF-8"
        diagnostics.report("not-utf8", _behind(path, before), message, "save the file as UTF-8")
        return None
    diagnostics.texts[path] = text
    bad = _CONTROL.search(text)
    if bad:
        where = _behind(path, text[: bad.start()])
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
        line, column = _within(text, mark.line, mark.column) if mark else (0, 0)
        region = (line, column, line, column + 1)
        problem = " ".join(str(error.problem or error.context or "not YAML").split())
        hint = ""
        at_tab = LINE_BREAK.split(text)[line][column : column + 1] == "\t"
        if at_tab and "cannot start any token" in problem:
            problem, hint = "a tab cannot be part of the indentation", "indent with spaces"
        diagnostics.report("yaml-syntax", span(path, region), f"not YAML: {problem}", hint)
        return None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        message = " ".join(str(error).split())
        diagnostics.report("yaml-syntax", Span.of_file(path), f"not YAML: {message}")
        return None
    return reader.result()


def _within(text: str, line: int, column: int) -> tuple[int, int]:
    """Line and column of a mark, which libyaml may set beyond the end of the text."""
    lines = LINE_BREAK.split(text)
    if line >= len(lines):
        line, column = len(lines) - 1, len(lines[-1])
    return line, min(column, len(lines[line]))


def _behind(path: str, before: str) -> Span:
    """The character that comes behind some text."""
    lines = LINE_BREAK.split(before)
    line, column = len(lines) - 1, len(lines[-1])
    return span(path, (line, column, line, column + 1))


@dataclass(slots=True)
class _Open:
    """A mapping or sequence that is being read; `key` is the key whose value comes next."""

    node: Node
    anchor: str | None
    key: str | None = None
    skip: bool = False


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
        if self.root is None or self.root.value is None:
            hint = "`ctrgen init` writes a schema to start from"
            where = Span.of_file(self.path)
            self.diagnostics.report("empty-schema", where, "the file is empty", hint)
            return None
        if not isinstance(self.root.value, dict):
            what = "a list" if isinstance(self.root.value, list) else "a single value"
            line, column, *_ = self.root.region
            message = f"a schema is a mapping of keys to values, this is {what}"
            hint = "a schema starts with `ctrgen: 1`; `ctrgen init` writes one"
            self._report("not-a-mapping", (line, column, line, column + 1), message, hint)
            return None
        return self.root

    def _report(self, rule: str, region: Region, message: str, hint: str = "") -> None:
        self.diagnostics.report(rule, span(self.path, region), message, hint)

    def _refuse(self, rule: str, region: Region, message: str, hint: str = "") -> NoReturn:
        self._report(rule, region, message, hint)
        raise _RefusedError

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            self._refuse("yaml-documents", _region(event), "a second YAML document starts here")

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
            self._refuse("yaml-depth", region, f"values nest more than {MAX_DEPTH} deep")
        if self._awaiting_key() is not None:
            self._refuse("yaml-key", region, "a key must be plain text")
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
            self._refuse("yaml-alias", region, f"there is no anchor '{event.anchor}' before this")
        node = self.anchors[event.anchor]
        if node is None:
            self._refuse("yaml-alias-bomb", region, f"alias '{event.anchor}' contains itself")
        if self._awaiting_key() is not None:
            self._refuse("yaml-key", region, "a key must be plain text, not an alias")
        self.aliased += node.size
        if self.aliased > MAX_ALIASED:
            message = f"the aliases of this file stand for more than {MAX_ALIASED} values"
            self._refuse("yaml-alias-bomb", region, message, "write the values out")
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

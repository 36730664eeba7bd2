# SPDX-License-Identifier: BSD-3-Clause
"""YAML text to a raw schema.

Only a small, safe part of YAML is accepted, and it reads as YAML 1.2 does: `on`, `off`, `yes` and
`no` are text, `010` is ten. Tags never construct anything: they are refused, and so are merge keys
(`<<`), which would give one value two places. Anchors and aliases are allowed and bounded. Keys
are always text. Text is UTF-8; a byte order mark is skipped.
"""

import codecs
import re
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from ..findings.diagnostics import LINE_BREAK, Diagnostics, Span, errors
from ..model.language.scalars import scalar
from .raw import Node, Region, is_small, span

MAX_DEPTH = 32
"""Deepest nesting of mappings and sequences; the language itself needs 6."""
MAX_ALIASED = 100_000
"""Most values that all the aliases of a file may stand for together."""

errors({
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
})  # fmt: skip

_CONTROL = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Also line breaks of YAML 1.1 alone, which would end a comment where editors show none."""

_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)


class _RefusedError(Exception):
    """Reading cannot go on; the finding has been reported."""


def decode(path: str, data: bytes, diagnostics: Diagnostics) -> str | None:
    """The text of a file, or None after reporting why it is not acceptable text."""
    if not is_small(path, data, diagnostics):
        return None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:2]:
        diagnostics.report("not-utf8", Span.of_file(path), "the file is UTF-16", "save it as UTF-8")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Under utf-8-sig the offset does not count the byte order mark.
        body = data.removeprefix(codecs.BOM_UTF8)
        before = body[: error.start].decode("utf-8", "replace")
        diagnostics.texts[path] = body.decode("utf-8", "replace")
        octet, number = body[error.start], len(data) - len(body) + error.start + 1
        message = f"octet {number} of the file, 0x{octet:02x}, is not UTF-8"
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
    reader = _Reader(path, diagnostics, yaml.parse(text, loader))
    try:
        return reader.run()
    except _RefusedError:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = _within(text, mark.line, mark.column) if mark else (0, 0)
        where = span((path, line, column, line, column + 1))
        problem = " ".join(str(error.problem or error.context or "not YAML").split())
        lines = LINE_BREAK.split(text)
        at = lines[line][column : column + 1]
        hint = _syntax_hint(problem, lines, line)
        if at == "\t" and "cannot start any token" in problem:
            problem, hint = "a tab cannot be part of the indentation", "indent with spaces"
        elif "cannot start any token" in problem:
            hint = f"quote the text: one that begins with {at} is no plain text"
        diagnostics.report("yaml-syntax", where, f"not YAML: {problem}", hint)
        return None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        message = " ".join(str(error).split())
        diagnostics.report("yaml-syntax", Span.of_file(path), f"not YAML: {message}")
        return None


_TWO_COLONS = re.compile(r"\s*(?:- )?[\w.]+: +[^\"'{\[|>&*].*: ")
_NO_SPACE = re.compile(r"\s*[\w.]+:[^\s:]+\Z")


def _syntax_hint(problem: str, lines: list[str], line: int) -> str:
    """Hint with the usual cause of a YAML syntax error; empty if there is none."""
    before = next((text for text in reversed(lines[:line]) if text.strip()), "")
    if "mapping values" in problem:
        if _TWO_COLONS.match(lines[line]):
            return 'quote the text: it has a colon in it, as in `description: "a: b"`'
        if _NO_SPACE.match(before):
            return "put a space behind the colon in the line before"
        return "indent it like the lines that it belongs to"
    if "',' or '}'" in problem or "',' or ']'" in problem:
        return "quote the text: it has a colon, a comma or a bracket in it; or close the bracket"
    return ""


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
    return span((path, line, column, line, column + 1))


class _Reader:
    """Builds the tree from parser events; depth is bounded before memory is used."""

    def __init__(self, path: str, diagnostics: Diagnostics, events: Iterator[Any]) -> None:
        self.path, self.diagnostics, self.events = path, diagnostics, events
        self.anchors: dict[str | None, Node | None] = {}
        self.aliased = 0

    def run(self) -> Node | None:
        """The tree if it is a mapping, or None after reporting what it is."""
        root = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    region = self._region(event)
                    message = "a second YAML document starts here"
                    hint = "remove the `---`; further files come in with `include: [more.yaml]`"
                    self._refuse("yaml-documents", region, message, hint)
                root = self._node(next(self.events), 0)
        if root is None or root.value is None:
            hint = "`ctrgen init` writes a schema to start from"
            where = Span.of_file(self.path)
            self.diagnostics.report("empty-schema", where, "the file is empty", hint)
            return None
        if not isinstance(root.value, dict):
            what = "a list" if isinstance(root.value, list) else "a single value"
            path, line, column, *_ = root.region
            message = f"a schema is a mapping of keys to values, this is {what}"
            hint = "a schema starts with `ctrgen: 1`; `ctrgen init` writes one"
            self._report("not-a-mapping", (path, line, column, line, column + 1), message, hint)
            return None
        return root

    def _region(self, event: Any) -> Region:
        start, end = event.start_mark, event.end_mark
        return (self.path, start.line, start.column, end.line, end.column)

    def _report(self, rule: str, region: Region, message: str, hint: str = "") -> None:
        self.diagnostics.report(rule, span(region), message, hint)

    def _refuse(self, rule: str, region: Region, message: str, hint: str = "") -> NoReturn:
        self._report(rule, region, message, hint)
        raise _RefusedError

    def _node(self, event: Any, depth: int, *, is_key: bool = False) -> Node:
        """The value or key that an event, the last one taken, begins."""
        region = self._region(event)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event.anchor, region, is_key)
        if event.tag is not None and event.tag != "!":
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            message = f"tag '{tag}' is not allowed"
            self._report("yaml-tag", region, message, "write the value without a tag")
        if isinstance(event, yaml.ScalarEvent):
            is_text = is_key or not event.implicit[0]
            node = Node(event.value if is_text else scalar(event.value), region)
        else:
            if depth >= MAX_DEPTH:
                self._refuse("yaml-depth", region, f"values nest more than {MAX_DEPTH} deep")
            if is_key:
                hint = "quote a text that begins with { or [; a schema knows no templates"
                self._refuse("yaml-key", region, "a key must be plain text", hint)
            if event.anchor:
                self.anchors[event.anchor] = None
            node = self._collection(isinstance(event, yaml.MappingStartEvent), region, depth + 1)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _collection(self, is_mapping: bool, region: Region, depth: int) -> Node:
        node = Node({} if is_mapping else [], region)
        while type(event := next(self.events)) not in _ENDS:
            if is_mapping:
                node.size += self._entry(node.value, event, depth).size
            else:
                node.value.append(self._node(event, depth))
                node.size += node.value[-1].size
        end = event.start_mark if event.start_mark.index == event.end_mark.index else event.end_mark
        node.region = (*region[:3], end.line, end.column)
        return node

    def _entry(self, mapping: dict[str, Node], event: Any, depth: int) -> Node:
        """Read a key and the value behind it, which is returned, into a mapping."""
        key = self._node(event, depth, is_key=True)
        first = mapping.get(key.value)
        if key.value == "<<" and event.implicit[0]:
            hint = "write the keys out, or use an alias for a whole value"
            self._refuse("yaml-merge-key", key.region, "merge keys are not supported", hint)
        if first is not None:
            _, line, *_ = first.key or first.region
            message = f"key '{key.value}' is already in line {line + 1}"
            self._report("duplicate-key", key.region, message, "remove or rename one of the two")
        value = self._node(next(self.events), depth)
        if first is None:
            value.key = key.region
            mapping[key.value] = value
        return value

    def _alias(self, anchor: str | None, region: Region, is_key: bool) -> Node:
        if anchor not in self.anchors:
            self._refuse("yaml-alias", region, f"there is no anchor '{anchor}' before this")
        node = self.anchors[anchor]
        if node is None:
            self._refuse("yaml-alias-bomb", region, f"alias '{anchor}' contains itself")
        if is_key:
            self._refuse("yaml-key", region, "a key must be plain text, not an alias")
        self.aliased += node.size
        if self.aliased > MAX_ALIASED:
            message = f"the aliases of this file stand for more than {MAX_ALIASED} values"
            self._refuse("yaml-alias-bomb", region, message, "write the values out")
        # The value is shared, its place is where the alias is written.
        return Node(node.value, region, node.size)

# SPDX-License-Identifier: BSD-3-Clause
"""Structs and variables in C source, as they are written: nothing is preprocessed.

tree-sitter's grammar of C goes on behind what it does not understand, macros above all. Those that
stand for attributes are blanked before, as `struct s { .. } __rte_cache_aligned;` would look like a
variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..findings.installation import pip_install
from ..findings.usage import UsageError, reason

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*")
_ATTRIBUTE = re.compile(
    rb"\b__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)"
    rb"|\b(?:__rte|____cacheline|__cacheline)_?\w*(?:aligned|packed|unused|cache\w*)\w*(?:\([^()]*\))?"
    rb"|\b__rte_(?:always_inline|noinline|cold|hot)\b"
    rb"|\b(?:__packed|__aligned\([^()]*\)|_Alignas\([^()]*\)|alignas\([^()]*\)|RTE_MARKER\w* \w+;)"
)
"""Attributes, and macros for some."""


@dataclass(frozen=True)
class Place:
    """Where something is; lines and columns from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Member:
    """A member of a struct: its type without qualifiers, the sizes of arrays as they are written,
    the comment beside it, and the members of a struct in place of a type."""

    name: str
    type: str
    sizes: tuple[str, ...]
    comment: str
    place: Place
    inner: tuple[Member, ...] = ()


@dataclass(frozen=True)
class Struct:
    """A struct with a body: its tag, or the name of its type; "" for neither."""

    name: str
    members: tuple[Member, ...]
    comment: str
    place: Place


@dataclass(frozen=True)
class Variable:
    """A variable that is there once: of which struct, and the sizes of its arrays."""

    name: str
    struct: str
    sizes: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class Source:
    """What was found in files. `numbers` are macros that stand for one; `strange` is where
    declarations are not understood."""

    structs: tuple[Struct, ...]
    variables: tuple[Variable, ...]
    numbers: dict[str, int]
    strange: tuple[Place, ...]


class _File:
    """One file."""

    def __init__(self, path: str, text: bytes) -> None:
        try:
            import tree_sitter_c
            from tree_sitter import Language, Parser
        except ImportError as error:
            hint = pip_install("adopt")
            raise UsageError(f"adopt needs the package {error.name}", hint) from error
        self.path = path
        text = _ATTRIBUTE.sub(lambda match: b" " * len(match[0]), text)
        self.root = Parser(Language(tree_sitter_c.language())).parse(text).root_node

    def place(self, node: Node) -> Place:
        return Place(self.path, node.start_point.row + 1, node.start_point.column + 1)

    def top(self) -> Iterator[Node]:
        """What stands outside of functions, in order, also behind #if."""
        found = [self.root]
        while found:
            node = found.pop()
            if node.type.startswith("preproc_if") or node.type in (
                "translation_unit", "preproc_else", "preproc_elif", "linkage_specification",
                "declaration_list",
            ):  # fmt: skip
                found += reversed(node.children)
            else:
                yield node

    def strange(self) -> Iterator[Place]:
        """Declarations that are not understood, up to the first of each."""
        for node in self.top():
            if node.type in ("declaration", "type_definition", "struct_specifier", "ERROR"):
                wrong = _first_error(node)
                if wrong is not None:
                    yield self.place(wrong)

    def numbers(self) -> Iterator[tuple[str, int]]:
        for node in self.top():
            value = node.child_by_field_name("value") if node.type == "preproc_def" else None
            name = node.child_by_field_name("name")
            if value is not None and name is not None:
                match = _NUMBER.match(_text(value).strip(" ()"))
                if match and match[0] == _text(value).split("/*")[0].strip(" ()"):
                    yield _text(name), int(match[0].rstrip("uUlL"), 0)

    def structs(self) -> Iterator[Struct]:
        for node in self.top():
            inner = node.child_by_field_name("type") or node
            body = inner.child_by_field_name("body")
            if inner.type != "struct_specifier" or body is None:
                continue
            names = [inner.child_by_field_name("name"), *node.children_by_field_name("declarator")]
            if node.type != "type_definition":
                names = names[:1]
            name = next((_text(one) for one in names if one is not None), "")
            yield Struct(name, tuple(self.members(body)), _comment_above(node), self.place(inner))

    def members(self, body: Node) -> Iterator[Member]:
        for node in body.children:
            kind = node.child_by_field_name("type") if node.type == "field_declaration" else None
            if kind is None:
                continue
            inner = kind.child_by_field_name("body")
            below = tuple(self.members(inner)) if inner is not None else ()
            for one in node.children_by_field_name("declarator"):
                name, sizes = _declared(one)
                if name:
                    word, said = _text(kind), _comment_beside(node)
                    yield Member(name, word, sizes, said, self.place(one), below)

    def variables(self) -> Iterator[Variable]:
        for node in self.top():
            kind = node.child_by_field_name("type")
            if node.type != "declaration" or kind is None:
                continue
            tag = kind.child_by_field_name("name") or kind
            for one in node.children_by_field_name("declarator"):
                name, sizes = _declared(one)
                if name:
                    yield Variable(name, _text(tag), sizes, self.place(one))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _first_error(node: Node) -> Node | None:
    if node.type == "ERROR" or node.is_missing:
        return node
    found = (_first_error(child) for child in node.children if child.has_error)
    return next(filter(None, found), None)


def _declared(node: Node | None) -> tuple[str, tuple[str, ...]]:
    """The name that a declarator declares and the sizes of its arrays; no name for pointers."""
    sizes: list[str] = []
    while node is not None:
        if node.type in ("identifier", "field_identifier"):
            return _text(node), tuple(reversed(sizes))
        if node.type == "array_declarator":
            size = node.child_by_field_name("size")
            sizes.append(_text(size) if size is not None else "")
        elif node.type != "init_declarator":
            break
        node = node.child_by_field_name("declarator")
    return "", ()


def _comment(node: Node | None) -> str:
    """The words of a comment."""
    if node is None or node.type != "comment":
        return ""
    text = re.sub(r"(?m)^\s*(?:\*(?!/)|//+[!/<]*)|^\s*/\*+[!<]*|\*+/\s*$", " ", _text(node))
    return " ".join(text.split())


def _comment_above(node: Node) -> str:
    before = node.prev_sibling
    return _comment(before) if before is not None and _near(before, node) else ""


def _near(before: Node, node: Node) -> bool:
    return node.start_point.row - before.end_point.row <= 1


def _comment_beside(node: Node) -> str:
    """That in the line of a member, or else one alone in the line above."""
    behind, before = node.next_sibling, node.prev_sibling
    if behind is not None and behind.start_point.row == node.end_point.row:
        return _comment(behind)
    earlier = before.prev_sibling if before is not None else None
    if before is None or not _near(before, node):
        return ""
    if earlier is not None and earlier.end_point.row == before.start_point.row:
        return ""
    return _comment(before)


def _opened(path: Path) -> _File:
    try:
        return _File(str(path), path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {path}: {reason(error)}") from error


def root(path: Path) -> Node:
    """The whole of a file. Raises UsageError for one that cannot be read."""
    return _opened(path).root


def parse(paths: list[Path]) -> Source:
    """What is in these files. Raises UsageError for one that cannot be read."""
    files = [_opened(path) for path in paths]
    numbers = dict(pair for file in files for pair in file.numbers())
    structs = tuple(one for file in files for one in file.structs())
    variables = tuple(one for file in files for one in file.variables())
    return Source(structs, variables, numbers, tuple(p for file in files for p in file.strange()))

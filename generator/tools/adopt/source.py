# SPDX-License-Identifier: BSD-3-Clause
"""Structs and variables in C source, as they are written: nothing is preprocessed.

tree-sitter's grammar of C goes on behind what it does not understand, macros above all. Macros that
stand for attributes are blanked before, as `struct s { .. } __rte_cache_aligned;` would look like a
variable, and so are those around types and names of DPDK.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...findings.usage import UsageError, pip_install, reason

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t(]+(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)[uUlL]*[ \t)]*"
    r"(?:/[/*].*)?$",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(
    rb"\b__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)"
    rb"|\b(?:__rte|____cacheline|__cacheline)_?\w*(?:aligned|packed|unused|cache\w*)\w*(?:\([^()]*\))?"
    rb"|\b__rte_(?:always_inline|noinline|cold|hot)\b"
    rb"|\b(?:__packed|__aligned\([^()]*\)|_Alignas\([^()]*\)|alignas\([^()]*\)|RTE_MARKER\w* \w+;)"
)
"""Attributes, and macros for some."""

_WRAPPED = re.compile(rb"\b((?:RTE_ATOMIC|RTE_PER_LCORE|_Atomic)\s*\()(\w+)\)")
_POINTED = re.compile(r"[(,]\s*(?:const |volatile )*(\w+(?: \w+)*)\s*\*")
"""The type of what a parameter of a function points to."""

_RULER = re.compile(r"([*=~#_-])\1{3,}")
"""Lines drawn in comments."""

_BODIES = ("struct_specifier", "union_specifier")
_STORAGE = ("storage_class_specifier", "type_qualifier")
_PER_LCORE = re.compile(rb"\bRTE_DEFINE_PER_LCORE\s*\(\s*([^(),]+),\s*(\w+)\s*\)")


@dataclass(frozen=True, order=True)
class Place:
    """Where something is; lines and columns from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Member:
    """A member of a struct, or a variable outside of functions: its type without qualifiers, array
    sizes as written, the comment next to it, the members of an inline struct. `storage` has the
    words `static` and `const` of a declaration."""

    name: str
    type: str
    sizes: tuple[str, ...]
    comment: str
    place: Place
    inner: tuple[Member, ...] = ()
    pointer: bool = False
    storage: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Struct:
    """A struct with a body: its tag, or the name of its type; "" for neither."""

    name: str
    members: tuple[Member, ...]
    comment: str
    place: Place


@dataclass(frozen=True)
class Source:
    """The declarations in files. `numbers` are macros that stand for one; `aliases` other names of
    types; `strange` is where declarations are not understood; `pointed` the types that parameters
    of functions point to; `shared` the names that different variables of several files have;
    `fields` the types of all members of a name."""

    structs: tuple[Struct, ...]
    variables: tuple[Member, ...]
    numbers: dict[str, int]
    aliases: dict[str, str]
    strange: tuple[Place, ...]
    pointed: frozenset[str]
    shared: frozenset[str]
    fields: dict[str, set[str]]

    def type(self, name: str) -> str:
        """The type that a name stands for."""
        seen: set[str] = set()
        while name in self.aliases and name not in seen:
            seen.add(name)
            name = self.aliases[name]
        return name

    @cached_property
    def _named(self) -> dict[str, Struct]:
        return {one.name: one for one in reversed(self.structs) if one.name}

    def struct(self, type_: str) -> Struct | None:
        """The struct of a type, if its body is in these files."""
        return self._named.get(self.type(type_).removeprefix("struct "))


class File:
    """One file."""

    def __init__(self, path: str, top: Node) -> None:
        self.path, self.root = path, top

    def place(self, node: Node) -> Place:
        return Place(self.path, node.start_point.row + 1, node.start_point.column + 1)

    def top(self) -> Iterator[Node]:
        """Nodes outside functions, in order, including those inside #if."""
        return _unconditional(
            self.root, "translation_unit", "linkage_specification", "declaration_list"
        )

    def strange(self) -> Iterator[Place]:
        """Declarations that are not understood, up to the first of each."""
        for node in self.top():
            if node.type in ("declaration", "type_definition", "struct_specifier", "ERROR"):
                wrong = _first_error(node)
                if wrong is not None:
                    yield self.place(wrong)

    def aliases(self) -> Iterator[tuple[str, str]]:
        for node in self.top():
            kind = node.child_by_field_name("type")
            name = _type(kind) if node.type == "type_definition" and kind is not None else "struct"
            for one in node.children_by_field_name("declarator") if name != "struct" else ():
                if one.type in ("type_identifier", "primitive_type"):
                    yield text(one), name

    def structs(self) -> Iterator[Struct]:
        for node in self.top():
            inner = node.child_by_field_name("type") or node
            body = inner.child_by_field_name("body")
            if inner.type != "struct_specifier" or body is None:
                continue
            names = [inner.child_by_field_name("name"), *node.children_by_field_name("declarator")]
            if node.type != "type_definition":
                names = names[:1]
            name = next((text(one) for one in names if one is not None), "")
            yield Struct(name, tuple(self.members(body)), _comment_above(node), self.place(inner))

    def members(self, body: Node) -> Iterator[Member]:
        for node in _unconditional(body, "field_declaration_list"):
            if node.type == "field_declaration":
                yield from self.declared(node)

    def declared(self, node: Node) -> Iterator[Member]:
        """All that one declaration declares, members of nameless structs and unions in a struct
        too; no pointers in structs."""
        kind = node.child_by_field_name("type")
        if kind is None:
            return
        body = kind.child_by_field_name("body") if kind.type in _BODIES else None
        below = tuple(self.members(body)) if body is not None else ()
        if kind.type == "union_specifier":
            below = tuple(map(_in_union, below))
        declarators = node.children_by_field_name("declarator")
        storage = frozenset(text(one) for one in node.children if one.type in _STORAGE)
        if node.type == "field_declaration" and not declarators:
            yield from below
        for one in declarators:
            name, sizes, pointer = declared(one)
            if name and (not pointer or node.type == "declaration"):
                comment, where = _comment_beside(node), self.place(one)
                yield Member(name, _type(kind), sizes, comment, where, below, pointer, storage)

    def fields(self) -> Iterator[tuple[str, str]]:
        """Members of all structs and unions, pointers too: names and types."""
        for node in walk(self.root):
            if node.type == "field_declaration":
                for one in node.children_by_field_name("declarator"):
                    yield declared(one)[0], _type(node.child_by_field_name("type") or one)

    def variables(self, *, extern: bool) -> Iterator[Member]:
        """Those that the file only declares, or those that it defines."""
        for node in self.top():
            if node.type == "declaration" and text(node).startswith("extern") == extern:
                yield from self.declared(node)


def _in_union(member: Member) -> Member:
    """A member of a union: no counter, and none below it is one."""
    below = tuple(map(_in_union, member.inner))
    return replace(member, type=f"{member.type} in a union", inner=below)


def parsed(content: bytes) -> Node:
    """The tree of a text. Raises UsageError without the grammar."""
    try:
        import tree_sitter_c
        from tree_sitter import Language, Parser
    except ImportError as error:
        raise UsageError(f"adopt needs the package {error.name}", pip_install("adopt")) from error
    content = _ATTRIBUTE.sub(lambda match: b" " * len(match[0]), content)
    content = _WRAPPED.sub(lambda match: b" " * len(match[1]) + match[2] + b" ", content)
    content = _PER_LCORE.sub(
        lambda match: (b"%b %b[RTE_MAX_LCORE]" % match.groups()).ljust(len(match[0])), content
    )
    return Parser(Language(tree_sitter_c.language())).parse(content).root_node


def text(node: Node | None) -> str:
    """The text of a node, if there is one."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def walk(node: Node | None) -> Iterator[Node]:
    """A node and all below it, in order."""
    found = [node] if node is not None else []
    while found:
        node = found.pop()
        yield node
        found += reversed(node.children)


def _unconditional(top: Node, *lists: str) -> Iterator[Node]:
    """The entries of a list and of lists in it, in order, whatever #if they are behind."""
    found = [top]
    while found:
        node = found.pop()
        if node.type.startswith("preproc_if") or node.type in (
            "preproc_else", "preproc_elif", *lists
        ):  # fmt: skip
            found += reversed(node.children)
        else:
            yield node


def _type(kind: Node) -> str:
    """A type as it is called; "struct" for one without a name."""
    if kind.type != "struct_specifier":
        return " ".join(text(kind).split())
    return f"struct {text(kind.child_by_field_name('name'))}".strip()


def _first_error(node: Node) -> Node | None:
    if node.type == "ERROR" or node.is_missing:
        return node
    value = node.child_by_field_name("value")
    found = (_first_error(child) for child in node.children if child.has_error and child != value)
    return next(filter(None, found), None)


def declared(node: Node | None) -> tuple[str, tuple[str, ...], bool]:
    """The name of the variable that a declarator declares, the sizes of its arrays, and whether it
    is a pointer."""
    sizes: list[str] = []
    pointer = False
    while node is not None:
        if node.type in ("identifier", "field_identifier"):
            return text(node), tuple(reversed(sizes)), pointer
        if node.type in ("array_declarator", "abstract_array_declarator"):
            size = node.child_by_field_name("size")
            sizes.append(text(size) if size is not None else "")
        elif node.type in ("pointer_declarator", "abstract_pointer_declarator"):
            pointer = True
        elif node.type != "init_declarator":
            break
        node = node.child_by_field_name("declarator")
    return "", tuple(reversed(sizes)), pointer


def _comment(node: Node | None) -> str:
    """The words of a comment."""
    if node is None or node.type != "comment":
        return ""
    comment = re.sub(r"(?m)^\s*(?:\*(?!/)|//+[!/<]*)|^\s*/\*+[!<]*|\*+/\s*$", " ", text(node))
    return " ".join(_RULER.sub(" ", comment).split())


def _comment_above(node: Node) -> str:
    before = node.prev_sibling
    near = before is not None and node.start_point.row - before.end_point.row <= 1
    return _comment(before) if near else ""


def _comment_beside(node: Node) -> str:
    """The comment in the line of a member, or else the only one in the line above."""
    behind, before = node.next_sibling, node.prev_sibling
    if behind is not None and behind.start_point.row == node.end_point.row:
        return _comment(behind)
    earlier = before.prev_sibling if before is not None else None
    if before and earlier and earlier.end_point.row == before.start_point.row:
        return ""
    return _comment_above(node)


def opened(paths: list[Path]) -> list[File]:
    """The files, parsed. Raises UsageError for one that cannot be read, or without the grammar."""
    files = []
    for path in paths:
        try:
            files.append(File(str(path), parsed(path.read_bytes())))
        except OSError as error:
            raise UsageError(f"cannot read {path}: {reason(error)}") from error
    return files


def declarations(files: list[File]) -> Source:
    """The declarations in files; of variables of one name the definition, or the first."""
    variables: dict[str, Member] = {}
    shared: set[str] = set()
    for extern in (False, True):
        for one in (one for file in files for one in file.variables(extern=extern)):
            first = variables.setdefault(one.name, one)
            own = "static" in first.storage | one.storage or first.type != one.type
            if own and first.place.path != one.place.path:
                shared.add(one.name)
    fields: dict[str, set[str]] = {}
    for name, kind in (pair for file in files for pair in file.fields()):
        fields.setdefault(name, set()).add(kind)
    whole = "\n".join(text(file.root) for file in files)
    return Source(
        tuple(one for file in files for one in file.structs()),
        tuple(variables.values()),
        {name: int(number, 0) for name, number in _NUMBER.findall(whole)},
        dict(pair for file in files for pair in file.aliases()),
        tuple(p for file in files for p in file.strange()),
        frozenset(_POINTED.findall(whole)),
        frozenset(shared),
        fields,
    )

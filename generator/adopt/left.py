# SPDX-License-Identifier: BSD-3-Clause
"""What is still done with the counters that a schema is proposed for: what no patch has changed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..model.naming.symbols import prefix
from .propose import Proposal
from .source import Place, root

if TYPE_CHECKING:
    from tree_sitter import Node

_PARSE_ERROR = re.compile(
    r'^parse error\s*\n = File "(?P<path>[^"]+)", line (?P<line>\d+), column (?P<column>\d+),.*\n'
    r".*\n  whole content = (?P<text>.*)$",
    re.MULTILINE,
)
COCCINELLE = "spatch"
_ACCESS = ("field_expression", "subscript_expression", "parenthesized_expression")


@dataclass(frozen=True)
class Use:
    """Something that a person has to look at."""

    place: Place
    what: str


@dataclass(frozen=True)
class Known:
    """What counters are part of: variables and members that are structs of them, the names of
    these structs, and the counters' own names; the prefix of calls that are right."""

    holders: frozenset[str]
    tags: frozenset[str]
    members: frozenset[str]
    prefix: str

    def text(self) -> re.Pattern[str]:
        """Where one is mentioned in text that is not parsed."""
        return re.compile(rf"\b(?:{'|'.join(sorted(self.holders))})\b")


def known(proposal: Proposal) -> Known:
    """What to look for."""
    origins = [one for scope in proposal.scopes for one in scope.origins]
    return Known(
        frozenset(one.variable for one in origins),
        frozenset(one.tag for one in origins if one.tag),
        frozenset(name for one in origins for name in one.path),
        prefix(proposal.module),
    )


def _text(node: Node | None) -> str:
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def _walk(node: Node) -> Iterator[Node]:
    found = [node]
    while found:
        node = found.pop()
        yield node
        found += reversed(node.children)


def _access(node: Node) -> Node:
    """All of an access that begins at a name: stats[i].rx of stats."""
    while (above := node.parent) is not None and above.type in _ACCESS:
        if above.type == "subscript_expression" and above.child_by_field_name("argument") != node:
            break
        node = above
    return node


def _called(node: Node) -> str:
    """The function whose argument this is."""
    above = node.parent
    while above is not None and above.type in ("cast_expression", "pointer_expression"):
        above = above.parent
    call = above.parent if above is not None and above.type == "argument_list" else None
    return _text(call.child_by_field_name("function")) if call is not None else ""


def _done(access: Node) -> str:
    """What is done with it."""
    above = access.parent
    if above is None:
        return "is used"
    alone = above.parent is not None and above.parent.type == "expression_statement"
    operator = _text(above.child_by_field_name("operator"))
    function = _called(access)
    if function.startswith("mem"):
        return f"goes to {function}(): a reset is of a whole scope"
    if above.type == "pointer_expression" and operator == "&":
        if "atomic" in function or function.startswith("__sync"):
            return f"goes to {function}(), and no patch has changed it"
        return "has its address taken: a counter of generated code has none"
    if above.type == "sizeof_expression":
        return "is in a sizeof"
    changed = access in (above.child_by_field_name("left"), above.child_by_field_name("argument"))
    if changed and operator in ("--", "-="):
        return "goes down: make it a gauge"
    if changed and operator in ("++", "+="):
        return "is added to" + ("" if alone else ", and the value used")
    if changed and operator == "=":
        return "is assigned: a counter is only added to, and reset with its scope"
    if above.type == "binary_expression" and operator in ("==", "!=", "<", ">", "<=", ">="):
        return "is compared"
    return f"is read, by {function}()" if function else "is read"


def _pointers(function: Node, tags: frozenset[str]) -> set[str]:
    """Names of parameters and variables that point to such structs."""
    found = set()
    for node in _walk(function):
        if node.type in ("parameter_declaration", "declaration"):
            kind = node.child_by_field_name("type")
            tag = kind.child_by_field_name("name") if kind is not None else None
            if _text(tag or kind) in tags:
                for one in node.children_by_field_name("declarator"):
                    found |= {_text(n) for n in _walk(one) if n.type == "identifier"}
    return found


def _in_function(function: Node, seen: Known, path: str) -> Iterator[Use]:
    names = seen.holders | _pointers(function, seen.tags)
    before = -1
    for node in _walk(function):
        name = _text(node)
        if node.type not in ("identifier", "field_identifier") or name not in names:
            continue
        access = _access(node)
        fields = {_text(n) for n in _walk(access) if n.type == "field_identifier"} - {name}
        if node.end_byte <= before or (fields and not fields & seen.members):
            continue
        before = access.end_byte
        if access.parent is not None and access.parent.type.endswith("declarator"):
            if _in_doubt(access):
                yield Use(_place(path, access), f"{name} stands in what is not understood")
            continue
        if _called(access).startswith(f"{seen.prefix}_"):
            continue
        yield Use(_place(path, access), f"{' '.join(_text(access).split())} {_done(access)}")


def _in_doubt(node: Node | None) -> bool:
    """Whether what looks like a declaration may be something else."""
    while node is not None and node.type != "declaration":
        node = node.parent
    return node is not None and node.has_error


def _place(path: str, node: Node) -> Place:
    return Place(path, node.start_point.row + 1, node.start_point.column + 1)


def _in_macro(node: Node, seen: Known, path: str) -> Iterator[Use]:
    """Of a macro, which is text to the parser."""
    value = node.child_by_field_name("value")
    match = seen.text().search(_text(value)) if value is not None else None
    if match:
        name = _text(node.child_by_field_name("name"))
        yield Use(
            _place(path, node), f"{match[0]} is in the macro {name}: patches do not look into it"
        )


def unparsed(path: Path, macros: Path) -> Iterator[Use]:
    """Where coccinelle does not parse, so that its patches leave a function as it is.

    Nothing without it.
    """
    if shutil.which(COCCINELLE) is None:
        return
    done = subprocess.run(
        [COCCINELLE, "--macro-file", str(macros), "--parse-c", str(path)],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    for match in _PARSE_ERROR.finditer(done.stdout + done.stderr):
        if match["path"] == str(path) and not match["text"].lstrip().startswith("#define"):
            place = Place(str(path), int(match["line"]), int(match["column"]) + 1)
            yield Use(place, "coccinelle does not parse this: patches leave what is around it")


def uses(paths: list[Path], proposal: Proposal, macros: Path) -> list[Use]:
    """What is left in files, in their order."""
    seen, found = known(proposal), []
    for path in paths if seen.holders else ():
        here: list[Use] = []
        top = root(path)
        for node in _walk(top):
            if node.type == "function_definition":
                here += _in_function(node, seen, str(path))
            elif node.type in ("preproc_def", "preproc_function_def"):
                here += _in_macro(node, seen, str(path))
        if seen.text().search(_text(top)):
            here += unparsed(path, macros)
        # Macros that look like functions make one inside of another of it.
        found += sorted(set(here), key=lambda one: (one.place.line, one.place.column))
    return found

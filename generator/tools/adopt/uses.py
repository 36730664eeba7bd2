# SPDX-License-Identifier: BSD-3-Clause
"""Uses of variables and members in functions, by name: types are not resolved, macros not expanded.

A counter is only added to, and decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from .source import File, declared, text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_ACCESS = ("field_expression", "subscript_expression", "parenthesized_expression")
_CONDITIONS = (
    "if_statement", "while_statement", "do_statement", "for_statement", "switch_statement",
    "conditional_expression", "unary_expression",
)  # fmt: skip
_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=", "&&", "||")
_ZERO = re.compile(r"0[uUlL]*|\{\s*0?\s*\}")
_COUNTER = frozenset(("add", "read", "zero", "address"))
"""What is done to counters."""


class Action(NamedTuple):
    """A use: its kind, and in words for a report."""

    kind: str
    words: str


def access(node: Node) -> Node:
    """All of an access that begins at a name: stats[i].rx of stats."""
    while (above := node.parent) is not None and above.type in _ACCESS:
        if above.type == "subscript_expression" and above.child_by_field_name("argument") != node:
            break
        outer = above.parent if above.type == "parenthesized_expression" else None
        if outer is not None and outer.type in _CONDITIONS:
            break
        node = above
    return node


def called(node: Node) -> str:
    """The function whose argument this is."""
    above = node.parent
    while above is not None and above.type in ("cast_expression", "pointer_expression"):
        above = above.parent
    call = above.parent if above is not None and above.type == "argument_list" else None
    return text(call.child_by_field_name("function")) if call is not None else ""


def action(node: Node) -> Action:
    """The effect of a function on an access: read, add, other use."""
    above = node.parent
    if above is None:
        return Action("used", "is used")
    operator = text(above.child_by_field_name("operator"))
    function = called(node)
    if function.startswith("mem"):
        return Action("zero", f"goes to {function}(): a reset is of a whole scope")
    if above.type == "pointer_expression" and operator == "&":
        return _by_address(above, function)
    if above.type == "sizeof_expression":
        return Action("read", "is in a sizeof")
    if node in (above.child_by_field_name("left"), above.child_by_field_name("argument")):
        changed = _changed(above, operator)
        if changed is not None:
            return changed
    if above.type == "binary_expression" and operator in _COMPARISONS:
        return Action("compare", "is compared")
    outer = above.parent if above.type == "parenthesized_expression" else above
    decides = outer is not None and outer.type in _CONDITIONS
    if decides and node != above.child_by_field_name("update"):
        return Action("compare", "is read")
    if above.type == "subscript_expression":
        return Action("index", "is read")
    return Action("read", f"is read, by {function}()" if function else "is read")


def _by_address(above: Node, function: str) -> Action:
    """Its address goes to a function, mostly to an atomic one."""
    if "atomic" not in function and not function.startswith("__sync"):
        return Action("address", "has its address taken: a counter of generated code has none")
    words = f"goes to {function}(), and no patch has changed it"
    call = above.parent and above.parent.parent
    if re.search(r"_add|_inc", function):
        return Action("add" if call is not None and _alone(call) else "used", words)
    zero = re.search(r"_(?:init|clear)\b", function) or re.search(r",\s*0\s*[,)]", text(call))
    return Action("zero" if zero else "read" if re.search("read|load", function) else "set", words)


def _changed(above: Node, operator: str) -> Action | None:
    if operator in ("--", "-="):
        return Action("down", "goes down: make it a gauge")
    value = above.child_by_field_name("right")
    if operator in ("++", "+="):
        if _alone(above):
            return Action("add", "is added to")
        return Action("used", "is added to, and the value used")
    if above.type != "assignment_expression":
        return None
    left = " ".join(text(above.child_by_field_name("left")).split())
    while value is not None and value.type == "assignment_expression":
        value = value.child_by_field_name("right")
    said = "is assigned: a counter is only added to, and reset with its scope"
    if re.match(re.escape(left) + r"\s*\+", text(value)):
        return Action("add", said)
    return Action("zero" if _ZERO.fullmatch(text(value)) else "set", said)


def _alone(node: Node) -> bool:
    """Whether no value is used."""
    above = node.parent
    while above is not None and above.type in ("comma_expression", "parenthesized_expression"):
        above = above.parent
    return above is not None and above.type == "expression_statement"


def _in_functions(files: list[File]) -> Iterator[Node]:
    for file in files:
        for node in walk(file.root):
            if node.type == "function_definition":
                yield from walk(node)


class Uses:
    """What the functions of files do to variables and members, by their names. `local` are names
    that functions declare, `copied` the types of those."""

    def __init__(self, files: list[File]) -> None:
        self._kinds: dict[str, set[str]] = {}
        self.local, self.copied = set[str](), set[str]()
        for node in _in_functions(files):
            if node.type in ("parameter_declaration", "declaration"):
                found = [declared(n) for n in node.children_by_field_name("declarator")]
                self.local |= {name for name, *_ in found}
                if not all(pointer for *_, pointer in found):
                    self.copied.add(text(node.child_by_field_name("type")))
            if node.type not in ("identifier", "field_identifier"):
                continue
            whole = access(node)
            named = [n for n in walk(whole) if n.type == "field_identifier"][-1:] or [node]
            if named[0] == node and not (whole.parent and "declarator" in whole.parent.type):
                self._kinds.setdefault(text(node), set()).add(action(whole).kind)

    def adds(self, name: str) -> bool:
        """Whether it is added to."""
        return "add" in self._kinds.get(name, ())

    def counts(self, name: str) -> bool:
        """Whether it is only added to, outside of functions that have a variable of the name."""
        return self.adds(name) and name not in self.local and self._kinds[name] <= _COUNTER

    def sinks(self, name: str) -> bool:
        """Whether it goes down."""
        return "down" in self._kinds.get(name, ())

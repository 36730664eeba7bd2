# SPDX-License-Identifier: BSD-3-Clause
"""Uses of variables and members in functions, by name: types are not resolved, macros not expanded.

A counter is only added to, and decides nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
"""Operations on counters."""


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


def effect(node: Node) -> str:
    """The effect of a function on an access: read, add, other use."""
    above = node.parent
    if above is None:
        return "used"
    operator = text(above.child_by_field_name("operator"))
    function = called(node)
    if function.startswith("mem"):
        return "zero"
    if above.type == "pointer_expression" and operator == "&":
        return _by_address(above, function)
    if above.type == "sizeof_expression":
        return "read"
    if node in (above.child_by_field_name("left"), above.child_by_field_name("argument")):
        changed = _changed(above, operator)
        if changed:
            return changed
    if above.type == "binary_expression" and operator in _COMPARISONS:
        return "compare"
    outer = above.parent if above.type == "parenthesized_expression" else above
    decides = outer is not None and outer.type in _CONDITIONS
    if decides and node != above.child_by_field_name("update"):
        return "compare"
    return "index" if above.type == "subscript_expression" else "read"


def _by_address(above: Node, function: str) -> str:
    """Its address goes to a function, mostly to an atomic one."""
    if "atomic" not in function and not function.startswith("__sync"):
        return "address"
    call = above.parent and above.parent.parent
    if re.search(r"_add|_inc", function):
        return "add" if call is not None and _alone(call) else "used"
    zero = re.search(r"_(?:init|clear)\b", function) or re.search(r",\s*0\s*[,)]", text(call))
    return "zero" if zero else "read" if re.search("read|load", function) else "set"


def _changed(above: Node, operator: str) -> str:
    """The effect of an operator on what is left of it; empty if it changes nothing."""
    if operator in ("--", "-="):
        return "down"
    value = above.child_by_field_name("right")
    if operator in ("++", "+="):
        return "add" if _alone(above) else "used"
    if above.type != "assignment_expression":
        return ""
    left = " ".join(text(above.child_by_field_name("left")).split())
    while value is not None and value.type == "assignment_expression":
        value = value.child_by_field_name("right")
    if re.match(re.escape(left) + r"\s*\+", text(value)):
        return "add"
    return "zero" if _ZERO.fullmatch(text(value)) else "set"


def _alone(node: Node) -> bool:
    """Whether no value is used."""
    above = node.parent
    while above is not None and above.type in ("comma_expression", "parenthesized_expression"):
        above = above.parent
    return above is not None and above.type == "expression_statement"


class Uses:
    """What the functions of files do to variables and members, by their names. `local` are names
    that functions declare, `copied` the types of those."""

    def __init__(self, files: list[File]) -> None:
        self._kinds: dict[str, set[str]] = {}
        self.local, self.copied = set[str](), set[str]()
        nodes = (node for file in files for node in walk(file.root))
        functions = (node for node in nodes if node.type == "function_definition")
        for node in (node for function in functions for node in walk(function)):
            if node.type in ("parameter_declaration", "declaration"):
                found = [declared(n) for n in node.children_by_field_name("declarator")]
                self.local |= {name for name, *_ in found}
                passed = node.type == "parameter_declaration"
                if not all(pointer or (passed and sizes) for _, sizes, pointer in found):
                    self.copied.add(text(node.child_by_field_name("type")))
            if node.type not in ("identifier", "field_identifier"):
                continue
            whole = access(node)
            named = [n for n in walk(whole) if n.type == "field_identifier"][-1:] or [node]
            if named[0] == node and not (whole.parent and "declarator" in whole.parent.type):
                self._kinds.setdefault(text(node), set()).add(effect(whole))

    def adds(self, name: str) -> bool:
        """Whether it is added to."""
        return "add" in self._kinds.get(name, ())

    def counts(self, name: str) -> bool:
        """Whether it is only added to, outside of functions that have a variable of the name."""
        return self.adds(name) and name not in self.local and self._kinds[name] <= _COUNTER

    def decides(self, name: str) -> bool:
        """Whether it would count, if it were not compared, too."""
        kinds = self._kinds.get(name, set())
        return self.adds(name) and name not in self.local and kinds - _COUNTER == {"compare"}

    def sinks(self, name: str) -> bool:
        """Whether it goes down."""
        return "down" in self._kinds.get(name, ())

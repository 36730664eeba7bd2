# SPDX-License-Identifier: BSD-3-Clause
"""Uses of variables and members in functions, by name: types are not resolved.

A counter is only added to, and decides nothing. Macros of the same files that add are expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .source import File, Place, declared, function_name, parsed, text, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_ACCESS = ("field_expression", "subscript_expression", "parenthesized_expression")
_DECLARATORS = (
    "declaration", "parameter_declaration", "array_declarator", "pointer_declarator",
    "function_declarator",
)  # fmt: skip
_CONDITIONS = (
    "if_statement", "while_statement", "do_statement", "for_statement", "switch_statement",
    "conditional_expression", "unary_expression",
)  # fmt: skip
_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=", "&&", "||")
_ADDS = re.compile(r"\+\+|\+=|_add|_inc")
_START = re.compile(r"main|.*(?:init|config|cfg|setup|args|argv|option|token).*", re.IGNORECASE)
"""Functions of the start of a program: what these add to is statistics in endless loops only."""
_ZERO = re.compile(r"0[uUlL]*|\{\s*0?\s*\}")
_NATURAL = re.compile(r"pkt|packet|frame|byte|octet|drop|lost|miss|err|fail|recv|received|sent")
"""Names of counters, which may be compared with zero before they are printed."""
_DEPTH = 3
"""Macros in macros that are expanded."""


@dataclass(frozen=True)
class Action:
    """A use: its kind, and in words for a report."""

    kind: str
    words: str


@dataclass(frozen=True)
class Use:
    """An action, its location, and what it is done to."""

    action: Action
    place: Place
    key: str = ""


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
        return Action("test" if _ZERO.fullmatch(_other(above, node)) else "compare", "is compared")
    if _decides(above, node):
        return Action("test", "is read")
    if above.type == "subscript_expression":
        return Action("index", "is read")
    return Action("read", f"is read, by {function}()" if function else "is read")


def _other(above: Node, node: Node) -> str:
    """The other operand; 0 if there is a logical operator in between."""
    logical = text(above.child_by_field_name("operator")) in ("&&", "||")
    others = (one for one in above.named_children if one != node)
    return "0" if logical else text(next(others, None))


def _decides(above: Node, node: Node) -> bool:
    if above.type == "parenthesized_expression" and above.parent is not None:
        above, node = above.parent, above
    return above.type in _CONDITIONS and node != above.child_by_field_name("update")


def _by_address(above: Node, function: str) -> Action:
    """Its address goes to a function, mostly to an atomic one."""
    if "atomic" not in function and not function.startswith("__sync"):
        return Action("address", "has its address taken: a counter of generated code has none")
    words = f"goes to {function}(), and no patch has changed it"
    call = above.parent and above.parent.parent
    if re.search(r"_(?:sub|dec)", function):
        return Action("down", words)
    if _ADDS.search(function):
        alone = call is not None and _alone(call)
        return Action("add" if alone else "used", words)
    if re.search(r"_(?:init|clear)\b", function) or re.search(r",\s*0\s*[,)]", text(above.parent)):
        return Action("zero", words)
    return Action("read" if re.search("read|load", function) else "set", words)


def _changed(above: Node, operator: str) -> Action | None:
    if operator in ("--", "-="):
        return Action("down", "goes down: make it a gauge")
    value = above.child_by_field_name("right")
    if operator in ("++", "+="):
        alone = _alone(above)
        said = "is added to" + ("" if alone else ", and the value used")
        return Action("add" if alone else "used", said)
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


def _name(node: Node, field: str = "name") -> str:
    return text(node.child_by_field_name(field))


def _substituted(body: str, values: dict[str, str]) -> str:
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda match: values.get(match[0], match[0]), body)


def _repeated(node: Node | None) -> bool:
    """Whether it is in a loop that does not count."""
    while node is not None:
        endless = node.type == "for_statement" and not node.child_by_field_name("condition")
        if endless or node.type in ("while_statement", "do_statement"):
            return True
        node = node.parent
    return False


def leaf(node: Node | None) -> str:
    """The name of the variable of an access, or its members, each with a dot before it."""
    members = ""
    while node is not None and node.type in _ACCESS:
        if node.type == "field_expression":
            members = f".{text(node.child_by_field_name('field'))}{members}"
        inner = node.child_by_field_name("argument")
        node = inner or next(iter(node.named_children), None)
    return members or (text(node) if node is not None and node.type == "identifier" else "")


def accesses(top: Node | None) -> Iterator[Node]:
    """Accesses below a node, each as a whole, in order."""
    seen = set()
    for node in walk(top):
        above = node.parent
        if node.type not in ("identifier", *_ACCESS[:2]) or above is None:
            continue
        if node in (above.child_by_field_name("declarator"), above.child_by_field_name("function")):
            continue
        if above.type in (_ACCESS[0], *_DECLARATORS):
            continue
        if above.type == _ACCESS[1] and above.child_by_field_name("argument") == node:
            continue
        whole = access(node)
        span = (whole.start_byte, whole.end_byte)
        if span not in seen:
            seen.add(span)
            yield whole


def locals_of(function: Node) -> frozenset[str]:
    """Names of the parameters and variables that a function declares."""
    nodes = (n for n in walk(function) if n.type in ("parameter_declaration", "declaration"))
    found = (declared(one)[0] for n in nodes for one in n.children_by_field_name("declarator"))
    return frozenset(filter(None, found))


class Uses:
    """Uses in files.

    Keys: `x` of a variable, `f:x` of a variable of function f, `.x.y` of a member.
    """

    def __init__(self, files: list[File]) -> None:
        self._macros: dict[str, list[tuple[list[str], str]]] = {}
        self._found: dict[str, list[Use]] = {}
        self.local: set[str] = set()
        for file in files:
            for node in walk(file.root):
                names = node.child_by_field_name("parameters")
                if node.type == "preproc_function_def" and names is not None:
                    body = text(node.child_by_field_name("value")).replace("\\\n", " ")
                    entry = ([text(name) for name in names.named_children], body)
                    self._macros.setdefault(_name(node), []).append(entry)
        for file in files:
            for node in walk(file.root):
                if node.type == "function_definition":
                    self._read(node, file)

    def _read(self, function: Node, file: File) -> None:
        name, own = function_name(function), locals_of(function)
        self.local |= own
        for used, at in self._accesses(function.child_by_field_name("body")):
            key, did = leaf(used), action(used)
            if did.kind == "add" and not _repeated(at) and (key in own or _START.fullmatch(name)):
                words = f"is added to in {name}(), outside of a while loop"
                did = replace(did, kind="once", words=words)
            key = f"{name}:{key}" if key in own else key
            use = Use(did, file.place(at), key)
            self._found.setdefault(key.rpartition(".")[2], []).append(use)

    def _accesses(self, body: Node | None) -> Iterator[tuple[Node, Node]]:
        """Accesses with their location, also in macros that add, where these are called."""
        for used in accesses(body):
            yield used, used
        for node in walk(body):
            if node.type == "call_expression":
                for expanded in self._expanded(node, _DEPTH):
                    for used in accesses(expanded):
                        yield used, node

    def _expanded(self, call: Node, depth: int) -> Iterator[Node]:
        given = call.child_by_field_name("arguments")
        words = [text(one) for one in given.named_children] if given is not None else []
        for names, body in self._macros.get(_name(call, "function"), ()) if depth else ():
            if len(names) == len(words):
                body = _substituted(body, dict(zip(names, words, strict=True)))
                top = parsed(f"void f(void) {{ {body}; }}".encode())
                if _ADDS.search(body):
                    yield top
                for node in walk(top):
                    if node.type == "call_expression":
                        yield from self._expanded(node, depth - 1)

    def of(self, key: str) -> Iterator[Use]:
        """The uses of what has a key, with as many members as are known of both."""
        for use in self._found.get(key.rpartition(".")[2], ()):
            known = "." in key and "." in use.key
            if use.key == key or (known and (key.endswith(use.key) or use.key.endswith(key))):
                yield use

    def kinds(self, key: str) -> dict[str, Use]:
        """The first use of each kind."""
        found: dict[str, Use] = {}
        for use in self.of(key):
            found.setdefault(use.action.kind, use)
        return found

    def decisive(self, key: str, *allowed: str) -> Use | None:
        """The first use that no counter has, such as a comparison."""
        found = self.kinds(key)
        kinds = ("down", "set", "used", "index", "compare", "test", "once")
        return next((found[kind] for kind in kinds if kind in found and kind not in allowed), None)

    def counts(self, key: str) -> bool:
        """Whether it is only added to, and decides nothing."""
        allowed = ("test",) if _NATURAL.search(key.rpartition(".")[2].lower()) else ()
        return "add" in self.kinds(key) and self.decisive(key, *allowed) is None

# SPDX-License-Identifier: BSD-3-Clause
"""Remaining uses of the counters of a proposed schema: accesses that no patch has changed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...model.naming.symbols import prefix
from .propose import Proposal
from .source import File, Place, text, walk
from .uses import access, action, called

if TYPE_CHECKING:
    from tree_sitter import Node

Left = tuple[Place, str]
"""Where a counter is used, and how."""

_PARSE_ERROR = re.compile(
    r'^parse error\s*\n = File "(?P<path>[^"]+)", line (?P<line>\d+), column (?P<column>\d+),.*\n'
    r".*\n  whole content = (?P<text>.*)$",
    re.MULTILINE,
)
COCCINELLE = "spatch"


def uses(files: list[File], proposal: Proposal, former: Iterable[str], macros: Path) -> list[Left]:
    """Remaining uses, in the order of the files, of the counters of a proposal and of a `former`
    one: patches have replaced the adds that identified those."""
    origins, former_paths = proposal.origins, [name.split(".") for name in former]
    holders = {one.variable for one in origins} | {path[0] for path in former_paths}
    tags = {one.tag for one in origins if one.tag}
    members = {name for path in (*(one.path for one in origins), *(p[1:] for p in former_paths))
               for name in path}  # fmt: skip
    mentioned = re.compile(rf"\b(?:{'|'.join(sorted(holders))})\b")
    calls, found = f"{prefix(proposal.module)}_", list[Left]()
    for file in files if holders else ():
        here: list[Left] = []
        for node in walk(file.root):
            if node.type == "function_definition":
                here += _in_function(node, holders | _pointers(node, tags), members, calls, file)
            elif node.type in ("preproc_def", "preproc_function_def"):  # text to the parser
                name, value = (node.child_by_field_name(field) for field in ("name", "value"))
                if match := mentioned.search(text(value)):
                    words = f"{match[0]} is in the macro {text(name)}: patches do not look into it"
                    here.append((file.place(node), words))
        if mentioned.search(text(file.root)):
            here += unparsed(Path(file.path), macros)
        # Macros that look like functions make one inside of another of it.
        found += sorted(set(here))
    return found


def _pointers(function: Node, tags: set[str]) -> set[str]:
    """Names of parameters and variables that point to such structs."""
    found = set()
    for node in walk(function):
        if node.type in ("parameter_declaration", "declaration"):
            kind = node.child_by_field_name("type")
            tag = kind.child_by_field_name("name") if kind is not None else None
            if text(tag or kind) in tags:
                for one in node.children_by_field_name("declarator"):
                    found |= {text(n) for n in walk(one) if n.type == "identifier"}
    return found


def _in_function(
    function: Node, names: set[str], members: set[str], calls: str, file: File
) -> Iterator[Left]:
    """Uses of these variables and of these members, except arguments of `calls`."""
    before = -1
    for node in walk(function):
        name = text(node)
        if node.type not in ("identifier", "field_identifier") or name not in names:
            continue
        whole = access(node)
        fields = {text(n) for n in walk(whole) if n.type == "field_identifier"} - {name}
        if node.end_byte <= before or (fields and not fields & members):
            continue
        before = whole.end_byte
        if whole.parent is not None and whole.parent.type.endswith("declarator"):
            if _in_doubt(whole):
                yield file.place(whole), f"{name} is in a declaration that is not understood"
        elif not called(whole).startswith(calls):
            shown = " ".join(text(whole).split())
            yield file.place(whole), f"{shown} {action(whole).words}"


def _in_doubt(node: Node | None) -> bool:
    """Whether what looks like a declaration may be something else."""
    while node is not None and node.type != "declaration":
        node = node.parent
    return node is not None and node.has_error


def unparsed(path: Path, macros: Path) -> Iterator[Left]:
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
            where = Place(str(path), int(match["line"]), int(match["column"]) + 1)
            yield where, "coccinelle does not parse this: patches leave what is around it"

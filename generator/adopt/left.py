# SPDX-License-Identifier: BSD-3-Clause
"""What is still done with the counters that a schema is proposed for: what no patch has changed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..model.naming.symbols import prefix
from .propose import Proposal
from .source import File, Place, text, walk
from .uses import Action, Use, access, action, called

if TYPE_CHECKING:
    from tree_sitter import Node

_PARSE_ERROR = re.compile(
    r'^parse error\s*\n = File "(?P<path>[^"]+)", line (?P<line>\d+), column (?P<column>\d+),.*\n'
    r".*\n  whole content = (?P<text>.*)$",
    re.MULTILINE,
)
COCCINELLE = "spatch"


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


def known(proposal: Proposal, former: Iterable[str]) -> Known:
    """What to look for: the counters of a proposal, and those that a former one had: patches have
    changed the adds that they were known by."""
    origins = proposal.origins
    paths = [name.split(".") for name in former]
    return Known(
        frozenset([*(one.variable for one in origins), *(path[0] for path in paths)]),
        frozenset(one.tag for one in origins if one.tag),
        frozenset(
            name
            for path in (*(one.path for one in origins), *(p[1:] for p in paths))
            for name in path
        ),
        prefix(proposal.module),
    )


def _pointers(function: Node, tags: frozenset[str]) -> set[str]:
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


def _in_function(function: Node, seen: Known, file: File) -> Iterator[Use]:
    names = seen.holders | _pointers(function, seen.tags)
    before = -1
    for node in walk(function):
        name = text(node)
        if node.type not in ("identifier", "field_identifier") or name not in names:
            continue
        whole = access(node)
        fields = {text(n) for n in walk(whole) if n.type == "field_identifier"} - {name}
        if node.end_byte <= before or (fields and not fields & seen.members):
            continue
        before = whole.end_byte
        if whole.parent is not None and whole.parent.type.endswith("declarator"):
            if _in_doubt(whole):
                yield _left(file.place(whole), f"{name} stands in what is not understood")
        elif not called(whole).startswith(f"{seen.prefix}_"):
            shown = " ".join(text(whole).split())
            yield _left(file.place(whole), f"{shown} {action(whole).words}")


def _left(where: Place, words: str) -> Use:
    return Use(Action("left", words), where)


def _in_doubt(node: Node | None) -> bool:
    """Whether what looks like a declaration may be something else."""
    while node is not None and node.type != "declaration":
        node = node.parent
    return node is not None and node.has_error


def _in_macro(node: Node, seen: Known, file: File) -> Iterator[Use]:
    """Of a macro, which is text to the parser."""
    value = node.child_by_field_name("value")
    match = seen.text().search(text(value)) if value is not None else None
    if match:
        name = text(node.child_by_field_name("name"))
        words = f"{match[0]} is in the macro {name}: patches do not look into it"
        yield _left(file.place(node), words)


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
            where = Place(str(path), int(match["line"]), int(match["column"]) + 1)
            yield _left(where, "coccinelle does not parse this: patches leave what is around it")


def uses(files: list[File], proposal: Proposal, former: Iterable[str], macros: Path) -> list[Use]:
    """What is left in files, in their order."""
    seen, found = known(proposal, former), []
    for file in files if seen.holders else ():
        here: list[Use] = []
        for node in walk(file.root):
            if node.type == "function_definition":
                here += _in_function(node, seen, file)
            elif node.type in ("preproc_def", "preproc_function_def"):
                here += _in_macro(node, seen, file)
        if seen.text().search(text(file.root)):
            here += unparsed(Path(file.path), macros)
        # Macros that look like functions make one inside of another of it.
        found += sorted(set(here), key=lambda one: (one.place.line, one.place.column))
    return found

# SPDX-License-Identifier: BSD-3-Clause
"""C names of what users name and functions take: index and arguments.

They stay as they are written, unless generated functions have that word for something
else. Which words those are is read from the text of the templates, so that nothing
lists the local variables of generated functions.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable
from importlib import resources

from ...output.render import environment

COMMON = ("c", "bench")
"""Folders whose templates make functions that have users' names in them."""

DERIVED = ("{}_v", "{}_last", "{}_node", "{}_data", "{}_common", "last_{}", "total_{}")
"""What generated functions call variables that they make from a parameter."""

_TAG = "\0"
"""Stands for what a template puts between two pieces of text."""
_SKIPPED = re.compile(r"/\*.*?\*/|\"[^\"\n]*\"|^#.*?$", re.DOTALL | re.MULTILINE)
_NO_CODE = re.compile(r"\w*\Z|.*(\.|\.j2)\Z", re.DOTALL)
_WORD = re.compile(rf"(?<![\w.{_TAG}])(?<!->)[a-z]\w*(?![\w{_TAG}])")


def _text(template: str) -> str:
    """What a template puts into C by itself, comments and literals of C left out.

    Of the template's strings, those that are one word, a path or a sentence are no C.
    """
    env = environment()
    assert env.loader is not None
    parts = []
    for _, kind, value in env.lex(env.loader.get_source(env, template)[0]):
        if kind == "data":
            parts.append(value)
        elif kind == "string" and not _NO_CODE.match(value[1:-1]):
            parts.append(f" {value[1:-1]} ")
        elif kind.endswith("_begin"):
            parts.append(_TAG)
    return _SKIPPED.sub(" ", "".join(parts))


@functools.cache
def words(strategies: frozenset[str]) -> frozenset[str]:
    """The words of C that the common templates, and those of some strategies, use."""
    root = resources.files("ctrgen.templates")
    folders = [*COMMON, *(f"c/sync/{strategy}" for strategy in strategies)]
    return frozenset(
        word
        for folder in folders
        for file in root.joinpath(folder).iterdir()
        if file.name.endswith(".j2") and "meson" not in file.name
        for word in _WORD.findall(_text(f"{folder}/{file.name}"))
    )


def variables(name: str) -> set[str]:
    """A parameter, and the variables that generated functions make from it."""
    return {name, *(pattern.format(name) for pattern in DERIVED)}


def assign(
    names: Iterable[str], taken: Collection[str], prefix: str, suffix: str
) -> dict[str, str]:
    """C names of parameters by their names in the schema, none of them `taken` or another's.

    One that cannot stay gets `suffix` behind it, or in front of the module's `prefix`, with
    which it could hide a function.
    """
    used = set(taken)
    chosen: dict[str, str] = {}
    for name in dict.fromkeys(names):
        c_name = f"{suffix[1:]}_{name}" if name.startswith(prefix) else name
        while not used.isdisjoint(variables(c_name)):
            c_name += suffix
        used |= variables(c_name)
        chosen[name] = c_name
    return chosen

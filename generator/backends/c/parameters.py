# SPDX-License-Identifier: BSD-3-Clause
"""C names of what users name and functions take: index and arguments.

They stay as they are written, unless generated functions have that word for something
else. Which words those are is read from the text of the templates, so that nothing
lists the local variables of generated functions.
"""

import functools
import re
from collections.abc import Iterable, Set
from importlib import resources

COMMON = ("c", "bench")
"""Folders whose templates make functions that have users' names in them."""

DERIVED = (
    *("{}_v", "{}_last", "{}_node", "{}_data", "{}_held", "{}_common", "last_{}", "total_{}"),
    *("{}_list", "{}_num", "{}_at", "{}_order", "{}_locks"),
)
"""Names of variables that generated functions derive from a parameter."""

_TAG = "\0"
"""Stands for what a template puts between two pieces of text."""
_SKIPPED = re.compile(r"/\*.*?\*/|\"[^\"\n]*\"|^#.*?$", re.DOTALL | re.MULTILINE)
_PIECES = re.compile(r"(.*?)(\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|\Z)", re.DOTALL)
_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_NO_CODE = re.compile(r"\w*\Z|.*(\.|\.j2)\Z", re.DOTALL)
_WORD = re.compile(rf"(?<![\w.{_TAG}])(?<!->)[a-z]\w*(?![\w{_TAG}])")


def _text(template: str) -> str:
    """The literal C text of a template, without comments and C literals.

    Strings of the template that are one word, a path or a sentence are not C.
    """
    parts = []
    for text, tag in _PIECES.findall(template):
        parts.append(text)
        if tag and not tag.startswith("{#"):
            parts.append(_TAG)
            strings = (string[1:-1] for string in _STRING.findall(tag))
            parts += [f" {string} " for string in strings if not _NO_CODE.match(string)]
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
        for word in _WORD.findall(_text(file.read_text("utf-8")))
    )


@functools.lru_cache(maxsize=1024)
def variables(name: str) -> frozenset[str]:
    """A parameter, and the variables that generated functions make from it."""
    return frozenset((name, *(pattern.format(name) for pattern in DERIVED)))


def assign(names: Iterable[str], taken: Set[str], prefix: str, suffix: str) -> dict[str, str]:
    """C names of parameters by their names in the schema, none of them `taken` or another's.

    One that cannot stay gets `suffix` behind it, or in front of the module's `prefix`, with
    which it could hide a function.
    """
    used: set[str] = set()
    chosen: dict[str, str] = {}
    for name in dict.fromkeys(names):
        c_name = f"{suffix[1:]}_{name}" if name.startswith(prefix) else name
        while not (taken.isdisjoint(derived := variables(c_name)) and used.isdisjoint(derived)):
            c_name += suffix
        used |= derived
        chosen[name] = c_name
    return chosen

# SPDX-License-Identifier: BSD-3-Clause
"""Names and free text in YANG modules. A name follows from one name of the MIB alone, which the
lock fixes: RFC 7950 section 11 allows no other for what was published."""

import functools
import re
import textwrap
from collections.abc import Sequence

_WORDS = re.compile(r"[iI]Pv[46]|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+|[0-9]+")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufdd0-\ufdef\ufffe\uffff]")


@functools.lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a name of the MIB in lower case: `epSessionPkts` has `ep`, `session`, `pkts`.
    Together they are the name itself, so that two names that differ by more than case do so here.
    """
    return tuple(word.lower() for word in _WORDS.findall(name))


def module_name(mib: str) -> str:
    """The name of a module: that of `EP-STATS-MIB` is `ep-stats`, that of `IP-MIB` is `ip-mib`, as
    RFC 8407 wants two words."""
    name = mib.lower()
    short = name.removesuffix("-mib")
    return short if "-" in short else name


def kebab(name: str, start: Sequence[str] = ()) -> str:
    """A name of the MIB as one of YANG, without the words that it starts with where it has all of
    them: `pkts` of `epSessionPkts` behind `ep` and `session`, else `ep-session-pkts`."""
    all_words = words(name)
    rest = all_words[len(start) :]
    behind = bool(rest) and all_words[: len(start)] == tuple(start) and rest[0][0].isalpha()
    return "-".join(rest if behind else all_words)


def common(name: str, other: Sequence[str]) -> int:
    """How many words at its start a name has in common with others; at least one is its own."""
    found = 0
    for one, two in zip(words(name)[:-1], other, strict=False):
        if one != two:
            break
        found += 1
    return found


def escape(text: str) -> str:
    """Free text for the inside of a double-quoted string."""
    return _FORBIDDEN.sub("\ufffd", text).replace("\\", "\\\\").replace('"', '\\"')


def quoted(text: str, indent: int, width: int = 72) -> str:
    """Free text as a string of several lines, each after `indent` spaces; blank lines separate
    paragraphs, other white space is folded."""
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n[ \t]*\n", text)]
    margin = " " * indent
    filled = (
        textwrap.fill(
            escape(part), width - indent - 1, break_long_words=False, break_on_hyphens=False
        )
        for part in paragraphs
        if part
    )
    body = "\n\n".join(textwrap.indent(part, f"{margin} ") for part in filled).lstrip()
    return f'{margin}"{body}"'

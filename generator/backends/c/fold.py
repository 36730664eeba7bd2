# SPDX-License-Identifier: BSD-3-Clause
"""The layout of generated C: lines as long as DPDK style allows, and functions of one statement on
one line, or on two."""

import re

from ...output.render import wrap

COLUMNS = 100
TAB = 8

_COMMENT = re.compile(r"(?P<tabs>\t*)/\*\*(?P<text>.*)\*/\Z")
_TRAILING = re.compile(r"(?P<tabs>\t*)(?P<code>.*\S)\s*/\*\*<(?P<text>.*)\*/\Z")
_LONG_HEAD = re.compile(r"([a-z][\w ]*[ *])(\w+\([^{}]*\))\Z")
_SINGLE = re.compile(r"^([a-z].*\))\n\{\n\t([^\n{}]*;)\n\}\n", re.MULTILINE)
"""A function of one statement."""
_ONE_LINE = re.compile(r"([a-z][^{}=]*\)) (\{ [^{}]*; \}.*)\Z")
_STRUCT = re.compile(
    r"^struct \w+ \{\n(?:\t[^\n{}/]*;\n)+\}.*;$"
    r"|^struct \w+ \{\n\t/\*\* Flags. @\{ \*/ [^\n{}/]*; /\*\* @\} \*/\n\};$",
    re.MULTILINE,
)
"""A struct without comments on its members, or of flags."""
_BREAKS = re.compile(r", | \? | == | && | \|\| | \+ (?=\(size_t\))| = (?=[({])|(?<=\) )(?=\*)")
_LAST = re.compile(r" = (?=[a-z&])| \+ |\w\((?=[\w&])|(?<=\])(?=\[)")
"""Where a line is broken that has no better place."""


def fold(text: str) -> str:
    """`text` in columns, with functions of one statement and structs without comments on a line."""
    text = _SINGLE.sub(r"\1 { \2 }\n", text)
    text = _STRUCT.sub(lambda s: _fitting(s[0].replace("\n\t", " ").replace("\n", " "), s[0]), text)
    return in_columns(text)


def in_columns(text: str) -> str:
    """`text` with lines of at most 100 columns, where they can be broken at all."""
    return "\n".join(
        _folded(line) if len(line.expandtabs()) > COLUMNS else line for line in text.split("\n")
    )


def _width(line: str) -> int:
    return len(line) + line.count("\t") * (TAB - 1)


def _fitting(line: str, other: str) -> str:
    return line if len(line.rstrip("\n")) <= COLUMNS else other


def _folded(line: str) -> str:
    if _width(line) <= COLUMNS or line.startswith((" *", "#", "/*\n")):
        return line
    if comment := _COMMENT.match(line):
        return _block(comment["tabs"], comment["text"])
    if trailing := _TRAILING.match(line):
        above = f"{trailing['tabs']}/** {trailing['text'].strip()} */"
        return "\n".join(map(_folded, (above, f"{trailing['tabs']}{trailing['code']}")))
    if function := _ONE_LINE.match(line):
        lines, other = _folded(function[1]).split("\n"), _broken(function[1])
        lines = other if len(other) < len(lines) and _width(other[0]) <= COLUMNS else lines
        return "\n".join([*lines, *_broken(function[2])])
    if head := _LONG_HEAD.match(line):
        return "\n".join((head[1].rstrip(), *_broken(head[2])))
    return "\n".join(_broken(line))


def _block(tabs: str, text: str) -> str:
    width = COLUMNS - len(tabs) * (TAB - 1) - 3
    return f"{wrap(text.strip(), f'{tabs} * ', f'{tabs}/** ', width)} */"


def _inside(text: str) -> bool:
    """Whether a text ends in a string, or in the arguments of offsetof()."""
    return re.sub(r"\\.", "", text).count('"') % 2 == 1 or text.rfind("offsetof(") > text.rfind(")")


def _broken(line: str) -> list[str]:
    """Code, broken at the last fitting places outside of strings; two tabs further in."""
    indent = "\t" * (len(line) - len(line.lstrip("\t"))) + "\t\t"
    found: list[str] = []
    while _width(line) > COLUMNS:
        room, begin = COLUMNS - line.count("\t") * (TAB - 1), len(line) - len(line.lstrip("\t"))
        for place in _BREAKS, _LAST:
            ends = (match.end() for match in place.finditer(line) if match.end() <= room)
            if fit := [end for end in ends if end > begin and not _inside(line[:end])]:
                break
        if not fit or not line[fit[-1] :].strip():
            break
        found.append(line[: fit[-1]].rstrip())
        line = indent + line[fit[-1] :].lstrip()
    return [*found, line]

# SPDX-License-Identifier: BSD-3-Clause
"""Folds lines of generated C that names of the schema made longer than DPDK style allows."""

from __future__ import annotations

import re

from ...output.render import wrap

COLUMNS = 100
TAB = 8
MACRO = " \\"
"""The end of a line of a macro that goes on."""

FITS = COLUMNS - 7 * (TAB - 1)
"""Characters that fit in any case: code is not indented by more than seven tabs."""

_COMMENT = re.compile(r"(?P<tabs>\t*)/\*\*(?P<text>.*)\*/\Z")
_TRAILING = re.compile(r"(?P<tabs>\t*)(?P<code>.*\S)\s*/\*\*<(?P<text>.*)\*/\Z")
_MACRO = re.compile(r"\n#define .* \\(?:\n.* \\)*(?=\n)")
"""The lines of a macro, with the end of the line before: a search for that is a fast one."""
_SINGLE = re.compile(r"^([a-z].*)\n(\w+\([^{}\n]*\))\n\{\n\t([^\n{}]*;)\n\}\n", re.MULTILINE)
"""A function of one statement."""
_HEAD = re.compile(r"^(static [a-z].*)\n(\w+\([^{}\n]*\))\n(?=\{\n)", re.MULTILINE)
"""The head of a longer one."""
_STRUCT = re.compile(r"^(struct \w+ \{)\n\t([^\n{}]*)\n(\}.*;)$", re.MULTILINE)
"""A struct with members on one line."""
_BREAKS = re.compile(r", | \? | == | && | \|\| | = (?=\()|(?<=\) )(?=\*)")


def fold(text: str) -> str:
    """`text` with lines of at most 100 columns, where they can be broken at all."""
    text = _STRUCT.sub(_row, _HEAD.sub(_joined, _SINGLE.sub(_short, text)))
    lines = ["", *text.split("\n")]
    for at, line in enumerate(lines):
        if len(line) > FITS and len(line) + line.count("\t") * (TAB - 1) > COLUMNS:
            in_macro = line.endswith(MACRO) or lines[at - 1].endswith(MACRO)
            columns = COLUMNS - len(MACRO) if in_macro else COLUMNS
            *folded, last = _folded(line.removesuffix(MACRO), columns)
            folded = [part + MACRO * in_macro for part in folded]
            lines[at] = "\n".join([*folded, last + MACRO * line.endswith(MACRO)])
    return _MACRO.sub(_aligned, "\n".join(lines))[1:]


def _short(function: re.Match[str]) -> str:
    """A function of one statement on one line, or on two."""
    head, statement = _head(function[1], function[2]), function[3]
    fits = len(head) + len(statement) + len(" {  }") <= COLUMNS
    return f"{head}{' ' if fits else chr(10)}{{ {statement} }}\n"


def _joined(function: re.Match[str]) -> str:
    """The head of a function on one line, if it fits."""
    head = _head(function[1], function[2])
    return f"{head}\n" if len(head) <= COLUMNS else function[0]


def _row(struct: re.Match[str]) -> str:
    """A struct on one line, if it fits."""
    line = " ".join(struct.groups())
    return line if len(line) <= COLUMNS else struct[0]


def _head(type_: str, name: str) -> str:
    return f"{type_}{'' if type_.endswith('*') else ' '}{name}"


def _aligned(macro: re.Match[str]) -> str:
    """The lines of a macro, with what continues them in one column."""
    before, *lines = macro[0].split("\n")
    lines = [line.removesuffix(MACRO) for line in lines]
    end = max(len(line.expandtabs(TAB)) for line in lines)
    aligned = (f"{line}{' ' * (end - len(line.expandtabs(TAB)))}{MACRO}" for line in lines)
    return "\n".join([before, *aligned])


def _folded(line: str, columns: int) -> list[str]:
    if line.startswith((" *", "#", "/*\n")):
        return [line]
    comment = _COMMENT.match(line)
    if comment:
        return _block(comment["tabs"], comment["text"])
    trailing = _TRAILING.match(line)
    if trailing:
        above = f"{trailing['tabs']}/** {trailing['text'].strip()} */"
        return fold(f"{above}\n{trailing['tabs']}{trailing['code']}").split("\n")
    return _broken(line, columns)


def _block(tabs: str, text: str) -> list[str]:
    width = COLUMNS - len(tabs) * (TAB - 1) - 3
    return f"{wrap(text.strip(), f'{tabs} * ', f'{tabs}/** ', width)} */".split("\n")


def _inside(text: str) -> bool:
    """Whether a text ends in a string, or in the arguments of offsetof()."""
    return text.count('"') % 2 == 1 or text.rfind("offsetof(") > text.rfind(")")


def _broken(line: str, columns: int) -> list[str]:
    """Code, broken at the last fitting place outside of strings; two tabs further in."""
    indent = "\t" * (len(line) - len(line.lstrip("\t")))
    room = columns - len(indent) * (TAB - 1)
    places = [
        match.end()
        for match in _BREAKS.finditer(line)
        if match.end() <= room and not _inside(line[: match.end()])
    ]
    tail = line[places[-1] :].lstrip() if places and places[-1] > len(indent) else ""
    if not tail or room >= len(line):
        return [line]
    return [line[: places[-1]].rstrip(), *_broken(f"{indent}\t\t{tail}", columns)]

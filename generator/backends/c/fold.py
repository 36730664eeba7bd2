# SPDX-License-Identifier: BSD-3-Clause
"""Folds lines of generated C that names of the schema made longer than DPDK style allows."""

from __future__ import annotations

import re

from ...output.render import wrap

COLUMNS = 100
TAB = 8
MACRO = " \\"
"""The end of a line of a macro that goes on."""

_COMMENT = re.compile(r"(?P<tabs>\t*)/\*\*(?P<text>.*)\*/\Z")
_TRAILING = re.compile(r"(?P<tabs>\t*)(?P<code>.*\S)\s*/\*\*<(?P<text>.*)\*/\Z")
_BREAKS = re.compile(r", | \? | == | && | \|\| | = (?=\()|(?<=\) )(?=\*)")


def fold(text: str) -> str:
    """`text` with lines of at most 100 columns, where they can be broken at all."""
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) + line.count("\t") * (TAB - 1) > COLUMNS:
            in_macro = line.endswith(MACRO) or (lines and lines[-1].endswith(MACRO))
            folded = _folded(line.removesuffix(MACRO))
            lines += [part + MACRO for part in folded[:-1]] if in_macro else folded[:-1]
            lines.append(folded[-1] + MACRO * line.endswith(MACRO))
        else:
            lines.append(line)
    return "\n".join(lines)


def _folded(line: str) -> list[str]:
    if line.startswith((" *", "#", "/*\n")):
        return [line]
    comment = _COMMENT.match(line)
    if comment:
        return _block(comment["tabs"], comment["text"])
    trailing = _TRAILING.match(line)
    if trailing:
        above = f"{trailing['tabs']}/** {trailing['text'].strip()} */"
        return fold(f"{above}\n{trailing['tabs']}{trailing['code']}").split("\n")
    return _broken(line)


def _block(tabs: str, text: str) -> list[str]:
    width = COLUMNS - len(tabs) * (TAB - 1) - 10
    body = wrap(text.strip(), f"{tabs} * ", width=width).split("\n")
    return [f"{tabs}/**", *body, f"{tabs} */"]


def _broken(line: str) -> list[str]:
    """Code, broken at the last fitting place outside of strings; two tabs further in."""
    indent = "\t" * (len(line) - len(line.lstrip("\t")))
    room = COLUMNS - len(indent) * (TAB - 1)
    places = [
        match.end()
        for match in _BREAKS.finditer(line)
        if match.end() <= room and line.count('"', 0, match.end()) % 2 == 0
    ]
    if not places or places[-1] <= len(indent):
        return [line]
    head, tail = line[: places[-1]].rstrip(), line[places[-1] :].lstrip()
    return [head, *fold(f"{indent}\t\t{tail}").split("\n")] if tail else [line]

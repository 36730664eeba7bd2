# SPDX-License-Identifier: BSD-3-Clause
"""Words on lines, as `textwrap` does it, which takes many times longer."""

from collections.abc import Iterable, Sequence


def filled(words: Sequence[str], width: int, first: str = "", rest: str = "") -> str:
    """As many words on each line as it holds, the first line after `first`, others after `rest`.
    A word that is longer than a line stays whole."""
    if not words:
        return first.rstrip()
    lines, line = [], first + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = rest + word
        else:
            line += f" {word}"
    return "\n".join([*lines, line])


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as a sentence has them: `a`, `a and b`, `a, b and c`; `last` is before the last one."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end

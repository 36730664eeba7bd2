# SPDX-License-Identifier: BSD-3-Clause
"""Labels that an update fixes: `drop.pkts[vlan]`, `fault.pkts[crc, in]`, `[reason=crc]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..findings.diagnostics import Severity, declare
from ..findings.suggest import Suggester
from ..model import ir

declare("unknown-label", Severity.ERROR, "Labels that an update names are those of the scope.")

Labels = tuple[tuple[str, str], ...]
"""Pairs of a level's name and one of its labels."""
Report = Callable[[str, str, str], None]
"""Reports a finding about the target: rule, message, hint."""

_TARGET = re.compile(r"([^\[\]]*?)\s*(?:\[([^\[\]]*)\])?")


def split(target: str) -> tuple[str, tuple[str, ...]]:
    """What stands in front of the brackets, and the words in them; as it is if they are broken."""
    match = _TARGET.fullmatch(target)
    if match is None:
        return target, ()
    words = () if match[2] is None else tuple(word.strip() for word in match[2].split(","))
    return match[1], words


def labels(
    scope: ir.Scope, words: Sequence[str], suggest: Suggester, report: Report
) -> Labels | None:
    """The indexes of a scope that the words in brackets fix, outermost first; None after a
    report. Words are labels, one for each labelled dimension, or some of `dimension=label`."""
    levels = {level.dimension: level for level in scope.levels if level.labels}
    if not levels:
        message = f"the instances of '{scope.name}' have no labels"
        report("unknown-label", message, "leave the brackets out")
        return None
    wanted = _wanted(words, tuple(levels), report)
    if wanted is None:
        return None
    for dimension, label in wanted.items():
        if dimension not in levels:
            message = f"'{scope.name}' has no labelled dimension '{dimension}'"
            report("unknown-label", message, suggest(dimension, levels, "dimensions"))
            return None
        if label not in levels[dimension].labels:
            whose = f"'{scope.name}'" if len(levels) == 1 else f"'{dimension}' of '{scope.name}'"
            hint = suggest(label, levels[dimension].labels, "labels")
            report("unknown-label", f"{whose} has no label '{label}'", hint)
            return None
    return tuple((level.name, wanted[name]) for name, level in levels.items() if name in wanted)


def _wanted(
    words: Sequence[str], dimensions: Sequence[str], report: Report
) -> dict[str, str] | None:
    """The labels by dimension, whatever they are."""
    pairs = [word.partition("=") for word in words]
    if not any(equals for _, equals, _ in pairs) and len(words) == len(dimensions):
        return dict(zip(dimensions, words, strict=True))
    wanted = {name.strip(): label.strip() for name, _, label in pairs}
    if all(equals for _, equals, _ in pairs) and len(wanted) == len(words):
        return wanted
    if len(dimensions) == 1:
        message = f"one label of '{dimensions[0]}' is expected in the brackets"
        report("update-target", message, "an update changes one instance; write an update for each")
        return None
    names = " and ".join(f"'{name}'" for name in dimensions)
    message = f"one label for each of {names} is expected in the brackets"
    hint = f"to fix only some, name them: `[{dimensions[-1]}=LABEL]`; the others are parameters"
    report("update-target", message, hint)
    return None

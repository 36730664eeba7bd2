# SPDX-License-Identifier: BSD-3-Clause
"""Planted bugs of what no strategy promises: keys and labels of instances, histograms, peaks, the
agent, notifications, what monitoring systems read, the generator, proposals for applications."""

import importlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tests.run import mutants
from tests.support.paths import ROOT
from tests.support.planted import Bug, Edit

FOLDERS = ("adopt", "agentx", "notifications", "monitoring", "promises")
"""Folders of tests whose modules have their bugs in `BUGS`, or something that ends so."""

OF_PROGRAMS = mutants.of("keys", "labels", "histograms", "peaks", "sources")
"""Bugs that a program of tests/run sees."""


class Other(NamedTuple):
    """A bug by its name, the file that it is in, and who sees it."""

    name: str
    path: str
    seen_by: str


def others() -> list[Other]:
    """All of them, in the order of the table."""
    found = [Other(bug.name, bug.edits[0].path, bug.test) for bug in OF_PROGRAMS]
    for folder in FOLDERS:
        for path in sorted((ROOT / "tests" / folder).glob("test_*.py")):
            found += _of_module(f"tests.{folder}.{path.stem}", f"{folder}/{path.name}")
    return found


def _of_module(name: str, shown: str) -> Iterator[Other]:
    """The bugs of a module of tests; `shown` is what it is called."""
    for attribute, bugs in vars(importlib.import_module(name)).items():
        if attribute.endswith("BUGS"):
            cases = bugs.items() if isinstance(bugs, Mapping) else (("", case) for case in bugs)
            for title, case in cases:
                bug, edit = next(_planted(case))
                yield Other(bug or title.replace(" ", "-").replace("_", "-"), edit.path, shown)


def _planted(case: object) -> Iterator[tuple[str, Edit]]:
    """What a case plants, each with its name where it has one."""
    if isinstance(case, Bug):
        yield case.name, case.edits[0]
    elif isinstance(case, Edit):
        yield "", case
    elif isinstance(case, (tuple, list)):
        for part in case:
            yield from _planted(part)


def table() -> str:
    """Every one of them, as Markdown."""
    lines = ["| Planted bug | In | Seen by |", "|---|---|---|"]
    for bug in others():
        place = bug.path.partition("/")[2]
        lines.append(f"| {bug.name} | `{place}` | `{bug.seen_by}` |")
    return "\n".join(lines)

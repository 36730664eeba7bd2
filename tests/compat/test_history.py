# SPDX-License-Identifier: BSD-3-Clause
"""A schema through ten revisions, each built on the lock of the one before: no OID ever moves.

The first line of a revision says what it breaks. smidiff, from the smitools
package, has nothing to say about neighbours that `ctrgen breaking` calls
compatible; what it cannot see, columns that have swapped their OIDs, is caught.
"""

import itertools
import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from ctrgen.findings.diagnostics import Diagnostics, Severity
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.publish import lock
from ctrgen.publish.lock import Key
from ctrgen.tools import compat
from tests.compat import cases
from tests.support import base_mibs
from tests.support.capabilities import needs, needs_base_mibs
from tests.support.process import run

HISTORY = sorted(cases.HISTORY.glob("*.yaml"))
NEIGHBOURS = list(itertools.pairwise(HISTORY))
MODULE = "HIST-STATS-MIB"
LEVEL = "3"
"""Severity of smidiff up to which a difference breaks something."""


class State(NamedTuple):
    """A built revision: its folder with hist.yaml and the lock, and the folder of its MIB."""

    folder: Path

    @property
    def schema(self) -> Path:
        return self.folder / "hist.yaml"

    @property
    def lock(self) -> lock.Lock:
        found = lock.load(str(self.folder / "hist.yaml"), Diagnostics()).lock
        assert found is not None
        return found


def make(folder: Path, text: str, before: State | None = None) -> State:
    """Build a schema, on the lock of another build."""
    state = State(folder)
    folder.mkdir(parents=True)
    state.schema.write_text(text, "utf-8")
    if before is not None:
        shutil.copy(before.folder / "hist.ctrgen.lock", folder)
    result = build(BuildRequest(str(state.schema), str(folder), only=("mib",)))
    assert result.exit_code == 0, print_findings(result.diagnostics)
    return state


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> list[State]:
    """Every revision, built one after the other."""
    top = tmp_path_factory.mktemp("history")
    made: list[State] = []
    for path in HISTORY:
        made.append(make(top / path.stem, path.read_text("utf-8"), made[-1] if made else None))
    return made


def broken(old: State, new: State) -> set[str]:
    """The rules that find something broken."""
    exit_code, diagnostics = compat.run(str(new.schema), str(old.schema))
    findings = diagnostics.findings
    rules = {finding.rule for finding in findings if finding.severity is Severity.ERROR}
    assert exit_code == int(bool(rules))
    assert all(finding.rule in compat.RULES for finding in findings)
    return rules


def smidiff(old: State, new: State) -> list[str]:
    """What smidiff finds between two modules, up to level 3."""
    modules = (state.folder / f"{MODULE}.txt" for state in (old, new))
    path = {"SMIPATH": str(base_mibs.folder()), "LC_ALL": "C"}
    done = run("smidiff", "-m", "-s", "-l", LEVEL, *modules, env=path)
    return [line for line in done.stdout.splitlines() if line.strip()]


def said(path: Path) -> set[str]:
    """The rules that the first line of a revision names."""
    first = path.read_text("utf-8").splitlines()[0]
    match = re.fullmatch(r"# (?:compatible|breaks: ([a-z -]+))", first)
    assert match is not None, first
    return set((match[1] or "").split())


def test_there_are_ten_revisions() -> None:
    assert [path.stem for path in HISTORY] == [f"{n:02}" for n in range(1, 11)]
    assert 4 <= sum(not said(new) for _, new in NEIGHBOURS) < len(NEIGHBOURS)


@pytest.mark.parametrize("number", range(1, len(HISTORY)))
def test_what_breaks_is_found(states: list[State], number: int) -> None:
    assert broken(states[number - 1], states[number]) == said(HISTORY[number])


def test_no_oid_moves_and_none_is_used_again(states: list[State]) -> None:
    owners: dict[lock.Oid, str] = {}
    for state in states:
        entries = [entry for entry in state.lock.entries if entry.oid]
        assert {entry.oid for entry in entries} >= set(owners)
        for entry in entries:
            assert owners.setdefault(entry.oid, entry.name) == entry.name, entry
    assert len(set(owners.values())) == len(owners)


@needs("smidiff")
@needs_base_mibs
@pytest.mark.parametrize("number", range(1, len(HISTORY)))
def test_smidiff_agrees(states: list[State], number: int) -> None:
    if not said(HISTORY[number]):
        assert smidiff(states[number - 1], states[number]) == []


@needs("smidiff")
@needs_base_mibs
def test_smidiff_finds_what_we_find(states: list[State], tmp_path: Path) -> None:
    """So that its silence means something: a type that changes."""
    text = HISTORY[0].read_text("utf-8").replace("width: 32", "width: 64")
    wider = make(tmp_path / "wider", text)
    assert smidiff(states[0], wider) != []
    assert broken(states[0], wider) == {"item-width"}


def swapped(state: State, folder: Path) -> State:
    """The same revision, with two columns of one type under each other's OIDs."""
    path = state.folder / "hist.ctrgen.lock"
    text = path.read_text("utf-8")
    live = state.lock.live()
    first, second = live[Key("port", "rx_pkts")], live[Key("port", "rx_octs")]
    assert first.syntax == second.syntax
    for entry, oid in ((first, "@"), (second, first.dotted), (first, second.dotted)):
        old = "@" if oid == second.dotted else entry.dotted
        text = text.replace(f"object {old} {entry.name} ", f"object {oid} {entry.name} ")
    folder.mkdir()
    (folder / path.name).write_text(text, "utf-8")
    return make(folder / "built", state.schema.read_text("utf-8"), State(folder))


@needs("smidiff")
@needs_base_mibs
def test_swapped_oids_are_found_and_smidiff_misses_them(
    states: list[State], tmp_path: Path
) -> None:
    swap = swapped(states[0], tmp_path / "swap")
    assert smidiff(states[0], swap) == []
    assert broken(states[0], swap) == {"oid-swapped"}

# SPDX-License-Identifier: BSD-3-Clause
"""Renames that are not declared, or too late: no published OID is lost, and none is given away."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from ctrgen.findings.diagnostics import Diagnostic, Severity
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildResult
from ctrgen.publish import renames
from ctrgen.publish.assign import _Assigner
from ctrgen.publish.lock import Lock
from ctrgen.tools import compat
from ctrgen.tools.compat.pairs import Comparison
from tests.mib.repository import DROPS, FIRST, STATES, Repository, revised, rules

WHOLE = (
    FIRST.replace(STATES, "")
    + """\
    gauges:
      load: {unit: percent, description: Load of it.}
    peaks:
      top: {unit: packets, description: Longest queue.}
    states:
      phase: {type: enum, labels: [idle, up], description: Phase.}
    histograms:
      sizes: {unit: By, description: Octets of a packet., bounds: [64, 512]}
notifications:
  high: {of: global.bytes, rises_above: 9, clears_below: 5, description: Much.}
"""
)
RENAMES = {
    "counter": ("drops", "losses"),
    "gauge": ("load", "burden"),
    "peak": ("top", "most"),
    "state": ("phase", "step"),
    "histogram": ("sizes", "lengths"),
    "scope": ("session", "call"),
    "notification": ("high", "busy"),
}
"""A part of each kind, and its new name."""
OPEN = {"no revision": lambda text: text, "a draft": lambda text: drafted(text, "2026-02-01")}
"""Two ways of a build that publishes nothing."""


def drafted(text: str, date: str) -> str:
    return revised(text, date, ", draft: true")


def renamed(kind: str, text: str, *, declared: bool) -> str:
    """The schema with a part of another name, which it says or not."""
    old, new = RENAMES[kind]
    more = f"renamed_from: {old}, " if declared else ""
    if kind == "scope":
        more = f"    renamed_from: {old}\n" if declared else ""
        return text.replace(f"  {old}:\n", f"  {new}:\n{more}")
    assert f" {old}: {{" in text
    return text.replace(f" {old}: {{", f" {new}: {{{more}")


def objects(repository: Repository, *, current: bool = False) -> dict[str, tuple[str, str]]:
    """What managers find, by name: objects and notifications, groups and the compliance."""
    entries = repository.lock().published
    found = (e for e in entries if not (current and e.status != "current"))
    return {entry.name: (entry.dotted, entry.status) for entry in found}


def only(result: BuildResult, rule: str) -> Diagnostic:
    found = [finding for finding in result.diagnostics.findings if finding.rule == rule]
    assert len(found) == 1, print_findings(result.diagnostics)
    return found[0]


@pytest.mark.parametrize("way", OPEN)
@pytest.mark.parametrize("kind", RENAMES)
def test_a_rename_that_is_not_declared_is_said_until_it_is(
    repository: Repository, kind: str, way: str
) -> None:
    repository.build(WHOLE)
    before = objects(repository)
    path = repository.schema.with_name("ep.ctrgen.lock")
    first = path.read_bytes()
    text = OPEN[way](WHOLE)
    for _ in range(3):
        result = repository.attempt(renamed(kind, text, declared=False))
        assert result.exit_code == 0
        old, new = RENAMES[kind]
        finding = only(result, "undeclared-rename")
        assert f"'{new}'" in finding.message and f"write `renamed_from: {old}`" in finding.hint
        assert ("unrevised-change" in rules(result)) == (way == "no revision")
    assert objects(repository) != before
    late, wrong = path.read_bytes(), repository.attempt(renamed(kind, text, declared=True))
    finding = only(wrong, "frozen-rename")
    assert wrong.exit_code == 1 and "restore the lock file" in finding.hint
    assert f"the OID of '{old}'" in finding.message and path.read_bytes() == late
    path.write_bytes(first)
    # the name of a scope is in the text of its rows
    said = ["unrevised-change"] if (kind, way) == ("scope", "no revision") else []
    for declared in (True, False):  # `renamed_from` can go as soon as the lock file is written
        result = repository.attempt(renamed(kind, text, declared=declared))
        assert rules(result) == said, print_findings(result.diagnostics)
        assert objects(repository) == before


@pytest.mark.parametrize("kind", RENAMES)
def test_a_rename_that_is_published_otherwise_is_an_error(
    repository: Repository, kind: str
) -> None:
    repository.build(WHOLE)
    text = revised(WHOLE, "2026-02-01")
    repository.build(renamed(kind, text, declared=False))
    path = repository.schema.with_name("ep.ctrgen.lock")
    before = path.read_bytes()
    for later in (text, revised(text, "2026-03-01"), drafted(text, "2026-03-01")):
        result = repository.attempt(renamed(kind, later, declared=True))
        finding = only(result, "frozen-rename")
        assert result.exit_code == 1 and "as of 2026-02-01" in finding.message
        assert "remove `renamed_from`" in finding.hint
        assert path.read_bytes() == before
    repository.build(renamed(kind, text, declared=False))


def test_what_is_published_as_gone_does_not_come_back(repository: Repository) -> None:
    repository.build(FIRST)
    without = revised(FIRST.replace(DROPS, ""), "2026-02-01")
    repository.build(without)
    again = drafted(without, "2026-03-01") + DROPS.replace(
        "drops: {", "lost: {renamed_from: drops, "
    )
    finding = only(repository.attempt(again), "frozen-rename")
    assert "published as deprecated as of 2026-02-01" in finding.message


def test_a_new_item_cannot_take_the_place_of_one_that_managers_have(repository: Repository) -> None:
    """Both are published; then one says that it was the other, which is gone."""
    losses = DROPS.replace("drops", "losses")
    repository.build(FIRST + losses)
    merged = FIRST.replace(DROPS, "") + losses.replace("{", "{renamed_from: drops, ")
    only(repository.attempt(revised(merged, "2026-02-01")), "frozen-rename")


@pytest.mark.parametrize("way", OPEN)
@pytest.mark.parametrize("kind", RENAMES)
def test_a_name_that_is_back_has_its_oid_back(repository: Repository, kind: str, way: str) -> None:
    repository.build(WHOLE)
    before = objects(repository, current=True)
    text = OPEN[way](WHOLE)
    repository.build(renamed(kind, text, declared=False))
    result = repository.attempt(text)
    assert rules(result) in ([], ["unrevised-change"])
    now = objects(repository)
    assert {
        n: o for n, o in before.items() if "Group" not in n and "Compliance" not in n
    }.items() <= now.items()


def test_the_gauge_of_a_peak_has_another_name(repository: Repository) -> None:
    text = WHOLE.replace("top: {unit: packets, ", "top: {of: load, ")
    repository.build(text)
    before = objects(repository)
    text = text.replace("of: load", "of: burden")
    for declared in (True, False):
        repository.build(renamed("gauge", text, declared=declared))
        assert objects(repository) == before


KEYED = """\
  peer:
    max: 4
    key:
      - {name: address, type: ip_address, description: Address of the peer.}
      - {name: kind, type: enum, labels: [near, far], description: Where it is.}
    counters: {pkts: {unit: packets, description: Packets.}}
"""


def test_a_part_of_a_key_has_another_name(repository: Repository) -> None:
    """Its objects stay, and what they say of each other; undeclared, it is another index."""
    text = WHOLE.replace("notifications:", KEYED + "notifications:")
    repository.build(text)
    before = repository.lock()
    for name, former in (("where", "address"), ("what", "kind")):
        other = text.replace(f"name: {former}", f"name: {name}")
        assert "frozen-index" in rules(repository.attempt(other))
        declared = text.replace(f"name: {former},", f"name: {name}, renamed_from: {former},")
        for _ in range(2):
            assert repository.attempt(declared).exit_code == 0
            now = [e._replace(key=e.key.part("")) for e in repository.lock().entries]
            assert now == [e._replace(key=e.key.part("")) for e in before.entries]
        repository.schema.with_name("ep.ctrgen.lock").unlink()
        repository.build(text)


@pytest.mark.parametrize("late", [False, True])
def test_two_cannot_have_been_one(repository: Repository, late: bool) -> None:
    repository.build(FIRST)
    both = "".join(DROPS.replace("drops: {", f"{n}: {{renamed_from: drops, ") for n in ("a", "b"))
    text = FIRST.replace(DROPS, both)
    if late:
        repository.build(text.replace("renamed_from: drops, ", ""))
    result = repository.attempt(text)
    assert "'b' and 'a' both were 'drops'" in only(result, "rename-taken").message
    wrong = {f.rule for f in result.diagnostics.findings if f.severity is Severity.ERROR}
    assert wrong == {"rename-taken", *(["frozen-rename"] if late else [])}


def test_more_than_one_could_be_meant(repository: Repository) -> None:
    twin = DROPS.replace("drops", "errors")
    repository.build(FIRST + twin)
    less = FIRST.replace(DROPS, "") + DROPS.replace("drops", "faults")
    finding = only(repository.attempt(less), "undeclared-rename")
    assert "'drops', 'errors' are gone" in finding.message
    assert "if it is one of these" in finding.hint


@pytest.mark.parametrize(
    "other",
    [
        "      faults: {unit: bytes, description: Drops.}\n",
        "      faults: {unit: packets, width: 32, description: Drops.}\n",
        "    gauges:\n      faults: {unit: packets, description: Drops.}\n",
        "  peer:\n    max: 4\n    counters:\n      faults: {unit: packets, description: Drops.}\n",
    ],
)
def test_what_is_of_another_kind_is_no_rename(repository: Repository, other: str) -> None:
    repository.build(FIRST)
    assert rules(repository.attempt(FIRST.replace(DROPS, "") + other)) == ["unrevised-change"]


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("counter", "item-removed session.drops"),
        ("histogram", "item-removed session.sizes"),
        ("scope", "scope-removed session"),
        ("notification", "notification-removed high"),
        ("state", "item-removed"),
    ],
)
def test_a_schema_says_that_something_is_gone(
    repository: Repository, kind: str, subject: str
) -> None:
    repository.build(WHOLE)
    text = renamed(kind, drafted(WHOLE, "2026-02-01"), declared=False)
    for comment, said in (("", 1), (f"# ctrgen: allow {subject}: it is\n", 0)):
        assert rules(repository.attempt(text + comment)) == ["undeclared-rename"] * said
    result = repository.attempt(text + "# ctrgen: allow item-removed session.pkts: not that\n")
    assert rules(result) == ["undeclared-rename"]


def test_what_no_revision_had_is_in_the_next_one(repository: Repository) -> None:
    """It is new or deprecated there, also where the date of a draft moves."""
    repository.build(FIRST)
    text = FIRST.replace("drops: {", "losses: {")
    repository.build(text)
    for date in ("2026-02-01", "2026-02-09"):
        repository.build(drafted(text, date))
        assert repository.status("epSessionDrops") == "deprecated"
    for _ in range(2):
        assert rules(repository.attempt(revised(text, "2026-02-09"))) == []
        assert repository.status("epSessionDrops") == "deprecated"
    declared = FIRST.replace("drops: {", "losses: {renamed_from: drops, ")
    only(repository.attempt(revised(declared, "2026-02-09")), "frozen-rename")


def test_what_was_removed_comes_back_under_another_name(repository: Repository) -> None:
    repository.build(FIRST)
    before = repository.status("epSessionDrops")
    repository.build(FIRST.replace(DROPS, ""))
    assert repository.status("epSessionDrops") == "deprecated"
    repository.build(FIRST.replace("drops: {", "losses: {renamed_from: drops, "))
    assert repository.status("epSessionDrops") == before == "current"


def test_breaking_takes_what_is_back(repository: Repository) -> None:
    repository.build(WHOLE)
    for kind in ("counter", "scope", "histogram"):
        repository.build(renamed(kind, WHOLE, declared=False))
        old = repository.folder / kind / "ep.yaml"
        old.parent.mkdir(exist_ok=True)
        for name in ("ep.yaml", "ep.ctrgen.lock"):
            (old.parent / name).write_bytes((repository.folder / name).read_bytes())
        repository.build(WHOLE)
        _, found = compat.run(str(repository.schema), str(old), only=("oid",))
        moved = {finding.rule for finding in found.findings} - {"item-removed", "scope-removed"}
        assert not moved & {"oid-moved", "oid-reused", "oid-swapped"}, print_findings(found)
        repository.schema.with_name("ep.ctrgen.lock").unlink()
        repository.build(WHOLE)


# ---- histories, and planted bugs ----


def history(repository: Repository, seed: int) -> None:
    """Renames in any order, declared at the time, too late, wrongly or never, in builds with and
    without revisions: what a revision published stays what it was."""
    random_ = random.Random(seed)
    names, former = {"a": "a", "b": "b"}, {}
    revisions = '{date: "2026-01-01", description: R.}'
    known: dict[str, str] = {}
    deprecated: set[str] = set()
    for day in range(2, 26):
        kind = random_.choice(("", "", "draft", "revision"))
        shown = revisions
        if kind:
            draft = ", draft: true" if kind == "draft" else ""
            shown = f'{{date: "2026-01-{day:02}", description: R.{draft}}}, {revisions}'
        if random_.random() < 0.5:
            slot = random_.choice(sorted(names))
            former = {slot: names[slot]} if random_.random() < 0.7 else former
            names[slot] = random_.choice("cdefgh") + slot
        said = {slot: name for slot, name in former.items() if random_.random() < 0.6}
        text = f"ctrgen: 1\nmodule: ep\nsnmp: {{enterprise: 32473, revisions: [{shown}]}}\n"
        text += "scopes:\n  global:\n    counters:\n      rest: {unit: x, description: Rest.}\n"
        for slot, name in sorted(names.items()):
            was = said.get(slot, name)
            more = f"renamed_from: {was}, " if was != name and was not in names.values() else ""
            text += f"      {name}: {{{more}unit: x, description: Number {slot}.}}\n"
        result = repository.attempt(text)
        if result.exit_code:
            assert {*rules(result)} & {"frozen-rename", "frozen-type"}, print_findings(
                result.diagnostics
            )
            continue
        lock = repository.lock()
        repository.attempt(text)
        assert repository.lock() == lock, "a build without a change changes the lock file"
        entries = {e.name: e for e in lock.published if e.kind == "object"}
        assert {*known.items()} <= {(name, e.dotted) for name, e in entries.items()}
        assert all(entries[name].status != "current" for name in deprecated)
        oids = [entry.oid for entry in lock.entries if entry.oid]
        assert len(oids) == len({*oids})
        if kind == "revision":
            revisions = shown
            known |= {name: e.dotted for name, e in entries.items()}
            deprecated |= {name for name, e in entries.items() if e.status != "current"}


@pytest.mark.parametrize("seed", range(6))
def test_random_renames(repository: Repository, seed: int) -> None:
    history(repository, seed)


def _undeclared(repository: Repository) -> None:
    test_a_rename_that_is_not_declared_is_said_until_it_is(repository, "counter", "no revision")


def _back(repository: Repository) -> None:
    test_a_name_that_is_back_has_its_oid_back(repository, "counter", "no revision")


def _published(repository: Repository) -> None:
    test_a_rename_that_is_published_otherwise_is_an_error(repository, "counter")


def _histories(repository: Repository) -> None:
    for seed in range(6):
        history(repository, seed)
        repository.schema.with_name("ep.ctrgen.lock").unlink()


BUGS: dict[str, tuple[object, str, Any, Callable[[Repository], None]]] = {
    "parts of keys in texts": (*(_Assigner, "_names_in_texts", lambda _: None),
                               test_a_part_of_a_key_has_another_name),
    "a late declaration is ignored": (*(renames, "too_late", lambda *_: iter(())), _undeclared),
    "what is back is new": (*(renames, "restored", lambda old, *_: old), _back),
    "what is published as gone is back": (*(renames, "_is_open", lambda _, entry: entry.gone),
                                          test_what_is_published_as_gone_does_not_come_back),
    "a rename is said once": (*(Lock, "is_open", lambda lock, entry: entry.date == lock.draft),
                              _undeclared),
    "an undeclared rename is not reported": (*(renames, "undeclared", lambda *_: iter(())),
                                             _undeclared),
    "too late is nothing": (*(renames, "too_late", lambda *_: iter(())), _published),
    "breaking takes a restored OID for one that moved": (*(Comparison, "restored", frozenset()),
                                                         test_breaking_takes_what_is_back),
    "published OIDs are restored in histories": (
        *(renames, "_is_open", lambda _, entry: entry.gone),
        _histories,
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_planted_bugs_are_seen(
    repository: Repository, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, name, wrong, test = BUGS[bug]
    test(repository)
    repository.schema.with_name("ep.ctrgen.lock").unlink(missing_ok=True)
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises(AssertionError):
        test(repository)

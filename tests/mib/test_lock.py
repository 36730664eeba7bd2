# SPDX-License-Identifier: BSD-3-Clause
"""OIDs are for ever: what a lock file keeps when its schema changes."""

import re

import pytest

from ctrgen.publish import lock
from tests.mib.repository import DROPS, ERRORS, FIRST, FLOW, Repository, revised
from tests.support.strategies import SHARED


def test_lines_are_sorted_by_oid(repository: Repository) -> None:
    repository.build(FIRST)
    entries = repository.lock().entries
    assert list(entries) == sorted(entries, key=lock.order)
    text = (repository.folder / "ep.ctrgen.lock").read_text("ascii")
    numbers = re.findall(r"^\w+ ((?:\d+\.)+\d+) ", text, re.MULTILINE)
    assert numbers == sorted(numbers, key=lock.parse_oid)


def test_adding_moves_nothing_wherever_it_is_written(repository: Repository) -> None:
    repository.build(FIRST)
    before = repository.oids()
    more = FIRST.replace("      bytes: {", ERRORS + "      bytes: {").replace(
        "  session:", FLOW + "  session:"
    )
    repository.build(revised(more, "2026-02-01"))
    after = repository.oids()
    assert before.items() <= after.items()
    added = {"epStatsErrors", "epFlowTable", "epFlowPkts", "epStatsGroup2", "epStatsCompliance2"}
    assert added <= set(after) - set(before)


def test_removing_leaves_deprecated_then_obsolete_and_no_gap_to_fill(
    repository: Repository,
) -> None:
    repository.build(FIRST)
    gone = repository.oids()["epSessionDrops"]
    second = revised(FIRST.replace(DROPS, ""), "2026-02-01")
    text = repository.build(second)
    assert repository.status("epSessionDrops") == "deprecated"
    assert "This object is deprecated" in text
    third = revised(second + ERRORS, "2026-03-01")
    repository.build(third)
    assert repository.status("epSessionDrops") == "obsolete"
    oids = repository.oids()
    assert oids["epSessionDrops"] == gone
    assert [name for name, oid in oids.items() if oid == gone] == ["epSessionDrops"]
    assert repository.status("epSessionGroup") == "obsolete"
    assert repository.status("epSessionGroup3") == "current"


def test_what_comes_back_gets_an_oid_and_a_name_of_its_own(repository: Repository) -> None:
    repository.build(FIRST)
    repository.build(revised(FIRST.replace(DROPS, ""), "2026-02-01"))
    repository.build(revised(revised(FIRST, "2026-02-01"), "2026-03-01"))
    oids = repository.oids()
    assert oids["epSessionDrops2"] != oids["epSessionDrops"]
    assert repository.status("epSessionDrops2") == "current"
    assert repository.status("epSessionDrops") == "obsolete"


def test_published_groups_are_frozen(repository: Repository) -> None:
    repository.build(FIRST)
    before = {e.name: e.members for e in repository.lock().entries if e.members}
    text = revised(FIRST, "2026-02-01")
    for number in range(3):
        text += ERRORS.replace("errors", f"errors{number}s")
        repository.build(text)
    after = {e.name: e.members for e in repository.lock().entries if e.members}
    assert before.items() <= after.items()
    assert {f"epSessionGroup{n}" for n in (2, 3, 4)} <= set(after)
    assert repository.status("epStatsCompliance4") == "current"
    assert repository.status("epStatsCompliance3") == "deprecated"


def test_a_draft_revision_can_still_change(repository: Repository) -> None:
    repository.build(FIRST)
    draft = revised(FIRST, "2026-02-01", ", draft: true")
    repository.build(draft + ERRORS)
    repository.build(draft + ERRORS + ERRORS.replace("errors", "faults"))
    members = {e.name: e.members for e in repository.lock().entries}
    assert "epSessionFaults" in members["epSessionGroup2"] and "epSessionGroup3" not in members
    text = repository.build(draft + ERRORS)
    assert repository.status("epSessionFaults") == "withdrawn"
    assert "epSessionFaults" not in text
    taken = repository.oids()["epSessionFaults"]
    repository.build(draft + ERRORS + ERRORS.replace("errors", "losses"))
    assert repository.oids()["epSessionLosses"] != taken
    published = revised(FIRST, "2026-02-01") + ERRORS + ERRORS.replace("errors", "losses")
    repository.build(published)
    repository.build(published + ERRORS.replace("errors", "faults"))
    assert "epSessionGroup3" in repository.oids()


SIZES = "    histograms:\n      sizes: {unit: By, description: Octets., bounds: [64, 1518]}\n"


@pytest.mark.parametrize(
    ("added", "old", "new"),
    [
        (ERRORS, "unit: packets", "unit: frames"),
        (ERRORS, "{unit", "{snmp: {name: epFaults}, unit"),
        (ERRORS, "{unit", "{snmp: {access: accessible-for-notify}, unit"),
        (SIZES, "[64, 1518]", "[64, 512, 1518]"),
    ],
)
def test_a_draft_can_change_what_it_added(
    repository: Repository, added: str, old: str, new: str
) -> None:
    repository.build(FIRST)
    draft = revised(FIRST, "2026-02-01", ", draft: true")
    repository.build(draft + added)
    repository.build(draft + added.replace(old, new))


def test_a_removed_scope_leaves_its_table(repository: Repository) -> None:
    repository.build(FIRST + FLOW)
    before = repository.oids()
    repository.build(revised(FIRST, "2026-02-01"))
    assert before.items() <= repository.oids().items()
    assert repository.status("epFlowTable") == "deprecated"
    assert repository.status("epFlowGroup") == "deprecated"
    repository.build(
        revised(revised(FIRST, "2026-02-01"), "2026-03-01") + FLOW.replace("flow", "way")
    )
    assert repository.oids()["epWayTable"] not in before.values()


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ("[idle, gone, up]", "add 'gone' at the end"),
        ("[off, gone, idle, up]", "add 'off', 'gone' at the end"),
        ("[up, idle]", "restore the order: idle, up"),
    ],
)
@pytest.mark.parametrize("where", ["states", "a dimension"])
def test_labels_are_added_at_the_end(
    repository: Repository, where: str, labels: str, says: str
) -> None:
    first = FIRST.replace("max: 4", "labels: [idle, up]") if where == "a dimension" else FIRST
    repository.build(first)
    old = "    labels: [idle, up]" if where == "a dimension" else "enum, labels: [idle, up]"
    result = repository.attempt(first.replace(old, old.replace("[idle, up]", labels)))
    hints = [f.hint for f in result.diagnostics.findings if f.rule == "frozen-type"]
    assert len(hints) == 1 and hints[0].startswith(says), hints


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("labels: [idle, up]", "labels: [idle, up, gone]"),
        ("    max: 4\n", "    max: 4000\n"),
        ("description: Packets.", "description: Packets received."),
        ("module: ep\n", f"module: ep\nsync: {SHARED}\n"),
    ],
)
def test_what_may_change(repository: Repository, old: str, new: str) -> None:
    repository.build(FIRST)
    before = repository.oids()
    repository.build(revised(FIRST.replace(old, new), "2026-02-01"))
    assert repository.oids() == before


def test_revisions_are_never_lost(repository: Repository) -> None:
    repository.build(revised(FIRST, "2026-02-01"))
    text = repository.build(FIRST)
    assert re.findall(r'REVISION "(\d+)Z"', text) == ["202602010000", "202601150000"]
    assert 'LAST-UPDATED "202602010000Z"' in text


def test_a_date_is_the_same_with_midnight_in_schema_and_lock(repository: Repository) -> None:
    midnight = FIRST.replace("2026-01-15", "2026-01-15T00:00")
    module = repository.build(FIRST)
    lock = repository.folder / "ep.ctrgen.lock"
    before = lock.read_text("ascii")
    assert repository.build(midnight) == module
    lock.write_text(before.replace("2026-01-15 ", "2026-01-15T00:00 "), "ascii")
    for text in (FIRST, midnight):
        assert repository.build(text) == module
        assert lock.read_text("ascii") == before

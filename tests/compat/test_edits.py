# SPDX-License-Identifier: BSD-3-Clause
"""Edits of a published schema: `breaking`, `build` and smidiff agree, but for what is explained."""

import datetime
import re
from pathlib import Path

import pytest

from ctrgen.model.language import defaults
from ctrgen.pipeline.check import check
from ctrgen.publish import assign, changes, definitions, texts
from ctrgen.publish.rules import names as mib_names
from ctrgen.publish.rules import objects as mib_objects
from ctrgen.tools import compat
from ctrgen.tools.compat.model import CLAUSES
from ctrgen.tools.compat.rules import notifications, oids
from tests.compat import edits
from tests.compat.edits import EDITS, Edit
from tests.compat.verdicts import Published, Verdict
from tests.support.capabilities import have, have_base_mibs

SMIDIFF = have("smidiff") and have_base_mibs("IF-MIB")
NAMES = [edit.what for edit in EDITS]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    return Published(tmp_path_factory.mktemp("edits"))


@pytest.fixture(scope="module")
def verdicts(published: Published) -> dict[str, Verdict]:
    """What is said about every edit."""
    return {edit.what: published.judge(edit, smidiff=SMIDIFF) for edit in EDITS}


def errors(rules: tuple[str, ...]) -> set[str]:
    return {rule for rule in rules if rule[0] != "("}


def test_there_are_enough_edits() -> None:
    assert len(NAMES) == len({*NAMES}) >= 120


@pytest.mark.parametrize("name", NAMES)
def test_breaking_and_build_agree(verdicts: dict[str, Verdict], name: str) -> None:
    verdict = verdicts[name]
    refused = bool(errors(verdict.build)), bool(errors(verdict.breaking))
    assert refused == ((False, True) if name in edits.TAKEN else refused[:1] * 2)
    if not errors(verdict.build):
        missing = "(revision-missing)" in verdict.breaking
        assert missing == ("(unrevised-change)" in verdict.build)


@pytest.mark.skipif(not SMIDIFF, reason="smidiff or IF-MIB is not installed: ./dev setup")
@pytest.mark.parametrize("edit", EDITS, ids=NAMES)
def test_every_change_needs_a_revision(
    published: Published, verdicts: dict[str, Verdict], edit: Edit
) -> None:
    """Whatever smidiff sees at all, both ask for a revision when there is none, and only then."""
    verdict = verdicts[edit.what]
    if errors(verdict.build):
        return
    if edit.revised:
        assert "(unrevised-change)" not in verdict.build
        assert "(revision-missing)" not in verdict.breaking
        verdict = published.judge(edit._replace(revised=False), smidiff=True)
    elif "no revision" not in edit.what:
        return
    assert ("(unrevised-change)" in verdict.build) == bool(verdict.smidiff)
    assert ("(revision-missing)" in verdict.breaking) == bool(verdict.smidiff)


@pytest.mark.parametrize(
    "name", ["an older revision put in", "a type in a compliance of `definitions`"]
)
def test_a_change_that_smidiff_does_not_see(verdicts: dict[str, Verdict], name: str) -> None:
    verdict = verdicts[name]
    assert "(revision-missing)" in verdict.breaking and "(unrevised-change)" in verdict.build


@pytest.mark.skipif(not SMIDIFF, reason="smidiff or IF-MIB is not installed: ./dev setup")
def test_where_smidiff_differs_is_explained(verdicts: dict[str, Verdict]) -> None:
    refused = {name for name, verdict in verdicts.items() if errors(verdict.build)}
    serious = {name for name, verdict in verdicts.items() if errors(verdict.smidiff)}
    assert serious - refused == edits.ALLOWED, "what smidiff minds is refused"
    assert refused - serious == set(edits.DIFFERENCES)


def test_what_build_refuses_has_a_clause(
    published: Published, verdicts: dict[str, Verdict]
) -> None:
    assert verdicts and published.unnamed == set()


def test_what_build_takes_are_edits() -> None:
    assert edits.TAKEN.keys() <= {*NAMES}


# ---- histories: edits on top of each other, each with a revision ----

PARTS = 3
UNTRIED = {"an older revision put in"}
"""It is older than the first revision alone."""


def next_revision(text: str, number: int) -> str:
    """A schema with one revision more, a day after the one before."""
    date = datetime.date(2026, 3, 1) + datetime.timedelta(number)
    line = f'    - {{date: "{date}", description: Next.}}\n'
    return text.replace("  revisions:\n", f"  revisions:\n{line}")


def fits(edit: Edit, text: str) -> bool:
    """Whether an edit can be made, and leaves a schema without errors."""
    if any(text.count(old) != 1 for old, _ in edit.changes):
        return False
    edited = edit._replace(revised=False).apply(text)
    return check("ed.yaml", read=lambda _: edited.encode()).module is not None


def oids_of(published: Published) -> dict[str, str]:
    entries = [entry for entry in published.lock.entries if entry.oid]
    assert len({entry.oid for entry in entries}) == len(entries)
    return {entry.name: entry.dotted for entry in entries}


@pytest.mark.one_in(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_oid_moves_in_a_history_of_edits(
    published: Published, verdicts: dict[str, Verdict], part: int, tmp_path: Path
) -> None:
    """Of all edits that `build` takes, each judged as if it were the only one. Those that exclude
    each other are in several histories."""
    taken = [edit for edit in EDITS if not errors(verdicts[edit.what].build)]
    left = [edit for edit in taken if edit.what not in UNTRIED][part::PARTS]
    while left:
        before, later = published, []
        for number, edit in enumerate(left):
            if not fits(edit, before.text):
                later.append(edit)
                continue
            text = next_revision(edit._replace(revised=False).apply(before.text), number)
            whole = edit._replace(changes=((before.text, text),), revised=False)
            verdict = before.judge(whole, smidiff=SMIDIFF)
            assert not errors(verdict.build)
            assert errors(verdict.breaking) == errors(verdicts[edit.what].breaking), edit.what
            assert edit.what in edits.ALLOWED or not errors(verdict.smidiff), edit.what
            judged = before.folder / str(before.count)
            after = Published(tmp_path / f"{len(left)}-{number}", text, judged / "ed.ctrgen.lock")
            assert oids_of(before).items() <= oids_of(after).items(), edit.what
            before = after
        assert len(later) < len(left)
        left = later


def test_a_change_of_a_text_is_told_until_it_is_revised(published: Published) -> None:
    """Not just by the first build, which writes the lock file."""
    edit = next(edit for edit in EDITS if edit.what == "a description, no revision")
    published.judge(edit, smidiff=False)
    schema = published.folder / str(published.count) / "ed.yaml"
    for _ in range(2):
        assert "unrevised-change" in published.rules(schema)
    text = schema.read_text("utf-8")
    schema.write_text(text.replace(edits.FIRST, edits.SECOND + edits.FIRST), "utf-8")
    assert "unrevised-change" not in published.rules(schema)


def test_texts_are_free_in_a_draft_and_fixed_behind_it(
    published: Published, tmp_path: Path
) -> None:
    schema = tmp_path / "ed.yaml"
    lock = published.schema.with_name("ed.ctrgen.lock").read_text("utf-8")
    schema.with_name("ed.ctrgen.lock").write_text(lock, "utf-8")
    draft = edits.SECOND.replace("}", ", draft: true}")

    def said(text: str, revision: str) -> set[str]:
        whole = published.text.replace(edits.FIRST, revision + edits.FIRST)
        schema.write_text(whole.replace("Packets received.", text), "utf-8")
        return published.rules(schema)

    for text in ("One.", "Two.", "Three."):
        assert said(text, draft) == set()
    assert said("Four.", edits.SECOND) == set()
    assert said("Five.", edits.SECOND) == {"unrevised-change"}
    assert said("Four.", edits.SECOND) == set()


def test_a_lock_file_without_digests_is_completed_without_a_word(
    published: Published, tmp_path: Path
) -> None:
    schema, lock = tmp_path / "ed.yaml", tmp_path / "ed.ctrgen.lock"
    schema.write_text(published.text.replace("Packets received.", "Packets."), "utf-8")
    whole = published.schema.with_name(lock.name).read_text("utf-8")
    lock.write_text("".join(re.findall(r"^(?!text ).*\n", whole, re.MULTILINE)), "utf-8")
    assert published.rules(schema) == set()
    assert re.findall(r"^text [0-9a-f]{8} port\.rx_pkts$", lock.read_text("utf-8"), re.MULTILINE)


def test_the_name_of_the_schema_is_no_part_of_the_module(
    published: Published, tmp_path: Path
) -> None:
    schema = tmp_path / "edge.yaml"
    schema.write_text(published.text, "utf-8")
    lock = published.schema.with_name("ed.ctrgen.lock").read_text("utf-8")
    schema.with_name("edge.ctrgen.lock").write_text(lock, "utf-8")
    assert published.rules(schema) == set()
    modules = (published.module, tmp_path / "out" / published.module.name)
    old, new = (
        [line for line in path.read_text("ascii").splitlines() if not line.startswith("--")]
        for path in modules
    )
    assert old == new and not any("yaml" in line for line in new)


# ---- the clauses ----


def test_every_clause_has_edits() -> None:
    clauses = {"2578, 10", "2578, 10.1", "2578, 10.2", "2578, 10.3", "2579, 5", "2580, 5"}
    clauses |= {f"2578, 10.2 ({number})" for number in range(1, 10)}
    clauses |= {f"2579, 5 ({number})" for number in range(2, 6)} | {"2580, 7", "2580, 7.1"}
    assert {edit.clause for edit in EDITS} == clauses


def test_every_rule_about_oids_names_its_clause() -> None:
    rules = {rule.id for rule in compat.CHANGES.values() if compat.OID in rule.tags}
    assert rules == set(CLAUSES)


# ---- planted bugs ----

PLANTED: dict[str, list[tuple[object, ...]]] = {
    "`serve: false`": [(oids, "unserved")],
    "`max` of a parent, with rows below it above 10,000": [(oids, "unserved")],
    "a scope of more than 10,000 rows added": [(mib_objects, "served", lambda _: True)],
    "a second revision of one day, without a time": [(changes, "disorder")],
    "a second revision of one day, at midnight": [(defaults, "MIDNIGHT", "")],
    "the names of a scope": [(changes, "late_names")],
    "the OID of what is gone, for another item": [
        (mib_objects, "_gone", lambda _: {}),
        (oids, "_reassigned"),
    ],
    "the descriptor of what is gone, for another item": [(mib_names, "_clashes"), (oids, "_names")],
    "when a notification is raised": [(texts, "lost"), (notifications, "_raised_by")],
    "a DEFVAL removed": [(texts, "removed"), (oids, "removed")],
    "a REFERENCE removed": [(texts, "CLAUSES", {})],
    "a type replaced by a convention of that type": [(changes, "compatible")],
    "a description, no revision": [(texts, "changed"), (oids, "_other_texts")],
    "the contact, no revision": [(texts, "changed"), (oids, "_other_texts")],
    "the OID of a node": [(texts, "lost")],
    "a peak that becomes a least value": [(texts, "lost")],
    "`low_capacity` removed": [(oids, "_companions")],
    "a deprecated item current again": [(changes, "changed")],
    "an older revision put in": [(changes, "_older")],
    "an item added in front, no revision": [(changes, "_facts")],
    "a unit changed": [(changes, "changed")],
    "a descriptor": [(changes, "changed")],
    "MAX-ACCESS": [(changes, "changed")],
    "the text of a published revision": [(assign._Assigner, "_rewritten", lambda *_: iter(()))],
    "another group in a compliance of `definitions`": [(definitions, "lost")],
}
"""Edits by the functions that see them, each of which finds nothing, or by what takes its place."""


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("name", "bug"), [(name, bug) for name, bugs in PLANTED.items() for bug in bugs]
)
def test_without_its_check_an_edit_goes_unnoticed(
    published: Published,
    verdicts: dict[str, Verdict],
    name: str,
    bug: tuple[object, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edit = next(edit for edit in EDITS if edit.what == name)
    monkeypatch.setattr(*bug[:2], *(bug[2:] or [lambda *_: ()]))
    verdict = published.judge(edit, smidiff=False)
    assert verdict[:2] != verdicts[name][:2]


@pytest.mark.parametrize("revised", [True, False])
def test_digests_are_neither_forgotten_nor_for_ever(
    published: Published, monkeypatch: pytest.MonkeyPatch, revised: bool
) -> None:
    """Planted: digests that are always those of the moment, and digests that never change."""
    whole = texts.kept
    monkeypatch.setattr(texts, "kept", lambda *given, **_: whole(*given, revised=revised))
    name = "a description, no revision" if revised else "a description"
    edit = next(edit for edit in EDITS if edit.what == name)
    published.judge(edit, smidiff=False)
    again = published.rules(published.folder / str(published.count) / "ed.yaml")
    assert ("unrevised-change" in again) != revised

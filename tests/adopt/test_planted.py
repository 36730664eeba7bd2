# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of proposals, each planted into a copy of the generator: a test of this folder fails."""

from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.planted import Edit, fails

SOURCE, USES = "generator/tools/adopt/source.py", "generator/tools/adopt/uses.py"
WORDS, PROPOSE = "generator/tools/adopt/words.py", "generator/tools/adopt/propose.py"
RECOGNISED = "test_adopt::test_each_pattern_is_recognised"

BUGS = {
    "members-behind-if-are-not-seen": (Edit(SOURCE, 'node.type.startswith("preproc_if") or', ""),
                                       f"{RECOGNISED}[struct-behind-if]"),
    "words-need-a-struct": (Edit(WORDS, "uses.counts(word.variable.name)", "word.named"),
                            f"{RECOGNISED}[words-and-arrays-of-words]"),
    "what-goes-down-is-a-counter": (
        Edit(USES, '"zero", "address"))', '"zero", "address", "down"))'),
        f"{RECOGNISED}[words-that-are-none]",
    ),
    "a-loop-bound-is-a-counter": (
        Edit(USES, 'return "compare"\n    outer', 'return "read"\n    outer'),
        f"{RECOGNISED}[words-that-are-none]",
    ),
    "per-lcore-variables-are-calls": (Edit(SOURCE, r"\bRTE_DEFINE_PER_LCORE", "RTE_DEFINE_NOTHING"),
                                      f"{RECOGNISED}[per-lcore-variable]"),
    "a-configuration-is-an-object": (Edit(WORDS, "return not self.sizes and (", "return ("),
                                     f"{RECOGNISED}[member-of-a-config]"),
    "typedefs-are-not-resolved": (Edit(SOURCE, "while name in self.aliases", "while not name"),
                                  f"{RECOGNISED}[typedefs-and-sizes]"),
    "pointers-lead-nowhere": (
        Edit(WORDS, "if v.pointer and (struct", "if v.pointer and (v.name or struct"),
        f"{RECOGNISED}[behind-pointers]",
    ),
    "declarations-hide-definitions": (
        Edit(SOURCE, "for extern in (False, True)", "for extern in (True, False)"),
        "test_adopt::test_a_definition_goes_before_a_declaration",
    ),
    "a-struct-in-two-objects-has-two-scopes": (
        Edit(PROPOSE, "where = (v.type, word.path[:-1])", "where = self.tags.get(word.owner)"),
        f"{RECOGNISED}[one-struct-in-two-objects]",
    ),
    "two-scopes-of-one-name-are-one": (
        Edit(PROPOSE, 'name = identifier(f"{name}_{identifier(of)}")', "pass"),
        "test_adopt::test_scopes_of_one_name_and_other_sizes_are_two",
    ),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", BUGS)
def test_planted_bug_is_seen(name: str, tmp_path: Path) -> None:
    edit, seen_by = BUGS[name]
    fails(tmp_path, edit, "tests/adopt/{}.py::{}".format(*seen_by.split("::")))


def test_every_bug_can_be_planted() -> None:
    for edit, _ in BUGS.values():
        edit.applied((ROOT / edit.path).read_text("utf-8"))

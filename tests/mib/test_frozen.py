# SPDX-License-Identifier: BSD-3-Clause
"""What is published stays, in `check` and `build` and not in `breaking` alone."""

import pytest

from ctrgen.pipeline.check import check
from ctrgen.publish import assign, changes
from ctrgen.publish.rules import module
from tests.mib.repository import FIRST, Repository, revised, rules

DROPS = "drops: {unit: packets, description: Drops.}"
CHANGES = {
    "unit": (DROPS, "drops: {unit: frames, description: Drops.}"),
    "name": (DROPS, "drops: {unit: packets, description: Drops., snmp: {name: epLosses}}"),
    "access": (
        DROPS,
        "drops: {unit: packets, description: Drops., snmp: {access: accessible-for-notify}}",
    ),
    "revision": ("description: First.", "description: The first one."),
    "revision.draft": ("description: First.", "description: First., draft: true"),
    "name.scope": ("  session:\n", "  session:\n    snmp: {name: peer}\n"),
    "name.table": ("  session:\n", "  session:\n    snmp: {table: epPeerTable}\n"),
    "name.module": ("module: ep", "module: gw"),
    "type": (DROPS, "drops: {width: 32, unit: packets, description: Drops.}"),
    "type.label": ("labels: [idle, up]", "labels: [up]"),
    "type.bool": ("type: enum, labels: [idle, up]", "type: bool"),
    "index": ("    max: 4\n", "    max: 4\n    index: IF-MIB::ifIndex\n"),
    "oid": ("enterprise: 32473", "enterprise: 32474"),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_change_of_what_is_published_is_one_error(repository: Repository, change: str) -> None:
    repository.build(FIRST)
    before = repository.schema.with_name("ep.ctrgen.lock").read_bytes()
    old, new = CHANGES[change]
    rule = f"frozen-{change.partition('.')[0]}"
    for text in (FIRST, revised(FIRST, "2026-02-01")):
        changed = text.replace(old, new)
        assert changed != text
        result = repository.attempt(changed)
        assert rules(result) == [rule] and result.exit_code == 1
        (finding,) = check(str(repository.schema)).diagnostics.findings
        assert finding.rule == rule and finding.hint
        assert repository.schema.with_name("ep.ctrgen.lock").read_bytes() == before
        if change.startswith("revision.draft"):
            break  # beside a newer revision, another rule has its say


@pytest.mark.parametrize("change", ["unit", "name", "access"])
def test_a_draft_revision_can_change_what_it_added(repository: Repository, change: str) -> None:
    first = FIRST.replace(f"      {DROPS}\n", "")
    repository.build(first)
    draft = revised(first, "2026-02-01", ", draft: true")
    repository.build(draft + f"      {DROPS}\n")
    repository.build(draft + f"      {CHANGES[change][1]}\n")


def test_a_unit_can_be_added(repository: Repository) -> None:
    bare = FIRST.replace(DROPS, DROPS.replace("packets", "'1'"))
    repository.build(bare)
    result = repository.attempt(revised(FIRST, "2026-02-01"))
    assert rules(result) == []


@pytest.mark.parametrize(
    ("change", "where", "name"),
    [(change, changes, "changed") for change in ("unit", "name", "access")]
    + [("revision", assign._Assigner, "_rewritten"), ("name.scope", module, "_late_names")],
)
def test_without_its_check_a_change_goes_unnoticed(
    repository: Repository, change: str, where: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted bugs of this file: nothing else would have said it."""
    repository.build(FIRST)
    monkeypatch.setattr(where, name, lambda *_: iter(()))
    result = repository.attempt(revised(FIRST, "2026-02-01").replace(*CHANGES[change]))
    assert (result.exit_code, rules(result)) == (0, [])

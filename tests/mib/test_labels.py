# SPDX-License-Identifier: BSD-3-Clause
"""The labels of a published index: new ones go to the end, and none gets another number."""

import pytest

from tests.mib.repository import FIRST, Repository, revised, rules

LABELLED = "  drop:\n    labels: [vlan, ttl]\n    counters: {n: {unit: x, description: N.}}\n"
SCHEMA = FIRST.replace("scopes:\n", f"scopes:\n{LABELLED}")
REFUSED = {
    "moved": "labels: [ttl, vlan]",
    "before": "labels: [acl, vlan, ttl]",
    "removed": "labels: [vlan]",
    "number": "max: 2",
    "dimensions": "labels: {reason: [vlan, ttl], direction: [in, out]}",
}


def test_a_label_at_the_end_keeps_what_is_published(repository: Repository) -> None:
    repository.build(SCHEMA)
    later = revised(SCHEMA, "2026-02-01").replace("[vlan, ttl]", "[vlan, ttl, acl]")
    result = repository.attempt(later)
    assert rules(result) == [] and result.exit_code == 0


@pytest.mark.parametrize("change", sorted(REFUSED))
def test_other_changes_are_refused(repository: Repository, change: str) -> None:
    repository.build(SCHEMA)
    later = revised(SCHEMA, "2026-02-01").replace("labels: [vlan, ttl]", REFUSED[change])
    result = repository.attempt(later)
    assert {"frozen-type", "frozen-index"} & {*rules(result)}, rules(result)
    assert result.exit_code == 1

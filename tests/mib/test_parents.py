# SPDX-License-Identifier: BSD-3-Clause
"""Scopes without items: no table, and an index that stays what it is once it is published."""

import re

from tests.mib.repository import FIRST, Repository, revised, rules

INNER = """\
  port:
    max: 2
  queue:
    parent: port
    max: 4
    counters: {n: {unit: x, description: N.}}
  lane:
    parent: queue
    max: 3
    counters: {n: {unit: x, description: N.}}
"""
SCHEMA = FIRST.replace("scopes:\n", f"scopes:\n{INNER}")


def indexes(module: str) -> list[str]:
    """The INDEX clauses of a module."""
    return [" ".join(found.split()) for found in re.findall(r"INDEX +\{([^}]*)\}", module)]


def test_a_parent_without_items_has_no_table(repository: Repository) -> None:
    module = repository.build(SCHEMA)
    assert "epPort" not in module and "epQueuePortIndex OBJECT-TYPE" in module
    assert indexes(module) == [
        "epQueuePortIndex, epQueueIndex",
        "epQueuePortIndex, epQueueIndex, epLaneIndex",
        "epSessionIndex",
    ]


def test_the_first_item_of_a_published_parent_is_refused(repository: Repository) -> None:
    repository.build(SCHEMA)
    item = "    max: 2\n    counters: {n: {unit: x, description: N.}}\n"
    later = revised(SCHEMA, "2026-02-01").replace("    max: 2\n", item, 1)
    assert set(rules(repository.attempt(later))) == {"frozen-index"}


def test_a_renamed_parent_keeps_its_columns(repository: Repository) -> None:
    repository.build(SCHEMA)
    later = revised(SCHEMA, "2026-02-01").replace("parent: port", "parent: nic")
    later = later.replace("  port:\n", "  nic:\n    renamed_from: port\n")
    result = repository.attempt(later)
    assert rules(result) == [] and result.exit_code == 0
    module = repository.build(later)
    assert indexes(module)[0] == "epQueuePortIndex, epQueueIndex"


def test_a_renamed_scope_keeps_the_columns_of_its_dimensions(repository: Repository) -> None:
    text = SCHEMA.replace(
        "    max: 4\n    counters: {n", "    labels: {a: [x], b: [y]}\n    counters: {n"
    )
    repository.build(text)
    later = revised(text, "2026-02-01").replace("parent: queue", "parent: line")
    later = later.replace("  queue:\n", "  line:\n    renamed_from: queue\n")
    result = repository.attempt(later)
    assert rules(result) == [] and result.exit_code == 0

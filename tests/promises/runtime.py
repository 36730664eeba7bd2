# SPDX-License-Identifier: BSD-3-Clause
"""Which tests prove properties of the runtime, under every strategy.

A property is a row of PROPERTIES; a test is FILE::FUNCTION below tests/.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tests.support.paths import ROOT
from tests.support.strategies import FACTS


class Property(NamedTuple):
    """A property of the runtime, and its checks."""

    name: str
    means: str
    tests: tuple[str, ...]


def of_strategies(name: str) -> Iterator[str]:
    """Checks of a property in what one strategy alone has of the runtime."""
    for strategy, facts in FACTS.items():
        yield from (f"strategies/{strategy}/{test}" for test in facts.properties.get(name, []))


PROPERTIES = (
    Property(
        "ownership",
        "Shared state has one owner at a time; what is taken over is taken over once",
        (
            "segment/test_handover.py::test_handed_over",
            "segment/test_handover.py::test_a_former_process_that_goes_on",
            "segment/test_segment.py::test_discontinuities",
            "segment/test_faults.py::test_taken_over_exactly_once",
            "segment/test_faults.py::test_users_of_a_table_close_it_in_any_order",
            "segment/test_faults.py::test_a_helper_that_lives_on",
            "run/test_life.py::test_a_thread_ends_in_a_section",
            *of_strategies("ownership"),
        ),
    ),
    Property(
        "identity",
        "Values go to the scope, item and instance that they were counted for",
        (
            "segment/test_segment.py::test_the_directory_is_the_schema",
            "segment/test_segment.py::test_lives_and_ends",
            "segment/test_faults.py::test_taken_over_exactly_once",
            "run/test_stress.py::test_all_at_once",
        ),
    ),
)


def missing() -> list[str]:
    """Tests that are named here and do not exist."""
    named = [test for row in PROPERTIES for test in row.tests]
    files = {test: ROOT / "tests" / test.partition("::")[0] for test in named}
    return [
        test
        for test, path in files.items()
        if not path.exists() or f"def {test.partition('::')[2]}(" not in path.read_text("utf-8")
    ]


def table() -> str:
    """Every property, as Markdown."""
    lines = ["| Property | Means | Checks |", "|---|---|---|"]
    for row in PROPERTIES:
        checks = ", ".join(f"`{test.rpartition('::')[2]}`" for test in row.tests)
        lines.append(f"| {row.name} | {row.means} | {checks} |")
    return "\n".join(lines)

# SPDX-License-Identifier: BSD-3-Clause
"""All examples of DPDK: those that count get a proposal that counts, the others none."""

from pathlib import Path

import pytest

from tests.adopt.counting import counted, items
from tests.adopt.examples import COUNTING, folders, proposed
from tests.support.capabilities import needs

pytestmark = [pytest.mark.slow, pytest.mark.deep, needs("cc")]


@pytest.mark.parametrize("name", COUNTING)
def test_what_an_example_counts_is_proposed_and_counts(
    examples: Path, name: str, tmp_path: Path
) -> None:
    if name not in folders(examples):
        pytest.skip("not in this version of DPDK")
    schema = proposed(folders(examples)[name])
    assert {scope: len(names) for scope, names in items(schema).items()} == COUNTING[name]
    assert counted(schema, tmp_path) == sum(COUNTING[name].values())


def test_examples_that_count_nothing_get_no_proposal(examples: Path) -> None:
    others = {name: files for name, files in folders(examples).items() if name not in COUNTING}
    assert len(others) > 15
    assert {name: proposed(files) for name, files in others.items()} == dict.fromkeys(others, "")

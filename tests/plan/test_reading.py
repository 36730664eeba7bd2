# SPDX-License-Identifier: BSD-3-Clause
"""What readers and updates do to each other: who waits, and what of it a schema may refuse."""

from pathlib import Path

import pytest

from ctrgen.model.strategies.catalogue import DELAYS, all_strategies
from tests.support.process import ctrgen
from tests.support.strategies import STRATEGIES


def test_every_way_to_wait_is_there() -> None:
    """Of those that do not wait, readers of one try again; all is said in words."""
    assert {s.delays() for s in all_strategies().values()} == {*DELAYS}
    assert {s.delayed() for s in all_strategies().values()} == {"never", "tries", "waits"}
    again = [s.name for s in all_strategies().values() if s.delayed() == "tries"]
    assert again == [s.name for s in all_strategies().values() if s.may_fail and s.tries]


NEEDS = """\
ctrgen: 1
module: few
sync: SYNC
requires: {reader_delay: NEED}
scopes: {global: {counters: {a: {unit: packets, description: A.}}}}
updates: {u: {add: {global.a: 1}}}
"""


@pytest.mark.parametrize("need", ["any", *DELAYS])
@pytest.mark.parametrize("variant", STRATEGIES)
def test_what_is_required_of_readers(tmp_path: Path, variant: str, need: str) -> None:
    if need == "snapshot":
        return  # any
    schema = tmp_path / "s.yaml"
    schema.write_text(NEEDS.replace("SYNC", variant).replace("NEED", need), "utf-8")
    done = ctrgen("check", schema)
    given = all_strategies()[variant].delays()
    kept = need == "any" or [*DELAYS].index(given) <= [*DELAYS].index(need)
    assert (done.exit_code == 0) == kept, done.stdout
    if not kept:
        assert f"does not meet 'reader_delay': {DELAYS[given]}" in done.stdout

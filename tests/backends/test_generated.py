# SPDX-License-Identifier: BSD-3-Clause
"""generated/ is what the reference schema gives now, under every strategy."""

from pathlib import Path

import pytest

from tests import golden
from tests.support.planted import PROJECT
from tests.support.strategies import STRATEGIES


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_generated_is_current(strategy: str) -> None:
    result = golden.reference(strategy, mode="check")
    assert result.text == "", "if this is meant, `./dev golden` generates it again"
    assert result.exit_code == 0


def test_a_reset_of_all_names_the_size_of_its_array() -> None:
    text = (golden.GENERATED / golden.WHOLE / "ep_stats.h").read_text()
    assert "an array of EP_STATS_SESSION_MAX, by position" in text


def test_generated_holds_nothing_else() -> None:
    assert golden.extra_folders() == []


def test_a_text_as_large_as_the_account_of_a_limit_is_a_text(tmp_path: Path) -> None:
    schema = tmp_path / "odd.yaml"
    schema.write_text(
        "ctrgen: 1\nmodule: odd\ndescription: Odd.\nscopes:\n  global:\n    states:\n"
        "      note: {type: string, length: 36, description: A text.}\n"
    )
    PROJECT.succeed("build", schema, "-o", tmp_path, "--only", "c")
    assert "ctr_limit_account" not in (tmp_path / "odd_stats.h").read_text()

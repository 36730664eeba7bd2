# SPDX-License-Identifier: BSD-3-Clause
"""generated/ is what the reference schema gives now, under every strategy."""

import pytest

from tests import golden
from tests.support.strategies import STRATEGIES


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_generated_is_current(strategy: str) -> None:
    result = golden.reference(strategy, mode="check")
    assert result.text == "", "if this is meant, `./dev golden` generates it again"
    assert result.exit_code == 0


def test_generated_holds_nothing_else() -> None:
    assert golden.extra_folders() == []

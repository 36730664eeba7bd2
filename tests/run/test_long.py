# SPDX-License-Identifier: BSD-3-Clause
"""As many updates as a counter sees in minutes of real traffic: `./dev test --long`.

Without the option, a thousandth of them.
"""

import os

import pytest

from tests.run.variants import ep
from tests.support.cbuild import Workshop, figures
from tests.support.strategies import ALL_EXACT

UPDATES = 1_000_000_000  # calls, each of four counters
QUICK = 1_000_000

pytestmark = [pytest.mark.slow, pytest.mark.native]


@pytest.mark.parametrize("strategy", ALL_EXACT)
def test_a_billion_updates(
    workshop: Workshop, strategy: str, request: pytest.FixtureRequest
) -> None:
    """Two lcores and another thread; none lost, none counted twice."""
    long = request.config.getoption("--long")
    wanted = int(os.environ.get("CTR_TEST_UPDATES", UPDATES if long else QUICK))
    text = workshop.passes(ep(strategy, test="long"), "long", 3600, UPDATES=wanted)
    found = figures(text)
    assert found["updates"] == found["counted"] == found["in_sessions"] >= wanted
    if long:  # shown at the end, tests/conftest.py
        request.node.user_properties.append(("figures", f"{strategy}: {text.strip()}"))

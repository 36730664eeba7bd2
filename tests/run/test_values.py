# SPDX-License-Identifier: BSD-3-Clause
"""Generic readers: look-ups by name, differences and rates."""

import pytest

from tests.run.variants import VALUE_TESTS, values
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import SHARED, USUAL


@pytest.mark.parametrize("test", VALUE_TESTS)
def test_values(workshop: Workshop, test: str) -> None:
    workshop.passes(values(USUAL), test)


def test_values_under_sanitizers(workshop: Workshop) -> None:
    build = values(SHARED).but(flags=SANITIZED)
    for test in VALUE_TESTS:
        workshop.passes(build, test)

# SPDX-License-Identifier: BSD-3-Clause
"""Generic readers: look-ups by name, differences and rates."""

from __future__ import annotations

import pytest

from tests.run.variants import VALUE_TESTS, values
from tests.support.cbuild import Workshop


@pytest.mark.parametrize("test", VALUE_TESTS)
def test_values(workshop: Workshop, test: str) -> None:
    workshop.passes(values("per_core"), test)


def test_values_under_sanitizers(workshop: Workshop) -> None:
    flags = ("-O1", "-g", "-fsanitize=address,undefined", "-Wall", "-Wextra", "-Werror")
    build = values("shared_atomic").but(flags=flags, link=("-fsanitize=address,undefined",))
    for test in VALUE_TESTS:
        workshop.passes(build, test)

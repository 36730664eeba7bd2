# SPDX-License-Identifier: BSD-3-Clause
"""Everything that a schema can have: kinds, widths, nesting, storages, strategies of scopes."""

from __future__ import annotations

import pytest

from tests.cbuild import Workshop
from tests.run.variants import EXACT, VARIANTS, ZOO_SOURCES, fewer, zoo

ROUNDS = 100_000  # of each worker
FLOWS = 6_000  # instances that come into being meanwhile

STEPWISE = [test for name in ZOO_SOURCES if name != "zoo_stress" for test in ZOO_SOURCES[name]]

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("test", STEPWISE)
def test_step_by_step(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(zoo(variant), test)


@pytest.mark.parametrize("variant", EXACT)
@pytest.mark.parametrize("test", ZOO_SOURCES["zoo_stress"])
def test_all_at_once(workshop: Workshop, test: str, variant: str) -> None:
    rounds = fewer(variant, ROUNDS, 20)
    workshop.passes(zoo(variant), test, ROUNDS=rounds, FLOWS=FLOWS)

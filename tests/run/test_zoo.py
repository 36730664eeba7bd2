# SPDX-License-Identifier: BSD-3-Clause
"""Everything that a schema can have: kinds, widths, nesting, storages, strategies of scopes."""

import pytest

from tests.run.variants import ZOO_SOURCES, zoo
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.strategies import ALL_EXACT, EXACT, UNLIKE, VARIANTS, copies, fewer, usually

ROUNDS = 100_000  # of each worker

STEPWISE = [test for name in ZOO_SOURCES if name != "zoo_stress" for test in ZOO_SOURCES[name]]

pytestmark = pytest.mark.slow


@pytest.mark.one_in(44)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("test", STEPWISE)
def test_step_by_step(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(zoo(variant), test, **copies(variant))


@pytest.mark.one_in(16)
@pytest.mark.parametrize("variant", EXACT)
@pytest.mark.parametrize("test", ZOO_SOURCES["zoo_stress"])
def test_all_at_once(workshop: Workshop, test: str, variant: str) -> None:
    rounds = fewer(variant, ROUNDS, 20)
    workshop.passes(zoo(variant), test, ROUNDS=rounds)


@pytest.mark.one_in(6)
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("test", ["objects", "recycled", "occupancy", "reports_of_updates"])
@pytest.mark.parametrize("strategy", usually(ALL_EXACT, UNLIKE))
def test_on_dpdk(workshop: Workshop, test: str, strategy: str) -> None:
    workshop.passes(zoo(strategy, "dpdk"), test, ROUNDS=ROUNDS)

# SPDX-License-Identifier: BSD-3-Clause
"""Tables grow beside updates and reads, and no update is the first to touch a page."""

import pytest

from tests.run.variants import growth
from tests.support.cbuild import Workshop
from tests.support.strategies import EXACT, STRATEGIES

pytestmark = pytest.mark.slow


@pytest.mark.native
@pytest.mark.one_in(10)
@pytest.mark.parametrize("test", ["table_grows", "lcore_comes_late"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_page_fault(workshop: Workshop, strategy: str, test: str, port: str) -> None:
    workshop.passes(growth(strategy, port), test)


@pytest.mark.one_in(10)
@pytest.mark.parametrize("variant", EXACT)
def test_reads_meanwhile(workshop: Workshop, variant: str, port: str) -> None:
    """Nothing is lost, seen twice or missing."""
    workshop.passes(growth(variant, port), "reads_meanwhile")

# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of instances that are constants of C: arrays, checks and readers go by them."""

import pytest

from tests.run.variants import SYMBOLIC_TESTS, symbolic
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import STRATEGIES, UNLIKE, usually


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", usually(STRATEGIES, UNLIKE))
@pytest.mark.parametrize("test", SYMBOLIC_TESTS)
def test_symbolic(workshop: Workshop, test: str, variant: str, port: str) -> None:
    workshop.passes(symbolic(variant, port), test)


@pytest.mark.deep
@pytest.mark.parametrize("variant", UNLIKE)
def test_symbolic_under_sanitizers(workshop: Workshop, variant: str) -> None:
    build = symbolic(variant).but(flags=SANITIZED)
    for test in SYMBOLIC_TESTS:
        workshop.passes(build, test)

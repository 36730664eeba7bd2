# SPDX-License-Identifier: BSD-3-Clause
"""Instances with names count right: each label in its own, one and several dimensions."""

import pytest

from tests.run.variants import LABEL_TESTS, labels
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import LOCKING, UNLIKE, USUAL, VARIANTS, usually


@pytest.mark.parametrize("variant", usually(VARIANTS, (*UNLIKE, f"{LOCKING}:granularity=instance")))
@pytest.mark.parametrize("test", LABEL_TESTS)
def test_labels(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(labels(variant), test)


def test_labels_under_sanitizers(workshop: Workshop) -> None:
    build = labels(USUAL).but(flags=SANITIZED)
    for test in LABEL_TESTS:
        workshop.passes(build, test)

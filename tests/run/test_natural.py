# SPDX-License-Identifier: BSD-3-Clause
"""What has natural names counts right: no name leads to another thing than it says."""

from __future__ import annotations

import pytest

from tests.run.variants import natural
from tests.support.cbuild import Workshop
from tests.support.strategies import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("test", ["counts", "snapshots_and_views"])
def test_natural_names(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(natural(variant), test)

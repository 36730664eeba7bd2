# SPDX-License-Identifier: BSD-3-Clause
"""The module that estimates are of."""

import pytest

from ctrgen.model import ir
from tests.plan import roomy


@pytest.fixture(scope="session")
def module() -> ir.Module:
    """The chapter's example, with room for many flows."""
    return roomy.chapter()

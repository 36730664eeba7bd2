# SPDX-License-Identifier: BSD-3-Clause
"""What is measured once for all tests here."""

from __future__ import annotations

import pytest

from tests.figures.measure import Bench


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The figures of the project."""
    return Bench(tmp_path_factory.mktemp("figures"))

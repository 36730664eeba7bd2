# SPDX-License-Identifier: BSD-3-Clause
"""What is measured once for all tests here."""

import pytest

from tests.figures.measure import Bench
from tests.support.cbuild import Workshop


@pytest.fixture(scope="session")
def bench(workshop: Workshop) -> Bench:
    """The figures of the project; all processes of a run share a folder."""
    folder = workshop.folder / "figures"
    folder.mkdir(exist_ok=True)
    return Bench(folder)

# SPDX-License-Identifier: BSD-3-Clause
"""The application of lab.py, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cbuild import Workshop
from tests.telemetry import lab


@pytest.fixture(scope="session")
def program(workshop: Workshop) -> Path:
    """Made once for all processes of a run."""

    def make(folder: Path) -> None:
        folder.mkdir()
        lab.build(folder)

    return workshop.once("telemetry", make) / "main"


@pytest.fixture(scope="module")
def application(program: Path) -> Iterator[lab.Application]:
    found = lab.Application(program)
    yield found
    assert found.end() == 0


@pytest.fixture
def asker(application: lab.Application) -> Iterator[lab.Asker]:
    found = lab.Asker(application.socket)
    yield found
    found.close()

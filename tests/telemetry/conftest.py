# SPDX-License-Identifier: BSD-3-Clause
"""The applications of lab.py, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cbuild import Workshop
from tests.telemetry import lab


@pytest.fixture(scope="session")
def program(workshop: Workshop) -> Path:
    return built(workshop, "telemetry", many=False)


@pytest.fixture(scope="session")
def wide(workshop: Workshop) -> Path:
    """With 5,000 counters in three scopes."""
    return built(workshop, "telemetry-wide", many=True)


def built(workshop: Workshop, name: str, many: bool) -> Path:
    """A program, made once for all processes of a run."""

    def make(folder: Path) -> None:
        folder.mkdir()
        lab.build(folder, many)

    return workshop.once(name, make) / "main"


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

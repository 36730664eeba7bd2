# SPDX-License-Identifier: BSD-3-Clause
"""The applications of lab.py, built once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.telemetry import lab


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lab.build(tmp_path_factory.mktemp("telemetry"))


@pytest.fixture(scope="session")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With 5,000 counters in three scopes."""
    return lab.build(tmp_path_factory.mktemp("wide"), many=True)


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

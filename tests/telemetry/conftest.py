# SPDX-License-Identifier: BSD-3-Clause
"""The application of lab.py, built once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cbuild import QUICK, Build, Workshop
from tests.telemetry import lab


@pytest.fixture(scope="session")
def program(workshop: Workshop) -> Path:
    schema, main = lab.HERE / "tel.yaml", lab.HERE / "main.c"
    parts = ("telemetry",)
    return workshop.program(Build(schema, sources=(main,), port="dpdk", parts=parts, flags=QUICK))


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

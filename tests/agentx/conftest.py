# SPDX-License-Identifier: BSD-3-Clause
"""The agent of agx.yaml, and a master."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.model import FIRST
from tests.support.cbuild import SANITIZED


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("agentx")
    lab.generate(lab.HERE / "agx.yaml", found)
    return found


@pytest.fixture(scope="session")
def program(folder: Path) -> Path:
    return lab.build(folder, [lab.HERE / "main.c"], flags=SANITIZED)


@pytest.fixture(scope="module")
def master(folder: Path) -> Iterator[lab.Master]:
    found = lab.Master(folder)
    yield found
    found.stop()


@pytest.fixture(params=["thread", "poll"])
def application(
    request: pytest.FixtureRequest, program: Path, master: lab.Master
) -> Iterator[lab.Application]:
    """The application, the agent in a thread of its own or in its loop."""
    found = lab.Application(program, master.socket, request.param)
    master.wait(FIRST)
    yield found
    assert found.end() == 0

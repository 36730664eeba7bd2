# SPDX-License-Identifier: BSD-3-Clause
"""What the backends for monitoring systems make of mon.yaml, and an application that serves it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import Oid
from tests.support.planted import PROJECT

HERE = Path(__file__).parent
OUTPUTS = "c,mib,agentx,snmp_exporter,librenms"
LAST: Oid = (1, 3, 6, 1, 4, 1, 32473, 9, 1, 1, 1, 0)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the schema and, in `out`, everything that is made of it."""
    found = tmp_path_factory.mktemp("monitoring")
    shutil.copy(HERE / "mon.yaml", found)
    PROJECT.succeed("build", found / "mon.yaml", "-o", found / "out", "--only", OUTPUTS)
    return found


@pytest.fixture(scope="session")
def master(folder: Path) -> Iterator[lab.Master]:
    """An snmpd, and the application behind it."""
    program = lab.build(folder, [HERE / "agent_main.c"])
    found = lab.Master(folder)
    try:
        application = lab.Application(program, found.socket)
        assert application.do("fill") == "0"
        found.wait(LAST)
        yield found
        assert application.end() == 0
    finally:
        found.stop()

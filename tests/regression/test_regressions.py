# SPDX-License-Identifier: BSD-3-Clause
"""Bugs that were found stay mended: main.c has a check for each, run under every strategy."""

from pathlib import Path

import pytest

from tests.support.capabilities import needs
from tests.support.cbuild import Build, Workshop
from tests.support.process import succeed
from tests.support.strategies import STRATEGIES

HERE = Path(__file__).parent


@needs("gcc")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_mended_bugs(workshop: Workshop, strategy: str) -> None:
    sources, flags = (HERE / "main.c",), ("-O2", "-Wall", "-Wextra", "-Werror")
    program = workshop.program(Build(HERE / "schema.yaml", strategy, sources, flags=flags))
    succeed(program, timeout=60)

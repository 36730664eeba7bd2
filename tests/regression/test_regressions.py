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
    sources, warnings = (HERE / "main.c",), ("-Wall", "-Wextra", "-Werror")
    build = Build(HERE / "schema.yaml", strategy, sources, own_flags=warnings)
    succeed(workshop.program(build), timeout=60)

# SPDX-License-Identifier: BSD-3-Clause
"""Instances by CPU of threads without an lcore id, under strategies with one for each lcore."""

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from tests.run.tools import thread
from tests.run.variants import foreign
from tests.support.cbuild import Workshop, run_test
from tests.support.strategies import lcore_values

TESTS = ("on_its_cpu", "wanderers")
STRATEGIES = [name for name, s in all_strategies().items() if s.main.more]

pytestmark = pytest.mark.slow


@pytest.mark.one_in(2)
@pytest.mark.parametrize("cpus", [1, 4096])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_where_they_count(workshop: Workshop, strategy: str, cpus: int, port: str) -> None:
    build = foreign(f"{strategy}:cpus={cpus}", port)
    for test in TESTS if port == "posix" else TESTS[:1]:
        workshop.passes(build, test, CPUS=cpus, PARTS=int(lcore_values(strategy)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_data_race(workshop: Workshop, strategy: str) -> None:
    workshop.passes(thread(foreign(f"{strategy}:cpus=2")), "wanderers", RESETS=20)


def test_where_the_cpu_has_to_be_asked_for(workshop: Workshop) -> None:
    """glibc can be told not to register the area that says it."""
    program = workshop.program(foreign("per_core:cpus=2"))
    off = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
    done = run_test(program, "on_its_cpu", 120, off, CPUS=2)
    assert done.returncode == 0, done.stdout + done.stderr

# SPDX-License-Identifier: BSD-3-Clause
"""Keys of instances: values of every type, instances that come and go, setters beside finders."""

import pytest

from ctrgen.model.keys import memory
from ctrgen.pipeline.check import check
from tests.run.tools import thread
from tests.run.variants import KEY_TESTS, keys
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import SHARED, UNLIKE, USUAL, VARIANTS, usually


@pytest.mark.parametrize("variant", usually(VARIANTS, UNLIKE))
@pytest.mark.parametrize("test", KEY_TESTS)
def test_keys(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(keys(variant), test)


@pytest.mark.parametrize("test", KEY_TESTS)
def test_keys_on_every_port(workshop: Workshop, test: str, port: str) -> None:
    workshop.passes(keys(USUAL, port), test, ROUNDS=5000)


def test_the_memory_is_that_of_plans(workshop: Workshop) -> None:
    build = keys(SHARED)
    module = check(str(build.schema)).module
    assert module is not None
    (scope,) = (scope for scope in module.scopes if scope.name == "session")
    one, every = (memory(scope.key, scope.instances, n) for n in (1, scope.instances))
    workshop.passes(build, "bytes", ONE=one, ALL=every)


def test_nothing_out_of_bounds(workshop: Workshop) -> None:
    for test in KEY_TESTS:
        workshop.passes(keys(USUAL).but(flags=SANITIZED), test, ROUNDS=3000)


def test_no_data_race(workshop: Workshop) -> None:
    workshop.passes(thread(keys(USUAL)), "setters_and_finders", ROUNDS=3000)

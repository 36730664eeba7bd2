# SPDX-License-Identifier: BSD-3-Clause
"""The example schemas under sanitizers and valgrind, and with allocations that fail."""

import re
from pathlib import Path

import pytest

from tests.run import tools
from tests.run.examples import CASES, SCHEMAS, application, failures
from tests.support.capabilities import needs
from tests.support.cbuild import QUICK, SANITIZED, Build, Workshop, figures
from tests.support.process import run, succeed

pytestmark = pytest.mark.slow


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("schema", "strategy"), CASES)
def test_each_allocation_fails_in_turn(workshop: Workshop, schema: str, strategy: str) -> None:
    """An instance or a buffer for each lcore, an instance for other threads, a snapshot ..."""
    assert figures(workshop.passes(failures(schema, strategy), "failures"))["failures"] >= 2


@pytest.mark.one_in(6)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_each_allocation_of_a_port_fails_in_turn(
    workshop: Workshop, schema: str, port: str
) -> None:
    assert figures(workshop.passes(failures(schema, None, port), "failures"))["failures"] >= 4


@pytest.mark.deep
@pytest.mark.native
def test_these_are_all_allocations(workshop: Workshop) -> None:
    """Only calloc() and ctr_alloc(), which the tests above have fail."""
    known = re.compile(r"\b(malloc|realloc|reallocarray|strn?dup|v?asprintf|\w*memalign|mmap)$")
    for schema in SCHEMAS:
        build = Build(failures(schema, None).schema)
        out = workshop.generated(build.schema, None)
        runtime = [Path(word) for word in workshop.runtime_flags("sources", "posix")]
        shared = [source for source in runtime if source.parent.name != "posix"]
        objects = workshop.objects(build, [*shared, out / f"{schema}_stats.c"], [out])
        for made in objects:
            assert [name for name in succeed("nm", "-u", made).split() if known.search(name)] == []


def run_application(workshop: Workshop, build: Build) -> None:
    done = run(workshop.program(build), env=tools.options(build.port), timeout=300)
    assert "Every count is right." in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0, done.stderr
    assert "Sanitizer" not in done.stderr and "runtime error" not in done.stderr, done.stderr


@pytest.mark.native
@pytest.mark.one_in(12)
@pytest.mark.parametrize("flags", [tools.THREAD, SANITIZED], ids=["threads", "memory"])
@pytest.mark.parametrize("schema", ["upf", "router"])
def test_applications_under_sanitizers(
    workshop: Workshop, schema: str, port: str, flags: tuple[str, ...]
) -> None:
    """Each counts in several threads while another reads, resets, creates and destroys."""
    run_application(workshop, application(schema, port, flags))


@pytest.mark.one_in(3)
@pytest.mark.native
@needs("valgrind")
@pytest.mark.parametrize("schema", SCHEMAS)
def test_no_error_under_valgrind(workshop: Workshop, schema: str) -> None:
    """Beginnings, ends, and all that comes after an allocation that failed."""
    tools.valgrind(workshop, failures(schema, None, flags=QUICK), "failures")

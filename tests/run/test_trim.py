# SPDX-License-Identifier: BSD-3-Clause
"""Memory of instances that are gone is given back, to the byte, and nobody is in it any more."""

from __future__ import annotations

import pytest

from ctrgen.model import layout
from ctrgen.pipeline.build import parse_sync
from ctrgen.pipeline.check import check
from tests.run.tools import MEMORY, thread
from tests.run.variants import TRIM_SOURCES, trim
from tests.support.cbuild import Workshop, figures
from tests.support.strategies import EXACT, LOSSY, STRATEGIES, VARIANTS, fewer, promise

READS = ("read", "view_read", "lcore_read", "get", "lcore_get", "get_name", "set_name")
OF_LCORES = ("lcore_read", "lcore_get")
WAVES = 60

pytestmark = pytest.mark.slow


def sizes(variant: str) -> dict[str, int]:
    """Bytes of a piece of memory, as the layout has it."""
    module = check(str(trim(variant).schema), parse_sync(variant)).module
    assert module is not None
    (domain,) = (d for d in layout.domains(module) if any(p.data for p in d.scopes))
    (scope,) = (part for part in domain.scopes if part.scope.name == "flow")
    alone = {} if domain.strategy.per_lcore else {"COPIES": 1}
    held = int(promise(variant, "propagation") == "flush")
    return {"ONCE": scope.chunk_once, "COPY": scope.chunk_copy, "HELD": held, **alone}


def reads(variant: str) -> list[str]:
    """The reads that can be stopped: those of one lcore only where it has values."""
    own = "COPIES" not in sizes(variant)
    return [read for read in READS if own or read not in OF_LCORES]


@pytest.mark.parametrize("variant", VARIANTS)
def test_step_by_step(workshop: Workshop, variant: str, port: str) -> None:
    """What is given back is what was taken, when all lcores have reported."""
    for test in TRIM_SOURCES["trim"]:
        workshop.passes(trim(variant, port, test), test, **sizes(variant))


@pytest.mark.parametrize("variant", STRATEGIES)
def test_a_stopped_read_keeps_memory(workshop: Workshop, variant: str, port: str) -> None:
    """Of whatever kind it is; in a child of fork() it is not there."""
    for read in reads(variant):
        workshop.passes(trim(variant, port, "stopped_read"), "stopped_read", READ=READS.index(read))


@pytest.mark.parametrize("variant", EXACT)
def test_waves(workshop: Workshop, variant: str, port: str) -> None:
    waves = fewer(variant, WAVES, 10)
    found = figures(workshop.passes(trim(variant, port, "waves"), "waves", 600, WAVES=waves))
    assert found["waves"] == waves and found["given"] > 0


@pytest.mark.native
@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in LOSSY])
def test_nobody_is_in_what_was_given_back(workshop: Workshop, strategy: str) -> None:
    """AddressSanitizer and ThreadSanitizer have nothing to say."""
    for test in TRIM_SOURCES["trim"]:
        workshop.passes(trim(strategy, test=test).but(flags=MEMORY), test, **sizes(strategy))
    stopped = trim(strategy, test="stopped_read").but(flags=MEMORY)
    for read in reads(strategy):
        workshop.passes(stopped, "stopped_read", READ=READS.index(read))
    waves = trim(strategy, test="waves")
    workshop.passes(waves.but(flags=MEMORY), "waves", 600, WAVES=20)
    workshop.passes(thread(waves), "waves", 600, WAVES=20)

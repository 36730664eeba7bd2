# SPDX-License-Identifier: BSD-3-Clause
"""What it costs that every index is checked: two instructions each."""

from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.machine import code
from tests.support.cbuild import Workshop
from tests.support.paths import EP
from tests.support.strategies import FACTS, STRATEGIES

SOURCE = """\
#include "ep_stats.h"

void packet(uint32_t session, uint16_t size);
void one(uint32_t session);

void
packet(uint32_t session, uint16_t size)
{
	ep_stats_update_packet(session, size);
}

void
one(uint32_t session)
{
	ep_stats_session_inc_pkts(session);
}
"""
CHECK = 2
"""Compare, and jump if it is too large; some strategies have more (index_checks of their facts)."""

pytestmark = pytest.mark.slow


def hot(target: code.Target, folder: Path, generated: Path) -> dict[str, int]:
    """Instructions on the way of a right index, by function."""
    source = folder / "calls.c"
    source.write_text(SOURCE, "utf-8")
    flags = (*runtimeinfo.cflags("posix"), f"-I{generated}", "-DNDEBUG")
    made = code.compiled(target, source, folder / "calls.o", flags)
    return {name: len(code.hot(lines)) for name, lines in code.functions(target, made).items()}


@pytest.mark.one_in(6)
@code.each()
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_index_costs_two_instructions(
    workshop: Workshop, tmp_path: Path, target: code.Target, strategy: str
) -> None:
    text = EP.read_text("utf-8")
    assert "bounds: assert\n" in text
    checked = tmp_path / "ep.yaml"
    checked.write_text(text.replace("bounds: assert\n", ""), "utf-8")
    before = hot(target, tmp_path, workshop.generated(EP, strategy))
    after = hot(target, tmp_path, workshop.generated(checked, strategy))
    for name in ("packet", "one"):
        of = f"{target.arch} {target.compiler} {name}"
        assert after[name] - before[name] <= FACTS[strategy].index_checks.get(of, CHECK)

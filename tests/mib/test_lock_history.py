# SPDX-License-Identifier: BSD-3-Clause
"""Histories of a schema: no OID ever moves, and the tools agree."""

import random
from collections.abc import Iterator

import pytest

from tests.mib.repository import DROPS, ERRORS, FIRST, FLOW, STATES, Repository, revised
from tests.support import smi_tools


def history() -> Iterator[str]:
    """Ten revisions of a schema: additions, removals, renames, what may change."""
    text = FIRST
    yield text
    text = revised(text, "2026-02-01").replace("      bytes: {", ERRORS + "      bytes: {")
    yield text
    yield (text := revised(text, "2026-03-01").replace(DROPS, ""))
    text = revised(text, "2026-04-01").replace("[idle, up]", "[idle, up, gone]")
    yield (text := text.replace("errors: {", "faults: {renamed_from: errors, "))
    yield (text := revised(text, "2026-05-01") + FLOW)
    text = revised(text, "2026-06-01")
    yield (text := text.replace("  session:\n", "  call:\n    renamed_from: session\n"))
    yield (text := revised(text, "2026-07-01").replace(STATES.replace("up]", "up, gone]"), ""))
    packets = "      pkts: {unit: packets, description: Packets.}\n"
    yield (text := revised(text, "2026-08-01").replace(packets, "", 1))
    again = packets.replace("Packets.", "Packets again.")
    yield (text := revised(text, "2026-09-01").replace("      faults", again + "      faults"))
    yield revised(text, "2026-10-01").replace(FLOW, "")


def test_a_history_of_ten_revisions(repository: Repository) -> None:
    known: dict[str, str] = {}
    for text in history():
        repository.build(text)
        now = repository.oids()
        assert known.items() <= now.items(), "an OID moved or went away"
        assert len(set(now.values())) == len(now)
        known = now
    assert len(repository.modules) == 10


def test_the_tools_agree_about_the_history(repository: Repository) -> None:
    smi_tools.needs("smilint", "smidiff", modules=("HCNUM-TC",))
    for text in history():
        repository.build(text)
    for number, module in enumerate(repository.modules):
        assert smi_tools.smilint(module) == ""
        assert smi_tools.pysmi(module) == "compiled"
        if number:
            assert smi_tools.smidiff(repository.modules[number - 1], module) == []


@pytest.mark.parametrize("seed", range(10))
def test_random_histories(repository: Repository, seed: int) -> None:
    random_ = random.Random(seed)
    names = [f"item{number}s" for number in range(8)]
    present: set[tuple[str, str]] = {("global", "firsts"), ("near", "firsts")}
    text = FIRST[: FIRST.index("scopes:")]
    known: dict[str, str] = {}
    for month in range(1, 10):
        text = revised(text, f"2026-0{month}-20")
        for _ in range(random_.randint(1, 4)):
            present ^= {(random_.choice(("global", "near", "far")), random_.choice(names))}
        body = "scopes:\n"
        for scope in sorted({scope for scope, _ in present}):
            body += f"  {scope}:\n" + ("" if scope == "global" else "    max: 4\n")
            items = sorted(name for other, name in present if other == scope)
            random_.shuffle(items)
            lines = [f"      {name}: {{unit: x, description: X.}}\n" for name in items]
            body += "    counters:\n" + "".join(lines)
        repository.build(text + body)
        now = repository.oids()
        assert known.items() <= now.items()
        known = now
    if seed < 3:
        smi_tools.needs("smilint", modules=("HCNUM-TC",))
        assert smi_tools.smilint(repository.modules[-1]) == ""
        assert smi_tools.smidiff(repository.modules[-2], repository.modules[-1]) == []

# SPDX-License-Identifier: BSD-3-Clause
"""Random histories of a schema: no OID ever moves, and the tools agree.

tests/compat/test_edits.py has some with every kind of change."""

import random

import pytest

from tests.mib.repository import FIRST, Repository, revised
from tests.support import smi_tools


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

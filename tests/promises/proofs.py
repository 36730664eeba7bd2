# SPDX-License-Identifier: BSD-3-Clause
"""Which check proves which promise, and which planted bugs show that the check can fail.

The promises come from the strategies' own metadata (strategy.yaml), so a strategy
that is added has a row without being named here. A promise, or a value of one,
that no check proves is an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ctrgen.strategies import PROMISES, Strategy, all_strategies
from tests.run import mutants_ep, mutants_zoo
from tests.run.mutants import Mutant

MUTANTS: list[Mutant] = [*mutants_ep.MUTANTS, *mutants_zoo.MUTANTS]
KILLS = Path(__file__).with_name("kills.json")
"""Seconds that each planted bug took to be seen, as `python -m tests.promises --kill` measured."""


@dataclass(frozen=True)
class Proof:
    """A test function, and the C tests that it runs (planted bugs name those)."""

    test: str  # FILE::FUNCTION below tests/
    programs: tuple[str, ...] = ()


CONSERVATION = Proof("run/test_conservation.py::test_all_that_is_added_is_read", ("conservation",))
LOSES = Proof("run/test_conservation.py::test_a_lossy_strategy_is_seen_to_lose", ("conservation",))
RESETS = Proof("run/test_conservation.py::test_no_reset_is_lost", ("resets",))
WHOLE = Proof("run/test_consistency.py::test_no_read_is_torn", ("consistency",))
TORN = Proof(
    "run/test_consistency.py::test_torn_reads_are_seen_where_nothing_is_promised", ("consistency",)
)
WRAPS = Proof(
    "run/test_wrap.py::test_while_others_read_and_reset",
    ("value", "sum", "resets_around", "concurrent"),
)
SEEN = Proof("run/test_reader.py::test_an_update_is_seen_when_promised", ("visible", "own_buffer"))
PARTS = Proof(
    "run/test_reader.py::test_an_lcore_has_a_part_of_its_own_or_none",
    ("visible", "thread_shares", "thread_churn", "growth"),
)

PROOFS: dict[tuple[str, object], tuple[Proof, ...]] = {
    ("exact", True): (CONSERVATION, WRAPS),
    ("exact", False): (LOSES,),
    ("consistency", "update"): (WHOLE,),
    ("consistency", "counter"): (CONSERVATION, TORN),
    ("consistency", "none"): (TORN,),
    ("reader", "preemptible"): (Proof("run/test_reader.py::test_a_stopped_reader_stops_nobody"),),
    ("reader", "stalls-lcore"): (
        Proof("run/test_reader.py::test_a_stopped_reader_stops_one_lcore"),
    ),
    ("reader", "blocks-writers"): (
        Proof("run/test_reader.py::test_a_stopped_reader_stops_writers"),
    ),
    ("writers", "any"): (CONSERVATION,),
    ("writers", "lcores"): (),
    ("reset", "lossless"): (RESETS,),
    ("reset", "lossy"): (LOSES,),
    ("propagation", "store"): (SEEN,),
    ("propagation", "flush"): (SEEN,),
    ("instances", "one"): (PARTS,),
    ("instances", "lcores"): (PARTS,),
}
"""The checks of every value that a promise may have."""

BY_THE_APPLICATION = (Proof("run/test_zoo.py::test_step_by_step", ("embedded_caller",)),)
"""Where the application locks its own objects (only embedded storage), a strategy promises
no more than that lock does: the generated code is to do all of it in order."""


class UnprovedError(Exception):
    """A promise without a check."""


def proofs(strategy: Strategy, promise: str) -> tuple[Proof, ...]:
    """The checks of what a strategy promises. Raises UnprovedError."""
    if strategy.storage == ("embedded",):
        return BY_THE_APPLICATION
    value = strategy.promises[promise]
    found = PROOFS.get((promise, value), ())
    if promise == "writers" and not strategy.promises["exact"]:
        found = (LOSES,)
    if not found:
        raise UnprovedError(f"{strategy.name}: nothing proves '{promise}: {value}'")
    return found


def killed(strategy: Strategy, proof: Proof) -> list[str]:
    """Planted bugs that a check sees under a strategy."""
    return [
        mutant.name
        for mutant in MUTANTS
        if mutant.sync.partition(":")[0] == strategy.name and mutant.test in proof.programs
    ]


def cells() -> Iterator[tuple[Strategy, str, tuple[Proof, ...], list[str]]]:
    """Every strategy, promise, the checks, and the bugs that they see. Raises UnprovedError."""
    for strategy in all_strategies().values():
        for promise in PROMISES:
            found = proofs(strategy, promise)
            bugs = dict.fromkeys(name for proof in found for name in killed(strategy, proof))
            yield strategy, promise, found, list(bugs)


def table() -> str:
    """Promises x strategies, as Markdown."""
    lines = [
        "| Strategy | Promise | Value | Check | Planted bugs it sees |",
        "|---|---|---|---|---|",
    ]
    for strategy, promise, found, bugs in cells():
        value = str(strategy.promises[promise]).lower()
        checks = ", ".join(f"`{proof.test.rpartition('::')[2]}`" for proof in found)
        lines.append(
            f"| `{strategy.name}` | {promise} | {value} | {checks} | {', '.join(bugs) or '-'} |"
        )
    return "\n".join(lines)


def seconds() -> dict[str, float]:
    """How long each bug took to be seen."""
    found = json.loads(KILLS.read_text("utf-8")) if KILLS.exists() else {}
    return {str(name): float(value) for name, value in found.items()}


def bugs() -> str:
    """Every planted bug, as Markdown."""
    took = seconds()
    lines = ["| Planted bug | In | Strategy | Seen by | Seconds |", "|---|---|---|---|---|"]
    for mutant in MUTANTS:
        place = mutant.path.rpartition("/")[2]
        time = f"{took[mutant.name]:.1f}" if mutant.name in took else "?"
        lines.append(f"| {mutant.name} | `{place}` | `{mutant.sync}` | `{mutant.test}` | {time} |")
    return "\n".join(lines)

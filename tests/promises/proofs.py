# SPDX-License-Identifier: BSD-3-Clause
"""Which check proves which promise, and which planted bugs show that the check can fail.

The promises come from the strategies' own metadata (strategy.yaml), so a strategy
that is added has a row without being named here. A promise, or a value of one,
that no check proves is an error.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ctrgen.model.strategies.catalogue import Strategy, all_strategies
from ctrgen.model.strategies.promises import PROMISES
from tests.run import mutants
from tests.support.strategies import FACTS

MUTANTS = mutants.of(
    "ep", "zoo", "paths", "tools", "promises", "lives", "trim", "amounts", "orders", "layouts",
    *mutants.OF_STRATEGIES,
)  # fmt: skip


@dataclass(frozen=True)
class Proof:
    """A test function, and the C tests or tools that it runs (planted bugs name those)."""

    test: str  # FILE::FUNCTION below tests/
    programs: tuple[str, ...] = ()
    everywhere: bool = False  # of the runtime, whatever the strategy


CLANG = Proof("run/test_conservation.py::test_with_the_other_compiler")
RACES = Proof("run/test_sanitizers.py::test_no_data_race", ("tsan:resets", "tsan:consistency"))
ORDERS = Proof("machine/test_orders.py::test_primitives", ("orders",), everywhere=True)
BARRIERS = Proof("machine/test_disassembly.py::test_update_has_the_barriers_it_needs")
LOSES = Proof("run/test_conservation.py::test_a_lossy_strategy_is_seen_to_lose", ("resets",))
AMID_ALL = Proof("run/test_stress.py::test_all_at_once", ("stress",))
VALUES = Proof("run/test_amounts.py::test_corners", ("amounts",))
RESETS = Proof("run/test_conservation.py::test_no_reset_is_lost", ("resets",))
EPOCHS = Proof("run/test_conservation.py::test_no_read_goes_over_a_reset", ("epochs",))
WHOLE = Proof("run/test_consistency.py::test_no_read_is_torn", ("consistency",))
TORN = Proof(
    "run/test_consistency.py::test_torn_reads_are_seen_where_nothing_is_promised", ("consistency",)
)
SEEN = Proof("run/test_reader.py::test_an_update_is_seen_when_promised", ("visible", "own_buffer"))
BURSTS = Proof("run/test_bursts.py::test_an_end_of_a_burst_is_enough", ("idle", "busy"))
PARTS = Proof(
    "run/test_reader.py::test_an_update_is_seen_when_promised",
    ("thread_shares", "thread_churn", "growth"),
)
LINES = Proof("machine/test_layout.py::test_lines", ("layout",))
APART = Proof("run/test_life.py::test_lcores_share_no_line", ("isolation",), everywhere=True)
STOPS = {
    value: Proof(f"run/test_reader.py::test_a_stopped_reader_{what}", ("held_reader",))
    for value, what in {
        "preemptible": "stops_nobody",
        "stalls-lcore": "stops_one_lcore",
        "blocks-writers": "stops_writers",
    }.items()
}

SIGNALS = Proof("run/test_signals.py::test_a_handler_counts", ("by_a_timer", "step_by_step"))
REFUSED = Proof("run/test_debug.py::test_an_update_in_an_update", ("step_by_step",))

PROOFS: dict[tuple[str, object], tuple[Proof, ...]] = {
    ("exact", True): (RESETS, AMID_ALL, EPOCHS, CLANG, RACES, ORDERS, BARRIERS),
    ("exact", False): (LOSES,),
    ("consistency", "update"): (WHOLE, ORDERS),
    ("consistency", "counter"): (EPOCHS, TORN),
    ("consistency", "none"): (TORN,),
    **{("reader", value): (proof,) for value, proof in STOPS.items()},
    ("reset", "lossless"): (RESETS, AMID_ALL, EPOCHS, CLANG, ORDERS),
    ("reset", "lossy"): (LOSES,),
    ("propagation", "store"): (SEEN,),
    ("propagation", "flush"): (SEEN, BURSTS),
    ("propagation", "drain"): (SEEN, BURSTS),
    ("waits", "never"): (BARRIERS, STOPS["preemptible"]),
    ("signals", "any"): (SIGNALS,),
    ("signals", "x86-64"): (SIGNALS,),
    ("signals", "none"): (REFUSED,),
    ("instances", "one"): (PARTS, LINES),
    ("instances", "lcores"): (PARTS, LINES, APART),
}
"""The checks of every value that a promise may have."""

BY_THE_APPLICATION = (Proof("run/test_zoo.py::test_step_by_step", ("embedded_caller",)),)
"""Where the application locks its own objects (only embedded storage), a strategy promises
no more than that lock does: the generated code is to do all of it in order."""


ALWAYS: dict[str, tuple[Proof, ...]] = {"values": (VALUES,)}
"""What is checked of every strategy, promised or not: `values` is that calls count right with all
amounts that their types have."""


def own(name: str, promise: str) -> tuple[Proof, ...]:
    """More checks of a promise of one strategy, of what no other one does."""
    given = FACTS[name].proofs.get(promise, [])
    return tuple(Proof(f"strategies/{name}/{test}", tuple(programs)) for test, *programs in given)


class UnprovedError(Exception):
    """A promise without a check."""


def proofs(strategy: Strategy, promise: str) -> tuple[Proof, ...]:
    """The checks of what a strategy promises. Raises UnprovedError."""
    if strategy.storage == ("embedded",):
        return BY_THE_APPLICATION
    if promise in ALWAYS:
        return ALWAYS[promise]
    value = getattr(strategy.promised(), promise)
    found = PROOFS.get((promise, value), ())
    if (promise, value) == ("waits", "spinning"):  # for what a stopped reader holds
        found = PROOFS["reader", strategy.promises.reader]
    found += own(strategy.name, promise) if found else ()
    if not found:
        raise UnprovedError(f"{strategy.name}: nothing proves '{promise}: {value}'")
    return found


def killed(strategy: Strategy | None, proof: Proof) -> list[str]:
    """Planted bugs that a check sees under a strategy, or under any."""
    return [
        mutant.name
        for mutant in MUTANTS
        if mutant.test in proof.programs
        and (strategy is None or mutant.sync.partition(":")[0] == strategy.name)
    ]


@dataclass(frozen=True)
class Cell:
    """What proves one promise of a strategy, and what shows that it can fail."""

    strategy: Strategy
    promise: str
    proofs: tuple[Proof, ...]
    bugs: list[str]


def cells() -> Iterator[Cell]:
    """Every promise of every strategy. Raises UnprovedError."""
    for strategy in all_strategies().values():
        for promise in (*PROMISES, *ALWAYS):
            found = proofs(strategy, promise)
            bugs = dict.fromkeys(name for proof in found for name in killed(strategy, proof))
            if not bugs:  # as for a strategy that was just added
                bugs = dict.fromkeys(name for proof in found for name in killed(None, proof))
            yield Cell(strategy, promise, found, list(bugs))


def table() -> str:
    """Promises x strategies, as Markdown."""
    lines = [
        "| Strategy | Promise | Value | Checks | Planted bugs they see |",
        "|---|---|---|---|---|",
    ]
    for cell in cells():
        value = str(getattr(cell.strategy.promises, cell.promise, "all")).lower()
        checks = ", ".join(f"`{proof.test.rpartition('::')[2]}`" for proof in cell.proofs)
        bugs = ", ".join(cell.bugs)
        lines.append(
            f"| `{cell.strategy.name}` | {cell.promise} | {value} | {checks} | {bugs or '-'} |"
        )
    return "\n".join(lines)


def bugs() -> str:
    """Every planted bug, as Markdown."""
    lines = ["| Planted bug | In | Strategy | Seen by |", "|---|---|---|---|"]
    for mutant in MUTANTS:
        place = mutant.edits[0].path.partition("/")[2]
        lines.append(f"| {mutant.name} | `{place}` | `{mutant.sync}` | `{mutant.test}` |")
    return "\n".join(lines)

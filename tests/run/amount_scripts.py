# SPDX-License-Identifier: BSD-3-Clause
"""Scripts for amounts.c that are always tried: amounts at the bounds of their types."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tests.run.amounts import BILL, CELLS, CORNERS, DEFAULT, RAW, WIDTHS, Line, indexes, text
from tests.support.cbuild import shared

WAYS = ("update_{}", "update_{}_bulk", "batch_{}")
MERGED = ("lift", "sink")
"""Updates of gauges with peaks: a batch may apply several of a kind as one."""
READS = [Line("read", (view,)) for view in (DEFAULT, BILL, RAW)]
EACH: dict[str, int] = {
    **dict.fromkeys(("add_wide", "add_narrow", "observe_sizes", "observe_powers"), 0),
    **dict.fromkeys(("inc_wide", "inc_narrow"), -1),
    **dict.fromkeys(("cell_add_a", "cell_add_b", "cell_add_c", "cell_add_d"), 1),
    **dict.fromkeys(("flow_add_bytes", "flow_add_marks"), 1),
    "leg_add_bytes": 2,
    **dict.fromkeys(("add_level", "sub_level", "add_short_level", "sub_short_level"), 0),
    **dict.fromkeys(("cell_add_level", "cell_sub_level"), 1),
    **dict.fromkeys(("mark_observe_high", "mark_observe_low"), 1),
    **dict.fromkeys(("mark_observe_short_high", "mark_observe_short_low"), 1),
}
"""Calls of items, and how many indexes each has; -1: no number at all. Their order makes no
difference."""
IN_ORDER: dict[str, int] = {
    **dict.fromkeys(("set_level", "set_short_level", "own_add_a", "own_add_c"), 0),
    "inc_level": -1,
    **dict.fromkeys(("cell_set_level", "mark_set_level"), 1),
    **dict.fromkeys(("mark_add_level", "mark_sub_level"), 1),
}
"""Calls of which the order matters, or that are of one thread."""


def fit(update: str, amounts: Sequence[int]) -> tuple[int, ...]:
    """Amounts that the types of the arguments can have."""
    return tuple(n % 2**w for n, w in zip(amounts, WIDTHS[update], strict=True))


def ways(update: str) -> tuple[str, ...]:
    """The calls of an update."""
    without = {"own": WAYS[1], **dict.fromkeys(MERGED, WAYS[2])}.get(update)
    return tuple(way.format(update) for way in WAYS if way != without)


def several(way: str) -> bool:
    """Whether a call has several rows."""
    return way.startswith("batch") or way.endswith("bulk")


def corners() -> Iterator[Line]:
    """Every pair of corner amounts in each two places of updates, every corner amount in each call
    of an item; a read behind each."""
    yield from (Line("restart"), Line("create", (1,)))
    for update in (*CELLS, "own"):
        for places in itertools.combinations(range(4), 2):
            pairs = itertools.product(itertools.product(CORNERS, repeat=2), ways(update))
            for number, (pair, way) in enumerate(pairs):
                row = [1] * 4
                row[places[0]], row[places[1]] = pair
                index = (number % 4,) * indexes(update)
                yield Line(way, (*index, *fit(update, row)) * (1 + several(way)))
                yield READS[0]
    for update in ("watch", "gauge", "lift", "sink", "packet"):
        for pair, way in itertools.product(itertools.product(CORNERS, repeat=2), ways(update)):
            row = fit(update, (*pair, pair[0])[: len(WIDTHS[update])])
            yield Line(way, ((1,) * indexes(update) + row) * (1 + several(way)))
            yield READS[0]
    for call, places in (*EACH.items(), *IN_ORDER.items()):
        for amount in CORNERS:
            fitting = amount % 2**32 if call in ("set_short_level", "own_add_c") else amount
            yield Line(call, ((1,) * places + (fitting,)) if places >= 0 else ())
            yield READS[0]
    yield from (Line("reset", (BILL,)), *READS, Line("reset", (DEFAULT,)), *READS)


def spills() -> Iterator[Line]:
    """Words of 16 and of 32 bits over each bound, from below, in small and in large steps."""
    for call, amount in itertools.product(("cell_add_a", "cell_add_c"), CORNERS[1:]):
        yield Line("restart")
        for step in (amount - 1, 1, 1, amount, amount):
            yield Line(call, (2, step))
            yield READS[0]
        yield Line("reset", (DEFAULT,))
        for step in (1, amount, amount):
            yield Line(call, (2, step))
            yield from READS


def rows(update: str, way: str) -> tuple[int, ...]:
    """The numbers of a call with every amount, of more rows than are handled at a time if it has
    several."""
    numbers: list[int] = []
    for n in range(40 if several(way) else 1):
        row = fit(update, [CORNERS[(n + k) % 7] for k in range(len(WIDTHS[update]))])
        numbers += [n // 3 % 2] * indexes(update) + list(row)
    return tuple(numbers)


def long() -> Iterator[Line]:
    """Bulk calls and batches that are longer than what is handled at a time."""
    for update in (*CELLS, "packet"):
        yield from (Line("restart"), Line("create", (0,)), Line("create", (1,)))
        for way in ways(update):
            yield from (Line(way, rows(update, way)), READS[0])
        yield Line("update_four", (4, 1, 2, 3, 4))
        yield Line("update_packet", (3, 1, 2, 3))
        yield from READS


def threads() -> Iterator[Line]:
    """Every call of which the order does not matter, by an lcore and a thread that is none, while
    views are reset; then by each alone."""
    yield Line("restart")
    for turn, thread in enumerate(("ab", "a", "b")):
        for _ in range(6):
            for call, places in EACH.items():
                for amount, each in itertools.product(CORNERS, thread):
                    numbers = ((turn % 2,) * min(places, 1) + (1,) * (places - 1) + (amount,))[
                        : places + 1
                    ]
                    if "flow" not in call and "leg" not in call:
                        yield Line(call, numbers, each)
            for pair, each in itertools.product(itertools.product(CORNERS, repeat=2), thread):
                for update in CELLS:
                    yield Line(f"update_{update}", (turn, *fit(update, (*pair, *pair))), each)
        yield from (Line("run", (40,)), *READS)


def every(threads: str) -> Iterator[Line]:
    """Every call, in each of its ways, by each of some threads."""
    for thread in threads:
        own = thread == "m"
        for update, way in ((u, w) for u in WIDTHS if own or u != "own" for w in ways(u)):
            yield Line(way, rows(update, way), thread)
        yield Line("update_four_bulk", (1, 1, 2, 3, 4, 4, 1, 2, 3, 4), thread)
        for call, places in (EACH | IN_ORDER).items():
            if own or not call.startswith("own"):
                yield Line(call, ((1,) * places + (2,)) if places >= 0 else (), thread)


def early() -> Iterator[Line]:
    """Every call before the module is initialised, and after its end: by an lcore, another one, and
    a thread that is none. In between they count."""
    for begin in ("", "fini", "fini"):
        if begin:
            yield Line(begin)
        yield from (*every("m"), *READS, *every("ab"), Line("run", (3,)), *READS)
        yield from (Line("restart"), *READS, Line("create", (0,)), Line("create", (1,)))
        yield from (*every("m"), *READS, Line("destroy", (1,)))


def fixed() -> Iterator[Line]:
    """All that one thread does."""
    yield from (*corners(), *spills(), *long())


@dataclass(frozen=True)
class Script:
    """A script as an option of the program: the path of a file, written when it is used."""

    make: Callable[[], Iterable[Line]]

    def __str__(self) -> str:
        name = f"script-{self.make.__name__}"
        return str(shared().once(name, lambda to: to.write_text(text(self.make()), "ascii")))


FIXED = Script(fixed)
THREADS = Script(threads)
EARLY = Script(early)

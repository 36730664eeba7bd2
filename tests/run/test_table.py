# SPDX-License-Identifier: BSD-3-Clause
"""Tables of every shape, compared with a model; and bugs in the library that this sees.

A scope has 1 to 9 counters of 64 or of 32 bits, perhaps one of the other width as well, or a gauge.
It is static, dynamic, or dynamic in several chunks; two copies have its counts, with baselines of
one or several views and perhaps of lcores, or one.
"""

import ctypes
import itertools
import multiprocessing
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from ctrgen.model import ir
from tests.fuzz.library import Library, compile_module, resolved
from tests.fuzz.reads import Calls
from tests.run.mutants import (
    CORE_H,
    COUNTER,
    FEW,
    GET,
    LCORE,
    MEMORY,
    SETTLE,
    SNAPSHOT,
    TAKE,
    WORDS_H,
)
from tests.support.planted import PROJECT, Bug, Edit, Tree, planted
from tests.support.strategies import SHARED, USUAL

AMOUNTS = (0, 1, 2**32 - 1, 2**63, 2**64 - 1)
NUMBERS = (1, 3, 4, 7, 9)
GAUGE = {"level": {"unit": "units", "description": "Some."}}
STORAGES = {"static": 70, "dynamic": 70, "chunked": 3000}
"""Each with a number of instances."""
VIEWS = ("shown", "billed")
CASES: dict[str, tuple[str, bool | str, Sequence[str]]] = {
    "copies": (USUAL, True, ()),
    "lcores": (USUAL, "per_lcore", ()),
    "one": (SHARED, True, ()),
    "views": (USUAL, True, VIEWS),
    "views-of-lcores": (USUAL, "per_lcore", VIEWS),
}
"""Strategies, resets and views: values of lcores are since the start, since the last reset, or
none."""

pytestmark = pytest.mark.slow


def schema(reset: object, views: Sequence[str]) -> str:
    """A module with a scope of each shape."""
    scopes = {}
    for (storage, most), bits, number, more in itertools.product(
        STORAGES.items(), (64, 32), NUMBERS, ("", "more", "gauge")
    ):
        widths = [bits] * number + [96 - bits] * (more == "more")
        scopes[f"{storage}{bits}x{number}{more}"] = {
            "max": most,
            "storage": "static" if storage == "static" else "dynamic",
            "counters": {
                f"c{n}": {"unit": "units", "width": width, "description": "Some."}
                for n, width in enumerate(widths)
            },
            "gauges": GAUGE if more == "gauge" else {},
        }
    whole = {"ctrgen": 1, "module": "shapes", "bounds": "drop", "reset": reset, "scopes": scopes}
    return yaml.safe_dump(whole | ({"views": list(views)} if views else {}), sort_keys=False)


def compiled(folder: Path, case: str, tree: Tree = PROJECT) -> tuple[Path, ir.Module]:
    """The library, and what it is of."""
    sync, reset, views = CASES[case]
    path = folder / "shapes.yaml"
    path.write_text(schema(reset, views), "utf-8")
    return compile_module(path, sync, folder / "out", tree=tree), resolved(path, sync)


def count(made: Calls, scope: ir.Scope, at: int, about: int) -> None:
    """Add to each counter, by two threads, another amount near the one that is asked for; set a
    gauge."""
    for thread, (n, item) in itertools.product(range(2), enumerate(scope.items)):
        counts = item.kind is ir.Kind.COUNTER
        amount = about + 16 * thread + n if counts else 7
        made.item(thread, (scope.name, (at,), item.name), "add" if counts else "set", amount)


def look(made: Calls, scope: ir.Scope, at: int) -> None:
    """Read an instance in all ways."""
    made.read(0, scope, (at,))
    made.shares(0, scope, (at,))
    handle = made.library._handle
    handle.ctr_table_get.restype = ctypes.c_uint64
    table = ctypes.c_char.in_dll(handle, f"shapes_stats_{scope.name}_table")
    for item, described in zip(scope.items, made.library.scopes[scope.name].items, strict=False):
        made.get(0, (scope.name, (at,), item.name))
        offset = ctypes.c_size_t(described.offset)
        value = handle.ctr_table_get(ctypes.byref(table), ctypes.c_uint32(at), offset)
        assert value < 2**item.width, "a getter's value has more bits than the counter"


def count_and_reset(made: Calls, scope: ir.Scope, at: int) -> None:
    """With each amount before a reset and behind it, and without any."""
    for before, behind in zip(AMOUNTS, (*AMOUNTS[2:], *AMOUNTS[:2]), strict=True):
        count(made, scope, at, before)
        look(made, scope, at)
        made.reset(0, scope, (at,))
        look(made, scope, at)
        count(made, scope, at, behind)
        look(made, scope, at)
        made.reset(0, scope, (at,))


def exercise(library: Path, module: ir.Module) -> None:
    """All scopes: lives, reads and resets of one instance; snapshots of several. One of the threads
    that count has an lcore id."""
    made = Calls(Library(library, module), module)
    made.register(0)
    for scope in module.scopes:
        first, last = 0, scope.maxima[0] - 1
        if scope.storage is ir.Storage.DYNAMIC:
            for _ in range(2):
                made.create(0, scope, (last,))
                count(made, scope, last, 1000)
                look(made, scope, last)
                made.destroy(0, scope, (last,))
                look(made, scope, last)
            made.create(0, scope, (last,))
            made.create(0, scope, (first,))
        count_and_reset(made, scope, last)
        count(made, scope, first, 5)
        count(made, scope, last, 7)
        look(made, scope, first)
    for _ in range(2):
        made.snapshot(0)
        made.reset_module(0)
    made.close()


@pytest.mark.parametrize("case", CASES)
def test_every_shape(tmp_path: Path, case: str) -> None:
    exercise(*compiled(tmp_path, case))


def bug(case: str, name: str, path: str, old: str, new: str) -> tuple[str, Bug]:
    return case, Bug(name, (Edit(path, old, new),))


LEFT_OUT = (CORE_H, "copy = 0; copy < num; copy++) {", "copy = 1; copy < num; copy++) {")
"""In a read of few words; a model and a stress test see it, too (bugs/ep.bugs)."""

BUGS = [
    bug("copies", "a-read-leaves-a-copy-out", *LEFT_OUT),
    bug("copies", "a-snapshot-leaves-a-copy-out", CORE_H,
        "for (copy = copies; copy != end; copy++)",
        "for (copy = copies + (sum->num > 1); copy != end; copy++)"),
    bug("copies", "a-baseline-is-subtracted-twice", GET, "\t\tsum -= ", "\t\tsum -= 2 * "),
    bug("copies", "a-baseline-of-few-is-added", FEW, "\t\tsum = -", "\t\tsum = "),
    bug("copies", "a-run-of-seven-has-six", WORDS_H,
        "\tcase 7:\n\t\tctr_core_copy(&from[6], &to[6], add);\n\t\t__attribute__((fallthrough));\n",
        "\tcase 7:\n"),
    bug("copies", "a-run-of-three-has-two", FEW,
        "sum->base, words);", "sum->base, words == 3 ? 2 : words);"),
    bug("copies", "a-long-run-has-one", WORDS_H, "num > 8); num--", "false); num--"),
    bug("copies", "words-of-32-bits-are-not-added", WORDS_H,
        "(add ? *(uint32_t *)(void *)to : 0)", "0"),
    bug("copies", "a-narrow-difference-has-64-bits", GET,
        "return counter->bits == 64 ? sum : (uint32_t)sum;", "return sum;"),
    bug("copies", "a-counter-is-in-the-run-before", COUNTER,
        "if (run[n / 2].value <= value) {", "if (run[n / 2].value < value) {"),
    bug("one", "a-reset-takes-one-word-less", TAKE,
        "*value64++ = atomic ? ctr_exchange64(word64)",
        "*value64++ = i == 0 ? 0 : atomic ? ctr_exchange64(word64)"),
    bug("lcores", "parts-of-lcores-are-those-since-the-start", LCORE,
        "ctr_core_subtract(table, base, 1, values);", "(void)base;"),
    bug("copies", "a-block-is-read-from-its-second-on", SNAPSHOT,
        "ctr_core_total(table, table->view, at, n",
        "ctr_core_total(table, table->view, at + (n > 1), n"),
    bug("copies", "a-snapshot-forgets-a-chunk", SNAPSHOT,
        "at += found < n ? found + 1 : n;", "at += n + 64;"),
    bug("copies", "a-life-begins-with-former-counts", SETTLE,
        "\tctr_core_begin_epoch(table, bases, (char *)out);\n", ""),
    bug("copies", "a-chunk-is-that-of-another", MEMORY,
        "const uint32_t n = at >> table->chunk_bits;",
        "const uint32_t n = (at >> table->chunk_bits) & 1;"),
]  # fmt: skip


@pytest.mark.native
@pytest.mark.one_in(16)
@pytest.mark.parametrize(("case", "planted_bug"), BUGS, ids=[b.name for _, b in BUGS])
def test_a_planted_bug_is_seen(tmp_path: Path, case: str, planted_bug: Bug) -> None:
    """By a process of its own, which may crash."""
    tree = planted(tmp_path / "tree", planted_bug.edits)
    made = compiled(tmp_path, case, tree)
    process = multiprocessing.get_context("fork").Process(target=exercise, args=made)
    process.start()
    process.join(60)
    process.kill()
    process.join()
    assert process.exitcode != 0

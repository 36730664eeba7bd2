# SPDX-License-Identifier: BSD-3-Clause
"""What a planted bug is; the files mutants_*.py have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tests.run.variants import ep
from tests.support.cbuild import Build
from tests.support.planted import Bug, Edit

SYNC = "templates/c/sync/{}/update.j2"
CORE = "runtime/src/core/{}.c"
READ, GET, RESET = (CORE.format(name) for name in ("read", "get", "reset"))
FEW, COPY, TAKE = (CORE.format(name) for name in ("few", "copy", "take"))
READ_ANY, READ_SLOWLY = CORE.format("read_any"), CORE.format("read_slowly")
CORE_H = "runtime/src/core/core.h"
WORDS_H = "runtime/src/core/words.h"
LIFE, MEMORY, VALUES = (CORE.format(name) for name in ("life", "memory", "values"))
SNAPSHOT, MODULE, COPIES = (CORE.format(name) for name in ("snapshot", "module", "copies"))
SCOPE, POLL, SOURCE_C = (CORE.format(name) for name in ("scope", "poll", "ctr_source"))
BEGIN, END, EXISTS = (CORE.format(name) for name in ("begin", "life_end", "memory"))
LCORE, SETTLE, OBJECT = (CORE.format(name) for name in ("part", "begin", "object"))
LCORE_GET = LCORE
COUNTER, MEMORY_H = "runtime/src/core/counter.h", "runtime/src/core/memory.h"
PEAK_H = "runtime/include/ctr_peak.h"
"""Files of the library."""
SPLIT = "{% elif tx.record %}", "{% elif false %}"
"""Under shared_buffered: the operations of an update are held back one by one."""
NOT_AGAIN = (
    "if (ctr_likely((reading->begin & 1) == 0 && ctr_load32(reading->period) == reading->begin))",
    "if (ctr_likely(reading->begin == reading->begin))",
)
"""In ctr_reading.h: no read is validated by its period."""
_AT_ONCE = "(begin & 1) == 0 && ctr_load32(period) == begin"
NOT_AT_ONCE = tuple(Edit(path, _AT_ONCE, "begin == begin") for path in (FEW, READ_ANY, COPY))
"""What else that takes: nor are those that are tried at once."""
AS_ITEMS = (
    ("{% if not tx.record or tx.looked_up %}", "{% if true %}"),
    ("{% if tx.record %}\n", "{% if false %}\n"),
)
"""What else SPLIT takes."""


@dataclass(frozen=True)
class Mutant(Bug):
    """A bug that `test` of `program` sees under strategy `sync`; what it says matches `says`.

    Where the bug `cures`, the test passes that is to fail, and never says it.
    """

    sync: str
    test: str
    says: str
    program: Callable[..., Build] = ep
    options: Mapping[str, object] = field(default_factory=dict)
    cures: bool = False


def mutant(
    name: str,
    path: str,
    old: str,
    new: str,
    sync: str,
    test: str,
    says: str,
    program: Callable[..., Build] = ep,
    options: Mapping[str, object] | None = None,
    *,
    also: Iterable[tuple[str, str]] = (),
    others: Iterable[Edit] = (),
    cures: bool = False,
) -> Mutant:
    """A bug in one file: `also` are replacements that go before; `others` are in other files."""
    edits = (*(Edit(path, *texts) for texts in (*also, (old, new))), *others)
    return Mutant(name, edits, sync, test, says, program, options or {}, cures)


def on_dpdk(variant: str, test: str | None = None) -> Build:
    """The program of the reference schema on the other port."""
    return ep(variant, "dpdk", test)


GUARDED, STRATEGY_H = "runtime/include/ctr_guarded.h", "runtime/include/ctr_strategy.h"
_ENTER = "GUARDED(enter)(&guard, table->domain, "
_LEAVE = "(void)GUARDED(leave)(&guard);\n"
_UNLOCKED = {
    "write": [
        Edit(
            GUARDED,
            f"\t{_ENTER}table->domain->shared, element);\n\tctr_take_plain(",
            "\tctr_take_plain(",
        ),
        Edit(GUARDED, f"values);\n\t{_LEAVE}", "values);\n\t(void)guard;\n"),
    ],
    "read": [
        Edit(GUARDED, f"\t\t{_ENTER}copy, element);\n\t\tif (GUARDED_ONE)", "\t\tif (GUARDED_ONE)"),
        Edit(GUARDED, f"\t\t{_LEAVE}\t\tn -= some;", "\t\t(void)guard;\n\t\tn -= some;"),
        Edit(GUARDED, f"\t\t{_ENTER}copy, copy + offset - table->runs->data);\n", ""),
        Edit(
            GUARDED,
            "num, sums);\n\t\tif (ctr_unlikely(!GUARDED(leave)(&guard)))\n\t\t\treturn -EAGAIN;\n",
            "num, sums);\n\t\t(void)guard;\n",
        ),
    ],
}
"""No element is locked while it is read, or reset."""


def without_lock(
    name: str,
    how: str,
    variant: str,
    test: str,
    says: str,
    options: Mapping[str, object] | None = None,
) -> Mutant:
    """Each "read", or each "write", of an element without the lock that all threads share."""
    return Mutant(name, tuple(_UNLOCKED[how]), variant, test, says, ep, options or {})


def operations(strategy: str) -> str:
    """The file of what a strategy does differently from the library."""
    return f"templates/c/sync/{strategy}/{strategy}.c"


def sync(strategy: str) -> str:
    """The file of a strategy's answers."""
    return SYNC.format(strategy)

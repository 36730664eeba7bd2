# SPDX-License-Identifier: BSD-3-Clause
"""What a planted bug is; the files mutants_*.py have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tests.run.variants import ep
from tests.support.cbuild import Build
from tests.support.planted import Bug, Edit

SYNC = "templates/c/sync/{}/sync.j2"
SPLIT = "{% elif tx.record %}", "{% elif false %}"
"""Under shared_buffered: the operations of an update are held back one by one."""
NOT_AGAIN = (
    "if (ctr_likely((reading->begin & 1) == 0 && ctr_load32(reading->period) == reading->begin))",
    "if (ctr_likely(reading->begin == reading->begin))",
)
"""In ctr_reading.h: no read is validated by its period."""
AS_ITEMS = (
    ("{% if not tx.record or tx.dynamic_scopes %}", "{% if true %}"),
    ("{% if tx.record %}\n", "{% if false %}\n"),
)
"""What else that takes."""


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
    cures: bool = False,
) -> Mutant:
    """A bug in one file: `also` are replacements that go before."""
    edits = tuple(Edit(path, *texts) for texts in (*also, (old, new)))
    return Mutant(name, edits, sync, test, says, program, options or {}, cures)


def on_dpdk(variant: str, test: str | None = None) -> Build:
    """The program of the reference schema on the other port."""
    return ep(variant, "dpdk", test)


def unlocked(strategy: str, how: str) -> tuple[str, str, str]:
    """Every "read", or every "write", of one element without the lock that all threads share."""
    lock = "\tif ({{ d.sym.read_depth }} == 0%s)\n"
    return sync(strategy), lock % "", lock % f"{{{{ ' && false' if how == '{how}' }}}}"


def sync(strategy: str) -> str:
    """The file of a strategy's answers."""
    return SYNC.format(strategy)

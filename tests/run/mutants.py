# SPDX-License-Identifier: BSD-3-Clause
"""What a planted bug is; the files mutants_*.py have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.run.variants import ep
from tests.support.cbuild import Build

SYNC = "templates/c/sync/{}/sync.j2"
WORD = "runtime/include/ctr_word.h"
LOCK = "runtime/include/ctr_lock.h"
SEQCOUNT = "runtime/include/ctr_seqcount.h"
SLOTS = "runtime/src/ctr_slots.c"


@dataclass(frozen=True)
class Mutant:
    """A bug: what it is, where, and what `test` of `program` says under strategy `sync`, a pattern.

    `also` are more replacements in the same file. What `cures` makes the test pass that
    is to fail, and `says` what it then never says.
    """

    name: str
    path: str
    old: str
    new: str
    sync: str
    test: str
    says: str
    program: Callable[..., Build] = ep
    options: Mapping[str, object] = field(default_factory=dict)
    also: tuple[tuple[str, str], ...] = ()
    cures: bool = False


def sync(strategy: str) -> str:
    """The file of a strategy's answers."""
    return SYNC.format(strategy)

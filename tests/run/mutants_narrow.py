# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in narrow words: spills that lose, and readers that see them in halves."""

from __future__ import annotations

from tests.run.mutants import mutant, operations
from tests.run.variants import torture
from tests.support.cbuild import Build

NAME = "per_core_narrow"
OPERATIONS = operations(NAME)
HEADER = "runtime/include/ctr_narrow.h"
TORTURED = f"{NAME}:words=u16,lcores=2"
OFF = "is not from|after"


def whole(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The same program with words as they are."""
    return torture(variant, port, test, bits=32)


MUTANTS = [
    mutant(
        "an-add-leaves-no-room",
        HEADER,
        "if (ctr_unlikely(n >= ctr_narrow_unit(32, share) / 2))",
        "if (ctr_unlikely(n >= ctr_narrow_unit(32, share)))",
        NAME,
        "child_has_room",
        "instead of",
        whole,
    ),
    mutant(
        "a-full-word-is-not-seen",
        HEADER,
        '"=@ccs"(full)',
        '"=@ccc"(full)',
        NAME,
        "whole_words",
        "instead of",
        whole,
    ),
    mutant(
        "per_core_narrow-foreign-threads-without-the-lock",
        OPERATIONS,
        "ctr_spin_lock(lock);",
        ";",
        NAME,
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "spill-is-lost",
        OPERATIONS,
        "share, copy->group, n);",
        "share, copy->group, 0);",
        TORTURED,
        "every_amount",
        "instead of",
        torture,
    ),
    mutant(
        "spill-of-large-adds-is-cut",
        HEADER,
        "if (left != n) ",
        "if (false) ",
        TORTURED,
        "every_amount",
        "instead of",
        torture,
    ),
    mutant(
        "reader-does-not-see-a-landing",
        HEADER,
        "if (ctr_likely(now == read->sum))",
        "if (true)",
        TORTURED,
        "spills",
        OFF,
        torture,
    ),
    mutant(
        "reader-forgets-what-is-on-its-way",
        HEADER,
        "\tvalue += unit * (",
        "\tvalue += 0 * (",
        TORTURED,
        "spills",
        OFF,
        torture,
    ),
    mutant(
        "reader-takes-too-little-for-enough",
        HEADER,
        "if (landed < 2 * (uint64_t)read->parts)",
        "if (landed < 1)",
        TORTURED,
        "spills",
        OFF,
        torture,
    ),
    mutant(
        "more-copies-than-numbers",
        OPERATIONS,
        "\tif (own->copies->word == own->most)\n",
        "\tif (false)\n",
        TORTURED,
        "too_many",
        "refused",
        torture,
    ),
    mutant(
        "copies-of-before-are-numbered",
        OPERATIONS,
        "narrow_own_of(domain)->copies->word = 0;\n",
        "(void)domain;\n",
        TORTURED,
        "too_many",
        "wrap_stats_init|ctr_thread_register",
        torture,
    ),
    mutant(
        "child-does-not-land",
        OPERATIONS,
        "spilling = spilling || copy->spilling != 0;",
        "spilling = false;",
        TORTURED,
        "child_lands",
        "instead of",
        torture,
    ),
]

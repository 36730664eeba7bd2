# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in instances by CPU of threads without an lcore id."""

from __future__ import annotations

from tests.run.mutants import mutant, sync
from tests.run.variants import foreign, owner

SLOTS = "runtime/include/ctr_slots.h"
LCORES = "templates/c/lcores.j2"
OWNERS = "templates/c/owners.j2"
ONE = "per_core:cpus=1"
SUMS = "ep_stats_|pkts|bytes"

MUTANTS = [
    mutant(
        "cpus-are-left-out-of-sums",
        SLOTS,
        "ctr_copies_next(slots, cpus, 0); (copy) < CTR_COPIES;",
        "ctr_copies_next(slots, cpus, 0); (copy) < CTR_SLOTS;",
        ONE,
        "on_its_cpu",
        SUMS,
        foreign,
    ),
    mutant(
        "cpus-are-left-out-of-what-other-threads-have",
        SLOTS,
        "(lcore) == CTR_NON_LCORE ? ctr_copies_next",
        "(lcore) > CTR_NON_LCORE ? ctr_copies_next",
        ONE,
        "on_its_cpu",
        "part",
        foreign,
    ),
    mutant(
        "cpu-has-no-bound",
        "runtime/src/ctr_cpu.c",
        "number %= slots->cpus;",
        "number %= CTR_SLOTS;",
        ONE,
        "on_its_cpu",
        "",  # it crashes
        foreign,
    ),
    mutant(
        "per_core-threads-of-a-cpu-add-plainly",
        sync("per_core"),
        "ctr_atomic_{{ op.verb }}",
        "ctr_{{ op.verb }}",
        ONE,
        "wanderers",
        SUMS,
        foreign,
    ),
    mutant(
        "per_core_lock-threads-of-a-cpu-without-the-lock",
        sync("per_core_lock"),
        "\tctr_owned_lock(&self->ctr_lock);\n",
        "",
        "per_core_lock:cpus=1",
        "wanderers",
        SUMS,
        foreign,
    ),
    *(
        mutant(
            f"{name}-threads-of-a-cpu-without-the-lock",
            sync(name),
            "\tctr_spin_lock(&{{ lcores.foreign_lock(d) }});\n",
            "",
            f"{name}:cpus=1",
            "wanderers",
            SUMS,
            foreign,
            {"RESETS": 20},
        )
        for name in ("per_core_seqcount", "per_core_narrow")
    ),
    mutant(
        "cpus-stay-when-lcores-fail",
        LCORES,
        "\tif (rc != 0)\n\t\tctr_slots_close(&{{ d.sym.cpus }});\n",
        "",
        ONE,
        "allocations",
        "",
    ),
    mutant(
        "cpus-are-left-out-of-snapshots-of-lcores",
        OWNERS,
        '"(lcore != CTR_NON_LCORE && %s(lcore) == NULL)"',
        '"%s(lcore) == NULL"',
        "per_core:cpus=2",
        "asks_itself",
        "instead of",
        owner,
        {"WHOLE": 0},
    ),
]

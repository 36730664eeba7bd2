# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in instances by CPU of threads without an lcore id."""

from __future__ import annotations

from tests.run.mutants import (
    COPIES,
    CORE_H,
    FEW,
    LCORE,
    LCORE_GET,
    mutant,
    operations,
    sync,
)
from tests.run.variants import foreign
from tests.support.planted import Edit

ONE = "per_core:cpus=1"
SUMS = "ep_stats_|pkts|bytes"

MUTANTS = [
    mutant(
        "cpus-are-left-out-of-sums",
        CORE_H,
        "if (domain->cpus == NULL)\n",
        "if (domain->slots != NULL)\n",
        ONE,
        "on_its_cpu",
        SUMS,
        foreign,
        also=[("slots == domain->slots ? domain->cpus : NULL", "NULL")],
    ),
    mutant(
        "cpus-are-left-out-of-what-other-threads-have",
        LCORE,
        "lcore == CTR_NON_LCORE ? domain->cpus : NULL",
        "lcore > CTR_NON_LCORE ? domain->cpus : NULL",
        ONE,
        "on_its_cpu",
        "part",
        foreign,
        others=[
            Edit(
                LCORE_GET,
                "if (domain->cpus == NULL || lcore != CTR_NON_LCORE)",
                "if (domain->cpus == NULL || lcore <= CTR_NON_LCORE)",
            ),
            Edit(FEW, "cpus != NULL && lcore == CTR_NON_LCORE", "false"),
        ],
    ),
    mutant(
        "cpu-has-no-bound",
        "runtime/src/core/ctr_cpu.c",
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
            operations(name),
            "ctr_spin_lock(lock);",
            ";",
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
        COPIES,
        "\tif (domain->cpus != NULL)\n\t\tctr_slots_close(domain->cpus);\n",
        "",
        ONE,
        "allocations",
        "",
    ),
]

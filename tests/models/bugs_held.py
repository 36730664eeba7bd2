# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of deltas that lcores keep per element (shared_coalesced), that a model must see."""

from __future__ import annotations

from tests.models.bugs import THINGS, WRONG, bug

PLACES = "runtime/include/ctr_held.h"

_EVICTED = "\t\tthings_stats_thing_evict(held);\n\theld->head.of"

HELD = (
    bug("evicted without atomics", WRONG, PLACES, "ctr_atomic_add64(word, n)",
        "ctr_store64(word, ctr_load64(word) + n)"),
    bug("delta is kept", WRONG, PLACES, "\t\tctr_store64(delta, 0);\n", ""),
    bug("evicted delta is lost", WRONG, THINGS, _EVICTED,
        "\t\theld->delta.events = 0;\n\theld->head.of"),
    bug("reset loads, then stores 0", WRONG, THINGS, "*value = ctr_exchange64(",
        "*value = ctr_take64("),
    bug("place of another element is taken", WRONG, "things_stats.h", "held->head.of == of",
        "held->head.of != NULL"),
)  # fmt: skip
FLUSHED = (
    bug("place in use is in no line", WRONG, THINGS,
        "\t\tctr_held_join(&cache->ctr_line, &held->head);", "\t\t;"),
    bug("end of an empty line is kept", WRONG, PLACES,
        "\tif (line->first == 0)\n\t\tline->last = 0;\n", ""),
    bug("flushed place keeps its element", WRONG, THINGS, "\t\theld->of = NULL;\n", ""),
)  # fmt: skip
REPORTED = (
    bug("report flushes nothing", WRONG, THINGS,
        "\t\tthings_stats_settle_up(things_stats_cache());\n\t\tctr_settled_tell",
        "\t\tctr_settled_tell"),
)  # fmt: skip

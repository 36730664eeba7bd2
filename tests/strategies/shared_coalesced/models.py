# SPDX-License-Identifier: BSD-3-Clause
"""Models under shared_coalesced: deltas that lcores keep per element."""

from tests.models import bugs_lives, subjects
from tests.models.bugs import WRONG, bug
from tests.models.bugs_library import TAKEN
from tests.models.cases import Model

SYNC = "shared_coalesced:entries=1"
OPERATIONS = "templates/c/sync/shared_coalesced/shared_coalesced.c"
PLACES = "runtime/include/ctr_delta_cache.h"

_EVICTED = "\telse\n\t\tevict(scope, entry->of, entry);\n"
_APPLIED = "\t\tevict(&own->scopes[entry->scope], entry->of, entry);\n"

HELD = (
    bug("evicted without atomics", WRONG, PLACES, "ctr_atomic_add64(word, n)",
        "ctr_store64(word, ctr_load64(word) + n)"),
    bug("delta is kept", WRONG, PLACES, "\t\tctr_store64(delta, 0);\n", ""),
    bug("evicted delta is lost", WRONG, OPERATIONS, _EVICTED,
        "\telse\n\t\tctr_store64((uint64_t *)(void *)((char *)entry + scope->delta), 0);\n"),
    TAKEN,
    bug("place of another element is taken", WRONG, "things_stats.h",
        "of != thing_data)) {\n\t\tthings_stats_event_non_lcore(thing, 1)",
        "of == NULL)) {\n\t\tthings_stats_event_non_lcore(thing, 1)"),
)  # fmt: skip
FLUSHED = (
    bug("place in use is in no line", WRONG, OPERATIONS,
        "\t\tctr_cache_enqueue(cache, entry);", "\t\t;"),
    bug("end of an empty line is kept", WRONG, PLACES,
        "\tif (cache->first == 0)\n\t\tcache->last = 0;\n", ""),
    bug("flushed place keeps its element", WRONG, OPERATIONS,
        f"{_APPLIED}\t\tentry->of = NULL;\n", _APPLIED),
)  # fmt: skip
REPORTED = (
    bug("report flushes nothing", WRONG, OPERATIONS,
        "\t} else {\n\t\tapply(domain, cache, UINT32_MAX);\n\t}\n\tapply_global(domain, cache);\n",
        "\t} else if (!ends) {\n\t\tapply(domain, cache, UINT32_MAX);\n\t}\n"
        "\tif (!ends)\n\t\tapply_global(domain, cache);\n"),
)  # fmt: skip

MODELS = (
    Model("lives", subjects.ENDS, SYNC, (), REPORTED, "things", imm=False, genmc=False),
    Model("lives", subjects.OTHER, SYNC, ("MODEL_OTHER",), (bugs_lives.NOT_TOLD,), "things",
          imm=False, genmc=False),
    Model("held", "deltas of two lcores next to a reset and a read", SYNC, (), HELD, "things"),
    Model("held", "flushes between updates", SYNC, ("MODEL_FLUSH",), FLUSHED, "things"),
)  # fmt: skip

# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of peaks that models must see."""

from tests.models.bugs import WRONG, bug, relaxed

PEAK = "runtime/include/ctr_peak.h"

_RESET = (
    relaxed("peak emptied relaxed", PEAK, "__atomic_exchange_n(mark, 0, __ATOMIC_SEQ_CST);"),
    relaxed("gauge looked at relaxed", PEAK, "__atomic_load_n(gauge, __ATOMIC_SEQ_CST),"),
    bug(
        "gauge looked at first",
        WRONG,
        PEAK,
        "\t\tstored = __atomic_exchange_n(mark, 0, __ATOMIC_SEQ_CST);\n"
        "\t\tnow = ctr_latch(__atomic_load_n(gauge, __ATOMIC_SEQ_CST), low, high);\n",
        "\t\tnow = ctr_latch(__atomic_load_n(gauge, __ATOMIC_SEQ_CST), low, high);\n"
        "\t\tstored = __atomic_exchange_n(mark, 0, __ATOMIC_SEQ_CST);\n",
    ),
    relaxed("peak looked at relaxed", PEAK, "__atomic_load_n(mark, __ATOMIC_SEQ_CST)"),
)
SETS = (
    relaxed("gauge set relaxed", PEAK, "__atomic_store_n(gauge, v, __ATOMIC_SEQ_CST);"),
    *_RESET,
)
ADDS = (
    relaxed("gauge added to relaxed", PEAK, "__atomic_add_fetch(gauge, n, __ATOMIC_SEQ_CST);"),
    *_RESET,
)
SUBS = (
    relaxed("gauge less relaxed", PEAK, "__atomic_sub_fetch(gauge, n, __ATOMIC_SEQ_CST);"),
    *_RESET,
)
OBSERVED = (
    bug("greater value stored", WRONG, PEAK,
        "\twhile (ctr_unlikely(value > seen) &&",
        "\tif (value > seen)\n\t\tctr_store64(word, value);\n\twhile (false &&"),
    bug("new epoch begins with a store", WRONG, PEAK,
        "= restart ? ctr_exchange64(word) : ctr_load64(word);\n",
        "= ctr_load64(word);\n\n	if (restart)\n		ctr_store64(word, 0);\n"),
)  # fmt: skip

# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of limits that a model must see."""

from tests.models.bugs import RACE, WRONG, Bug, Edit, bug

LIMIT = "runtime/src/core/limit.c"
SET = "runtime/src/core/limit_set.c"
GAUGE = "runtime/src/core/limit_gauge.c"

RETURNS = (
    bug("a share that is not returned", WRONG, LIMIT, "left << LIMIT_BITS", "0 * left"),
    bug("a share lent during a recall", WRONG, LIMIT,
        "\tif (step->flags & LIMIT_RECALL)\n\t\treturn 0;\n", ""),
    bug("an account changed from what was seen before", WRONG, "runtime/src/core/limit.h",
        "return __atomic_compare_exchange_n(&account->word, word, limit_encode(step), false,\n"
        "\t\t\t\t\t   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);",
        "(void)word;\n\t__atomic_store_n(&account->word, limit_encode(step), __ATOMIC_RELEASE);\n"
        "\treturn true;"),
)  # fmt: skip
RECALLS = (
    bug("a recall behind another one that is lost", WRONG, LIMIT,
        "&head, at + 1, false, __ATOMIC_RELEASE,", "&head, at + 1, false, __ATOMIC_RELAXED,"),
)  # fmt: skip
REPORTS = (
    bug("a crossing reported by both", WRONG, LIMIT,
        "\tstep->flags &= ~(unsigned int)(LIMIT_ARMED | LIMIT_NEAR | LIMIT_DUE);\n",
        "\tstep->flags &= ~(unsigned int)(LIMIT_NEAR | LIMIT_DUE);\n"),
    bug("a crossing before shares are home", WRONG, LIMIT,
        "\t    (step->flags & (LIMIT_ARMED | LIMIT_LENT)) != LIMIT_ARMED)",
        "\t    (step->flags & LIMIT_ARMED) == 0)"),
    bug("a crossing missed at the end of a recall", WRONG, LIMIT,
        "\t\tctr_core_limit_cross(limit, &step);\n\t} while", "\t} while"),
    bug("a share of which a recall does not know", WRONG, LIMIT,
        "\t\tctr_store32(&share->left, 1);\n", ""),
)  # fmt: skip
ENDS = (
    bug("a rest lost at the end", WRONG, SET,
        "limit_sum_shares(limit, at, take_share) << LIMIT_BITS", "0"),
    bug("an end beside a share that moves", WRONG, SET,
        "ctr_load_acquire(&share->left)) == LIMIT_MOVES ||",
        "ctr_load_acquire(&share->left)) == UINT32_MAX ||"),
    bug("a share that is taken while it is in its place", WRONG, LIMIT,
        "limit_decode(\n\t\t__atomic_exchange_n(&share->left, LIMIT_MOVES, __ATOMIC_RELAXED));",
        "limit_held(share);"),
)  # fmt: skip
DUE = (
    bug("a deadline that does not report", WRONG, SET, "\t\tstep.flags |= LIMIT_DUE;\n", ""),
    bug("a crossing without its count", RACE, LIMIT,
        "head, &next, at + 1, false, __ATOMIC_RELEASE,",
        "head, &next, at + 1, false, __ATOMIC_RELAXED,"),
    bug("a crossing whose count is not read", RACE, SET,
        "__atomic_exchange_n(&reports->head, 0, __ATOMIC_ACQUIRE)",
        "__atomic_exchange_n(&reports->head, 0, __ATOMIC_RELAXED)"),
)  # fmt: skip
SETS = (
    bug("a deadline that outlives a new setting", WRONG, SET,
        "(unsigned int)(LIMIT_DUE | LIMIT_NEAR);\n", "(unsigned int)LIMIT_NEAR;\n"),
)  # fmt: skip
LEAVES = (
    bug("an lcore that answers no recall before its shares are home", WRONG, LIMIT,
        "\t\treturn_all(limit, slot);\n\t\tanswer_recalls(limit, slot, CLOSED);\n",
        "\t\tanswer_recalls(limit, slot, CLOSED);\n\t\treturn_all(limit, slot);\n"),
    bug("a queue that is closed without the shares", WRONG, LIMIT,
        "after, __ATOMIC_ACQ_REL)", "after, __ATOMIC_RELAXED)"),
)  # fmt: skip
_RAISED = (
    "__atomic_compare_exchange_n(gauge, &now, now + n, false,\n"
    "\t\t\t\t\t\t       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)"
)
_SEEN = "\t\tword = ctr_load_acquire(&account->word);\n"
RAISES = (
    bug("a gauge raised from what was seen before", WRONG, GAUGE, _RAISED,
        "(ctr_store64(gauge, now + n), true)"),
    bug("a gauge raised above its ceiling by both", WRONG, GAUGE, _RAISED,
        "(__atomic_fetch_add(gauge, n, __ATOMIC_SEQ_CST), true)"),
    bug("a refusal that is no crossing", WRONG, GAUGE, "\tstep.crosses = true;\n", ""),
)  # fmt: skip
CEILINGS = (
    Bug(
        "an account seen after its ceiling",
        verdict=WRONG,
        edits=(
            Edit(GAUGE, _SEEN, ""),
            Edit(GAUGE, "account, word, now))", "account, ctr_load64(&account->word), now))"),
        ),
    ),
    bug("an account seen without its ceiling", WRONG, GAUGE, _SEEN,
        "\t\tword = ctr_load64(&account->word);\n"),
)  # fmt: skip
PEAKS = (
    bug("a raise that a peak does not see", WRONG, GAUGE,
        "__ATOMIC_SEQ_CST, __ATOMIC_RELAXED)", "__ATOMIC_RELAXED, __ATOMIC_RELAXED)"),
)  # fmt: skip

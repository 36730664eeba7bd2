# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in how instances begin and end, and in views; programs lives.c and ends.c see them."""

from __future__ import annotations

from tests.run.mutants import (
    BEGIN,
    END,
    EXISTS,
    GET,
    GUARDED,
    LIFE,
    MEMORY_H,
    NOT_AGAIN,
    NOT_AT_ONCE,
    RESET,
    SCOPE,
    SETTLE,
    SNAPSHOT,
    STRATEGY_H,
    Mutant,
    mutant,
)
from tests.run.variants import few, inside, inside_debug, lives
from tests.support.cbuild import Build
from tests.support.planted import READING, SLOTS, Edit

HELD = {"HELD": 1}


def on_dpdk(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program on the other port."""
    return lives(variant, "dpdk", test)


def ends(
    name: str, path: str, old: str, new: str, strategy: str, test: str, says: str, **how: object
) -> Mutant:
    """A bug that one of these programs sees."""
    return mutant(name, path, old, new, strategy, test, says, lives, **how)  # type: ignore[arg-type]


ENDS = [
    ends(
        "settled-without-waiting-for-lcores",
        END,
        "if (!ctr_quiescent_passed(moment))",
        "if (moment == 1)",
        "per_core",
        "lives",
        "is off by",
    ),
    mutant(
        "dpdk-settled-without-waiting-for-lcores",
        "runtime/src/port/dpdk/ctr_quiescent.c",
        "rte_rcu_qsbr_check(v, moment, false) == 1",
        "moment + 1 != 0",
        "shared_atomic",
        "lives",
        "is off by",
        on_dpdk,
    ),
    ends(
        "lcore-is-not-asked-for-its-buffer",
        STRATEGY_H,
        "if (domain->ending == NULL || ctr_likely(",
        "if (true || ctr_likely(",
        "shared_buffered",
        "settled",
        "bill->pkts == pkts|instead of 0",
        options=HELD,
    ),
    ends(
        "any-report-settles",
        END,
        "!ctr_settled_since(table->ending[i]->settled, moment)",
        "false",
        "shared_coalesced",
        "other_reports",
        "instead of -115",
        options=HELD,
    ),
    ends(
        "what-a-thread-left-is-late",
        END,
        "\t\tctr_core_settle(table->ending[i]);\n",
        "\t\t;\n",
        "shared_buffered",
        "left_behind",
        "bill->pkts == pkts: 0",
        options=HELD,
    ),
    mutant(
        "dpdk-lcore-leaves-before-it-hands-over",
        "runtime/src/port/dpdk/ctr_quiescent.c",
        "!ctr_port_watched()",
        "true",
        "shared_buffered",
        "handed_over",
        "who hands over is not waited for",
        on_dpdk,
    ),
    ends(
        "lcore-leaves-before-it-hands-over",
        "runtime/src/port/posix/ctr_thread.c",
        "\tif (watcher_down != NULL)\n",
        "\tctr_quiescent_offline();\n\tif (watcher_down != NULL)\n",
        "shared_buffered",
        "handed_over",
        "who hands over is not waited for",
    ),
    ends(
        "new-owner-has-what-was-left",
        "runtime/src/strategies/ctr_wb.c",
        "\t\tif (copy != NULL) {\n",
        "\t\tfree(copy);\n\t\tcopy = NULL;\n\t\tif (copy != NULL) {\n",
        "shared_buffered",
        "taken_over",
        "bill->pkts == pkts: 0",
        options=HELD,
    ),
    ends(
        "index-is-used-again-early",
        LIFE,
        "if (record->life != CTR_GONE &&",
        "if (record->life > 100 &&",
        "per_core_lock",
        "settled",
        "instead of -16",
    ),
    ends(
        "late-update-is-not-dropped",
        "templates/c/fast.j2",
        "if (ctr_update_unborn(",
        "if (false && ctr_update_unborn(",
        "per_core",
        "settled",
        "lives_stats_late.* instead of",
    ),
    ends(
        "those-in-line-are-not-settled",
        LIFE,
        "\tctr_core_tidy(table);\n",
        "",
        "shared_lock",
        "found_again",
        "instead of 0",
    ),
    ends(
        "gauge-cleared-without-the-lock",
        GUARDED,
        "\tctr_clear_plain(table, element);\n\t(void)GUARDED(leave)(&guard);\n",
        "\t(void)GUARDED(leave)(&guard);\n\tctr_clear_plain(table, element);\n",
        "shared_lock",
        "gauge_of_before",
        "has a depth of",
        options={"LIVES": 1_000_000},
    ),
    ends(
        "reset-in-a-view-is-seen-in-others",
        RESET,
        "begin_period(table, ctr_core_base(table, at, view), out);",
        "begin_period(table, ctr_core_base(table, at, 1), out);",
        "per_core_seqcount",
        "views",
        "instead of",
    ),
    ends(
        "descriptor-resets-another-view",
        SCOPE,
        "ctr_table_reset(table, view, ctr_core_position",
        "ctr_table_reset(table, !view, ctr_core_position",
        "per_core",
        "views",
        "instead of",
    ),
    ends(
        "view-of-the-former-life",
        SETTLE,
        "for (view = 0; view < table->bases; view++)\n\t\t\t\tctr_core_store(base +",
        "for (view = 0; view < 2; view++)\n\t\t\t\tctr_core_store(base +",
        "shared_buffered",
        "views",
        "instead of",
    ),
    ends(
        "getter-of-two-lives",
        GET,
        "} while (ctr_reading_again(&reading));",
        "} while (false);",
        "per_core",
        "one_event",
        "a getter gives",
        options={"LIVES": 1_000_000},
    ),
    ends(
        "read-of-two-lives",
        READING,
        *NOT_AGAIN,
        "per_core_seqcount",
        "one_event",
        "a getter gives|a read gives",
        options={"LIVES": 1_000_000},
        others=NOT_AT_ONCE,
    ),
    ends(
        "lives-have-no-period",
        BEGIN,
        "ctr_period_begin(period);",
        "(void)period;",
        "per_core",
        "one_event",
        "a getter gives|a read gives",
        also=[("ctr_period_end(period);", "")],
        others=[
            Edit(END, "ctr_period_begin(period);", "(void)period;"),
            Edit(END, "ctr_period_end(period);", ""),
        ],
        options={"LIVES": 1_000_000},
    ),
]
SNAPSHOTS = [
    mutant(
        "snapshot-has-room-for-all",
        SNAPSHOT,
        "reserve_scope(part, snap, n + n / 4)",
        "reserve_scope(part, snap, table->max)",
        "per_core",
        "few_of_many",
        "a snapshot of 11 flows takes",
        few,
    ),
    mutant(
        "snapshot-does-not-grow",
        SNAPSHOT,
        "n <= *number(snap, part->room)",
        "*number(snap, part->room) != 0",
        "shared_lock",
        "snapshot_grows",
        "",  # it writes beyond its memory: it may also crash
        few,
    ),
]
POSIX = "runtime/src/port/posix/ctr_quiescent.c"
QUIET = "return lcore < CTR_MAX_LCORE && (!__atomic_load_n(&in_use[lcore], __ATOMIC_ACQUIRE) ||"
OF_LCORES = [
    ends(
        "lcore-has-what-former-lives-counted",
        BEGIN,
        "if (ctr_slots_quiet(lcore))",
        "if (false)",
        "per_core",
        "of_one_lcore",
        r"live_of\(3\) == 3: 6",
    ),
    ends(
        "baseline-of-what-was-wiped",
        SETTLE,
        "ctr_core_store(base, run->bits,\n\t\t\t\t\t       ctr_core_word(base, run->bits) - part);",
        "(void)base;",
        "per_core_seqcount",
        "of_one_lcore",
        "values->pkts|bill->pkts",
    ),
    ends(
        "wiped-before-lcores-saw-the-end",
        BEGIN,
        "if (moment == 0 || !ctr_quiescent_passed(moment))",
        "if (moment == 0)",
        "per_core_lock",
        "of_one_lcore",
        r"live_of\(1\) == 3: 1",
    ),
    ends(
        "wiped-though-the-lcore-never-reported",
        SLOTS,
        QUIET,
        f"{QUIET} true ||",
        "per_core",
        "of_one_lcore",
        r"live_of\(2\) == 3: 2",
    ),
    ends(
        "what-a-thread-left-is-in-all-lives",
        SLOTS,
        QUIET,
        "return lcore < CTR_MAX_LCORE && (false ||",
        "per_core",
        "of_an_lcore_that_left",
        r"lcore_get_pkts.* == 0: 1",
    ),
    ends(
        "next-owner-of-an-id-is-said-to-report",
        POSIX,
        "\t__atomic_store_n(&reports[lcore], false, __ATOMIC_RELAXED);\n",
        "",
        "per_core",
        "of_an_lcore_that_left",
        r"live_of\(1\) == 2: 1",
    ),
]


def within(name: str, path: str, old: str, new: str, test: str, says: str, **how: object) -> Mutant:
    """A bug in how instances end that are inside of another."""
    return mutant(name, path, old, new, "per_core", test, says, inside, **how)  # type: ignore[arg-type]


def debug(name: str, path: str, old: str, new: str, says: str) -> Mutant:
    """A bug in what debug builds check of indexes."""
    return mutant(name, path, old, new, "per_core", "kept", says, inside_debug)


WITHIN = [
    within(
        "what-is-inside-is-not-collected", END, "close_life(table, at, values, own);",
        "memset(values, 0, table->value_size);", "together", "bill",
    ),
    within(
        "what-is-inside-keeps-its-key", END, "\tretire(inner, in, CTR_AWAITED);",
        "\tctr_store32(&ctr_core_record(inner, in)->life, CTR_AWAITED);",
        "together", "bearer_key_find.*instead of -2",
    ),
    within(
        "a-static-part-keeps-its-key", END, "inner->key_ops->clear(inner->keys, in);",
        ";", "together", "lane_key_get.*instead of -2",
        also=[("\n\t\t\t\ttable->key_ops->clear(table->keys, at);", "\n\t\t\t\t;")],
    ),
    within(
        "what-is-inside-is-lost-without-notice", END, "ops == NULL && busy_inside",
        "false && busy_inside", "together", "instead of -16",
    ),
    within(
        "a-static-part-counts-on", END, "\t\t\tctr_core_begin(table, at, values);",
        "\t\t\tmemset(values, 0, table->value_size);", "together", "off by|lane_get_pkts",
    ),
    within(
        "created-inside-of-nothing", MEMORY_H,
        "return ctr_core_lives(ctr_core_record(holder, at / table->stride)) ? 0 : -ENOENT;",
        "return at < table->max * holder->max ? 0 : -ENOENT;", "together",
        "bearer_create.*instead of -2",
    ),
    within(
        "those-inside-are-not-asked-for-their-buffers", "generator/backends/c/views.py",
        "*(s.name for s in self.readable if scope.name in s.ir.path)}", "}",
        "subscribers", "off by",
    ),
    debug(
        "a-debug-build-does-not-look-at-indexes", "templates/c/fast.j2",
        "CTR_CHECK_INDEX({{ table }}, {{ at }});", "(void)({{ at }});",
        "an index that was kept does not stop the program",
    ),
    debug(
        "a-debug-build-stops-before-the-report", EXISTS,
        "ctr_quiescent_since(life == CTR_GONE ? 1 : moment)", "true", "has reported since",
    ),
]  # fmt: skip

MUTANTS = [*WITHIN, *ENDS, *SNAPSHOTS, *OF_LCORES]

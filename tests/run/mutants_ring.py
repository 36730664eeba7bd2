# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in rings of what lcores add, and the tests that see them."""

from __future__ import annotations

from ctrgen.pipeline.build import parse_sync
from ctrgen.strategies.catalogue import all_strategies
from tests.run.mutants import MEMORY_H, MODULE, Mutant, mutant, operations, sync
from tests.run.variants import bursts, largest, polled, ringed, trio

SYNC = sync("delta_ring")
OWN = "runtime/src/strategies/ctr_ring.c"
WB = "runtime/src/strategies/ctr_wb.c"
SHARED = "runtime/src/strategies/ctr_ring_shared.c"
RING = "runtime/include/ctr_ring.h"
POLLER = "runtime/src/core/ctr_poller.c"
OPERATIONS = operations("delta_ring")
APPLY = {"RING": 37, "FULL": 0}
WAIT = {"RING": 37, "FULL": 1}
DROP = {"RING": 37, "FULL": 2}
STRESS = {"RING": 64, "FULL": 0}


def own(name: str, path: str, old: str, new: str, test: str, says: str = "instead of") -> Mutant:
    """One that the program about rings sees, where each lcore has one."""
    options = {**APPLY, "ROUNDS": 500_000} if test == "stress" else APPLY
    return mutant(name, path, old, new, "delta_ring:ring=37", test, says, ringed, options)


def shared(
    name: str, path: str, old: str, new: str, mode: str, test: str, says: str = ""
) -> Mutant:
    """One that it sees where lcores share one."""
    under = f"delta_ring:ring=64,mode={mode}"
    return mutant(name, path, old, new, under, test, says, ringed, STRESS)


def ends(name: str, path: str, old: str, new: str, sync: str, test: str = "idle") -> Mutant:
    """One that the program about ends of bursts sees."""
    found = parse_sync(sync)
    bound = all_strategies()[found.strategy].visible_after(found.model_extra)
    return mutant(name, path, old, new, sync, test, "instead of|visible", bursts, {"BOUND": bound})


def control(name: str, path: str, old: str, new: str, test: str) -> Mutant:
    """One that the program about the control thread sees; it may wait for ever."""
    return mutant(name, path, old, new, "delta_ring", test, "", polled, {"PATIENCE": 5})


MUTANTS = [
    mutant(
        "reports-without-what-rings-lost",
        "generator/backends/c/__init__.py",
        *('= lost if report.function == "drops" else []', "= []"),
        *("delta_ring:ring=37,full=drop", "filled", "instead of", ringed, DROP),
    ),
    ends(
        "burst-ends-drain-no-ring",
        *(RING, "if (ctr_unlikely(++ring->calls >= kind->hints))", "if (false)"),
        "delta_ring",
    ),
    ends(
        "burst-ends-drain-no-shared-ring",
        *(SHARED, "if (ctr_likely(++share->calls < hints))", "if (true)"),
        "delta_ring:mode=mpmc",
    ),
    ends(
        "rings-are-drained-three-looks-later",
        *(RING, "++ring->calls >= kind->hints", "++ring->calls >= 3 * kind->hints"),
        *("delta_ring", "busy"),
    ),
    ends(
        "burst-ends-flush-no-buffer",
        *(WB, "if (ctr_likely(++wb->hints < pool->hints))", "if (true)"),
        "shared_buffered",
    ),
    ends(
        "burst-ends-apply-no-delta",
        *(operations("shared_coalesced"), "\tapply(domain, cache, own->share);\n", "\treturn;\n"),
        "shared_coalesced",
    ),
    *(
        mutant(
            name,
            *(path, old, new, "shared_buffered", "patience", "instead of", trio),
            {"BUFFER": 1024, "SOFT": 512, "HINTS": 64, "BOUND": 1024},
        )
        for name, path, old, new in (
            (
                "bound-is-seventeen-hints",
                *("runtime/include/ctr_wb.h", "CTR_WB_PATIENCE 16u", "CTR_WB_PATIENCE 17u"),
            ),
            (
                "taken-lock-hides-for-ever",
                *(WB, "if (wb->hints >= CTR_WB_PATIENCE * pool->hints)"),
                "if (false)",
            ),
        )
    ),
    control(
        "control-thread-misses-a-module",
        *(POLLER, "poller = poller->next) {", "poller = NULL) {"),
        "drains",
    ),
    control(
        "end-does-not-stop-the-control-thread",
        *(POLLER, "if (poller_runs && pollers == NULL)", "if (false)"),
        "drains",
    ),
    control(
        "control-thread-goes-on-in-a-module-that-ended",
        *(POLLER, "\t\t*at = poller->next;\n", "\t\t;\n"),
        "drains",
    ),
    control(
        "each-module-has-a-control-thread",
        *(POLLER, "if (!poller_runs)", "if (true)"),
        "drains",
    ),
    control(
        "control-thread-waits-for-read-sections",
        *(POLLER, "if (!ctr_control_try_lock(poller->control)) {"),
        "if (ctr_control_lock(poller->control), false) {",
        "held",
    ),
    control(
        "control-thread-takes-signals",
        *(POLLER, "(void)sigfillset(&all);", "(void)sigemptyset(&all);"),
        "signals",
    ),
    control(
        "init-goes-on-without-its-control-thread",
        *(MODULE, "rc = module->poll_ops->start(", "(void)module->poll_ops->start("),
        "fails",
    ),
    control(
        "init-without-its-control-thread-leaves-rings",
        *(MODULE, "\t} else {\n\t\tctr_module_fini(module);\n\t}", "\t}"),
        "fails",
    ),
    control(
        "child-believes-that-it-has-the-control-thread",
        *(POLLER, "\tpoller_runs = false;\n}\n", "}\n"),
        "forked",
    ),
    own(
        "full-ring-is-not-seen",
        *(OWN, "limit == UINT32_MAX || at > limit", "limit == UINT32_MAX"),
        *("sizes", ""),
    ),
    own(
        "ring-that-is-full-looks-empty",
        *(OWN, "done - kind->largest - APART", "done"),
        *("filled", "instead of|on its way"),
    ),
    own(
        "beginning-is-taken-before-it-is-drained",
        *(OWN, "\tlimit = before(kind, done);"),
        "\tlimit = at == 0 ? kind->last : before(kind, done);",
        *("filled", "instead of|on its way"),
    ),
    own(
        "drain-ends-at-the-end-of-the-memory",
        *(OWN, "\t\tturn++;\n\t}\n", "\t\treturn true;\n\t}\n"),
        *("filled", "instead of|on its way"),
    ),
    own(
        "drained-record-stays",
        *(SYNC, "\t\tctr_store_release(&ring->done, at);"),
        "\t\tctr_store_release(&ring->done, at > 64 ? at : 0);",
        *("polled", "instead of"),
    ),
    own(
        "poll-drains-nothing",
        *(OPERATIONS, "\t.poll = delta_drain,\n", ""),
        *("polled", "instead of"),
    ),
    own(
        "flush-drains-nothing",
        *(OPERATIONS, "\tif (held == NULL)\n", "\tif (held == NULL || how == CTR_FLUSH)\n"),
        *("polled", "instead of"),
    ),
    own(
        "end-does-not-drain",
        *(MEMORY_H, "(void)domain->strategy->poll(domain);", ";"),
        *("ended_elsewhere", "instead of"),
    ),
    own(
        "thread-that-leaves-leaves-its-ring",
        *(OPERATIONS, "\t.leave = delta_leave,\n", ""),
        *("forms", "instead of"),
    ),
    own(
        "two-drain-one-ring",
        *(OWN, "\twhile (!ctr_ring_consume(&ring->consumer, spins)) {\n"),
        "\tif (!ctr_ring_consume(&ring->consumer, spins)) {\n",
        *("stress", "instead of"),
    ),
    own(
        "deltas-are-applied-without-atomics",
        *(SYNC, "ctr_atomic_add{{ word.op.bits }}(", "ctr_add{{ word.op.bits }}("),
        *("stress", "instead of"),
    ),
    own(
        "what-a-full-ring-adds-is-no-atomic",
        *(SYNC, '"atomic_" ~ op.verb', "op.verb"),
        *("stress", "instead of"),
    ),
    own(
        "room-is-given-before-its-records-are-read",
        *(SYNC, "\t\twhile (at < stop) {\n\t\t\tconst void *record"),
        "\t\tctr_store_release(&ring->done, stop);\n"
        "\t\twhile (at < stop) {\n\t\t\tconst void *record",
        *("stress", ""),
    ),
    own(
        "sum-is-lost-at-the-end-of-a-batch",
        *(SYNC, "(sum[{{ word.number }}] != 0)", "(sum[{{ word.number }}] != 0 && at >= end)"),
        *("filled", "instead of"),
    ),
    own(
        "sum-of-a-batch-is-added-again",
        *(SYNC, "\t\tuint64_t sum[{{ sums |", "\t\tstatic uint64_t sum[{{ sums |"),
        *("runs", "instead of"),
    ),
    own(
        "record-of-a-run-is-one-call",
        *("templates/c/records.j2", "\trecord->{{ p.name }} = {{ p.name }};"),
        '\trecord->{{ p.name }} = {{ "1" if p.name == "n" else p.name }};',
        *("sizes", "instead of"),
    ),
    mutant(
        "dropped-update-is-not-counted",
        *(SYNC, "\t\t\tctr_delta_ring_drop(", "\t\t\tif (false)\n\t\t\t\tctr_delta_ring_drop("),
        *("delta_ring:ring=37,full=drop", "filled", "instead of|on its way", ringed, DROP),
    ),
    mutant(
        "dropped-run-is-counted-as-one",
        *(SYNC, "(&{{ d.sym.slots }}), {{ tx.calls }});", "(&{{ d.sym.slots }}), 1);"),
        *("delta_ring:ring=37,full=drop", "sizes", "instead of", ringed, DROP),
    ),
    mutant(
        "who-waits-goes-on-too-early",
        *(OWN, "\twhile (!ctr_ring_renew(kind, ring)) {"),
        "\tif (!ctr_ring_renew(kind, ring)) {\n\t\tring->limit = kind->last;",
        *("delta_ring:ring=37,full=wait", "stress", "", ringed, WAIT),
    ),
    mutant(
        "thread-that-ends-waits-for-itself",
        *(OWN, "\t\telse if (ctr_load32(&ring->consumer) == ctr_pi_me())\n\t\t\treturn false;\n"),
        *("", "delta_ring:ring=37,full=wait", "counts_as_it_ends", "", ringed, WAIT),
    ),
    mutant(
        "thread-that-ends-waits-for-its-entry",
        *(SHARED, "ctr_load64(first) == (CTR_RING_TAKEN | ctr_pi_me())", "false"),
        *("delta_ring:ring=64,mode=mpmc,full=wait", "counts_as_it_ends", "", ringed),
        {"RING": 64, "FULL": 1},
    ),
    mutant(
        "first-thread-never-ends",
        *("runtime/src/strategies/ctr_pi.c", "ended = is_zombie();", "ended = false;"),
        *("delta_ring:ring=37", "first_ended", "", ringed, APPLY),
    ),
    own(
        "lcore-that-ended-drains-for-ever",
        *(OWN, "!ctr_pi_ended(former)", "true"),
        *("ended", ""),
    ),
    own(
        "consumer-that-is-preempted-has-ended",
        *(OWN, "(spins & 127u) != 0 || !ctr_pi_ended(former)", "false"),
        *("stress", ""),  # two that drain go past what was sent: it may also crash
    ),
    *(
        mutant(
            f"{name}-finds-no-room",
            "runtime/src/strategies/ctr_ring.c",
            "done < kind->largest + APART ?",
            "done <= kind->largest + APART ?",
            *(f"delta_ring:ring=62,full={full}", "largest", says, largest, {"FULL": number}),
        )
        for number, (full, name, says) in enumerate(
            [("wait", "thread-that-waits", ""), ("drop", "drained-ring", "no room")], 1
        )
    ),
    shared(
        "full-shared-ring-is-not-seen",
        *(SHARED, ">= (int64_t)shape.entries)", "> 2 * (int64_t)shape.entries)"),
        *("mpmc", "filled"),
    ),
    shared(
        "thread-that-leaves-waits-for-a-producer",
        *(SHARED, "if (!first || (thread != gone && !ctr_pi_ended(thread)))\n\t\t\t\tcontinue;"),
        "while (thread != gone && !ctr_pi_ended(thread) && ctr_load64(entry) == word)\n"
        "\t\t\t\tctr_yield();\n\t\t\tif (ctr_load64(entry) != word)\n\t\t\t\tcontinue;",
        *("hts", "preempted"),
    ),
    shared(
        "all-behind-a-producer-wait",
        *(SHARED, "\t\t\t\tcontinue;", "\t\t\t\tbreak;"),
        *("rts", "preempted", "instead of"),
    ),
    shared(
        "producer-that-is-preempted-has-ended",
        *(SHARED, "!ctr_pi_ended(thread)", "false"),
        *("mpmc", "preempted", "instead of|is lost"),
    ),
    shared(
        "producer-that-ended-is-not-counted",
        *(SHARED, "\t\t\tctr_store64(&ring->lost, ctr_load64(&ring->lost) + 1);\n", ""),
        *("mpmc", "ended"),
    ),
    shared(
        "producer-that-ended-stays",
        *(SHARED, "(thread != gone && !ctr_pi_ended(thread))", "true"),
        *("rts", "ended"),
    ),
    shared(
        "drain-goes-on-while-others-send",
        *(SHARED, "at != in; at++", "at != ctr_load_acquire(&ring->in); at++"),
        *("hts", "bounded", "instead of"),
    ),
]  # fmt: skip

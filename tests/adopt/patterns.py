# SPDX-License-Identifier: BSD-3-Clause
"""Ways in which applications count, and what `ctrgen adopt` makes of each."""

from typing import NamedTuple


class Pattern(NamedTuple):
    """C source, the items of the scopes that are proposed, and parts of its text."""

    code: str
    scopes: dict[str, tuple[str, ...]]
    rows: tuple[str, ...] = ()


PATTERNS = {
    "struct-behind-if": Pattern(
        "struct core_stat { uint64_t nb_in; uint64_t nb_lost; };\n"
        "struct core_conf {\n\tuint32_t queue;\n#if WITH_COUNTS\n\tstruct core_stat stat;\n#endif\n"
        "} __rte_cache_aligned;\n"
        "struct pair_conf { struct core_conf in; struct core_conf out; };\n"
        "struct pair_conf pairs[16];\n",
        {"pair": ("in_nb_in", "in_nb_lost", "out_nb_in", "out_nb_lost")},
    ),
    "all-behind-ifdef": Pattern(
        "#ifndef APP_H\n#define APP_H /* once */\n#ifdef APP_STATS\n"
        "static struct if_stats { uint64_t hits; } if_stats;\n#else\nint other;\n#endif\n#endif\n",
        {"global": ("hits",)},
    ),
    "words-and-arrays-of-words": Pattern(
        "volatile unsigned long received[16];\nstatic uint64_t nb_dropped;\nint nb_signed;\n"
        "static rte_atomic64_t nb_atomic; uint64_t nb_gcc, nb_c11, nb_long; uint32_t nb_sync;\n"
        "void f(int q) { received[q] += 3; nb_dropped++; nb_signed++;\n"
        "\trte_atomic64_inc(&nb_atomic);\n"
        "\t__atomic_fetch_add(&nb_gcc, 1, __ATOMIC_RELAXED); __sync_fetch_and_add(&nb_sync, 1);\n"
        "\trte_atomic_fetch_add_explicit(&nb_c11, q, rte_memory_order_relaxed);\n"
        "\tnb_long = nb_long + q; nb_dropped = 0; }\n",
        {
            "received": ("received",),
            "global": (
                "nb_dropped", "nb_signed", "nb_atomic", "nb_gcc", "nb_c11", "nb_long", "nb_sync",
            ),
        },
        ("max: 16 # 16",),
    ),
    "words-that-are-none": Pattern(
        "unsigned int level, next, mask, held, calls, mine; char small;\n"
        "void g(void) { level++; level--; table[next] = 1; next++; mask = 3; mask += 1; held++;\n"
        "\tif (held > 3) return; while (calls++ < 3) ; small++; mine++; }\n"
        "void h(int mine) { mine++; }\n",
        {},
    ),
    "per-lcore-variable": Pattern(
        "RTE_DEFINE_PER_LCORE(uint64_t, polled);\n"
        "RTE_DEFINE_PER_LCORE(struct poll_stats, polls);\n"
        "struct poll_stats { uint64_t busy; };\n"
        "void h(void) { RTE_PER_LCORE(polled)++; RTE_PER_LCORE(polls).busy++; }\n",
        {"global": ("polled", "busy")},
    ),
    "member-of-a-config": Pattern(
        "struct tx_stat { uint64_t queued; uint64_t gone; };\n"
        "struct lcore_conf { uint16_t n_rx; uint32_t n_ports; void *tbl; struct tx_stat st;\n"
        "\tuint64_t wakeups; } __rte_cache_aligned;\n"
        "static struct lcore_conf conf[RTE_MAX_LCORE];\n"
        "void i(struct lcore_conf *c) { c->n_ports = 2; c->wakeups++; }\n",
        {"global": ("st_queued", "st_gone")},
    ),
    "typedefs-and-sizes": Pattern(
        "#define MAX_QUEUES 8\n#define PER 4\ntypedef uint64_t ctr_t;\n"
        "typedef struct { ctr_t moved; } site_stats_t;\n"
        "static site_stats_t sites[MAX_QUEUES * PER];\n"
        "static ctr_t joins[MAX_QUEUES];\nvoid j(int q) { joins[q]++; }\n",
        {"site": ("moved",), "queue": ("joins",)},
        ("max: 32 # MAX_QUEUES * PER",),
    ),
    "behind-pointers": Pattern(
        "struct wire_stats { uint64_t wired[RTE_MAX_ETHPORTS]; };\n"
        "static struct wire_stats *wires;\n"
        "struct peer { int id; struct { uint64_t heard; } stats; };\nstatic struct peer *peers;\n"
        "struct call_stats { uint64_t rings; };\n"
        "void m(struct call_stats *c, int p) { c->rings++; wires->wired[p]++;\n"
        "\tpeers[p].stats.heard++; }\n",
        {"port": ("wired",), "peer": ("heard",), "call_stats": ("rings",)},
        (
            "max: 32 # RTE_MAX_ETHPORTS",
            "peers scope peer, embedded: put its counters into a struct of their own",
        ),
    ),
    "one-struct-in-two-objects": Pattern(
        "struct hop_stats { uint64_t hops; };\nstruct a_flow { int key; struct hop_stats s, t; };\n"
        "struct b_flow { struct hop_stats s; };\n"
        "void o(struct a_flow *a, struct b_flow *b) { a->s.hops++; a->t.hops++; b->s.hops++; }\n",
        {"a_flow": ("hops",)},
        ("struct a_flow.t.hops is another hop_stats", "struct b_flow.s.hops is another"),
    ),
    "copies-for-a-reader": Pattern(
        "struct sum_stats { uint64_t out; };\nstatic struct sum_stats sums[RTE_MAX_LCORE];\n"
        "void n(unsigned int i) { sums[i].out++; }\n"
        "void show(void) { struct sum_stats all; uint64_t sum = 0;\n"
        "\tfor (int i = 0; i < 9; i++) { all.out += sums[i].out;\n"
        '\tsum += sums[i].out; } printf("%lu", sum); }\n',
        {"global": ("out",)},
    ),
    "pointers-without-a-name-and-arrays-that-are-passed": Pattern(
        "struct turn_stats { uint64_t turns; };\nstruct wheel { int id; struct turn_stats s; };\n"
        "void p(struct wheel *, const struct wheel[], struct wheel row[2], struct wheel *w)\n"
        "{ w->s.turns++; }\n",
        {"wheel": ("turns",)},
    ),
    "commands-and-constants": Pattern(
        "struct show_stats_result { cmdline_fixed_string_t show; uint32_t port; };\n"
        "static struct show_stats_result shown;\n"
        "struct stat_name { const char *name; unsigned int offset; };\n"
        'static const struct stat_name stat_names[] = {{"rx", 8}};\n',
        {},
    ),
    "constants-of-structs-that-count": Pattern(
        "struct lane_stats { uint64_t cars; };\nstatic const struct lane_stats no_lanes;\n"
        "static struct lane_stats *lanes;\nstruct hall_stats { uint64_t guests; };\n"
        "static const struct hall_stats no_guests;\n"
        "void q(struct hall_stats *h) { lanes->cars++; h->guests++; *lanes = no_lanes; }\n",
        {"global": ("cars",), "hall_stats": ("guests",)},
    ),
    "units-of-ethdev": Pattern(
        "struct eth_stats { uint64_t ibytes, ierrors, imissed; } eth;\n",
        {"global": ("ibytes", "ierrors", "imissed")},
        ("ibytes: {unit: bytes", "ierrors: {unit: errors", "imissed: {unit: packets"),
    ),
}  # fmt: skip

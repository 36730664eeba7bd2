// SPDX-License-Identifier: BSD-3-Clause
// Open vSwitch: the counters of PMD threads, and the coverage counters of the datapath.

@ header @
@@
 #include "ovs-atomic.h"
+#include "ovs_stats.h"

@ coverage_header @
@@
 #include "coverage.h"
+#include "coverage_stats.h"

@ start @
expression config;
@@
 netdev_dpdk_register(config);
+if (ovs_stats_init() != 0) {
+    VLOG_ERR("PMD threads cannot count");
+}

@ array @
@@
-struct pmd_counters {
-    atomic_uint64_t n[PMD_N_STATS];
-    uint64_t zero[PMD_N_STATS];
-};

@ position @
@@
 struct pmd_perf_stats {
 ...
-struct pmd_counters counters;
+uint32_t counters;
 ...
 };

@ created @
expression pmd;
@@
 pmd_perf_stats_init(&pmd->perf_stats);
+if (ovs_stats_pmd_alloc(&pmd->perf_stats.counters) != 0) {
+    pmd->perf_stats.counters = OVS_STATS_PMD_MAX;
+}
+ovs_stats_pmd_key_set(pmd->perf_stats.counters,
+    &(struct ovs_stats_pmd_key) { .core = pmd->core_id });

@ destroyed @
expression pmd;
@@
 seq_destroy(pmd->reload_seq);
+ovs_stats_pmd_destroy(pmd->perf_stats.counters, NULL);

@ burst_ends @
expression s;
@@
 pmd_perf_start_iteration(s);
+ovs_stats_burst_end();

@ ends @
@@
 if (dpdk_attached) {
+    ovs_stats_flush();
     dpdk_detach_thread();
 }

@ add @
@@
-static inline void
-pmd_perf_update_counter(struct pmd_perf_stats *s, enum pmd_stat_type counter, int delta)
-{
-...
-}

@ sent @
expression s, n;
@@
-pmd_perf_update_counter(&s, PMD_STAT_SENT_PKTS, n);
-pmd_perf_update_counter(&s, PMD_STAT_SENT_BATCHES, 1);
+ovs_stats_update_sent(s.counters, n);

@ hits @
expression s, phwol, simple, exact;
@@
-pmd_perf_update_counter(&s, PMD_STAT_PHWOL_HIT, phwol);
-pmd_perf_update_counter(&s, PMD_STAT_SIMPLE_HIT, simple);
-pmd_perf_update_counter(&s, PMD_STAT_EXACT_HIT, exact);
+ovs_stats_update_hits(s.counters, phwol, simple, exact);

@ misses @
expression s, masked, lookups, ok, failed;
@@
-pmd_perf_update_counter(&s, PMD_STAT_MASKED_HIT, masked);
-pmd_perf_update_counter(&s, PMD_STAT_MASKED_LOOKUP, lookups);
-pmd_perf_update_counter(&s, PMD_STAT_MISS, ok);
-pmd_perf_update_counter(&s, PMD_STAT_LOST, failed);
+ovs_stats_update_misses(s.counters, masked, lookups, ok, failed);

@ received @
expression s, again, n;
@@
-pmd_perf_update_counter(&s, again ? PMD_STAT_RECIRC : PMD_STAT_RECV, n);
+if (again) {
+    ovs_stats_pmd_add_recirc(s.counters, n);
+} else {
+    ovs_stats_pmd_add_recv(s.counters, n);
+}

@ smc @
expression s, n;
@@
-pmd_perf_update_counter(&s, PMD_STAT_SMC_HIT, n);
+ovs_stats_pmd_add_smc_hit(s.counters, n);

@ busy @
expression s, n;
@@
-pmd_perf_update_counter(s, PMD_CYCLES_ITER_BUSY, n);
+ovs_stats_pmd_add_iter_busy(s->counters, n);

@ idle @
expression s, n;
@@
-pmd_perf_update_counter(s, PMD_CYCLES_ITER_IDLE, n);
+ovs_stats_pmd_add_iter_idle(s->counters, n);

@ slept @
expression s, n;
@@
-pmd_perf_update_counter(s, PMD_SLEEP_ITER, 1);
-pmd_perf_update_counter(s, PMD_CYCLES_SLEEP, n);
+ovs_stats_update_slept(s->counters, n);

@ upcalls @
expression s, cycles;
@@
-s->counters.n[PMD_CYCLES_UPCALL] += cycles;
+ovs_stats_pmd_add_upcall(s->counters, cycles);

@ balance @
expression s;
@@
(
-s.counters.n[PMD_CYCLES_ITER_IDLE]
+ovs_stats_pmd_get_iter_idle(s.counters)
|
-s.counters.n[PMD_CYCLES_ITER_BUSY]
+ovs_stats_pmd_get_iter_busy(s.counters)
|
-s.counters.n[PMD_CYCLES_SLEEP]
+ovs_stats_pmd_get_sleep(s.counters)
)

@ read @
identifier s, stats;
@@
 pmd_perf_read_counters(struct pmd_perf_stats *s, uint64_t stats[PMD_N_STATS])
 {
-    ...
+    struct ovs_stats_pmd now = { 0 };
+
+    ovs_stats_pmd_read(s->counters, &now);
+    stats[PMD_STAT_PHWOL_HIT] = now.phwol_hit;
+    stats[PMD_STAT_SIMPLE_HIT] = now.simple_hit;
+    stats[PMD_STAT_EXACT_HIT] = now.exact_hit;
+    stats[PMD_STAT_SMC_HIT] = now.smc_hit;
+    stats[PMD_STAT_MASKED_HIT] = now.masked_hit;
+    stats[PMD_STAT_MISS] = now.miss;
+    stats[PMD_STAT_LOST] = now.lost;
+    stats[PMD_STAT_MASKED_LOOKUP] = now.masked_lookup;
+    stats[PMD_STAT_RECV] = now.recv;
+    stats[PMD_STAT_RECIRC] = now.recirc;
+    stats[PMD_STAT_SENT_PKTS] = now.sent_pkts;
+    stats[PMD_STAT_SENT_BATCHES] = now.sent_batches;
+    stats[PMD_CYCLES_ITER_IDLE] = now.iter_idle;
+    stats[PMD_CYCLES_ITER_BUSY] = now.iter_busy;
+    stats[PMD_CYCLES_UPCALL] = now.upcall;
+    stats[PMD_SLEEP_ITER] = now.sleep_iter;
+    stats[PMD_CYCLES_SLEEP] = now.sleep;
 }

@ clear @
identifier s;
@@
 pmd_perf_stats_clear_lock(struct pmd_perf_stats *s)
 {
 ...
-for (int i = 0; i < PMD_N_STATS; i++) { ... }
+ovs_stats_pmd_reset(s->counters, NULL);
 ...
 }

@ coverage @
declarer name COVERAGE_DEFINE, COVERAGE_STATS;
identifier counter;
@@
-COVERAGE_DEFINE(counter);
+COVERAGE_STATS(counter);

@ counted @
identifier counter;
fresh identifier inc = "ovs_stats_inc_" ## counter;
@@
-COVERAGE_INC(counter)
+inc()

@ counted_more @
identifier counter;
fresh identifier add = "ovs_stats_add_" ## counter;
expression n;
@@
-COVERAGE_ADD(counter, n)
+add(n)

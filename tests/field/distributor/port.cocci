// SPDX-License-Identifier: BSD-3-Clause
// distributor: a struct with a part for each kind of lcore, arrays by worker, and a copy of it for
// differences. Counts of bursts were set to zero while workers counted. A worker counts a burst by one
// call, since each call looks up the lcore's copy.

@ header @
@@
 #include <rte_power.h>
+#include "distributor_stats.h"

@ start @
@@
 if (ret < 0)
	rte_exit(EXIT_FAILURE, "Error with EAL initialization\n");
+if (distributor_stats_init() != 0)
+	rte_exit(EXIT_FAILURE, "Cannot count\n");

@ stop @
@@
+distributor_stats_fini();
 rte_eal_cleanup();

@ burst_ends @
identifier loop =~ "^lcore_";
expression quit;
@@
 loop(...)
 {
 ... when any
 while (!quit) {
+distributor_stats_burst_end();
 ...
 }
+distributor_stats_flush();
 ... when any
 }

@ read @
@@
 print_stats(void)
 {
+	struct distributor_stats_global now;
+	struct distributor_stats_burst last;
+	distributor_stats_global_read(&now);
 ...
 }

@ printed_worker @
expression i;
@@
 print_stats(void)
 {
 <...
-app_stats.worker_pkts[i]
+distributor_stats_worker_get_pkts(i)
 ...>
 }

@ printed_bursts @
expression i, j, text;
@@
-printf(text, app_stats.worker_bursts[i][j]);
-app_stats.worker_bursts[i][j] = 0;
+distributor_stats_burst_reset(i, j, &last);
+printf(text, last.bursts);

@ worker_begins @
@@
-app_stats.worker_pkts[p->worker_id] = 1;

@ worker @
expression worker, n;
@@
-app_stats.worker_pkts[worker] += n;
 if (n > 0)
-	app_stats.worker_bursts[worker][n - 1]++;
+	distributor_stats_update_worked(worker, n - 1, n);

@ added @
expression n;
@@
(
-app_stats.rx.rx_pkts += n;
+distributor_stats_add_rx_pkts(n);
|
-app_stats.rx.returned_pkts += n;
+distributor_stats_add_rx_returned_pkts(n);
|
-app_stats.rx.enqueued_pkts += n;
+distributor_stats_add_rx_enqueued_pkts(n);
|
-app_stats.rx.enqdrop_pkts += n;
+distributor_stats_add_rx_enqdrop_pkts(n);
|
-app_stats.dist.in_pkts += n;
+distributor_stats_add_dist_in_pkts(n);
|
-app_stats.dist.ret_pkts += n;
+distributor_stats_add_dist_ret_pkts(n);
|
-app_stats.dist.sent_pkts += n;
+distributor_stats_add_dist_sent_pkts(n);
|
-app_stats.dist.enqdrop_pkts += n;
+distributor_stats_add_dist_enqdrop_pkts(n);
|
-app_stats.tx.dequeue_pkts += n;
+distributor_stats_add_tx_dequeue_pkts(n);
|
-app_stats.tx.tx_pkts += n;
+distributor_stats_add_tx_pkts(n);
|
-app_stats.tx.enqdrop_pkts += n;
+distributor_stats_add_tx_enqdrop_pkts(n);
)

@ printed @
@@
 print_stats(void)
 {
 <...
(
-app_stats.rx.rx_pkts
+now.rx_pkts
|
-app_stats.rx.returned_pkts
+now.rx_returned_pkts
|
-app_stats.rx.enqueued_pkts
+now.rx_enqueued_pkts
|
-app_stats.rx.enqdrop_pkts
+now.rx_enqdrop_pkts
|
-app_stats.dist.in_pkts
+now.dist_in_pkts
|
-app_stats.dist.ret_pkts
+now.dist_ret_pkts
|
-app_stats.dist.sent_pkts
+now.dist_sent_pkts
|
-app_stats.dist.enqdrop_pkts
+now.dist_enqdrop_pkts
|
-app_stats.tx.dequeue_pkts
+now.tx_dequeue_pkts
|
-app_stats.tx.tx_pkts
+now.tx_pkts
|
-app_stats.tx.enqdrop_pkts
+now.tx_enqdrop_pkts
)
 ...>
 }

// SPDX-License-Identifier: BSD-3-Clause
// l3fwd counts nothing: packets by port, and what is dropped, by reason. Not of its event mode.

// Drivers without hardware have no offloads.
@ no_offloads @
@@
-RTE_ETH_RX_OFFLOAD_CHECKSUM
+0

@ header @
@@
 #include <rte_vect.h>
+#include "l3fwd_stats.h"

@ start @
@@
 if (ret < 0)
	rte_exit(EXIT_FAILURE, "Invalid EAL parameters\n");
+if (l3fwd_stats_init() != 0)
+	rte_exit(EXIT_FAILURE, "Cannot count\n");

@ stop @
@@
+l3fwd_stats_fini();
 rte_eal_cleanup();

@ burst_ends @
identifier loop =~ "_main_loop$";
@@
 int loop(...)
 {
 ... when any
 while (!force_quit) {
+l3fwd_stats_burst_end();
 ...
 }
+l3fwd_stats_flush();
 return 0;
 }

@ received @
expression port, queue, burst, size, n;
@@
 n = rte_eth_rx_burst(port, queue, burst, size);
 if (n == 0)
	continue;
+l3fwd_stats_port_add_rx(port, n);

@ received_for_acl @
expression port, queue, burst, size, n;
@@
 n = rte_eth_rx_burst(port, queue, burst, size);
 if (n > 0) {
+	l3fwd_stats_port_add_rx(port, n);
	...
 }

@ sent @
expression port, queue, burst, n, sent;
@@
 sent = rte_eth_tx_burst(port, queue, burst, n);
+l3fwd_stats_port_add_tx(port, sent);
 if (unlikely(sent < n)) {
+	l3fwd_stats_drop_add_pkts(port, L3FWD_STATS_DROP_TX_FULL, n - sent);
	...
 }

@ no_route @
expression burst, m, j, k;
@@
+l3fwd_stats_drop_add_pkts(burst[j]->port, L3FWD_STATS_DROP_NO_ROUTE, k);
 for (m = j; m != j + k; m++)
	rte_pktmbuf_free(burst[m]);

@ no_route_of_fib @
expression burst, hops, j;
@@
 if (hops[j] == BAD_PORT) {
+	l3fwd_stats_drop_add_pkts(burst[j]->port, L3FWD_STATS_DROP_NO_ROUTE, 1);
	rte_pktmbuf_free(burst[j]);
	continue;
 }

// SPDX-License-Identifier: BSD-3-Clause
// l2fwd: an array of ports that all lcores add to.

@ header @
@@
 #include <rte_string_fns.h>
+#include "l2fwd_stats.h"

@ array @
@@
-struct l2fwd_port_statistics port_statistics[RTE_MAX_ETHPORTS];

@ start @
@@
 if (ret < 0)
	rte_exit(EXIT_FAILURE, "Invalid EAL arguments\n");
+if (l2fwd_stats_init() != 0)
+	rte_exit(EXIT_FAILURE, "Cannot count\n");

@ stop @
@@
+l2fwd_stats_fini();
 rte_eal_cleanup();

@ burst_ends @
@@
 while (!force_quit) {
+l2fwd_stats_burst_end();
 ...
 }

@ lcore_ends @
@@
 l2fwd_main_loop();
+l2fwd_stats_flush();
 return 0;

@ received @
expression port, n;
@@
-port_statistics[port].rx += n;
+l2fwd_stats_port_add_rx(port, n);

@ sent @
expression port, n;
@@
-port_statistics[port].tx += n;
+l2fwd_stats_port_add_tx(port, n);

@ reset @
@@
-memset(&port_statistics, 0, sizeof(port_statistics));
+l2fwd_stats_reset();

@ counts_drops @
typedef uint16_t, uintptr_t;
@@
+static void
+count_dropped(struct rte_mbuf **unsent, uint16_t count, void *port)
+{
+	l2fwd_stats_port_add_dropped((uintptr_t)port, count);
+	rte_pktmbuf_free_bulk(unsent, count);
+}
+
 static int
 l2fwd_launch_one_lcore(...)
 {
 ...
 }

@ dropped @
typedef uintptr_t;
expression buffer, port;
@@
 rte_eth_tx_buffer_set_err_callback(buffer,
-	rte_eth_tx_buffer_count_callback, &port_statistics[port].dropped
+	count_dropped, (void *)(uintptr_t)port
 )

@ read @
expression port;
@@
 print_stats(void)
 {
+	struct l2fwd_stats_port now;
 ...
 for (...; ...; ...) {
	if (...)
		continue;
+	l2fwd_stats_port_read(port, &now);
	printf(..., port, port_statistics[port].tx, ...);
 ...
 }
 ...
 }

@ printed @
expression port;
@@
-port_statistics[port]
+now

// SPDX-License-Identifier: BSD-3-Clause
// ip_fragmentation counts nothing: packets by port, and what is dropped, by reason.

@ header @
@@
 #include <rte_ip_frag.h>
+#include "ip_fragmentation_stats.h"

@ start @
@@
 if (ret < 0)
	rte_exit(EXIT_FAILURE, "rte_eal_init failed");
+if (ip_fragmentation_stats_init() != 0)
+	rte_exit(EXIT_FAILURE, "Cannot count\n");

@ stop @
@@
+ip_fragmentation_stats_fini();
 rte_eal_cleanup();

@ burst_ends @
@@
 while (1) {
+ip_fragmentation_stats_burst_end();
 ...
 }

@ reason @
typedef uint32_t;
@@
+static uint32_t
+drop_reason(int code)
+{
+	switch (code) {
+	case -ENOTSUP:
+		return IP_FRAGMENTATION_STATS_DROP_MUST_NOT;
+	case -ENOMEM:
+		return IP_FRAGMENTATION_STATS_DROP_NO_MEMORY;
+	default:
+		return IP_FRAGMENTATION_STATS_DROP_MALFORMED;
+	}
+}
+
 static inline void
 l3fwd_simple_forward(...)
 {
 ...
 }

@ received @
expression port, queue, burst, size, n;
@@
 n = rte_eth_rx_burst(port, queue, burst, size);
+ip_fragmentation_stats_port_add_rx(port, n);

@ sent @
expression port, queue, burst, n, sent;
@@
 sent = rte_eth_tx_burst(port, queue, burst, n);
+ip_fragmentation_stats_port_add_tx(port, sent);
 if (unlikely(sent < n)) {
+	ip_fragmentation_stats_drop_add_pkts(port, IP_FRAGMENTATION_STATS_DROP_TX_FULL, n - sent);
	...
 }

@ cut @
expression made;
@@
 if (unlikely (made < 0))
+{
+	ip_fragmentation_stats_drop_add_pkts(port_in, drop_reason(made), 1);
	return;
+}
+ip_fragmentation_stats_update_cut(port_in, made);

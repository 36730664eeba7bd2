// SPDX-License-Identifier: BSD-3-Clause
// l3fwd: packets and octets of each flow. Not of its event mode.

@ header @
@@
 #include "l3fwd.h"
+#include "l3fwd_flows/bill.h"

@ start @
@@
 if (ret < 0)
	rte_exit(EXIT_FAILURE, "Invalid EAL parameters\n");
+if (l3fwd_flows_stats_init() != 0)
+	rte_exit(EXIT_FAILURE, "Cannot count\n");
+for (uint32_t flow = 0; flow < L3FWD_FLOWS_STATS_FLOW_MAX; flow++)
+	if (l3fwd_flows_stats_flow_create(flow) != 0)
+		rte_exit(EXIT_FAILURE, "No memory for flows\n");

@ stop @
@@
+l3fwd_flows_stats_fini();
 rte_eal_cleanup();

@ received @
expression port, queue, burst, size, n;
@@
 n = rte_eth_rx_burst(port, queue, burst, size);
 if (n == 0)
	continue;
+bill(burst, n);

@ received_for_acl @
expression port, queue, burst, size, n;
@@
 n = rte_eth_rx_burst(port, queue, burst, size);
 if (n > 0) {
+	bill(burst, n);
	...
 }

@ burst_ends @
identifier loop =~ "_main_loop$";
@@
 int loop(...)
 {
 ... when any
 while (!force_quit) {
+l3fwd_flows_stats_burst_end();
 ...
 }
+l3fwd_flows_stats_flush();
 return 0;
 }

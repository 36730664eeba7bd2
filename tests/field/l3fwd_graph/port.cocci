// SPDX-License-Identifier: BSD-3-Clause
// l3fwd-graph: the statistics of nodes, which the header of rte_graph counts in each graph.

@ header @
@@
 #include <rte_node_ip4_api.h>
+#include "l3fwd_graph_stats.h"

@ walk_header @
@@
 #include "rte_graph.h"
+#include "l3fwd_graph_stats.h"

@ visit @
expression node, start, n;
@@
 n = node->process(...);
-node->total_cycles += rte_rdtsc() - start;
-node->total_calls++;
-node->total_objs += n;
+l3fwd_graph_stats_update_visit(node->id, rte_rdtsc() - start, n);

@ start @
@@
 if (ret < 0)
	rte_exit(EXIT_FAILURE, "Invalid EAL parameters\n");
+if (l3fwd_graph_stats_init() != 0)
+	rte_exit(EXIT_FAILURE, "Cannot count\n");

@ named @
typedef uintmax_t, rte_graph_off_t, rte_node_t;
iterator name rte_graph_foreach_node;
@@
+static void
+name_nodes(const struct rte_graph *graph)
+{
+	struct l3fwd_graph_stats_node_key key;
+	struct rte_node *node;
+	rte_graph_off_t off;
+	rte_node_t count;
+
+	rte_graph_foreach_node(count, off, graph, node) {
+		memset(&key, 0, sizeof(key));
+		strlcpy(key.name, node->name, sizeof(key.name));
+		l3fwd_graph_stats_node_key_set(node->id, &key);
+	}
+}
+
+static void
+print_nodes(void)
+{
+	struct l3fwd_graph_stats_node_key key;
+	struct l3fwd_graph_stats_node node;
+	uint32_t id;
+
+	printf("%-32s %16s %16s %12s\n", "Node", "Calls", "Objects", "Cycles/call");
+	for (id = 0; id < L3FWD_GRAPH_STATS_NODE_MAX; id++) {
+		if (l3fwd_graph_stats_node_key_get(id, &key) != 0 ||
+		    l3fwd_graph_stats_node_read(id, &node) != 0 || node.calls == 0)
+			continue;
+		printf("%-32s %16ju %16ju %12.1f\n", key.name, (uintmax_t)node.calls,
+		       (uintmax_t)node.objs, (double)node.cycles / node.calls);
+	}
+}
+
 static void
 print_stats(void)
 {
 ...
 }

@ printed @
expression s;
@@
-rte_graph_cluster_stats_get(s, 0);
+print_nodes();

@ created @
expression conf;
@@
 conf->graph = rte_graph_lookup(conf->name);
 if (!conf->graph)
	rte_exit(...);
+name_nodes(conf->graph);

@ burst_ends @
@@
 while (likely(!force_quit))
-	rte_graph_walk(graph);
+{
+	rte_graph_walk(graph);
+	l3fwd_graph_stats_burst_end();
+}
+l3fwd_graph_stats_flush();

@ stop @
@@
+l3fwd_graph_stats_fini();
 rte_eal_cleanup();

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DPDK's own library of metrics. It takes values, not amounts: each thread has its sums, and sets
 * both metrics of a port of its own with every packet.
 */
#include <rte_memory.h>
#include <rte_metrics.h>

#include "peers.h"

static struct {
	uint64_t values[2];
} CTR_CACHE_ALIGNED own[THREADS];
static uint16_t key;

static int
init(uint32_t instances)
{
	static const char *const names[] = { "packets", "bytes" };
	int found = rte_metrics_init(SOCKET_ID_ANY);

	(void)instances;
	if (found == 0)
		found = rte_metrics_reg_names(names, 2);
	key = (uint16_t)found;
	return found < 0 ? found : 0;
}

static inline void
update(unsigned int thread, uint32_t instance, uint16_t bytes)
{
	(void)instance;
	own[thread].values[0] += 1;
	own[thread].values[1] += bytes;
	(void)rte_metrics_update_values((int)thread, key, own[thread].values, 2);
}

PEER_BURST(update, (void)0)

static void
read_sum(uint32_t instance, struct pair *now)
{
	(void)instance;
	*now = (struct pair){ 0 };
	for (int t = 0; t < (int)THREADS; t++) {
		struct rte_metric_value values[2];

		if (rte_metrics_get_values(t, values, 2) != 2)
			continue;
		now->packets += values[0].value;
		now->bytes += values[1].value;
	}
}

/* sizeof(struct rte_metrics_meta_s) twice, which is private: a name, a value by port, and more. */
PEER(rte_metrics, .name = "rte_metrics", .init = init, .burst = burst, .read = read_sum,
     .bytes = 2 * (RTE_METRICS_MAX_NAME_LEN + 8 * RTE_MAX_ETHPORTS + 16), .more = 16, .most = 1);

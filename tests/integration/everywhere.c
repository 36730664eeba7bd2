/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * schemas/nic.yaml on DPDK with every way to read it: `everywhere EAL-OPTIONS -- SEGMENT MASTER`. When
 * the traffic is over it obeys `dump`, which says every value and ends with `end`, and `quit`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mempool.h>

#include "ctr_segment.h"
#include "ctr_telemetry.h"
#include "nic_stats_agentx.h"

static void
waiting(uint32_t port, struct nic_stats_port *values, void *ctx)
{
	(void)ctx;
	values->waiting = 70 + port;
	values->available.waiting = port != 1;
}

static int
receive(void)
{
	struct rte_mempool *pool =
		rte_pktmbuf_pool_create("packets", 1023, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	struct rte_mbuf *packets[32];
	struct rte_eth_conf conf;
	uint16_t n, i;

	memset(&conf, 0, sizeof(conf));
	if (pool == NULL || rte_eth_dev_configure(0, 1, 1, &conf) != 0 ||
	    rte_eth_rx_queue_setup(0, 0, 64, 0, NULL, pool) != 0 ||
	    rte_eth_tx_queue_setup(0, 0, 64, 0, NULL) != 0 || rte_eth_dev_start(0) != 0)
		return -1;
	n = rte_eth_rx_burst(0, 0, packets, 32);
	for (i = 0; i < n; i++)
		nic_stats_update_received(0, 0);
	n = rte_eth_tx_burst(0, 0, packets, n);
	for (i = 0; i < n - 5; i++)
		nic_stats_update_sent(0);
	return 0;
}

static void
dump(void)
{
	uint64_t values[64];
	uint32_t index[2], at;
	unsigned int s, i;

	for (s = 0; s < nic_stats_module.num_scopes; s++) {
		const struct ctr_scope *scope = &nic_stats_module.scopes[s];

		for (at = 0; at < 8; at++) {
			index[0] = scope->num_indexes == 1 ? at : at / 4;
			index[1] = at % 4;
			if (scope->read(index, values) != 0)
				continue;
			for (i = 0; i < scope->num_items; i++) {
				const struct ctr_item *item = &scope->items[i];

				printf("%s %" PRIu32 " %" PRIu32 " %s ", scope->name, index[0],
				       scope->num_indexes == 1 ? 0 : index[1], item->name);
				if (ctr_item_available(item, values))
					printf("%" PRIu64 "\n", ctr_item_value(item, values));
				else
					printf("-\n");
			}
		}
	}
}

int
main(int argc, char **argv)
{
	const struct ctr_module *const modules[] = { &nic_stats_module };
	struct ctr_segment_options options = { 0 };
	struct ctr_segment *segment;
	char line[32];
	int used = rte_eal_init(argc, argv);

	if (used < 0 || argc - used < 3 || nic_stats_init() != 0 || receive() != 0)
		return 2;
	nic_stats_port_provider_set(waiting, NULL);
	options.path = argv[used + 1];
	if (ctr_segment_create(&segment, modules, 1, &options) != 0 ||
	    ctr_telemetry_register(&nic_stats_module, 0) != 0 ||
	    nic_stats_agentx_start(argv[used + 2]) != 0)
		return 3;
	ctr_segment_publish(segment);
	do {
		dump();
		printf("end\n");
		fflush(stdout);
	} while (fgets(line, sizeof(line), stdin) != NULL && line[0] != 'q');
	nic_stats_agentx_stop();
	ctr_telemetry_unregister(&nic_stats_module);
	ctr_segment_close(segment);
	nic_stats_fini();
	return 0;
}

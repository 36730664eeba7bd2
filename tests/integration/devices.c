/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Ports of DPDK beside what is counted of them: port 0 is net_null, port 1 net_pcap with two queues.
 * Every value must be what DPDK itself says at the same token, as there is no traffic then.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>

#include "nic_stats.h"

#define PORTS 2
#define BURST 32

static struct rte_mempool *pool;

static void
same(int line, const char *what, uint64_t got, uint64_t wanted)
{
	if (got == wanted)
		return;
	fprintf(stderr, "%d: %s is %" PRIu64 " instead of %" PRIu64 "\n", line, what, got, wanted);
	exit(1);
}

#define EQUAL(got, wanted) same(__LINE__, #got, (uint64_t)(got), (uint64_t)(wanted))

static void
start(uint16_t port, uint16_t queues)
{
	struct rte_eth_conf conf;
	uint16_t i;

	memset(&conf, 0, sizeof(conf));
	EQUAL(rte_eth_dev_configure(port, queues, queues, &conf), 0);
	for (i = 0; i < queues; i++) {
		EQUAL(rte_eth_rx_queue_setup(port, i, 64, 0, NULL, pool), 0);
		EQUAL(rte_eth_tx_queue_setup(port, i, 64, 0, NULL), 0);
	}
	EQUAL(rte_eth_dev_start(port), 0);
}

static void
forward(uint16_t port, uint16_t queue, unsigned int bursts)
{
	struct rte_mbuf *packets[BURST];
	uint16_t n, i, sent;

	while (bursts-- > 0) {
		n = rte_eth_rx_burst(port, queue, packets, BURST);
		for (i = 0; i < n; i++)
			nic_stats_update_received(port, queue);
		sent = rte_eth_tx_burst(port, queue, packets, n / 2);
		for (i = 0; i < sent; i++)
			nic_stats_update_sent(port);
		for (i = sent; i < n; i++)
			rte_pktmbuf_free(packets[i]);
	}
}

/* An extended statistic as DPDK has it; whether there is one. */
static bool
extended(uint16_t port, const char *name, uint64_t *value)
{
	uint64_t id;

	return rte_eth_xstats_get_id_by_name(port, name, &id) == 0 &&
	       rte_eth_xstats_get_by_id(port, &id, value, 1) == 1;
}

static void
agree(uint16_t port)
{
	struct nic_stats_port values;
	struct nic_stats_queue queue;
	struct rte_eth_stats stats;
	uint64_t value = 0;
	uint32_t i;

	EQUAL(rte_eth_stats_get(port, &stats), 0);
	EQUAL(nic_stats_port_read(port, &values), 0);
	EQUAL(values.available.received, true);
	EQUAL(values.received, stats.ipackets);
	EQUAL(values.received, values.rx);
	EQUAL(values.available.missed, true);
	EQUAL(values.missed, stats.imissed);
	EQUAL(values.offered, stats.ipackets + stats.imissed);
	EQUAL(extended(port, "rx_good_bytes", &value), true);
	EQUAL(values.available.received_octets, true);
	EQUAL(values.received_octets, value);
	EQUAL(values.dropped, values.rx - values.tx);
	EQUAL(values.forwarded, values.tx * 1000 / values.rx);
	/* What the drivers lack. */
	EQUAL(extended(port, "rx_length_errors", &value), false);
	EQUAL(values.available.length_errors, false);
	EQUAL(values.length_errors, 0);
	for (i = 0; i < 2; i++) {
		char name[32];

		snprintf(name, sizeof(name), "rx_q%" PRIu32 "_packets", i);
		EQUAL(nic_stats_queue_read(port, i, &queue), 0);
		EQUAL(queue.available.received, extended(port, name, &value));
		EQUAL(queue.received, queue.available.received ? value : 0);
		if (queue.available.received)
			EQUAL(queue.received, queue.taken);
	}
	EQUAL(nic_stats_queue_read(port, 3, &queue), 0);
	EQUAL(queue.available.received, false);
}

int
main(int argc, char **argv)
{
	struct nic_stats_port values;
	struct nic_stats_queue queue;
	struct rte_eth_stats stats;
	uint64_t value;
	uint16_t i;

	if (rte_eal_init(argc, argv) < 0)
		return 2;
	EQUAL(rte_eth_dev_count_avail(), PORTS);
	pool = rte_pktmbuf_pool_create("packets", 1023, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, 0);
	EQUAL(pool != NULL, true);
	EQUAL(nic_stats_init(), 0);
	for (i = 0; i < PORTS; i++)
		start(i, 2);
	for (i = 0; i < PORTS; i++) {
		forward(i, 0, 10);
		forward(i, 1, 3);
		agree(i);
	}
	EQUAL(nic_stats_port_read(0, &values), 0);
	EQUAL(values.rx, 13 * BURST);
	EQUAL(nic_stats_queue_read(0, 1, &queue), 0);
	EQUAL(queue.available.received, true);
	EQUAL(queue.received, 3 * BURST);

	/* An index that is another port, or none. */
	EQUAL(nic_stats_port_device_set(7, 1), 0);
	EQUAL(nic_stats_port_read(1, &values), 0);
	value = values.received;
	EQUAL(nic_stats_port_read(7, &values), 0);
	EQUAL(values.received, value);
	EQUAL(values.rx, 0);
	EQUAL(nic_stats_port_device_set(1, CTR_DEVICE_NONE), 0);
	EQUAL(nic_stats_port_read(1, &values), 0);
	EQUAL(values.available.received, false);
	EQUAL(values.received, 0);
	EQUAL(nic_stats_port_device_set(1, 1), 0);
	EQUAL(nic_stats_port_read(5, &values), 0);
	EQUAL(values.available.received, false);

	/* Fewer queues: what is behind them has other numbers, and the last one is gone. */
	ctr_device_lock();
	EQUAL(rte_eth_dev_stop(0), 0);
	start(0, 1);
	ctr_device_unlock();
	EQUAL(nic_stats_queue_read(0, 1, &queue), 0);
	EQUAL(queue.available.received, false);
	EQUAL(nic_stats_queue_read(0, 0, &queue), 0);
	EQUAL(extended(0, "rx_q0_packets", &value), true);
	EQUAL(queue.received, value);
	EQUAL(rte_eth_dev_stop(0), 0);
	start(0, 2);
	EQUAL(nic_stats_queue_read(0, 1, &queue), 0);
	EQUAL(queue.available.received, true); /* without the lock, too */

	/* A port that is closed. */
	EQUAL(rte_eth_dev_stop(1), 0);
	EQUAL(rte_eth_dev_close(1), 0);
	EQUAL(nic_stats_port_read(1, &values), 0);
	EQUAL(values.available.received, false);
	EQUAL(values.available.received_octets, false);
	EQUAL(values.available.offered, false);
	EQUAL(values.rx > 0, true);
	EQUAL(nic_stats_queue_read(1, 0, &queue), 0);
	EQUAL(queue.available.received, false);
	EQUAL(nic_stats_port_read(0, &values), 0);
	EQUAL(values.available.received, true);
	/* A reset sets back what is shown, not the device; if that is set back, it begins at 0. */
	EQUAL(nic_stats_port_reset(0, &values), 0);
	EQUAL(values.received > 0, true);
	EQUAL(nic_stats_port_read(0, &values), 0);
	EQUAL(values.received, 0);
	EQUAL(values.offered, 0);
	EQUAL(rte_eth_stats_get(0, &stats), 0);
	EQUAL(stats.ipackets > 0, true);
	EQUAL(rte_eth_stats_reset(0), 0);
	EQUAL(nic_stats_port_read(0, &values), 0);
	EQUAL(values.received, 0);
	nic_stats_fini();
	printf("all agree\n");
	return 0;
}

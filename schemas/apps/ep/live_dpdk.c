/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * Traffic of live.c on DPDK: the EP packets of a capture, again and again, through a device of
 * rings to a receive queue for each thread.
 *
 *     --vdev=net_pcap0,rx_pcap=FILE --vdev=net_ring0
 */
#include <stddef.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>

#include "app.h"
#include "ep_proto.h"
#include "ep_stats.h"
#include "live.h"

#define DESCRIPTORS 512
#define MBUFS 16383
#define EMPTY_POLLS 100	/* in a row at the end of the capture */

_Static_assert(EP_SESSIONS == EP_STATS_SESSION_MAX, "ep.yaml and ep_proto.h disagree");

static uint16_t capture;	/* the port of the capture */
static uint16_t rings;		/* the port whose sending queues lead to its receiving ones */
static struct rte_mbuf *frames[MBUFS];
static uint16_t queue_of[MBUFS];	/* by flow, as RSS has it */
static unsigned int num_frames;
static unsigned int next_frame;

static void
port_start(uint16_t port, uint16_t receive, uint16_t send, struct rte_mempool *pool)
{
	struct rte_eth_conf conf;
	uint16_t queue;

	memset(&conf, 0, sizeof(conf));
	app_must(rte_eth_dev_configure(port, receive, send, &conf), "configure port");
	for (queue = 0; queue < receive; queue++)
		app_must(rte_eth_rx_queue_setup(port, queue, DESCRIPTORS, 0, NULL, pool),
				"set up receive queue");
	for (queue = 0; queue < send; queue++)
		app_must(rte_eth_tx_queue_setup(port, queue, DESCRIPTORS, 0, NULL),
				"set up send queue");
	app_must(rte_eth_dev_start(port), "start port");
}

/** Keep the EP packets of a burst, and free the others. */
static void
keep(struct rte_mbuf **burst, uint16_t count)
{
	struct ep_packet packet;
	uint16_t i;

	for (i = 0; i < count; i++) {
		if (ep_classify(burst[i], &packet) != EP_PACKET) {
			rte_pktmbuf_free(burst[i]);
			continue;
		}
		queue_of[num_frames] = (uint16_t)(packet.flow % LIVE_QUEUES);
		frames[num_frames++] = burst[i];
	}
}

void
live_traffic_start(void)
{
	struct rte_mbuf *burst[LIVE_BURST];
	struct rte_mempool *pool;
	unsigned int empty = 0;
	uint16_t count;

	pool = rte_pktmbuf_pool_create("mbufs", MBUFS, 256, 0, RTE_MBUF_DEFAULT_BUF_SIZE,
			SOCKET_ID_ANY);
	app_must(pool == NULL ? -ENOMEM : 0, "mbuf pool");
	app_must(rte_eth_dev_get_port_by_name("net_pcap0", &capture), "--vdev=net_pcap0");
	app_must(rte_eth_dev_get_port_by_name("net_ring0", &rings), "--vdev=net_ring0");
	port_start(capture, 1, 0, pool);
	port_start(rings, LIVE_QUEUES, LIVE_QUEUES, pool);
	while (empty < EMPTY_POLLS) {
		count = rte_eth_rx_burst(capture, 0, burst, LIVE_BURST);
		empty = count == 0 ? empty + 1 : 0;
		keep(burst, count);
	}
	app_must(num_frames == 0 ? -ENODATA : 0, "EP packets in the capture");
}

void
live_traffic_stop(void)
{
	const uint16_t ports[] = { capture, rings };
	unsigned int i;

	rte_pktmbuf_free_bulk(frames, num_frames);
	for (i = 0; i < RTE_DIM(ports); i++) {
		app_must(rte_eth_dev_stop(ports[i]), "stop port");
		app_must(rte_eth_dev_close(ports[i]), "close port");
	}
}

bool
live_send(void)
{
	struct rte_mbuf *frame = frames[next_frame];

	rte_mbuf_refcnt_update(frame, 1);	/* it is read only */
	if (rte_eth_tx_burst(rings, queue_of[next_frame], &frame, 1) == 0) {
		rte_mbuf_refcnt_update(frame, -1);
		return false;
	}
	next_frame = (next_frame + 1) % num_frames;
	return true;
}

unsigned int
live_receive(unsigned int queue, struct live_packet packet[LIVE_BURST])
{
	struct rte_mbuf *burst[LIVE_BURST];
	struct ep_packet found;
	unsigned int n = 0;
	uint16_t i, count;

	count = rte_eth_rx_burst(rings, (uint16_t)queue, burst, LIVE_BURST);
	for (i = 0; i < count; i++) {
		if (ep_classify(burst[i], &found) != EP_PACKET)
			continue;
		packet[n++] = (struct live_packet){ found.session, found.size,
				found.type == EP_TYPE_OPEN, found.type == EP_TYPE_CLOSE };
	}
	rte_pktmbuf_free_bulk(burst, count);
	return n;
}

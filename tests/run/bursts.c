/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What an lcore counted is visible after a bounded number of ends of bursts, whatever it does
 * between them, and without any other thread that drains.
 *
 * Options: BOUND, that number; ROUNDS of each test.
 */
#include <unistd.h>

#include "burst_stats.h"
#include "harness.h"

#define CASE(name) TEST_BETWEEN(name, begin(), end())

#define FLOWS BURST_STATS_FLOW_MAX
#define PORTS BURST_STATS_PORT_MAX
#define PEERS BURST_STATS_PEER_MAX

static uint64_t bound, pkts[FLOWS], bytes[FLOWS], ports[PORTS], peers[PEERS], total;

static void
begin(void)
{
	bound = option("BOUND", 0);
	EQUAL(burst_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	for (uint32_t peer = 0; peer < PEERS; peer++)
		EQUAL(burst_stats_peer_create(peer), 0);
}

static void
end(void)
{
	ctr_thread_unregister();
	burst_stats_fini();
}

static void
bursts(uint64_t n)
{
	while (n-- > 0)
		burst_stats_burst_end();
}

static void
count(uint32_t flow)
{
	const uint64_t size = corners[flow % CORNERS];

	burst_stats_update_packet(flow, flow % PORTS, size);
	burst_stats_update_event(flow % PEERS);
	pkts[flow]++;
	bytes[flow] += size;
	ports[flow % PORTS]++;
	peers[flow % PEERS]++;
	total++;
}

/* All that was counted is visible. */
static void
complete(void)
{
	EQUAL(burst_stats_get_total(), total);
	for (uint32_t flow = 0; flow < FLOWS; flow++) {
		EQUAL(burst_stats_flow_get_pkts(flow), pkts[flow]);
		EQUAL(burst_stats_flow_get_bytes(flow), bytes[flow]);
	}
	for (uint32_t port = 0; port < PORTS; port++)
		EQUAL(burst_stats_port_get_pkts(port), ports[port]);
	for (uint32_t peer = 0; peer < PEERS; peer++)
		EQUAL(burst_stats_peer_get_pkts(peer), peers[peer]);
}

/* An idle lcore hides nothing: one update or one of each element, at any time between two looks. */
CASE(idle)
{
	const uint64_t rounds = option("ROUNDS", 6);

	for (uint64_t round = 0; round < rounds; round++) {
		/* From 0 to what is more than a bound. */
		bursts(round * (bound + 2) / (rounds - 1));
		for (uint32_t flow = 0; flow < (round % 2 == 0 ? FLOWS : 1); flow++)
			count(flow);
		bursts(bound);
		complete();
	}
}

/* Neither does one that counts in each burst: what was counted before the last calls is visible. */
CASE(busy)
{
	const uint64_t most = 3 * bound + 5;

	for (uint64_t n = 1; n <= most; n++) {
		uint64_t seen;

		count((uint32_t)(n % FLOWS));
		burst_stats_burst_end();
		seen = burst_stats_get_total();
		CHECK(seen <= n && seen + bound >= n, "%" PRIu64 " of %" PRIu64 " are visible", seen, n);
	}
	bursts(bound);
	complete();
}

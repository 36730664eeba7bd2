/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * What an lcore holds back of some elements at a time: which, and when it is visible.
 *
 * Options: ENTRIES and HINTS are the tunables the code was generated with.
 */
#include "../../run/harness.h"
#include "held_stats.h"

#define CASE(name) TEST_BETWEEN(name, begin(), end())

#define FLOWS HELD_STATS_FLOW_MAX
#define PORTS HELD_STATS_PORT_MAX
#define QUEUES HELD_STATS_QUEUE_MAX

static uint64_t entries, hints;
static uint64_t added[FLOWS], octets[FLOWS];

static void
begin(void)
{
	entries = option("ENTRIES", 256);
	hints = option("HINTS", 256);
	EQUAL(held_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
}

static void
end(void)
{
	ctr_thread_unregister();
	held_stats_fini();
}

static void
count(uint32_t flow, uint16_t size)
{
	held_stats_update_packet(flow, flow % PORTS, flow % QUEUES, size);
	added[flow]++;
	octets[flow] += size;
}

/* How many flows lack something; what they show was counted, packets with octets. */
static unsigned int
lacking(void)
{
	unsigned int lack = 0;

	for (uint32_t flow = 0; flow < FLOWS; flow++) {
		uint64_t pkts = held_stats_flow_get_pkts(flow);

		CHECK(pkts <= added[flow], "too many packets of flow %u", flow);
		lack += pkts != added[flow] || held_stats_flow_get_bytes(flow) != octets[flow];
	}
	return lack;
}

/* All that was counted is visible. */
static void
complete(void)
{
	uint64_t pkts[PORTS] = { 0 }, queued[PORTS][QUEUES] = { { 0 } }, sum = 0;

	EQUAL(lacking(), 0);
	for (uint32_t flow = 0; flow < FLOWS; flow++) {
		pkts[flow % PORTS] += added[flow];
		queued[flow % PORTS][flow % QUEUES] += added[flow];
		sum += octets[flow];
	}
	for (uint32_t port = 0; port < PORTS; port++) {
		EQUAL(held_stats_port_get_pkts(port), pkts[port]);
		for (uint32_t queue = 0; queue < QUEUES; queue++)
			EQUAL(held_stats_queue_get_pkts(port, queue), queued[port][queue]);
	}
	EQUAL(held_stats_get_total(), sum);
}

/* At any time as many flows lack something as there are entries, at most; after a flush, none. */
CASE(sums)
{
	struct worker me = { .random = 88172645463325252u };
	unsigned int most = 0;

	for (unsigned int i = 0; i < 20000; i++) {
		uint32_t flow = draw(&me) % FLOWS;
		unsigned int lack;

		for (unsigned int burst = draw(&me) % 4; burst > 0; burst--)
			count(flow, (uint16_t)draw(&me));
		if (i % 7 == 0) {
			lack = lacking();
			CHECK(lack <= entries, "%u flows lack something", lack);
			most = lack > most ? lack : most;
		}
		if (i % 501 == 0) {
			held_stats_flush();
			complete();
		}
	}
	CHECK(most > 0 && (entries > FLOWS || most + 1 >= entries / 2), "%u at most", most);
	held_stats_try_flush();
	complete();
}

/* A flow is visible when another needs its place, and not before. */
CASE(evicted)
{
	const uint32_t sets = (uint32_t)entries, other = sets + 1;

	for (unsigned int i = 0; i < 1000; i++)
		count(0, 1);
	EQUAL(held_stats_flow_get_pkts(0), 0);
	if (entries >= FLOWS || entries % 2 != 0 || sets < 2)
		goto out;
	/* Positions 0 and sets + 1 fall together: (at ^ (at / sets)) % sets is 0. */
	count(other, 1);
	count(other, 1);
	EQUAL(held_stats_flow_get_pkts(0), 1000);
	EQUAL(held_stats_flow_get_pkts(other), 0);
	count(2 * sets + 2, 1);
	EQUAL(held_stats_flow_get_pkts(0) + held_stats_flow_get_pkts(other), 1002);
	EQUAL(held_stats_flow_get_pkts(2 * sets + 2), 0);
	/* Instances of which there are few, and the global scope, give way to none. */
	EQUAL(held_stats_get_total(), 0);
	EQUAL(held_stats_port_get_pkts(0), 0);
out:
	held_stats_flush();
	complete();
}

/* HINTS calls show all that there was before them, and each no more than its share. */
CASE(hinted)
{
	const uint64_t held = entries < FLOWS ? entries : FLOWS;
	unsigned int before, after, most = 0;

	for (unsigned int round = 0; round < 3; round++) {
		for (uint32_t flow = 0; flow < FLOWS; flow++)
			count(flow, 2);
		before = lacking();
		CHECK(before > held / 2, "%u flows are held", before);
		for (uint64_t i = 0; i < hints; i++) {
			held_stats_hint_flush();
			after = lacking();
			most = before - after > most ? before - after : most;
			before = after;
		}
		complete();
	}
	/* Of all scopes there are at most so many places. */
	CHECK(most <= (5 * entries + hints - 1) / hints, "%u at once", most);
	/* What comes between two calls waits for as many. */
	count(1, 1);
	for (uint64_t i = 0; i < hints; i++) {
		count(0, 1);
		held_stats_hint_flush();
	}
	EQUAL(held_stats_flow_get_pkts(1), added[1]);
	held_stats_flush();
	complete();
}

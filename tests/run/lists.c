/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Updates that change a list of instances, or several that they name: lengths, the same instance
 * twice, calls that are dropped, threads whose lists overlap.
 *
 * Options: ROUNDS of each thread; WHOLE where a read shows updates as a whole; ASSERTED where the
 * schema leaves indexes to debug builds.
 */
#include <errno.h>

#include "harness.h"
#include "li_stats.h"

#define CASE(name) TEST_BETWEEN(name, begin(), li_stats_fini())

#define URRS 8 /* few, so that lists overlap */
#define THREADS 4

static void
begin(void)
{
	uint32_t i;

	EQUAL(li_stats_init(), 0);
	for (i = 0; i < URRS; i++) {
		EQUAL(li_stats_urr_create(i), 0);
		EQUAL(li_stats_flow_create(i), 0);
	}
}

/* The calls of this thread are visible, and are @p wanted of one urr, with so many octets. */
static void
shows(uint32_t urr, uint64_t wanted, uint64_t bytes)
{
	struct li_stats_urr found;

	li_stats_flush();
	EQUAL(li_stats_urr_read(urr, &found), 0);
	EQUAL(found.pkts, wanted);
	EQUAL(found.bytes, bytes);
	EQUAL(found.events, (uint32_t)wanted);
}

/* One call, by any of the three ways. */
static void
packet(unsigned int way, const uint32_t *list, uint32_t num, uint64_t size)
{
	struct li_stats_batch batch;

	switch (way) {
	case 0:
		li_stats_update_packet(list, num, size);
		break;
	case 1:
		li_stats_update_packet_bulk(&list, &num, &size, 1);
		break;
	default:
		li_stats_batch_begin(&batch);
		li_stats_batch_packet(&batch, list, num, size);
		li_stats_batch_end(&batch);
	}
}

static void
lengths_of(bool registered)
{
	static const uint64_t sizes[] = { 0, 1, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX };
	const uint32_t list[4] = { 5, 0, 7, 2 };
	uint64_t times[URRS] = { 0 }, bytes[URRS] = { 0 }, calls = 0;
	unsigned int way, size;
	uint32_t num, i;

	if (registered)
		EQUAL(ctr_thread_register(), 0);
	for (way = 0; way < 3; way++)
		for (num = 0; num <= 4; num++)
			for (size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
				packet(way, num == 0 ? NULL : list, num, sizes[size]);
				calls++;
				for (i = 0; i < num; i++) {
					times[list[i]]++;
					bytes[list[i]] += sizes[size];
				}
			}
	for (i = 0; i < URRS; i++)
		shows(i, times[i], bytes[i]);
	EQUAL(li_stats_get_pkts(), calls);
	EQUAL(li_stats_drops(), 0);
	if (registered)
		ctr_thread_unregister();
}

CASE(lengths)
{
	lengths_of(true);
}

CASE(lengths_elsewhere)
{
	lengths_of(false);
}

CASE(longest)
{
	const uint32_t list[16] = { 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
	const uint32_t cause = LI_STATS_CAUSE_VLAN;
	const uint32_t *lists[40], *causes[40];
	uint32_t num[40], one[40], i;
	uint16_t sizes[40];

	EQUAL(ctr_thread_register(), 0);
	li_stats_update_rules(list, 16, &cause, 1, UINT16_MAX);
	li_stats_update_rules(list + 15, 1, NULL, 0, 1);
	for (i = 0; i < 40; i++) {
		lists[i] = list + i % 16;
		num[i] = 16 - i % 16;
		causes[i] = &cause;
		one[i] = i % 2;
		sizes[i] = (uint16_t)i;
	}
	li_stats_update_rules_bulk(lists, num, causes, one, sizes, 40);
	li_stats_flush();
	for (i = 0; i < 16; i++) {
		uint64_t pkts = 1 + (i == 0), bytes = UINT16_MAX + (i == 0), k;

		for (k = 0; k < 40; k++)
			if (15 - k % 16 >= i) {
				pkts++;
				bytes += k;
			}
		EQUAL(li_stats_rule_get_pkts(i), pkts);
		EQUAL(li_stats_rule_get_bytes(i), bytes);
	}
	EQUAL(li_stats_cause_get_pkts(LI_STATS_CAUSE_VLAN), 21);
	EQUAL(li_stats_cause_get_pkts(LI_STATS_CAUSE_ACL), 0);
	ctr_thread_unregister();
}

/* An index that is in a list twice counts twice. */
CASE(twice)
{
	const uint32_t list[4] = { 3, 1, 3, 3 };
	const uint32_t up[3] = { 4, 5, 5 }, down[3] = { 4, 5, 6 };
	const uint16_t sizes[3] = { 7, 11, 13 };
	struct li_stats_batch batch;
	unsigned int way;

	EQUAL(ctr_thread_register(), 0);
	for (way = 0; way < 3; way++)
		packet(way, list, 4, 100);
	shows(3, 9, 900);
	shows(1, 3, 300);
	shows(0, 0, 0);
	li_stats_update_both(4, 4, 7);
	li_stats_update_both_bulk(up, down, sizes, 3);
	li_stats_batch_begin(&batch);
	li_stats_batch_both(&batch, 5, 5, 1);
	li_stats_batch_both(&batch, 5, 5, 2);
	li_stats_batch_both(&batch, 5, 6, 4);
	li_stats_batch_end(&batch);
	li_stats_flush();
	EQUAL(li_stats_flow_get_pkts(4), 4);
	EQUAL(li_stats_flow_get_bytes(4), 28);
	EQUAL(li_stats_flow_get_pkts(5), 2 + 1 + 4 + 1);
	EQUAL(li_stats_flow_get_bytes(5), 22 + 13 + 6 + 4);
	EQUAL(li_stats_flow_get_pkts(6), 2);
	EQUAL(li_stats_flow_get_bytes(6), 17);
	EQUAL(li_stats_get_pkts(), 3);
	ctr_thread_unregister();
}

/* A call with an index that cannot be, of an instance that is not there, or with too long a list
 * changes nothing, wherever in the list that is. */
CASE(dropped)
{
	uint32_t list[5] = { 0, 1, 2, 3, 4 }, i;
	uint64_t late = 0;
	unsigned int way;

	EQUAL(ctr_thread_register(), 0);
	for (way = 0; way < 3; way++)
		for (i = 0; i < 4; i++) {
			list[i] = URRS; /* not created */
			packet(way, list, 4, 1);
			late++;
			list[i] = i;
		}
	li_stats_update_both(0, URRS, 1);
	li_stats_update_both(URRS, 0, 1);
	li_stats_flush();
	EQUAL(li_stats_late(), late + 2);
	EQUAL(li_stats_drops(), 0);
	if (option("ASSERTED", 0) == 0) {
		for (way = 0; way < 3; way++)
			for (i = 0; i < 4; i++) {
				list[i] = i % 2 != 0 ? LI_STATS_URR_MAX : UINT32_MAX;
				packet(way, list, 4, 1);
				list[i] = i;
			}
		EQUAL(li_stats_drops(), 12);
		for (way = 0; way < 3; way++)
			packet(way, list, 5, 1);
		packet(0, list, UINT32_MAX, 1);
		li_stats_update_meters(LI_STATS_SESSION_MAX, list, 4, 1);
		li_stats_update_meters(0, list, 5, 1);
		list[0] = LI_STATS_METER_MAX;
		li_stats_update_meters(0, list, 1, 1);
		li_stats_update_mark(0, list, 1);
		li_stats_update_both(LI_STATS_FLOW_MAX, 0, 1);
		li_stats_update_both(0, LI_STATS_FLOW_MAX, 1);
		EQUAL(li_stats_drops(), 12 + 4 + 4 + 2);
	}
	for (i = 0; i < URRS; i++) {
		shows(i, 0, 0);
		EQUAL(li_stats_flow_get_pkts(i), 0);
	}
	EQUAL(li_stats_get_pkts(), 0);
	EQUAL(li_stats_session_get_pkts(0), 0);
	ctr_thread_unregister();
}

/* Gauges, states and histograms of instances inside of another. */
CASE(inside)
{
	const uint32_t list[3] = { 2, 0, 2 };
	struct li_stats_meter meter;

	EQUAL(ctr_thread_register(), 0);
	li_stats_update_meters(6, list, 3, 64);
	li_stats_update_meters(7, list, 1, 65);
	li_stats_update_mark(7, list, 3);
	li_stats_flush();
	EQUAL(li_stats_meter_read(6, 2, &meter), 0);
	EQUAL(meter.bytes, 128);
	EQUAL(meter.depth, 2);
	EQUAL(meter.seen, 0);
	EQUAL(meter.sizes_to_64, 2);
	EQUAL(meter.sizes_sum, 128);
	EQUAL(li_stats_meter_read(6, 0, &meter), 0);
	EQUAL(meter.depth, 1);
	EQUAL(li_stats_meter_read(7, 2, &meter), 0);
	EQUAL(meter.sizes_to_512, 1);
	EQUAL(meter.sizes_sum, 65);
	EQUAL(meter.seen, 1);
	EQUAL(li_stats_meter_read(7, 1, &meter), 0);
	EQUAL(meter.seen + meter.depth + meter.bytes, 0);
	EQUAL(li_stats_session_get_pkts(6), 1);
	EQUAL(li_stats_session_get_pkts(7), 1);
	ctr_thread_unregister();
}

/* Locks are taken in ascending order, each once: all lists of up to four indexes below four. */
TEST(order)
{
	uint32_t list[4], sorted[4], num, code, i, k;

	for (num = 0; num <= 4; num++)
		for (code = 0; code < 256; code++) {
			uint32_t bits = 0, distinct;

			for (i = 0; i < num; i++) {
				list[i] = code >> 2 * i & 3;
				bits |= 1u << list[i];
			}
			distinct = ctr_list_order(sorted, list, num);
			EQUAL(distinct, __builtin_popcount(bits));
			for (k = 0, i = 0; i < 4; i++)
				if ((bits >> i & 1) != 0)
					EQUAL(sorted[k++], i);
		}
	list[0] = UINT32_MAX;
	list[1] = 0;
	list[2] = UINT32_MAX;
	EQUAL(ctr_list_order(sorted, list, 3), 2);
	EQUAL(sorted[0], 0);
	EQUAL(sorted[1], UINT32_MAX);
}

static uint64_t counted[THREADS][URRS], octets[THREADS][URRS], flows[THREADS][URRS];
static uint64_t rules[THREADS][URRS], calls[THREADS];
static uint32_t stop;

/* Lists of all lengths, in all orders, with repetitions; flows in both orders. */
static void
count(struct worker *me)
{
	uint64_t rounds = option("ROUNDS", 3000), i;
	uint64_t *mine = counted[me->number], *bytes = octets[me->number];
	uint32_t lists[3][4];
	const uint32_t *list_v[3] = { lists[0], lists[1], lists[2] };
	uint64_t sizes[3] = { 64, 64, 64 };
	uint32_t nums[3], k, j;

	for (i = 0; i < rounds; i++) {
		for (k = 0; k < 3; k++) {
			nums[k] = draw(me) % 5;
			for (j = 0; j < nums[k]; j++) {
				lists[k][j] = draw(me) % URRS;
				mine[lists[k][j]]++;
				bytes[lists[k][j]] += 64;
			}
			calls[me->number]++;
		}
		if (i % 2 == 0)
			li_stats_update_packet_bulk(list_v, nums, sizes, 3);
		else
			for (k = 0; k < 3; k++)
				packet(2 * (k & 1), lists[k], nums[k], 64);
		for (j = 0; j < 4; j++) {
			lists[0][j] = draw(me) % URRS;
			rules[me->number][lists[0][j]]++;
		}
		li_stats_update_rules(lists[0], 4, NULL, 0, 64);
		k = draw(me) % URRS;
		j = draw(me) % URRS;
		li_stats_update_both(k, j, 64);
		flows[me->number][k]++;
		flows[me->number][j]++;
		li_stats_burst_end();
	}
	if (me->stays)
		li_stats_flush();
	else if (me->registered)
		ctr_thread_unregister();
}

static void
read_all_the_time(struct worker *me)
{
	bool whole = option("WHOLE", 0) != 0;
	struct li_stats_flow flow;
	struct li_stats_rule rule;
	struct li_stats_urr urr;
	uint64_t reads = 0;

	while (!is_set(&stop) || reads == 0) {
		uint32_t index = draw(me) % URRS;

		if (li_stats_urr_read(index, &urr) == 0 && whole)
			EQUAL(urr.bytes, 64 * urr.pkts);
		if (li_stats_flow_read(index, &flow) == 0 && whole)
			EQUAL(flow.bytes, 64 * flow.pkts);
		if (li_stats_rule_read(index, &rule) == 0 && whole)
			EQUAL(rule.bytes, 64 * rule.pkts);
		reads++;
	}
}

CASE(threads)
{
	struct worker workers[THREADS + 1];
	uint64_t all = 0;
	uint32_t i, k;

	workers_start(workers, THREADS, count, THREADS - 1);
	workers[THREADS].number = THREADS;
	worker_start(&workers[THREADS], read_all_the_time, false);
	workers_go();
	workers_join(workers, THREADS);
	set_flag(&stop, 1);
	workers_join(workers + THREADS, 1);
	for (i = 0; i < URRS; i++) {
		uint64_t pkts = 0, bytes = 0, both = 0, ruled = 0;

		for (k = 0; k < THREADS; k++) {
			pkts += counted[k][i];
			bytes += octets[k][i];
			both += flows[k][i];
			ruled += rules[k][i];
		}
		shows(i, pkts, bytes);
		EQUAL(li_stats_flow_get_pkts(i), both);
		EQUAL(li_stats_flow_get_bytes(i), 64 * both);
		EQUAL(li_stats_rule_get_pkts(i), ruled);
		EQUAL(li_stats_rule_get_bytes(i), 64 * ruled);
	}
	for (k = 0; k < THREADS; k++)
		all += calls[k];
	EQUAL(li_stats_get_pkts(), all);
	EQUAL(li_stats_drops() + li_stats_late(), 0);
}

/* What debug builds abort on. */
TEST(too_long)
{
	const uint32_t list[5] = { 0, 1, 2, 3, 4 };

	begin();
	li_stats_update_packet(list, 5, 1);
}

TEST(too_great)
{
	const uint32_t list[2] = { 0, 16 };

	begin();
	li_stats_update_rules(list, 2, NULL, 0, 1);
}

/* An index that the lcore has kept since before its report. */
TEST(kept)
{
	const uint32_t list[2] = { 0, 1 };

	begin();
	EQUAL(ctr_thread_register(), 0);
	li_stats_update_packet(list, 2, 1);
	EQUAL(li_stats_urr_destroy(1, NULL), 0);
	li_stats_burst_end();
	li_stats_update_packet(list, 2, 1);
}

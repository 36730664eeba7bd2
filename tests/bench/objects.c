/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way of counting reaches the object of the packet's flow, and no other. */
#include <stdio.h>
#include <string.h>

#include "s_stats_bench.c"

#define EXPECT(condition) \
	do { \
		if (!(condition)) { \
			printf("%s, line %d: %s\n", way->name, __LINE__, #condition); \
			return 1; \
		} \
	} while (0)
#define PACKETS CTR_BENCH_BURST
#define FLOWS 7u

void
ctr_bench_toil(struct ctr_bench_work *work)
{
	(void)work;
}

static uint32_t place[PACKETS], flow[PACKETS];
static uint16_t size[PACKETS];

static bool
generated(const char *name)
{
	return strcmp(name, "none") != 0 && strcmp(name, "hand") != 0 &&
			strcmp(name, "floor") != 0 && strcmp(name, "atomic") != 0;
}

int
main(void)
{
	struct ctr_bench_traffic t = { .count = PACKETS, .place = place, .u16 = size };
	struct ctr_bench_work work = { .busy = false };
	const struct ctr_bench_way *way = ways;
	uint32_t packets[FLOWS] = { 0 }, octets[FLOWS] = { 0 }, seldom[FLOWS] = { 0 };
	uint32_t runs = 0, hands = 0, f, i;

	EXPECT(ctr_thread_register() == 0 && make_objects() == 0 && s_stats_init() == 0);
	EXPECT(hand_init(ctr_lcore_id()) == 0);
	EXPECT((uintptr_t)objects_session % CTR_CACHE_LINE == 0);
	EXPECT(sizeof(struct object_session) == CTR_CACHE_LINE);
	EXPECT(ctr_bench.num_objects == 2 && ctr_bench.num_indexes == 3);
	for (i = 0; i < 3; i++)
		t.index[i] = flow;
	for (i = 0; i < PACKETS; i++) {
		place[i] = i;
		flow[i] = (i * i) % FLOWS;
		size[i] = (uint16_t)(100 + i);
		packets[flow[i]]++;
		octets[flow[i]] += size[i];
		seldom[flow[i]] += i % 4 == 0;
	}
	for (; way->name != NULL; way++) {
		way->run(&t, 0, PACKETS, &work);
		runs += generated(way->name);
		hands += strcmp(way->name, "hand") == 0;
		s_stats_flush();
		for (f = 0; f < FLOWS; f++) {
			struct s_stats_session session;
			struct s_stats_link link;
			struct s_stats_bearer bearer;

			EXPECT(objects[0].read(&f, &session) == 0 && objects[1].read(&f, &link) == 0);
			EXPECT(session.pkts == runs * packets[f]);
			EXPECT(session.bytes == runs * octets[f]);
			EXPECT(session.open == (int64_t)runs * seldom[f]);
			EXPECT(link.bytes == runs * octets[f]);
			EXPECT(s_stats_bearer_read(f, &bearer) == 0);
			EXPECT(bearer.pkts == runs * packets[f]);
			EXPECT(objects_session[f].own.lock.held == 0);
#ifndef NO_HAND
			EXPECT(hand_objects_session[f].counters.pkts == hands * packets[f]);
			EXPECT(hand_objects_session[f].counters.open == hands * seldom[f]);
			EXPECT(hand_objects_link[f].counters.bytes == hands * octets[f]);
			EXPECT(hand_objects_session[f].own.lock.held == 0);
#endif
		}
	}
	way--;
#ifndef NO_HAND
	EXPECT(hands == 1);
#endif
	EXPECT(runs == 4);
	for (f = 0; f < FLOWS; f++) {
		struct s_stats_session session;

		EXPECT(objects[0].reset(&f, &session) == 0 && session.bytes == runs * octets[f]);
		EXPECT(objects[0].read(&f, &session) == 0 && session.bytes == 0);
	}
	return 0;
}

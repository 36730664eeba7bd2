/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What segment.py measures: snapshot ROUNDS, read ROUNDS PATH. Lines of name=number; times in
 * nanoseconds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctr.h"
#include "ctr_segment.h"
#include "ctr_segment_reader.h"
#include "sg_stats.h"
#include "../support/need.h"

#define SESSIONS SG_STATS_SESSION_MAX
#define LCORES 4u

static const struct ctr_module *const modules[] = { &sg_stats_module };
static uint64_t sink;

static uint32_t
draw(uint32_t *n)
{
	*n = *n * 1664525u + 1013904223u;
	return *n >> 8;
}

/* ---- lcores that have counted ---- */

static pthread_barrier_t filled;

static void *
fill(void *argument)
{
	const uint32_t me = (uint32_t)(uintptr_t)argument;
	uint32_t i;

	NEED(ctr_thread_register() == 0);
	for (i = 0; i < SESSIONS; i++)
		sg_stats_update_packet(i, i % 1000 + me);
	sg_stats_flush();
	pthread_barrier_wait(&filled); /* so that each has an id of its own */
	ctr_thread_unregister();
	return NULL;
}

static void
fill_all(void)
{
	pthread_t thread[LCORES];
	uint32_t i;

	pthread_barrier_init(&filled, NULL, LCORES);
	for (i = 0; i < LCORES; i++)
		NEED(pthread_create(&thread[i], NULL, fill, (void *)(uintptr_t)i) == 0);
	for (i = 0; i < LCORES; i++)
		pthread_join(thread[i], NULL);
}

/* ---- a snapshot, and the same memory added up by hand ---- */

static void
add_by_hand(struct sg_stats_session *out, struct sg_stats_instance *const *slot, unsigned int slots)
{
	unsigned int lcore;
	uint32_t i;

	for (i = 0; i < SESSIONS; i++) {
		uint64_t pkts = 0, bytes = 0;

		for (lcore = 0; lcore < slots; lcore++) {
			pkts += ctr_load64(&slot[lcore]->session[i].pkts);
			bytes += ctr_load64(&slot[lcore]->session[i].bytes);
		}
		out[i].pkts = pkts;
		out[i].bytes = bytes;
	}
}

static void
snapshots(unsigned int rounds)
{
	struct sg_stats_session *out =
		(struct sg_stats_session *)calloc(SESSIONS, sizeof(*out));
	struct sg_stats_instance *slot[CTR_SLOTS];
	struct sg_stats_snapshot *snap;
	unsigned int lcore, slots = 0;
	uint64_t began, between, ended;

	NEED(out != NULL && sg_stats_snapshot_create(&snap) == 0);
	CTR_SLOTS_FOREACH(lcore, &sg_stats_slots)
		slot[slots++] = (struct sg_stats_instance *)ctr_slots_get(&sg_stats_slots, lcore);
	NEED(slots == LCORES + 1);
	NEED(sg_stats_snapshot_read(snap) == 0);
	add_by_hand(out, slot, slots);
	NEED(memcmp(out, snap->session, SESSIONS * sizeof(*out)) == 0);
	while (rounds-- > 0) {
		began = ctr_time_ns();
		NEED(sg_stats_snapshot_read(snap) == 0);
		between = ctr_time_ns();
		add_by_hand(out, slot, slots);
		ended = ctr_time_ns();
		printf("snapshot=%" PRIu64 " hand=%" PRIu64 "\n", between - began, ended - between);
	}
}

/* ---- reads of few instances, and of all ---- */

static int
add_pkts(uint32_t at, const void *values, const struct ctr_segment_info *info, void *unused)
{
	(void)at;
	(void)info;
	(void)unused;
	sink += ((const struct sg_stats_session *)values)->pkts;
	return 0;
}

static void
reads(unsigned int rounds, const char *path)
{
	struct ctr_segment_options options = { .path = path };
	const struct ctr_segment_scope *scope;
	struct ctr_segment_reader *in;
	struct ctr_segment *segment;
	struct sg_stats_session values;
	uint64_t began, between, ended;
	uint32_t n, i;

	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(ctr_segment_open(&in, path) == 0);
	scope = ctr_segment_find_scope(in, "sg", "session");
	for (; rounds > 0; rounds--) {
		began = ctr_time_ns();
		for (n = 7, i = 0; i < SESSIONS; i++)
			NEED(ctr_segment_read(in, scope, draw(&n) % 256, &values, NULL) == 0);
		between = ctr_time_ns();
		NEED(ctr_segment_walk(in, scope, add_pkts, NULL) == 0);
		ended = ctr_time_ns();
		printf("near=%.1f walk=%.1f\n", (double)(between - began) / SESSIONS,
		       (double)(ended - between) / SESSIONS);
	}
	ctr_segment_leave(in);
	ctr_segment_close(segment);
}

int
main(int argc, char **argv)
{
	const unsigned int rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;

	NEED(argc > 2);
	NEED(sg_stats_init() == 0);
	fill_all();
	if (strcmp(argv[1], "snapshot") == 0)
		snapshots(rounds);
	else
		reads(rounds, argv[3]);
	sg_stats_fini();
	return sink == 1;
}

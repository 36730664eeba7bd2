/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file
 * What segment.py measures: snapshot ROUNDS, beside ROUNDS PATH [PID NAME]..., read ROUNDS PATH,
 * watch 0 PATH. Lines of name=number; times in nanoseconds.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ctr.h"
#include "ctr_segment.h"
#include "ctr_segment_reader.h"
#include "sg_stats.h"
#include "../support/need.h"

#define SESSIONS SG_STATS_SESSION_MAX
#define LCORES 4u
#define HOT 4096u
#define SLICE_NS UINT64_C(20000000)

static const struct ctr_module *const modules[] = { &sg_stats_module };
static uint64_t sink;

static uint32_t
draw(uint32_t *n)
{
	*n = *n * 1664525u + 1013904223u;
	return *n >> 8;
}

/* Nanoseconds that the calling thread ran. */
static uint64_t
thread_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
pin(unsigned int core)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(core, &cpus);
	(void)pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
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

#ifdef BY_HAND
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
#else
static void
snapshots(unsigned int rounds)
{
	NEED(rounds == 0);
}
#endif

/* ---- updates beside readers ---- */

enum kind { NONE, SPIN, GETTER, READ, SNAPSHOT, PUBLISH, SEGMENT, KINDS };
static const char *const kinds[] = { "none",     "spin",    "getter", "read",
				     "snapshot", "publish", "segment" };

static bool stop;
static struct ctr_segment *segment;
static struct sg_stats_snapshot *common_snapshot;
static const char *path;

/* Read as long as it is to: values of one instance after the other, or of all. */
static void *
reader(void *argument)
{
	const enum kind kind = (enum kind)(uintptr_t)argument;
	const struct ctr_scope *scope = &sg_stats_module.scopes[0];
	struct ctr_segment_reader *in = NULL;
	const struct ctr_segment_scope *there = NULL;
	struct sg_stats_session values;
	char text[64];
	uint32_t i = 0;

	pin(1);
	if (kind == SEGMENT) {
		NEED(ctr_segment_open(&in, path) == 0);
		there = ctr_segment_find_scope(in, "sg", "session");
	}
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		i = (i + 1) % SESSIONS;
		if (kind == GETTER)
			sink += sg_stats_session_get_pkts(i);
		else if (kind == READ && scope->read(&i, &values) == 0)
			sink += (uint64_t)snprintf(text, sizeof(text), "%" PRIu64 " %" PRIu64,
						   values.pkts, values.bytes);
		else if (kind == SNAPSHOT)
			sink += (uint64_t)sg_stats_snapshot_read(common_snapshot);
		else if (kind == PUBLISH)
			sink += (uint64_t)ctr_segment_publish(segment);
		else if (kind == SEGMENT)
			sink += (uint64_t)ctr_segment_read(in, there, i, &values, NULL);
	}
	ctr_segment_leave(in);
	return NULL;
}

/* Nanoseconds for 1000 updates of one thread, for a slice of time. */
static uint64_t
updates(void)
{
	const uint64_t began = thread_ns();
	uint64_t done = 0, took;
	uint32_t n = 1, i;

	do {
		for (i = 0; i < 1000; i++)
			sg_stats_update_packet(draw(&n) % HOT, 64);
		done++;
		took = thread_ns() - began;
	} while (took < SLICE_NS);
	return took / done;
}

struct other {
	pid_t pid;
	const char *name;
};

static void
beside(unsigned int rounds, const struct other *others, unsigned int num_others)
{
	struct ctr_segment_options options = { .path = path };
	unsigned int kind;

	NEED(ctr_segment_create(&segment, modules, 1, &options) == 0);
	NEED(sg_stats_snapshot_create(&common_snapshot) == 0);
	pin(0);
	NEED(ctr_thread_register() == 0);
	for (kind = 0; kind < num_others; kind++)
		kill(others[kind].pid, SIGSTOP);
	while (rounds-- > 0) {
		for (kind = 0; kind < KINDS + num_others; kind++) {
			const bool own = kind < KINDS;
			uint64_t cost;
			pthread_t thread;

			stop = false;
			if (own && kind != NONE)
				NEED(pthread_create(&thread, NULL, reader,
						    (void *)(uintptr_t)kind) == 0);
			else if (!own)
				kill(others[kind - KINDS].pid, SIGCONT);
			(void)updates(); /* until that reads */
			cost = updates();
			__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
			if (own && kind != NONE)
				pthread_join(thread, NULL);
			else if (!own)
				kill(others[kind - KINDS].pid, SIGSTOP);
			printf("%s=%" PRIu64 " ", own ? kinds[kind] : others[kind - KINDS].name,
			       cost);
		}
		printf("\n");
		fflush(stdout);
	}
	for (kind = 0; kind < num_others; kind++)
		kill(others[kind].pid, SIGKILL);
	ctr_segment_close(segment);
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
reads(unsigned int rounds)
{
	struct ctr_segment_options options = { .path = path };
	const struct ctr_segment_scope *scope;
	struct ctr_segment_reader *in;
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

/* Read all of a segment again and again, in a process of its own. */
static void
watch(void)
{
	const struct ctr_segment_scope *scope;
	struct ctr_segment_reader *in = NULL;
	struct sg_stats_session values;
	uint32_t i = 0;

	pin(1);
	while (ctr_segment_open(&in, path) != 0)
		usleep(1000);
	scope = ctr_segment_find_scope(in, "sg", "session");
	for (;; i = (i + 1) % SESSIONS)
		sink += (uint64_t)ctr_segment_read(in, scope, i, &values, NULL);
}

int
main(int argc, char **argv)
{
	const unsigned int rounds = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
	struct other others[4];
	unsigned int num_others = 0;
	int i;

	NEED(argc > 3);
	path = argv[3];
	if (strcmp(argv[1], "watch") == 0)
		watch();
	NEED(sg_stats_init() == 0);
	fill_all();
	for (i = 4; i + 1 < argc && num_others < 4; i += 2, num_others++) {
		others[num_others].pid = (pid_t)atoi(argv[i]);
		others[num_others].name = argv[i + 1];
	}
	if (strcmp(argv[1], "snapshot") == 0)
		snapshots(rounds);
	else if (strcmp(argv[1], "beside") == 0)
		beside(rounds, others, num_others);
	else if (strcmp(argv[1], "read") == 0)
		reads(rounds);
	sg_stats_fini();
	return sink == 1;
}

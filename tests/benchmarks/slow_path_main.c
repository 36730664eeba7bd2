/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that read, reset and destroy, timed in CPU time of the calling thread. slow_path.py makes a
 * program of this file, the module that one checkout generates, and its runtime.
 *
 * Threads count first. Then, for each line with the number of a function and how often to call it,
 * prints the ns that this took.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "slow_stats.h"

#define FEW 1024u /* Instances that calls go through: they stay in the caches. */
#define FLOWS 512u
#define ROWS 64u
#define THREADS 2u

static struct slow_stats_snapshot *snapshot;
static pthread_barrier_t counted;
static uint64_t sum;

static void *
count(void *arg)
{
	uint32_t i;

	ctr_thread_register();
	for (i = 0; i < SLOW_STATS_SESSION_MAX; i++)
		slow_stats_update_packet(i, i % SLOW_STATS_WIDE_MAX, 100);
	slow_stats_flush();
	/* None leaves before all have come: each has a copy of its own. */
	pthread_barrier_wait(&counted);
	ctr_thread_unregister();
	return arg;
}

/* Count every instance in each thread. 0 or -errno. */
static int
open_all(void)
{
	pthread_t thread[THREADS];
	unsigned int i;

	if (slow_stats_init() != 0)
		return -1;
	pthread_barrier_init(&counted, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, count, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < FLOWS; i++)
		if (slow_stats_flow_create(FLOWS + i) != 0)
			return -1;
	return slow_stats_snapshot_create(&snapshot);
}

/* What the instances have counted, so that two libraries can be compared. */
static uint64_t
sum_all(void)
{
	struct slow_stats_session session;
	struct slow_stats_wide wide;
	uint64_t all = 0;
	uint32_t i;

	for (i = 0; i < SLOW_STATS_SESSION_MAX && i < FEW; i++)
		if (slow_stats_session_read(i, &session) == 0)
			all += session.pkts + session.bytes;
	for (i = 0; i < SLOW_STATS_WIDE_MAX; i++)
		if (slow_stats_wide_read(i, &wide) == 0)
			all += wide.c0 + wide.c1 + wide.c9;
	return all;
}

static void
getter(uint32_t i)
{
	sum += slow_stats_session_get_bytes(i % FEW % SLOW_STATS_SESSION_MAX);
}

static void
read_one(uint32_t i)
{
	struct slow_stats_session out;

	sum += (uint64_t)slow_stats_session_read(i % FEW % SLOW_STATS_SESSION_MAX, &out);
	sum += out.pkts;
}

static void
read_wide(uint32_t i)
{
	struct slow_stats_wide out;

	sum += (uint64_t)slow_stats_wide_read(i % SLOW_STATS_WIDE_MAX, &out) + out.c0;
}

static void
read_flow(uint32_t i)
{
	struct slow_stats_flow out;

	sum += (uint64_t)slow_stats_flow_read(FLOWS + i % FLOWS, &out) + out.pkts;
}

static void
reset_one(uint32_t i)
{
	struct slow_stats_session last;

	sum += (uint64_t)slow_stats_session_reset(i % FEW % SLOW_STATS_SESSION_MAX, &last);
	sum += last.pkts;
}

static void
reset_wide(uint32_t i)
{
	struct slow_stats_wide last;

	sum += (uint64_t)slow_stats_wide_reset(i % SLOW_STATS_WIDE_MAX, &last) + last.c0;
}

static void
snapshot_all(uint32_t i)
{
	sum += (uint64_t)slow_stats_snapshot_read(snapshot) + i;
}

/* As the subagent reads a row. */
static void
read_row(uint32_t i)
{
	const uint32_t index = i % FEW % SLOW_STATS_SESSION_MAX;
	struct slow_stats_session out;

	sum += (uint64_t)slow_stats_module.scopes[1].read(&index, &out) + out.pkts;
}

/* As a segment reads rows. */
static void
read_rows(uint32_t i)
{
	struct slow_stats_session out[ROWS];
	int rc[ROWS];

	slow_stats_read_lock();
	slow_stats_module.scopes[1].rows(i % 8 * ROWS, ROWS, out, rc);
	slow_stats_read_unlock();
	sum += out[0].pkts;
}

static void
destroy(uint32_t i)
{
	struct slow_stats_flow last;

	sum += (uint64_t)slow_stats_flow_destroy(i % FLOWS, &last);
}

/* In the order of slow_path.py. */
static void (*const calls[])(uint32_t i) = {
	getter, read_one, read_wide, read_flow, reset_one, reset_wide, snapshot_all, read_row,
	read_rows, destroy,
};

/* ns of CPU time that `n` calls take; 0: there is no such function, or it fails. */
static uint64_t
time_calls(unsigned int which, uint32_t n)
{
	struct timespec begin, end;
	uint32_t i;

	if (calls[which] == read_rows && slow_stats_module.scopes[1].rows == NULL)
		return 0;
	for (i = 0; calls[which] == destroy && i < FLOWS; i++)
		if (slow_stats_flow_create(i) != 0)
			return 0;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	for (i = 0; i < n; i++)
		calls[which](i);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	return (uint64_t)(end.tv_sec - begin.tv_sec) * 1000000000u + (uint64_t)end.tv_nsec -
	       (uint64_t)begin.tv_nsec;
}

int
main(void)
{
	unsigned int which;
	uint32_t n;

	if (open_all() != 0)
		return 1;
	printf("%" PRIu64 "\n", sum_all());
	fflush(stdout);
	while (scanf("%u %" SCNu32, &which, &n) == 2) {
		printf("%" PRIu64 "\n", time_calls(which, n));
		fflush(stdout);
	}
	return sum == 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread on one core counts packets, and a control thread on another core polls, if the strategy
 * has something for it: the time of an update, and cycles of the poll thread for it. ring.py compiles
 * this with the updates of schemas/ep.yaml under several strategies, and runs these in turns.
 *
 * Arguments: uniform or bursts; rounds of work between two packets (multiplications, each of which
 * waits for the last); how many workers there are, on one core. Prints nanoseconds of an update, of
 * the thread itself, without those of the work; cycles of the poll thread for an update; and per cent
 * of its time that it was busy.
 *
 * With 0 workers the worker's side alone: one thread counts as many packets as a ring has room for,
 * and then polls itself, in turns. Prints nanoseconds of an update, cycles of the poll for it, 0.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "ep_stats.h"
#include "program.h"

#define PACKETS (1u << 20)
#define ROUNDS 8
#define BURST 16
#define FLOWS EP_STATS_SESSION_MAX
#define WORKERS 2
#define EMPTY 1000
#define FITS (PACKETS / 128)

static unsigned int work;
static bool bursts;
static uint32_t stop;
static pthread_barrier_t barrier, started;
static uint64_t busy, waited;

static struct worker {
	pthread_t thread;
	uint32_t *flow;
	uint64_t random, sink, ns, idle;
} worker[WORKERS];

static uint32_t
draw(struct worker *me)
{
	(void)next_random(&me->random);
	return (uint32_t)(me->random >> 20) % FLOWS;
}

static uint64_t
elapsed(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void
draw_flows(struct worker *me)
{
	me->flow = (uint32_t *)malloc(PACKETS * sizeof(uint32_t));
	if (me->flow == NULL)
		abort();
	for (uint32_t i = 0; i < PACKETS; i++)
		me->flow[i] = bursts && i % BURST != 0 ? me->flow[i - 1] : draw(me);
}

static uint64_t
count_from(struct worker *me, uint32_t from, uint32_t to, bool count, uint64_t (*clock)(void))
{
	uint64_t begin = clock(), sink = me->sink;

	for (uint32_t i = from; i < to; i++) {
		for (unsigned int k = 0; k < work; k++) {
			sink = sink * 6364136223846793005u + me->flow[i];
			__asm__ volatile("" : "+r"(sink));
		}
		if (count)
			ep_stats_update_packet(me->flow[i], 64);
		else
			__asm__ volatile("" : : "r"(me->flow[i]));
	}
	me->sink = sink;
	return clock() - begin;
}

static uint64_t
packets(struct worker *me, bool count)
{
	return count_from(me, 0, PACKETS, count, thread_ns);
}

static void *
run(void *arg)
{
	struct worker *me = (struct worker *)arg;

	pin(0);
	if (ctr_thread_register() != 0)
		abort();
	draw_flows(me);
	(void)pthread_barrier_wait(&barrier);
	(void)packets(me, true);
	(void)pthread_barrier_wait(&started);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		me->idle += packets(me, false);
		me->ns += packets(me, true);
	}
	(void)pthread_barrier_wait(&started);
	ep_stats_flush();
	ctr_thread_unregister();
	return NULL;
}

/* What updates take whose ring has room, and what it takes to apply them. */
static void
alone(struct worker *me)
{
	uint64_t begin;

	pin(0);
	if (ctr_thread_register() != 0)
		abort();
	draw_flows(me);
	for (unsigned int round = 0; round <= ROUNDS; round++) {
		if (round == 1)
			me->ns = me->idle = busy = 0;
		for (uint32_t i = 0; i < PACKETS; i += FITS) {
			me->idle += count_from(me, i, i + FITS, false, elapsed);
			me->ns += count_from(me, i, i + FITS, true, elapsed);
			begin = __rdtsc();
			ep_stats_poll();
			busy += __rdtsc() - begin;
		}
	}
	waited = busy;
	ep_stats_flush();
	ctr_thread_unregister();
}

static void *
poll_all_the_time(void *unused)
{
	uint64_t before, now, nothing;

	(void)unused;
	pin(1);
	/* What a poll takes that finds nothing. */
	before = __rdtsc();
	for (unsigned int i = 0; i < EMPTY; i++)
		ep_stats_poll();
	nothing = (__rdtsc() - before) / EMPTY;
	(void)pthread_barrier_wait(&barrier);
	now = __rdtsc();
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		before = now;
		ep_stats_poll();
		now = __rdtsc();
		if (now - before > nothing)
			busy += now - before - nothing;
		waited += now - before;
		for (unsigned int i = 0; i < 20; i++)
			_mm_pause();
		before = __rdtsc();
		waited += before - now;
		now = before;
	}
	return NULL;
}

/* Workers beside the thread that polls. */
static void
beside(unsigned int workers)
{
	pthread_t poller;

	(void)pthread_barrier_init(&barrier, NULL, workers + 2);
	(void)pthread_barrier_init(&started, NULL, workers + 1);
	if (pthread_create(&poller, NULL, poll_all_the_time, NULL) != 0)
		abort();
	for (unsigned int i = 0; i < workers; i++)
		if (pthread_create(&worker[i].thread, NULL, run, &worker[i]) != 0)
			abort();
	(void)pthread_barrier_wait(&barrier);
	(void)pthread_barrier_wait(&started);
	busy = waited = 0;
	(void)pthread_barrier_wait(&started);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	(void)pthread_join(poller, NULL);
	for (unsigned int i = 0; i < workers; i++)
		(void)pthread_join(worker[i].thread, NULL);
	ep_stats_poll();
}

int
main(int argc, char **argv)
{
	struct ep_stats_global global;
	unsigned int workers;
	double updates, ns = 0;

	if (argc < 4 || ep_stats_init() != 0)
		return 1;
	bursts = strcmp(argv[1], "bursts") == 0;
	work = (unsigned int)atoi(argv[2]);
	workers = (unsigned int)atoi(argv[3]);
	for (unsigned int i = 0; i < WORKERS; i++)
		worker[i].random = 88172645463325252u + i * 7919;
	if (workers != 0)
		beside(workers);
	else
		alone(&worker[0]);
	workers = workers != 0 ? workers : 1;
	for (unsigned int i = 0; i < workers; i++)
		ns += (double)worker[i].ns - (double)worker[i].idle;
	updates = (double)workers * ROUNDS * PACKETS;
	if (ep_stats_global_read(&global) != 0 ||
	    global.total_pkts != (uint64_t)workers * (ROUNDS + 1) * PACKETS) {
		fprintf(stderr, "%lu packets were counted\n", (unsigned long)global.total_pkts);
		return 1;
	}
	printf("%.3f %.3f %.2f\n", ns / updates, (double)busy / updates,
	       100.0 * (double)busy / (double)(waited + 1));
	ep_stats_fini();
	return 0;
}

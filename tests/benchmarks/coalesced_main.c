/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two threads, each on a core of its own, count packets of many flows: the cycles of an update on
 * average, and how long single ones take. coalesced.py compiles this with the updates of
 * schemas/ep.yaml for a million sessions under several strategies, and runs these in turns.
 *
 * Arguments: uniform, zipf, bursts or bursts-zipf; packets of a thread between two flushes, 0 for
 * none. Prints cycles for each of the four counters of an update, and percentiles for an update.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "ep_stats.h"
#include "program.h"

#define THREADS 2
#define PACKETS (1u << 21)
#define BURST 16
#define FLOWS EP_STATS_SESSION_MAX
#define COUNTERS 4
#define BUCKETS (1u << 16)

static double *share; /* of all flows up to one, under Zipf's law */
static const char *how;
static uint32_t flush_every;
static pthread_barrier_t barrier;

static struct thread {
	pthread_t thread;
	unsigned int number;
	uint64_t random;
	uint32_t *flow;
	uint64_t cycles, over;
	uint32_t histogram[BUCKETS];
} threads[THREADS];

static uint32_t
draw(struct thread *me)
{
	uint32_t low = 0, high = FLOWS - 1;
	double at;

	(void)next_random(&me->random);
	if (strstr(how, "zipf") == NULL)
		return (uint32_t)(me->random >> 20) % FLOWS;
	at = (double)(me->random >> 11) / 9007199254740992.0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (share[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	/* Which flows are frequent has nothing to do with their indexes. */
	return (uint32_t)((uint64_t)low * 2654435761u % FLOWS);
}

static void
once(struct thread *me)
{
	for (uint32_t i = 0; i < PACKETS; i++) {
		ep_stats_update_packet(me->flow[i], 64);
		if (flush_every != 0 && i % flush_every == flush_every - 1)
			ep_stats_burst_end();
	}
}

static void
timed(struct thread *me)
{
	for (uint32_t i = 0; i < PACKETS; i++) {
		unsigned int cpu;
		uint64_t begin, took;

		begin = __rdtscp(&cpu);
		ep_stats_update_packet(me->flow[i], 64);
		took = __rdtscp(&cpu) - begin;
		if (took < BUCKETS)
			me->histogram[took]++;
		else
			me->over++;
		if (flush_every != 0 && i % flush_every == flush_every - 1)
			ep_stats_burst_end();
	}
}

static void *
run(void *arg)
{
	struct thread *me = (struct thread *)arg;
	uint64_t begin;

	pin(me->number);
	if (ctr_thread_register() != 0)
		abort();
	me->random = 88172645463325252u + me->number * 7919;
	for (uint32_t i = 0; i < PACKETS; i++)
		me->flow[i] = strstr(how, "bursts") == NULL || i % BURST == 0 ? draw(me) :
										me->flow[i - 1];
	once(me);
	(void)pthread_barrier_wait(&barrier);
	begin = __rdtsc();
	once(me);
	me->cycles = __rdtsc() - begin;
	(void)pthread_barrier_wait(&barrier);
	timed(me);
	(void)pthread_barrier_wait(&barrier);
	ep_stats_flush();
	ctr_thread_unregister();
	return NULL;
}

static uint32_t
percentile(double part)
{
	uint64_t wanted = (uint64_t)(part * THREADS * PACKETS), seen = 0;
	uint32_t at;

	for (at = 0; at < BUCKETS; at++) {
		for (unsigned int i = 0; i < THREADS; i++)
			seen += threads[i].histogram[at];
		if (seen >= wanted)
			break;
	}
	return at;
}

int
main(int argc, char **argv)
{
	struct ep_stats_global global;
	double sum = 0, cycles = 0;

	how = argc > 1 ? argv[1] : "uniform";
	flush_every = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
	share = (double *)malloc(FLOWS * sizeof(*share));
	if (share == NULL || ep_stats_init() != 0)
		return 1;
	for (uint32_t i = 0; i < FLOWS; i++)
		share[i] = sum += 1.0 / (i + 1);
	for (uint32_t i = 0; i < FLOWS; i++)
		share[i] /= sum;
	(void)pthread_barrier_init(&barrier, NULL, THREADS);
	for (unsigned int i = 0; i < THREADS; i++) {
		threads[i].number = i;
		threads[i].flow = (uint32_t *)malloc(PACKETS * sizeof(uint32_t));
		if (threads[i].flow == NULL ||
		    pthread_create(&threads[i].thread, NULL, run, &threads[i]) != 0)
			return 1;
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		(void)pthread_join(threads[i].thread, NULL);
		cycles += (double)threads[i].cycles / PACKETS / COUNTERS / THREADS;
	}
	if (ep_stats_global_read(&global) != 0 ||
	    global.total_pkts != 3 * (uint64_t)THREADS * PACKETS) {
		fprintf(stderr, "%lu packets were counted\n", (unsigned long)global.total_pkts);
		return 1;
	}
	printf("%.3f %u %u %u\n", cycles, percentile(0.5), percentile(0.99), percentile(0.999));
	ep_stats_fini();
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads count packets: nanoseconds of processor time that an update takes. cpu.py compiles this with the
 * updates of schemas/ep.yaml under several strategies, and runs these in turns.
 *
 * Argument: registered (two threads, a core each), one or eight (not registered, on two cores).
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ep_stats.h"
#include "program.h"

#define MOST 8
#define CORES 2
#define PACKETS (1u << 23)
#define FLOWS (1u << 12)

static pthread_barrier_t barrier;
static bool registered;
static unsigned int each;

static struct thread {
	pthread_t thread;
	unsigned int number;
	uint64_t ns; /* Of processor time. */
	uint32_t flow[FLOWS];
} threads[MOST];

static void *
run(void *arg)
{
	struct thread *me = (struct thread *)arg;

	pin(me->number % CORES);
	if (registered && ctr_thread_register() != 0)
		abort();
	for (uint32_t i = 0; i < FLOWS; i++)
		me->flow[i] = (uint32_t)((i * 2654435761u + me->number) >> 7) % EP_STATS_SESSION_MAX;
	(void)pthread_barrier_wait(&barrier);
	me->ns = thread_ns();
	for (uint32_t i = 0; i < each; i++)
		ep_stats_update_packet(me->flow[i % FLOWS], 64);
	me->ns = thread_ns() - me->ns;
	ep_stats_flush();
	return NULL;
}

int
main(int argc, char **argv)
{
	unsigned int count = CORES;
	uint64_t ns = 0;

	if (argc < 2)
		return 1;
	registered = strcmp(argv[1], "registered") == 0;
	if (!registered)
		count = strcmp(argv[1], "eight") == 0 ? MOST : 1;
	each = count == 1 ? PACKETS : PACKETS / count * CORES;
	if (ep_stats_init() != 0)
		return 1;
	(void)pthread_barrier_init(&barrier, NULL, count);
	for (unsigned int i = 0; i < count; i++) {
		threads[i].number = i;
		if (pthread_create(&threads[i].thread, NULL, run, &threads[i]) != 0)
			return 1;
	}
	for (unsigned int i = 0; i < count; i++) {
		(void)pthread_join(threads[i].thread, NULL);
		ns += threads[i].ns;
	}
	if (ep_stats_get_total_pkts() != (uint64_t)each * count) {
		fprintf(stderr, "%lu packets were counted\n", (unsigned long)ep_stats_get_total_pkts());
		return 1;
	}
	printf("%.3f\n", (double)ns / ((double)each * count));
	ep_stats_fini();
	return 0;
}

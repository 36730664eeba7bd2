/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates with a quota and without, and with a limit on a shared word: nanoseconds of processor time
 * that one takes, in turns within a process. limits.py runs this.
 *
 * Arguments: THREADS (lcores, a core each), INSTANCES, ROUNDS. Prints a line for each round: without,
 * with a quota, with the shared word; in bulk without and with a quota.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "plain_stats.h"
#include "quota_stats.h"
#include "program.h"

#define PACKETS (1u << 21)
#define FLOWS (1u << 20)
#define WAYS 5
#define BURST 32u

static pthread_barrier_t barrier;
static uint64_t *shared; /* By instance, what remains. */
static uint32_t *flows;
static unsigned int threads, instances, rounds;
static double spent[2][WAYS];

/* The limit as it is written by hand: an atomic exchange of what all threads share. */
static bool
admit(uint64_t *left, uint64_t n)
{
	uint64_t was = __atomic_load_n(left, __ATOMIC_RELAXED);

	do
		if (was < n)
			return false;
	while (!__atomic_compare_exchange_n(left, &was, was - n, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return true;
}

static void
count_bulk(unsigned int way)
{
	static const uint16_t size = 64;
	uint16_t len[BURST];
	bool passed[BURST];
	uint32_t i;

	for (i = 0; i < BURST; i++)
		len[i] = (uint16_t)(size + i);
	for (i = 0; i < PACKETS; i += BURST) {
		if (way == 3)
			plain_stats_update_packet_bulk(&flows[i % FLOWS], len, BURST);
		else
			(void)quota_stats_update_packet_try_bulk(&flows[i % FLOWS], len, BURST,
								 passed);
		quota_stats_burst_end();
	}
}

static void
count(unsigned int way)
{
	uint32_t i;

	if (way >= 3) {
		count_bulk(way);
		return;
	}

	for (i = 0; i < PACKETS; i++) {
		const uint32_t flow = flows[i % FLOWS];
		const uint16_t len = (uint16_t)(64 + (flow & 1023));

		if (way == 0)
			plain_stats_update_packet(flow, len);
		else if (way == 1)
			(void)quota_stats_update_packet_try(flow, len);
		else if (admit(&shared[flow], len))
			plain_stats_update_packet(flow, len);
		if (i % 32 == 31)
			quota_stats_burst_end();
	}
}

static void *
run(void *arg)
{
	const unsigned int me = (unsigned int)(size_t)arg;
	unsigned int round, way;
	const long all = sysconf(_SC_NPROCESSORS_ONLN);

	pin(me * (all >= 4 ? (unsigned int)all / 4 : 1)); /* no two threads of a core */
	if (ctr_thread_register() != 0)
		abort();
	count(0);
	count(1);
	for (round = 0; round < rounds; round++) {
		for (way = 0; way < WAYS; way++) {
			uint64_t begin;

			pthread_barrier_wait(&barrier);
			begin = thread_ns();
			count(way);
			spent[me][way] = (double)(thread_ns() - begin) / PACKETS;
			pthread_barrier_wait(&barrier);
		}
		if (me == 0)
			printf("%.3f %.3f %.3f %.3f %.3f\n", spent[0][0], spent[0][1],
			       spent[0][2], spent[0][3], spent[0][4]);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[2];
	uint32_t i;

	if (argc != 4)
		return 2;
	threads = (unsigned int)atoi(argv[1]);
	instances = (unsigned int)atoi(argv[2]);
	rounds = (unsigned int)atoi(argv[3]);
	flows = malloc(FLOWS * sizeof(*flows));
	shared = malloc(instances * sizeof(*shared));
	if (flows == NULL || shared == NULL || plain_stats_init() != 0 || quota_stats_init() != 0)
		return 1;
	srand(1);
	for (i = 0; i < FLOWS; i++)
		flows[i] = (uint32_t)rand() % instances;
	for (i = 0; i < instances; i++) {
		shared[i] = UINT64_C(1) << 50;
		if (quota_stats_session_quota_set(i, UINT64_C(1) << 50) != 0)
			return 1;
	}
	pthread_barrier_init(&barrier, NULL, threads);
	for (i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, run, (void *)(size_t)i);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

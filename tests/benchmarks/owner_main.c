/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A worker counts packets of a million flows in bursts, on a core of its own. In turns nothing else
 * happens, another core asks for a snapshot that the worker copies itself, the worker copies the same
 * table with memcpy() into memory of the same kind, and the other core reads all. Each time the
 * longest burst is taken, in time of the thread: that in which others run on its core is not in it.
 * owner.py compiles this with the updates of schemas/ep.yaml.
 *
 * Argument: the number of rounds. Prints for each the longest burst of the four turns, in ns.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ep_stats.h"

#define BURST 32
#define FLOWS EP_STATS_SESSION_MAX
#define PIECES ((FLOWS + 1023) / 1024)
#define WINDOW_NS 20000000u

enum turn {
	QUIET,
	ASKED,
	COPIED,
	READ,
	TURNS
};

static uint32_t turn, seen, copy, stop, ready;
static uint64_t longest[TURNS];
static void *target[PIECES + 1];
static uint64_t sink;

static uint64_t
spent(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

/* The pieces of the table of an lcore: one, or those of a dynamic scope. */
static const void *
piece(const struct ep_stats_instance *self, unsigned int n, size_t *bytes)
{
#ifdef DYNAMIC
	*bytes = sizeof(self->session[n]->data);
	return n < PIECES && self->session[n] != NULL ? self->session[n]->data : NULL;
#else
	*bytes = sizeof(self->session);
	return n == 0 ? self->session : NULL;
#endif
}

static void
copy_all(const struct ep_stats_instance *self)
{
	const void *from;
	size_t bytes;

	for (unsigned int n = 0; (from = piece(self, n, &bytes)) != NULL; n++)
		memcpy(target[n], from, bytes);
}

static void
prepare(const struct ep_stats_instance *self)
{
	size_t bytes;

	for (unsigned int n = 0; piece(self, n, &bytes) != NULL; n++) {
		target[n] = ctr_alloc(bytes, ctr_lcore_id());
		if (target[n] == NULL)
			abort();
		memset(target[n], 0, bytes);
	}
}

static void *
work(void *unused)
{
	uint64_t random = 88172645463325252u;
	const struct ep_stats_instance *self;

	pin(0);
	if (ctr_thread_register() != 0)
		abort();
	self = ep_stats_self();
	prepare(self);
	ep_stats_burst_end();
	__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0) {
		uint32_t now = __atomic_load_n(&turn, __ATOMIC_RELAXED), flow[BURST];
		uint64_t begin, ns;

		for (unsigned int i = 0; i < BURST; i++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			flow[i] = (uint32_t)(random >> 20) % FLOWS;
		}
		__atomic_store_n(&seen, now, __ATOMIC_RELAXED);
		begin = spent();
		for (unsigned int i = 0; i < BURST; i++)
			ep_stats_update_packet(flow[i], 64);
		if (__atomic_load_n(&copy, __ATOMIC_RELAXED) != 0) {
			copy_all(self);
			__atomic_store_n(&copy, 0, __ATOMIC_RELEASE);
		}
		ep_stats_burst_end();
		ns = spent() - begin;
		if (ns > __atomic_load_n(&longest[now], __ATOMIC_RELAXED))
			__atomic_store_n(&longest[now], ns, __ATOMIC_RELAXED);
	}
	ctr_thread_unregister();
	return unused;
}

/* As the reader of a snapshot does: the copy is in its cache afterwards. */
static void
look(void)
{
	for (unsigned int n = 0; n <= PIECES && target[n] != NULL; n++) {
		const uint64_t *word = (const uint64_t *)target[n];
#ifdef DYNAMIC
		size_t words = 2 * 1024;
#else
		size_t words = 2 * (size_t)FLOWS;
#endif
		for (size_t i = 0; i < words; i++)
			sink += word[i];
	}
}

int
main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? (unsigned int)atoi(argv[1]) : 10, by = 0;
	struct ep_stats_snapshot *asked, *taken;
	pthread_t thread;

	pin(1);
	if (ep_stats_init() != 0)
		return 1;
#ifdef DYNAMIC
	for (uint32_t i = 0; i < FLOWS; i++)
		if (ep_stats_session_create(i) != 0)
			return 1;
#endif
	if (ep_stats_snapshot_create(&asked) != 0 || ep_stats_snapshot_create(&taken) != 0 ||
	    pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) == 0)
		ctr_yield();
	(void)ep_stats_snapshot_ask(asked, UINT64_MAX); /* Allocates. */
	for (unsigned int r = 0; r < rounds; r++) {
		memset(longest, 0, sizeof(longest));
		for (uint32_t t = 0; t < TURNS; t++) {
			uint64_t begin;

			__atomic_store_n(&turn, t, __ATOMIC_RELAXED);
			while (__atomic_load_n(&seen, __ATOMIC_RELAXED) != t)
				ctr_pause();
			begin = ctr_time_ns();
			if (t == ASKED) {
				(void)ep_stats_snapshot_ask(asked, UINT64_MAX);
				for (unsigned int l = 0; l < CTR_MAX_LCORE; l++)
					by += asked->lcores[l].by == CTR_COPIED_BY_OWNER;
			} else if (t == COPIED) {
				__atomic_store_n(&copy, 1, __ATOMIC_RELEASE);
				while (__atomic_load_n(&copy, __ATOMIC_ACQUIRE) != 0)
					ctr_pause();
				look();
			} else if (t == READ) {
				(void)ep_stats_snapshot_read(taken);
			}
			while (ctr_time_ns() - begin < WINDOW_NS)
				ctr_pause();
		}
		printf("%lu %lu %lu %lu\n", (unsigned long)longest[QUIET],
		       (unsigned long)longest[ASKED], (unsigned long)longest[COPIED],
		       (unsigned long)longest[READ]);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	(void)pthread_join(thread, NULL);
	return by == rounds && sink != 1 ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event is counted and reset, again and again: the counter is 0 or 1 at every token,
 * and no reader sees what two epochs have counted together. One thread counts all; with
 * MODEL_COPIES every second event has another copy, that of threads without an id; with
 * MODEL_HANDOVER another thread, which is told that the reset is done, counts the second. With
 * MODEL_APART the first event adds to one counter and the second to the other.
 */
#ifndef MODEL_UPDATES
#define MODEL_UPDATES 2
#endif
#include "tiny.h"

#ifdef MODEL_HANDOVER
static unsigned int told;
#endif

static void *
counts_and_resets(void *arg)
{
	unsigned int i;

	(void)arg;
	model_enter(0);
	for (i = 0; i < MODEL_UPDATES; i++) {
#ifdef MODEL_APART
		if (i % 2 == 0)
			tiny_stats_add_first(1);
		else
			tiny_stats_add_second(1);
#else
		tiny_stats_update_both();
#endif
		tiny_stats_flush();
		(void)tiny_stats_global_reset(NULL);
#ifdef MODEL_HANDOVER
		break;
#endif
#ifdef MODEL_COPIES
		if (i % 2 == 0)
			ctr_thread_unregister();
		else
			model_enter(0);
#endif
	}
#ifdef MODEL_HANDOVER
	__atomic_store_n(&told, 1, __ATOMIC_RELEASE);
#endif
	if (ctr_lcore_id() < CTR_MAX_LCORE)
		ctr_thread_unregister();
	return NULL;
}

#ifdef MODEL_HANDOVER
static void *
next(void *arg)
{
	(void)arg;
	model_enter(1);
	if (__atomic_load_n(&told, __ATOMIC_ACQUIRE) != 0) {
		tiny_stats_update_both();
		tiny_stats_flush();
		(void)tiny_stats_global_reset(NULL);
	}
	ctr_thread_unregister();
	return NULL;
}
#endif

static void *
reader(void *arg)
{
	struct tiny_stats_global now;

	(void)arg;
	if (tiny_stats_global_read(&now) == 0)
		CHECK(now.first <= 1 && now.second <= 1);
#ifdef MODEL_APART
	CHECK(now.first + now.second <= 1);
#endif
	return NULL;
}

int
main(void)
{
	pthread_t threads[3];
	unsigned int n = 0;

	model_open(2);
	threads[n++] = model_start(counts_and_resets, 0);
#ifdef MODEL_HANDOVER
	threads[n++] = model_start(next, 0);
#endif
	threads[n++] = model_start(reader, 0);
	while (n > 0)
		model_join(threads[--n]);
	CHECK(tiny_stats_get_first() == 0 && tiny_stats_get_second() == 0);
	return 0;
}

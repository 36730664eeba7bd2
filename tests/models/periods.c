/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread counts an event and resets, again and again: the counter is 0 or 1 at every
 * moment, and no reader sees what two periods have counted together.
 */
#ifndef MODEL_UPDATES
#define MODEL_UPDATES 2
#endif
#include "tiny.h"

static void *
counts_and_resets(void *arg)
{
	unsigned int i;

	model_enter((unsigned int)(uintptr_t)arg);
	for (i = 0; i < MODEL_UPDATES; i++) {
		tiny_stats_update_both();
		(void)tiny_stats_global_reset(NULL);
	}
	ctr_thread_unregister();
	return NULL;
}

static void *
reader(void *arg)
{
	struct tiny_stats_global now;

	(void)arg;
	CHECK(tiny_stats_get_first() <= 1);
	if (tiny_stats_global_read(&now) == 0)
		CHECK(now.first <= 1 && now.second <= 1);
	return NULL;
}

int
main(void)
{
	pthread_t threads[2];

	model_open(1);
	threads[0] = model_start(counts_and_resets, 0);
	threads[1] = model_start(reader, 0);
	model_join(threads[0]);
	model_join(threads[1]);
	CHECK(tiny_stats_get_first() == 0 && tiny_stats_get_second() == 0);
	return 0;
}

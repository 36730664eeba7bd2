/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What resets return and what is left add up to what was counted, for two resetters
 * beside writers, and no reader sees more than one of the epochs counted. MODEL_FROM is what has
 * been counted, and reset, before: the largest number makes the next update wrap.
 */
#ifndef MODEL_UPDATES
#define MODEL_UPDATES 3
#endif
#include "tiny.h"

#ifndef RESETTERS
#define RESETTERS 1
#endif
#ifndef READERS
#define READERS 1
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#define COUNTED (WRITERS * MODEL_UPDATES)

static struct tiny_stats_global got[2];
static uint64_t seen;

static void *
resetter(void *arg)
{
	(void)tiny_stats_global_reset(&got[(uintptr_t)arg]);
	return NULL;
}

static void *
reader(void *arg)
{
	(void)arg;
	seen = tiny_stats_get_first();
	CHECK(seen <= COUNTED);
	return NULL;
}

int
main(void)
{
	pthread_t threads[WRITERS + READERS + RESETTERS];
	unsigned int n = 0;
	unsigned int i;

	model_open(WRITERS);
#ifdef MODEL_FROM
	model_enter(0);
	tiny_stats_add_first(MODEL_FROM);
	tiny_stats_add_second(MODEL_FROM);
	(void)tiny_stats_global_reset(NULL);
	ctr_thread_unregister();
#endif
	for (i = 0; i < WRITERS; i++)
		threads[n++] = model_start(model_writer, i);
	for (i = 0; i < READERS; i++)
		threads[n++] = model_start(reader, 0);
	for (i = 0; i < RESETTERS; i++)
		threads[n++] = model_start(resetter, i);
	while (n > 0)
		model_join(threads[--n]);
	/* It is of one epoch. */
	CHECK(seen <= got[0].first || seen <= tiny_stats_get_first());
	CHECK(got[0].first + got[1].first + tiny_stats_get_first() == COUNTED);
	CHECK(got[0].second + got[1].second + tiny_stats_get_second() == COUNTED);
	return 0;
}

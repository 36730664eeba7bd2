/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two lcores, each with one place for deltas, count two things and flush; another thread resets one
 * of them and reads it. With MODEL_FLUSH one lcore flushes between what it counts, the other only at
 * the end, and no thread resets.
 */
#include "things.h"

static void *
counter(void *arg)
{
	const unsigned int lcore = (unsigned int)(uintptr_t)arg;

	model_enter(lcore);
#ifdef MODEL_FLUSH
	things_stats_update_event(0);
	if (lcore == 0)
		things_stats_flush();
	things_stats_update_event(0);
#else
	things_stats_update_event(0);
#endif
	things_stats_update_event(1);
	things_stats_flush();
	return NULL;
}

int
main(void)
{
	struct things_stats_thing last = { 0 };
	uint64_t seen = 0;
	pthread_t threads[2];

	model_things(2);
	if (things_stats_thing_create(1) != 0)
		abort();
	threads[0] = model_start(counter, 0);
	threads[1] = model_start(counter, 1);
#ifndef MODEL_FLUSH
	CHECK(things_stats_thing_reset(0, &last) == 0);
	seen = things_stats_thing_get_events(0);
#endif
	model_join(threads[0]);
	model_join(threads[1]);
#ifdef MODEL_FLUSH
	CHECK(things_stats_thing_get_events(0) == 4);
#else
	CHECK(last.events + things_stats_thing_get_events(0) == 2);
#endif
	CHECK(last.events + seen <= 2);
	CHECK(things_stats_thing_get_events(1) == 2);
	return 0;
}

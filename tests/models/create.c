/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instance is created while a thread registers and updates it: all that is counted
 * once it exists stays counted, and it has memory for every lcore, the new one too. With
 * MODEL_AGAIN there was one before it: what that counted is not seen again.
 */
#include "library.h"

#include "things_stats.c"

static void *
creator(void *arg)
{
	(void)arg;
	if (things_stats_thing_create(0) != 0)
		abort();
	return NULL;
}

static void *
worker(void *arg)
{
	bool *exists = (bool *)arg;

	if (ctr_thread_register() != 0)
		abort();
	*exists = things_stats_thing_exists(0);
	things_stats_update_event(0);
	return NULL;
}

int
main(void)
{
	static bool exists;
	struct things_stats_thing thing;
	pthread_t threads[2];
	unsigned int lcore;

	if (things_stats_init() != 0)
		abort();
#ifdef MODEL_AGAIN
	if (things_stats_thing_create(0) != 0)
		abort();
	things_stats_update_event(0);
	things_stats_update_event(0);
	if (things_stats_thing_destroy(0, NULL) != 0)
		abort();
#endif
	threads[0] = model_start(creator, 0);
	threads[1] = model_start(worker, (uintptr_t)&exists);
	if (things_stats_thing_read(0, &thing) == 0)
		CHECK(thing.events <= 1);
	model_join(threads[0]);
	model_join(threads[1]);
	CTR_SLOTS_FOREACH(lcore, &things_stats_slots)
		CHECK(((struct things_stats_instance *)things_stats_slots.slot[lcore])->thing[0] != NULL);
	CHECK(things_stats_thing_read(0, &thing) == 0);
	CHECK(thing.events + things_stats_drops() <= 1);
	CHECK(!exists || thing.events == 1);
	return 0;
}

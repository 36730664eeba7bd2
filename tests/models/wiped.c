/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A life ends and the next one begins beside an lcore that counts twice, and only then reports for
 * the first time; with MODEL_LEAVES it goes out of use instead. Nobody waits for it, so its
 * updates are in one life or the other, late or lost; but none is in both. What it has begins at 0
 * only when it is not in the middle of an update.
 */
#include "things.h"

static void *
worker(void *arg)
{
	(void)arg;
	model_enter(0);
	things_stats_update_event(0);
	things_stats_update_event(0);
#ifdef MODEL_LEAVES
	ctr_thread_unregister();
#else
	things_stats_quiescent();
#endif
	return NULL;
}

int
main(void)
{
	struct things_stats_thing last;
	pthread_t thread;

	model_things(1);
	thread = model_start(worker, 0);
	if (things_stats_thing_destroy(0, &last) != 0) {
		model_join(thread);
		return 0;
	}
	CHECK(things_stats_thing_create(0) == 0);
	model_join(thread);
	CHECK(last.events + things_stats_thing_get_events(0) + things_stats_late() <= 2);
	return 0;
}

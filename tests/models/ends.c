/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread counts an event of an instance, ends it, creates the next and counts one again:
 * no reader sees what two lives have counted together.
 */
#include "things.h"

static void *
lives(void *arg)
{
	struct things_stats_thing last;

	(void)arg;
	model_enter(0);
	things_stats_update_event(0);
	CHECK(things_stats_thing_destroy(0, &last) == 0 && last.events == 1);
	CHECK(things_stats_thing_create(0) == 0);
	things_stats_update_event(0);
	things_stats_flush();
	return NULL;
}

int
main(void)
{
	pthread_t thread;

	model_things(1);
	thread = model_start(lives, 0);
	CHECK(things_stats_thing_get_events(0) <= 1);
	model_join(thread);
	CHECK(things_stats_thing_get_events(0) == 1 && things_stats_late() == 0);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread counts an event of an instance, ends it, creates the next and counts one again:
 * no reader sees what two lives have counted together. With MODEL_READ it reads all counters;
 * with MODEL_APART (twins.yaml) the next life counts its event in the other.
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
#ifdef MODEL_APART
	things_stats_update_other(0);
#else
	things_stats_update_event(0);
#endif
	things_stats_flush();
	return NULL;
}

static uint64_t
seen(void)
{
#ifdef MODEL_READ
	static struct things_stats_thing now;

	if (things_stats_thing_read(0, &now) != 0)
		return 0;
#ifdef MODEL_APART
	return now.events + now.others;
#else
	return now.events;
#endif
#else
	return things_stats_thing_get_events(0);
#endif
}

int
main(void)
{
	pthread_t thread;

	model_things(1);
	thread = model_start(lives, 0);
	CHECK(seen() <= 1);
	model_join(thread);
#ifdef MODEL_APART
	CHECK(things_stats_thing_get_events(0) == 0 && things_stats_thing_get_others(0) == 1);
#else
	CHECK(things_stats_thing_get_events(0) == 1);
#endif
	CHECK(things_stats_late() == 0);
	return 0;
}

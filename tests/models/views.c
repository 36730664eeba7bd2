/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two consumers reset in views of their own, beside a writer: each gets every count once,
 * and does not see the resets of the other.
 */
#include "library.h"

#include "viewed_stats.c"

#ifndef MODEL_UPDATES
#define MODEL_UPDATES 1
#endif

static struct viewed_stats_global shown;
static struct viewed_stats_global billed;
static const struct viewed_stats_global none;

static void *
writer(void *arg)
{
	unsigned int i;

	model_enter((unsigned int)(uintptr_t)arg);
	for (i = 0; i < MODEL_UPDATES; i++)
		viewed_stats_update_both();
	return NULL;
}

static void *
shows(void *arg)
{
	(void)arg;
	(void)viewed_stats_global_view_reset(VIEWED_STATS_VIEW_CLI, &shown);
	return NULL;
}

/* What was taken in a view and what is left in it are all. */
static void
check(enum viewed_stats_view view, const struct viewed_stats_global *taken)
{
	struct viewed_stats_global now;

	CHECK(viewed_stats_global_view_read(view, &now) == 0);
	CHECK(taken->first + now.first == MODEL_UPDATES);
	CHECK(taken->second + now.second == MODEL_UPDATES);
}

int
main(void)
{
	struct viewed_stats_global before;
	pthread_t threads[2];

	model_lcores(1);
	if (viewed_stats_init() != 0)
		abort();
	threads[0] = model_start(writer, 0);
	threads[1] = model_start(shows, 0);
	(void)viewed_stats_global_view_read(VIEWED_STATS_VIEW_BILLING, &before);
	(void)viewed_stats_global_view_reset(VIEWED_STATS_VIEW_BILLING, &billed);
	CHECK(before.first <= billed.first && billed.first <= MODEL_UPDATES);
	model_join(threads[0]);
	model_join(threads[1]);
	check(VIEWED_STATS_VIEW_BILLING, &billed);
	check(VIEWED_STATS_VIEW_CLI, &shown);
	check(VIEWED_STATS_VIEW_DEFAULT, &none);
	check(VIEWED_STATS_VIEW_RAW, &none);
	return 0;
}

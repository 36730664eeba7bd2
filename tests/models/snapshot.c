/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nothing is reset in the middle of a read section or of a snapshot: two snapshots in
 * one section only grow, whatever a resetter does meanwhile, and what is said to belong
 * together does.
 */
#ifndef MODEL_UPDATES
#define MODEL_UPDATES 2
#endif
#include "tiny.h"

static struct tiny_stats_global got;

static void *
resetter(void *arg)
{
	(void)arg;
	(void)tiny_stats_global_reset(&got);
	return NULL;
}

static void
check(const struct tiny_stats_snapshot *snap)
{
	CHECK(snap->global.first <= MODEL_UPDATES);
	CHECK(snap->global.second <= MODEL_UPDATES);
	if ((snap->global_valid.first & CTR_CONSISTENT) != 0)
		CHECK(snap->global.first == snap->global.second);
}

int
main(void)
{
	static struct tiny_stats_snapshot before;
	static struct tiny_stats_snapshot after;
	pthread_t threads[2];

	model_open(1);
	threads[0] = model_start(model_writer, 0);
	threads[1] = model_start(resetter, 0);
	tiny_stats_read_lock();
	(void)tiny_stats_snapshot_read(&before);
	(void)tiny_stats_snapshot_read(&after);
	tiny_stats_read_unlock();
	model_join(threads[0]);
	model_join(threads[1]);
	check(&before);
	check(&after);
	CHECK(before.global.first <= after.global.first);
	CHECK(before.global.second <= after.global.second);
	CHECK(got.first + tiny_stats_get_first() == MODEL_UPDATES);
	CHECK(got.second + tiny_stats_get_second() == MODEL_UPDATES);
	(void)tiny_stats_snapshot_read(&after);
	CHECK(got.first + after.global.first == MODEL_UPDATES);
	CHECK(got.second + after.global.second == MODEL_UPDATES);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nothing is reset in the middle of a read section or of a snapshot: two snapshots in
 * one section only grow, whatever a resetter does meanwhile.
 */
#define MODEL_UPDATES 1
#include "tiny.h"

static struct tiny_stats_global got;

static void *
resetter(void *arg)
{
	(void)arg;
	(void)tiny_stats_global_reset(&got);
	return NULL;
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
	CHECK(before.global.first <= after.global.first);
	CHECK(after.global.first <= MODEL_UPDATES);
	model_join(threads[0]);
	model_join(threads[1]);
	CHECK(got.first + tiny_stats_get_first() == MODEL_UPDATES);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nothing that two writers add is lost or doubled, and values that one thread reads
 * one after the other only grow. WRITER_0 and WRITER_1 are lcore ids, or MODEL_FOREIGN.
 */
#ifndef MODEL_UPDATES
#define MODEL_UPDATES 3
#endif
#include "tiny.h"

#ifndef WRITER_0
#define WRITER_0 0
#endif
#ifndef WRITER_1
#define WRITER_1 1
#endif

static void *
reader(void *arg)
{
	uint64_t before = tiny_stats_get_first();
	uint64_t after = tiny_stats_get_first();

	(void)arg;
	CHECK(before <= after);
	CHECK(after <= 2 * MODEL_UPDATES);
	return NULL;
}

int
main(void)
{
	pthread_t threads[3];

	model_open(2);
	threads[0] = model_start(model_writer, WRITER_0);
	threads[1] = model_start(model_writer, WRITER_1);
	threads[2] = model_start(reader, 0);
	model_join(threads[0]);
	model_join(threads[1]);
	model_join(threads[2]);
	CHECK(tiny_stats_get_first() == 2 * MODEL_UPDATES);
	CHECK(tiny_stats_get_second() == 2 * MODEL_UPDATES);
	return 0;
}

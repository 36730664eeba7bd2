/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * No read, reset or snapshot shows half of an update: both counters agree. WITH_RESET
 * adds a thread that resets; WRITER_0 is an lcore id, or MODEL_FOREIGN; so is WRITER_1 of a second
 * thread that updates.
 */
#ifndef MODEL_UPDATES
#define MODEL_UPDATES 3
#endif
#include "tiny.h"

#ifndef WRITER_0
#define WRITER_0 0
#endif

static struct tiny_stats_global now;

static void *
resetter(void *arg)
{
	struct tiny_stats_global last;

	(void)arg;
	if (tiny_stats_global_reset(&last) == 0)
		CHECK(last.first == last.second);
	return NULL;
}

static void *
reader(void *arg)
{
	(void)arg;
	if (tiny_stats_global_read(&now) != 0)
		now.first = now.second;
	return NULL;
}

int
main(void)
{
	pthread_t writer;
	pthread_t second;
#ifdef WRITER_1
	pthread_t third;
#endif

	model_open(2);
	writer = model_start(model_writer, WRITER_0);
	second = model_start(reader, 0);
#ifdef WRITER_1
	third = model_start(model_writer, WRITER_1);
#endif
#ifdef WITH_RESET
	resetter(NULL);
#else
	(void)resetter;
#endif
	model_join(writer);
	model_join(second);
#ifdef WRITER_1
	model_join(third);
#endif
	CHECK(now.first == now.second);
	return 0;
}

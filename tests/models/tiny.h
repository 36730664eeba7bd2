/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The models' module: tiny.yaml under the strategy that is checked, and a writer.
 */
#ifndef MODEL_TINY_H
#define MODEL_TINY_H

#include "library.h"

#include "tiny_stats.c"

/** What a writer's argument adds to its lcore id: it has none, and uses the shared part. */
#define MODEL_FOREIGN 0x100u

/** Make the module ready for @p n lcores. */
static inline void
model_open(unsigned int n)
{
	model_lcores(n);
	if (tiny_stats_init() != 0)
		abort();
}

/**
 * A thread that updates MODEL_UPDATES times; its argument is its lcore id.
 * With MODEL_LEAVES it gives that back, which flushes too.
 */
static inline void *
model_writer(void *arg)
{
	unsigned int lcore = (unsigned int)(uintptr_t)arg;
	unsigned int i;

	if (lcore < MODEL_FOREIGN)
		model_enter(lcore);
	for (i = 0; i < MODEL_UPDATES; i++)
		tiny_stats_update_both();
#ifdef MODEL_LEAVES
	ctr_thread_unregister();
#else
	tiny_stats_flush();
#endif
	return NULL;
}

#endif /* MODEL_TINY_H */

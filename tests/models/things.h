/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * The models' module of instances that come and go: things.yaml under the strategy that
 * is checked.
 */
#ifndef MODEL_THINGS_H
#define MODEL_THINGS_H

#include "library.h"

#include "things_stats.c"

/** Make the module ready for @p n lcores, with an instance at index 0. */
static inline void
model_things(unsigned int n)
{
	model_lcores(n);
	if (things_stats_init() != 0 || things_stats_thing_create(0) != 0)
		abort();
}

/** End the instance at index 0; whether its final count is known after a few calls. */
static inline bool
model_end(struct things_stats_thing *last)
{
	unsigned int tries;

	for (tries = 0; tries < 3; tries++)
		if (things_stats_thing_destroy(0, last) == 0)
			return true;
	return false;
}

#endif /* MODEL_THINGS_H */

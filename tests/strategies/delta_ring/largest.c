/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Rings of any size that is permitted take the largest record, an update with 60 arguments, between
 * small ones, and none of it is lost.
 */
#include <unistd.h>

#include "../../run/harness.h"
#include "wide_stats.h"

#define ALL(n)                                                                                     \
	n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,   \
		n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, \
		n, n

TEST(largest)
{
	struct worker me = { .random = 88172645463325252u };
	uint64_t first = 0, last = 0;

	(void)alarm(100);
	EQUAL(wide_stats_init(), 0);
	EQUAL(ctr_thread_register(), 0);
	for (unsigned int i = 0; i < 20000; i++) {
		const uint64_t n = corners[i % CORNERS];
		const bool small = draw(&me) % 4 != 0;

		if (draw(&me) % 3 == 0)
			wide_stats_poll();
		if (small)
			wide_stats_update_one();
		else
			wide_stats_update_all(ALL(n));
		first += small ? 1 : n;
		last += small ? 0 : n;
	}
	wide_stats_poll();
	EQUAL(wide_stats_get_c0(), first);
	EQUAL(wide_stats_get_c59(), last);
	ctr_thread_unregister();
	wide_stats_fini();
}

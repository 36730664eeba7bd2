/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Observations, the add to a counter, and the bucket of a value, as functions of their own whose
 * instructions are counted.
 */
#include "his_stats.h"

#define FAST(name, parameters, call) \
	void name parameters; \
	void name parameters \
	{ \
		call; \
	}
struct found {
	uint64_t bucket, value;
};

/* The value is needed afterwards, for the sum. */
#define BUCKET(name, of) \
	FAST(name, (struct found *found, uint64_t value), \
			found->bucket = of(value); found->value = value)

BUCKET(sizes_bucket, his_stats_session_sizes_bucket)
BUCKET(delays_bucket, his_stats_session_delays_bucket)
FAST(counter, (uint32_t session, uint64_t n), his_stats_session_add_bytes(session, n))
FAST(observe_sizes, (uint32_t session, uint64_t n), his_stats_session_observe_sizes(session, n))
FAST(observe_delays, (uint32_t session, uint64_t n), his_stats_session_observe_delays(session, n))
FAST(global_counter, (uint64_t n), his_stats_add_bytes(n))
FAST(global_delays, (uint64_t n), his_stats_observe_delays(n))

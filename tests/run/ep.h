/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Tests of the reference schema, schemas/ep.yaml; run under every strategy.
 */
#ifndef EP_H
#define EP_H

#include "ep_stats.h"
#include "harness.h"

/** Numbers of all counters: what was added, or read and reset. */
struct ep_sums {
	uint64_t total_pkts;
	uint64_t total_bytes;
	struct ep_stats_session session[EP_STATS_SESSION_MAX];
};

/** Add the counters of @p from to @p to. */
void ep_sums_add(struct ep_sums *to, const struct ep_sums *from);
/** Add all values of a snapshot to @p to. */
void ep_sums_add_snapshot(struct ep_sums *to, const struct ep_stats_snapshot *from);
/** Read everything; fails unless that works. With @p torn a reset may have given up before: then
 * what is left is exact, but may begin amid an update, and reads say so. */
void ep_sums_read(struct ep_sums *out, bool torn);
/** Fail unless both are equal; says how many counts were lost or are too many. */
void ep_sums_check(const struct ep_sums *got, const struct ep_sums *wanted, const char *when);

#endif /* EP_H */

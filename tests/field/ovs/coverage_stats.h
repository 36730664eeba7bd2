/* SPDX-License-Identifier: BSD-3-Clause */
/** @file
 * Coverage counters of Open vSwitch that ovs_stats counts: `coverage/show` has them as before.
 */
#ifndef COVERAGE_STATS_H
#define COVERAGE_STATS_H

#include "coverage.h"
#include "ovs_stats.h"

/**
 * In place of COVERAGE_DEFINE(). The core of OVS adds what `count` returns under coverage_mutex,
 * once a second from each thread: here what all threads have counted since the call before.
 */
#define COVERAGE_STATS(COUNTER)                                        \
	static unsigned int COUNTER##_count(void)                      \
	{                                                              \
		static uint64_t seen;                                  \
		uint64_t now = ovs_stats_get_##COUNTER();              \
		unsigned int more = now - seen;                        \
                                                                       \
		seen = now;                                            \
		return more;                                           \
	}                                                              \
	static struct coverage_counter counter_##COUNTER               \
		= { #COUNTER, COUNTER##_count, 0, 0, {0}, {0} };       \
	OVS_CONSTRUCTOR(COUNTER##_init_coverage) {                     \
		coverage_counter_register(&counter_##COUNTER);         \
	}

#endif /* COVERAGE_STATS_H */

/* SPDX-License-Identifier: BSD-3-Clause */
/** @file The result of a run. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench.h"

/** The result of one run. */
struct bench_result {
	double cycles;     /**< Of the TSC on a core, for a packet. */
	double bare;       /**< The same of packets without statistics, in turn; 0 without turns. */
	double turn;       /**< A typical turn, for a packet; 0 where there are none to compare. */
	double bare_turn;  /**< The same of packets without statistics. */
	double clock;      /**< TSC cycles of a cycle of the core. */
	uint64_t packets[BENCH_MAX_WORKERS]; /**< Handled, by worker. */
	uint64_t faults;   /**< Minor page faults of the workers within the measurement. */
	uint64_t expected; /**< Expected increase of all counters together. */
	uint64_t counted;  /**< Measured increase. */
	bool exact;        /**< Whether both are equal for each counter. */
	struct bench_passes read;  /**< Reads of everything meanwhile. */
	struct bench_passes reset; /**< Resets of everything meanwhile. */
	double ms;         /**< How long that was. */
	struct bench_histogram histogram;
};

/** Run; NULL, or a sentence about what went wrong. */
const char *bench_run(const struct bench_options *o, struct bench_result *result);

/* bench_turns.c */
/** The typical turn: the mean over the workers of the median of their turns. */
void bench_typical(const struct bench_run *run, struct bench_result *result);

#endif /* BENCH_RUN_H */

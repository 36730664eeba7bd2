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
	uint64_t measured; /**< Packets within the measurement. */
	uint64_t expected; /**< Expected increase of all counters together. */
	uint64_t counted;  /**< Measured increase. */
	bool exact;        /**< Whether both are equal for each counter. */
	struct bench_passes read;  /**< Reads of everything meanwhile. */
	struct bench_passes reset; /**< Resets of everything meanwhile. */
	double ms;         /**< How long that was. */
	struct bench_events events;
	struct bench_histogram histogram;
};

/** Run; NULL, or a sentence about what went wrong. */
const char *bench_run(const struct bench_options *o, struct bench_result *result);

/* bench_turns.c */
/** Cycles of the TSC during which this thread had a processor: the time of other processes and of
 * workers that share the processor is not a cost of counting. */
uint64_t bench_own_cycles(void);
/** Count and do not count in turns of a slice of time each, until the run ends. All workers
 * change at the same time, by the TSC. */
void bench_take_turns(struct bench_run *run, struct bench_worker *worker);
/** The typical turn over all workers: the median of differences between neighbours in time. */
void bench_typical(const struct bench_run *run, struct bench_result *result);

#endif /* BENCH_RUN_H */

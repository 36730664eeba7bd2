/* SPDX-License-Identifier: BSD-3-Clause */
/** @file The fixed part of the benchmark harness, file by file. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>

#include <rte_atomic.h>
#include <rte_cycles.h>
#include <rte_lcore.h>

#include "ctr_bench.h"

#define BENCH_MAX_WORKERS CTR_MAX_LCORE

/** The parameters of a run: the words of a `run` command, in order. */
struct bench_options {
	const struct ctr_bench_call *way;
	uint32_t workers;
	uint32_t flows;
	uint32_t iterations; /**< Of the application's work for a packet. */
	uint32_t slice;      /**< TSC cycles of a slice; 0: not interleaved, this way only. */
	double reads;        /**< Snapshots per second. */
	double resets;       /**< Resets of everything, per second. */
	double ms;           /**< Length of the measurement. */
};

/** Maximum number of slices of a worker that are retained: the latest. */
#define BENCH_SLICES 4096

/** Cost of the slices of a worker, in TSC cycles per packet. */
struct bench_slices {
	unsigned int count;        /**< Slices so far. */
	double bare[BENCH_SLICES]; /**< Cost of uncounted packets. */
	double more[BENCH_SLICES]; /**< Additional cost of counted packets in adjacent slices. */
};

/** One worker's part of a run. */
struct bench_worker {
	struct ctr_bench_work work;
	uint64_t packets;  /**< All that it counted. */
	uint64_t measured; /**< Packets counted within the measurement. */
	uint64_t cycles;   /**< Duration of these. */
	uint64_t bare;     /**< Uncounted packets within the measurement. */
	uint64_t bare_cycles; /**< Duration of these. */
	uint32_t first;    /**< The first of its packets. */
	uint32_t at[2];    /**< Its next packet: not counted, and counted. */
	struct bench_slices slices;
} CTR_CACHE_ALIGNED;

/** Passes of the reader or the resetter within the measurement. */
struct bench_passes {
	uint64_t count;
	uint64_t ns; /**< Total duration. */
};

/** The phase of a run. */
enum bench_phase {
	BENCH_WARM,
	BENCH_MEASURE,
	BENCH_STOP
};

/** Data that the threads of a run share. */
struct bench_run {
	const struct bench_options *o;
	const struct ctr_bench_call *bare; /**< The way without statistics. */
	const struct ctr_bench_traffic *traffic;
	struct bench_worker *worker; /**< By number, not by lcore id. */
	CTR_CACHE_ALIGNED uint32_t phase; /**< enum bench_phase. */
	CTR_CACHE_ALIGNED uint32_t ready; /**< Workers that have begun. */
	CTR_CACHE_ALIGNED struct bench_passes read, reset;
	uint64_t ns;     /**< How long the measurement was. */
	uint64_t *before; /**< By effect: the sum over all instances before the run; */
	uint64_t *after;  /**< behind it; */
	uint64_t *taken;  /**< and of the values that resets returned. */
	const char *error;
};

/** The result of one run. */
struct bench_result {
	double cycles;     /**< Of the TSC on a core, for a packet. */
	double bare;       /**< The same of uncounted packets; 0 without slices. */
	double slice;      /**< A typical slice, for a packet; 0 without adjacent slices. */
	double bare_slice; /**< The same of uncounted packets. */
	double clock;      /**< TSC cycles of a cycle of the core. */
	uint64_t expected; /**< Expected increase of all counters together. */
	uint64_t counted;  /**< Measured increase. */
	bool exact;        /**< Whether both are equal for each counter. */
	struct bench_passes read;  /**< Concurrent snapshots. */
	struct bench_passes reset; /**< Concurrent resets of everything. */
	double ms;         /**< Length of the measurement. */
};

/* bench_run.c */
/** Run; NULL, or a sentence about what went wrong. */
const char *bench_run(const struct bench_options *o, struct bench_result *result);

/* bench_traffic.c */
/** Packets of @p flows flows; kept for later runs. NULL if there is no memory. */
const struct ctr_bench_traffic *bench_traffic(uint32_t flows);
/** The sum that @p packets of an endless repetition of @p t add by @p effect, from @p first on. */
uint64_t bench_expected(const struct ctr_bench_traffic *t, uint32_t first, uint64_t packets,
		const struct ctr_bench_effect *effect);

/* bench_totals.c */
/** By effect, add the sum of its counter over the instances of @p flows flows to @p total; with
 * @p take reset these as well. */
void bench_totals(uint32_t flows, bool take, uint64_t *total);
/** Bits of the counter of an effect. */
unsigned int bench_width(const struct ctr_bench_effect *effect);

/* bench_toil.c */
/** Cycles of one iteration of the application's work. */
double bench_calibrate(void);
/** TSC cycles of a cycle of the core, now. */
double bench_clock(void);

/* bench_main.c */
/** A way of counting by its name; NULL if there is none. */
const struct ctr_bench_call *bench_way(const char *name);

/* bench_work.c */
/** Count a packet of each flow, or as many as fill a cache, but not for long. */
void bench_warm_up(struct bench_run *run, struct bench_worker *worker);
/** Until the run stops, handle counted and uncounted bursts in alternating slices of time, which
 * all workers change at the same TSC value; without a slice, counted ones only. */
void bench_work(struct bench_run *run, struct bench_worker *worker);
/** The typical slice: the mean over the workers of the median of their slices. */
void bench_typical(const struct bench_run *run, struct bench_result *result);

#endif /* BENCH_H */

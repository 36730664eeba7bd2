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

/** How packets come to the workers. */
enum bench_scheduler {
	BENCH_DIRECT,  /**< Every worker generates its own. */
	BENCH_PIPELINE /**< Each even worker hands on what it made to the next, over rte_ring. */
};

/** The sequence of the flows of packets. */
enum bench_distribution {
	BENCH_UNIFORM,
	BENCH_ZIPF,  /**< The kth flow is 1/k as frequent as the first. */
	BENCH_BURSTS /**< Several packets of a flow in a row. */
};

/** The flows of a worker that generates its own packets. */
enum bench_affinity {
	BENCH_NONE,  /**< All. */
	BENCH_RARE,  /**< Its own flows; one packet in 1,000 of any flow. */
	BENCH_PINNED /**< Its own. */
};

/** How everything is read during a run. */
enum bench_reader {
	BENCH_SNAPSHOT,  /**< By the module's snapshot. */
	BENCH_INSTANCES, /**< Instance by instance. */
	BENCH_WALK       /**< 256 instances in a read section, as the SNMP agent does. */
};

/** The parameters of a run; the fields of a `run` command. */
struct bench_options {
	const struct ctr_bench_way *way;
	unsigned int workers;
	uint32_t flows;
	enum bench_distribution distribution;
	uint32_t burst;          /**< Packets in a row, for BENCH_BURSTS. */
	enum bench_affinity affinity;
	enum bench_scheduler scheduler;
	uint32_t iterations;     /**< Of the application's work for a packet. */
	uint32_t pressure;       /**< KiB that this work writes for a packet. */
	double reads;            /**< Reads of everything, per second. */
	enum bench_reader reader; /**< How everything is read. */
	double resets;           /**< Resets of everything, per second. */
	double ms;               /**< Length of the measurement. */
	uint32_t slice;          /**< TSC cycles of a slice; 0: not interleaved, this way only. */
	uint32_t latency;        /**< Packets of each timed call; 0: no calls are timed. */
};

/** Times of single calls: a histogram of 32 steps for each power of two. */
struct bench_histogram {
	uint64_t count[60 * 32];
	uint64_t samples;
	uint64_t max;
};

/** Maximum number of slices of a worker that are retained: the latest. */
#define BENCH_TURNS 4096

/** Cost of the slices of a worker, in TSC cycles per packet. */
struct bench_turns {
	unsigned int count;       /**< Slices so far. */
	double bare[BENCH_TURNS]; /**< Cost of uncounted packets. */
	double more[BENCH_TURNS]; /**< Additional cost of counted packets in adjacent slices. */
};

/** One worker's part of a run. */
struct bench_worker {
	struct ctr_bench_work work;
	const struct ctr_bench_traffic *traffic;
	uint64_t packets;  /**< All that it counted. */
	uint64_t measured; /**< Packets counted within the measurement. */
	uint64_t cycles;   /**< Duration of these. */
	uint64_t bare;     /**< Uncounted packets within the measurement. */
	uint64_t bare_cycles; /**< Duration of these. */
	uint32_t first;    /**< The first of its packets. */
	uint32_t at[2];    /**< Its next packet: not counted, and counted. */
	uint32_t *times;   /**< How often each burst was counted. NULL: in order. */
	uint64_t faults;   /**< Minor page faults; within the measurement, when that is over. */
	bool begun;        /**< Whether the measurement has begun for it. */
	struct ctr_bench_traffic *scratch; /**< Arguments of a burst from a ring; else NULL. */
	struct bench_histogram histogram;
	struct bench_turns turns;
} CTR_CACHE_ALIGNED;

/** Passes of the reader or the resetter within the measurement. */
struct bench_passes {
	uint64_t count;
	uint64_t ns; /**< Total duration. */
};

/** Data that the threads of a run share. */
struct bench_run {
	const struct bench_options *o;
	const struct ctr_bench_way *bare; /**< The way without statistics. */
	struct bench_worker *worker; /**< By number, not by lcore id. */
	CTR_CACHE_ALIGNED uint32_t phase; /**< enum bench_phase. */
	CTR_CACHE_ALIGNED uint32_t ready; /**< Workers that have begun. */
	CTR_CACHE_ALIGNED struct bench_passes read, reset;
	uint64_t ns;     /**< How long the measurement was. */
	uint64_t *taken; /**< By effect: the sum of the values that resets returned. */
	const char *error;
};

/** The result of one run. */
struct bench_result {
	double cycles;     /**< Of the TSC on a core, for a packet. */
	double bare;       /**< The same of uncounted packets; 0 without slices. */
	double turn;       /**< A typical slice, for a packet; 0 without adjacent slices. */
	double bare_turn;  /**< The same of uncounted packets. */
	double clock;      /**< TSC cycles of a cycle of the core. */
	uint64_t packets[BENCH_MAX_WORKERS]; /**< Handled, by worker. */
	uint64_t faults;   /**< Minor page faults of the workers within the measurement. */
	uint64_t expected; /**< Expected increase of all counters together. */
	uint64_t counted;  /**< Measured increase. */
	bool exact;        /**< Whether both are equal for each counter. */
	struct bench_passes read;  /**< Concurrent reads of everything. */
	struct bench_passes reset; /**< Concurrent resets of everything. */
	double ms;         /**< Length of the measurement. */
	struct bench_histogram histogram;
};

/* bench_run.c */
/** Run; NULL, or a sentence about what went wrong. */
const char *bench_run(const struct bench_options *o, struct bench_result *result);

/** The phase of a run. */
enum bench_phase {
	BENCH_WARM,
	BENCH_MEASURE,
	BENCH_STOP
};

/* bench_traffic.c */
/** Packets of one worker; cached for later runs. NULL if there is no memory. */
const struct ctr_bench_traffic *bench_traffic(const struct bench_options *o, unsigned int worker);
/** The sum that @p packets of an endless repetition of @p t add by @p effect, from @p first on. */
uint64_t bench_expected(const struct ctr_bench_traffic *t, uint32_t first, uint64_t packets,
		const struct ctr_bench_effect *effect);
/** The same where the nth burst of @p t was counted @p times [n] times. */
uint64_t bench_expected_times(const struct ctr_bench_traffic *t, const uint32_t *times,
		const struct ctr_bench_effect *effect);

/* bench_totals.c */
/** By effect, the sum of its counter over the instances of @p flows flows, before a run. */
void bench_totals_before(uint32_t flows, uint64_t *total);
/** The same behind a run, always by reads. */
void bench_totals_after(uint32_t flows, uint64_t *total);
/** Nothing is known from before: a run resets counters and is not read behind. */
void bench_totals_forget(void);
/** Read everything as @p reader does: 0 or -ENOMEM. */
int bench_read(uint32_t flows, enum bench_reader reader);
/** The same by resets, added to @p total. */
void bench_take(uint32_t flows, uint64_t *total);
/** Bits of the counter of an effect. */
unsigned int bench_width(const struct ctr_bench_effect *effect);

/* bench_control.c */
/** Until the phase ends, read and reset at the rates of the run; sleep in between. */
void bench_control(struct bench_run *run, double ms);

/* bench_histogram.c */
void bench_record(struct bench_histogram *h, uint64_t cycles);
void bench_merge(struct bench_histogram *into, const struct bench_histogram *from);
/** A quantile (0 to 1) of the samples; at most 1/32 too long. */
uint64_t bench_percentile(const struct bench_histogram *h, double share);

/* bench_lines.c */
/** Cycles that a cache line takes from one processor to another, one way. */
double bench_transfer(int a, int b);
/** Cycles of reading the clock. */
double bench_timer(void);
/** Cycles of one iteration of the application's work. */
double bench_calibrate(void);
/** TSC cycles of a cycle of the core, now. */
double bench_clock(void);

/** TSC cycles of a load from one of @p bytes that depends on the load before; 0: no memory. */
double bench_chase(size_t bytes);

/** Mean TSC cycles, beyond a hit in L1, of a load from a line unused for @p cycles. */
double bench_rest(double cycles);

/* bench_main.c */
/** A way of counting by its name; NULL if there is none. */
const struct ctr_bench_way *bench_way(const char *name);

/* bench_memory.c */
/** Choose pages of the program's own data, before all else: `huge`, `small`, or as the system. */
void bench_choose_pages(const char *word);
/** Bytes that DPDK has allocated. */
size_t bench_allocated(void);
/** Touch every page of some memory: the first write to a page takes thousands of cycles. */
void bench_touch(void *begin, size_t size);
/** Touch the program's data and all of DPDK's memory, before the lcores do anything. */
void bench_fault_in(void);
/** Print where that is, as members of an object of JSON. */
void bench_print_memory(void);

/* bench_work.c */
/** Handle packets one burst at a time and count them. */
void bench_burst(struct bench_run *run, struct bench_worker *worker,
		const struct ctr_bench_traffic *t, uint32_t at, uint32_t n);
/** Handle a burst, counted or not: how many packets that were, 0 when there were none to handle. */
typedef uint32_t (*bench_step_t)(struct bench_run *run, struct bench_worker *worker, bool counts);
/** A burst of the worker's own packets. */
uint32_t bench_step(struct bench_run *run, struct bench_worker *worker, bool counts);
/** Count a packet of each flow, or as many as fill a cache, but not for long. */
void bench_warm_up(struct bench_run *run, struct bench_worker *worker);
/** Until the run stops, count packets that the worker makes by itself. */
void bench_straight(struct bench_run *run, struct bench_worker *worker);
/** Cycles of the TSC during which this thread had a processor. */
uint64_t bench_own_cycles(void);
/** Called before each measurement of a time. */
void bench_begin_measuring(struct bench_worker *worker);
/** The measurement is over for a worker. */
void bench_measured(struct bench_worker *worker);
/** Copy the arguments of packets at @p place of @p t to the scratch of a worker. */
void bench_gather(const struct ctr_bench_traffic *t, struct bench_worker *worker,
		const uint32_t *place, uint32_t n);
/** The phase, as a worker sees it. */
static inline uint32_t
bench_phase(const struct bench_run *run)
{
	return __atomic_load_n(&run->phase, __ATOMIC_ACQUIRE);
}

/* bench_turns.c */
/** Compares two doubles, for qsort(). */
int bench_by_size(const void *a, const void *b);
/**
 * Until the run stops, handle counted and uncounted bursts in alternating slices of time, which all
 * workers change at the same TSC value; without a slice, counted ones only.
 */
void bench_take_turns(struct bench_run *run, struct bench_worker *worker, bench_step_t step);
/** The typical slice: the mean over the workers of the median of their slices. */
void bench_typical(const struct bench_run *run, struct bench_result *result);

/* bench_pipeline.c */
/** Connect pairs of workers by rings, before a run: 0, or -errno. */
int bench_pipeline_setup(struct bench_run *run);
/** Run a worker: an even one enqueues, the next one dequeues. */
void bench_pipeline_work(struct bench_run *run, unsigned int number);
/** Empty the rings after a run; sets the error of the run if packets were lost. */
void bench_pipeline_teardown(struct bench_run *run);

/* bench_traffic.c */
/** Allocate room for @p count packets, for free(). NULL without memory. */
struct ctr_bench_traffic *bench_scratch(uint32_t count);

#endif /* BENCH_H */
